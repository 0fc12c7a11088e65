// What stands above an agent's turns: how it ended, what each turn took, the failed calls, a search.
var assayTurns = (function () {
  "use strict";
  var element = assaySteps.element, FEWEST = 3;
  function money(n) { return "$" + (n < 0.1 && n > 0 ? n.toFixed(Math.min(20, 1 - Math.floor(Math.log10(n)))) : n.toFixed(n ? 2 : 0)); }
  var MEASURES = [  // of a turn's [input tokens, output tokens, US dollars, seconds of the reply, seconds of its calls]
    ["$", function (spent) { return spent[2] || 0; }, money],
    ["tokens", function (spent) { return spent[0] + spent[1]; }, function (n) { return Math.round(n).toLocaleString("en") + " tokens"; }],
    ["seconds", function (spent) { return spent[3] + spent[4]; }, function (n) { return n.toFixed(n < 10 ? 2 : 1) + " s"; }],
  ];

  // Draw it for every section of `place` that has turns.
  function show(place) {
    place.querySelectorAll("section, article").forEach(function (section) {
      var turns = Array.from(section.children).filter(function (each) { return each.assaySpent; });
      if (turns.length >= FEWEST) above(section, turns);
    });
  }
  function above(section, turns) {
    var measures = MEASURES.filter(function (measure) {
      return turns.some(function (turn) { return measure[1](turn.assaySpent) > 0; });
    });
    var failed = turns.filter(function (turn) { return turn.classList.contains("failed"); });
    var ended = section.querySelector(":scope > .end > pre"), changed = section.querySelector(":scope > .changes");
    var bars = element("div.bars", []), total = element("small", []), found = element("output", []);
    var search = element("input", [], { type: "search", placeholder: "Search in these turns", "aria-label": "Search in these turns" });
    var at = -1;
    turns.forEach(function (turn) {
      turn.assayText = turn.textContent.toLowerCase();
      var summary = turn.querySelector(":scope > summary");
      turn.assayName = summary ? summary.querySelector("b").textContent : "the last reply";
      if (summary) summary.append(element("span.took", measures.map(function (measure) {
        return element("span", measure[2](measure[1](turn.assaySpent)));
      })));
      turn.assayBar = element("a", element("i", []), { href: "#" + turn.id });
      if (turn.classList.contains("failed")) turn.assayBar.className = "failed";
      turn.assayBar.addEventListener("click", function (event) { event.preventDefault(); go(turn); });
      bars.append(turn.assayBar);
    });
    function measured(measure) {
      var most = Math.max.apply(null, turns.map(function (turn) { return measure[1](turn.assaySpent); })), sum = 0, dear;
      turns.forEach(function (turn) {
        var value = measure[1](turn.assaySpent);
        if (value === most) dear = turn;
        sum += value;
        turn.assayBar.firstChild.style.height = Math.max(4, 100 * value / most) + "%";
        turn.assayBar.title = turn.assayName + ": " + measures.map(function (each) {
          return each[2](each[1](turn.assaySpent));
        }).join(", ");
      });
      total.textContent = measure[2](sum) + " in all, most in " + dear.assayName + ": " + measure[2](most);
    }
    function go(turn) {
      turn.hidden = false;
      if (turn.tagName === "DETAILS") turn.open = true;
      turn.scrollIntoView({ block: "center" });
      (turn.querySelector("summary") || turn).focus();
      if (turn.getBoundingClientRect().height > window.innerHeight) turn.scrollIntoView();
    }
    function step(by) {
      var here = document.activeElement && document.activeElement.closest(".failed");
      at = failed.indexOf(here) < 0 ? at : failed.indexOf(here);
      at = (at + by + failed.length) % failed.length;
      go(failed[at]);
    }
    function filter() {
      var wanted = search.value.trim().toLowerCase(), hits = 0;
      turns.forEach(function (turn) {
        var hit = turn.assayText.indexOf(wanted) >= 0;
        hits += hit;
        turn.hidden = !hit;
        turn.assayBar.classList.toggle("off", !hit);
      });
      found.textContent = wanted ? hits + " of " + turns.length + " turns" : "";
      mark(turns, wanted);
    }
    search.addEventListener("input", filter);
    search.addEventListener("keydown", function (event) {
      var shown = turns.filter(function (turn) { return !turn.hidden && !turn.open; });
      if (event.key === "Enter" && shown.length) { shown[0].open = true; shown[0].scrollIntoView({ block: "center" }); }
    });
    var how = element("span.choose", measures.length > 1 && measures.map(function (measure, number) {
      var button = element("button", measure[0], { type: "button", "aria-pressed": number === 0 });
      button.addEventListener("click", function () {
        how.querySelectorAll("button").forEach(function (each) { each.setAttribute("aria-pressed", each === button); });
        measured(measure);
      });
      return button;
    }));
    function pressed(text, does, title) {
      var button = element("button", text, { type: "button", title: title });
      button.addEventListener("click", does);
      return button;
    }
    var box = element("div.turns", [
      ended && element("p.ended", ended.textContent),
      element("p.jumps", [
        element("b", turns.length + " turns"),
        failed.length > 0 && element("span.failed", [
          element("b", failed.length + " with a failed call "),
          pressed("← previous", function () { step(-1); }, "previous failed call (key Shift-E)"),
          pressed("next →", function () { step(1); }, "next failed call (key e)"),
        ]),
        !failed.length && element("span", "no call failed"),
        changed && element("a", changed.querySelector("h3").textContent, { href: "#" + changed.id }),
        search, found,
      ]),
      measures.length > 0 && bars,
      measures.length > 0 && element("p.measured", [how, total]),
    ]);
    if (ended) ended.parentNode.remove();
    section.insertBefore(box, turns[0]);
    if (measures.length) measured(measures[0]);
    if (failed.length) document.addEventListener("keydown", function (event) {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      if (event.key.toLowerCase() === "e" && section.offsetParent) step(event.shiftKey ? -1 : 1);
    });
  }

  // Show where the word stands, in browsers that can.
  function mark(turns, wanted) {
    if (!window.Highlight) return;
    var ranges = [];
    if (wanted.length > 1) turns.forEach(function (turn) {
      if (turn.hidden) return;
      var walker = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT), node;
      while ((node = walker.nextNode())) {
        for (var text = node.data.toLowerCase(), at = text.indexOf(wanted); at >= 0 && ranges.length < 5000; at = text.indexOf(wanted, at + 1)) {
          var range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          ranges.push(range);
        }
      }
    });
    CSS.highlights.set("found", new (Function.prototype.bind.apply(Highlight, [null].concat(ranges)))());
  }
  return { show: show };
})();
