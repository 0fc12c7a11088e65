// A cell's page, drawn from its data in a file of ../data.
(function () {
  "use strict";
  var MARKS = { pass: "✓", fail: "✗", error: "!", skipped: "–" };
  var element = assaySteps.element;

  window.assayCells = function (cells) {
    var mine = cells[window.assayCell] && JSON.parse(cells[window.assayCell]);
    if (!mine) {
      document.getElementById("nothing").textContent = "The report has been rewritten and no longer holds trials for this page.";
      return;
    }
    draw(mine);
    tabs();
    assaySteps.copyButtons(document.querySelector("main"));
    around(mine.ways);
  };

  // ---- what the page shows
  function draw(cell) {
    document.title = cell.test + " · " + cell.model;
    document.querySelector("header").replaceChildren(header(cell), ...beneath(cell));
    var main = document.querySelector("main");
    main.replaceChildren.apply(main, cell.trials.map(function (trial, at) { return article(trial, at + 1, cell.trials.length); }));
    if (cell.trials.length > 1) main.before(element("div.tabs", cell.trials.map(function (trial, at) {
      var id = "t" + (at + 1);
      return element("a." + trial.outcome, [element("b", MARKS[trial.outcome]), " " + trial.label],
        { role: "tab", id: "tab" + (at + 1), href: "#" + id, "aria-controls": id });
    }), { role: "tablist", "aria-label": "Trials" }));
  }
  function header(cell) {
    var words = [["before", "← Previous test", "p"], ["after", "Next test →", "n"], ["failure", "Next failure ↓", "f"]];
    return element("nav", [
      element("a", "← All results", { href: "../index.html" }),
      element("span.steps", words.map(function (each, at) {
        var way = cell.ways[at];
        return way ? element("a", each[1], { href: way[1], "data-to": each[0], title: way[0] + " (key " + each[2] + ")" })
          : element("span.off", each[1]);
      })),
      element("button", "◐", { id: "theme", type: "button", title: "Light or dark" }),
    ]);
  }
  function beneath(cell) {
    return [
      element("h1", cell.test),
      element("p.sub", [element("b", cell.model), cell.said]),
      cell.about ? element("p.about", cell.about) : "",
      element("p.tags", cell.tags.map(function (tag) { return element("span", tag); }).concat(cell.links.map(function (link) {
        return element("a", link[0], { href: link[1] });
      }))),
      cell.others.length ? element("ul.others", cell.others.map(function (other) {
        return element("li." + other.css, [
          element("a", other.model, { href: other.page }), " ", element("b", other.text),
          cell.here && " ", cell.here && element("a.beside", "side by side", {
            href: "../side.html#" + cell.here + "+" + other.page, title: "Both models' answers side by side",
          }),
        ]);
      }), { "aria-label": "The same test by other models" }) : "",
    ].filter(Boolean);
  }
  function article(trial, t, of) {
    var panel = of > 1 ? { role: "tabpanel", "aria-labelledby": "tab" + t } : {};
    var made = element("article", [
      element("h2." + trial.outcome, [
        element("b", MARKS[trial.outcome]), " " + trial.outcome.toUpperCase(), trial.cause && " ",
        trial.cause && element("span.cause", trial.cause),
      ]),
      trial.why && element("p.why", trial.why),
      trial.again && element(trial.again.changed ? "p.again other" : "p.again", [
        element("b", "Judged again."), " " + trial.again.said, trial.again.replied && " ",
        trial.again.replied && element("small", "replies from " + trial.again.replied + " UTC"),
      ]),
      trial.later && element("p.again other", [element("b", "A later run ended without a verdict;"), " this one counts."]),
      trial.later && element("pre.broke", trial.later),
      trial.error && element("pre.broke", trial.error),
    ], Object.assign({ id: "t" + t }, panel));
    assaySteps.show(made, trial.pieces, t);
    assayTurns.show(made);
    if (!trial.pieces.length) made.append(element("p.ext", "No steps were recorded for this trial."));
    made.append(facts(trial.facts));
    if (trial.details.length) made.append(element("details", [element("summary", "More about this trial"), facts(trial.details)]));
    return made;
  }
  function facts(pairs) {
    return element("dl.facts", pairs.map(function (pair) {
      return element("div", [element("dt", pair[0]), element("dd", pair[1])]);
    }));
  }

  // ---- tabs: one trial at a time
  function tabs() {
    var all = Array.from(document.querySelectorAll("[role=tab]"));
    function show(tab, focus) {
      all.forEach(function (each) {
        var on = each === tab;
        each.setAttribute("aria-selected", on);
        each.tabIndex = on ? 0 : -1;
        document.getElementById(each.getAttribute("aria-controls")).hidden = !on;
      });
      if (focus) tab.focus();
    }
    all.forEach(function (tab, at) {
      tab.addEventListener("click", function (event) {
        event.preventDefault();
        show(tab);
        try { history.replaceState(null, "", tab.hash); } catch (e) { /* a viewer that forbids it */ }
      });
      tab.addEventListener("keydown", function (event) {
        var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) show(all[(at + step + all.length) % all.length], true);
      });
    });
    function follow() {
      var target = document.getElementById(location.hash.slice(1));  // a trial, or something inside one
      var article = target && target.closest("article");
      if (all.length) show(all.find(function (tab) { return article && tab.hash === "#" + article.id; }) || all[0]);
      for (var folded = target; folded; folded = folded.parentElement) if (folded.tagName === "DETAILS") folded.open = true;
      if (article && (target !== article || !all.length)) target.scrollIntoView();
    }
    follow();
    window.addEventListener("hashchange", follow);  // another link to this page, opened here
  }

  // ---- the keys n, p and f; and the tests before and after, for side.html
  function around(ways) {
    var links = {};
    document.querySelectorAll("[data-to]").forEach(function (link) { links[link.dataset.to] = link; });
    document.addEventListener("keydown", function (event) {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      var link = links[{ n: "after", p: "before", f: "failure" }[event.key]];
      if (link) link.click();
    });
    if (window.parent === window) return;
    document.body.classList.add("framed");
    window.parent.postMessage({ before: ways[0] && ways[0][1], after: ways[1] && ways[1][1] }, "*");
  }
})();
