// Filter, sort and compare. All data is in the page; text is set, never parsed as HTML.
function startGrid() {
  "use strict";
  var data = JSON.parse(document.getElementById("data").textContent);
  var byId = function (id) { return document.getElementById(id); };
  var controls = ["text", "tag", "outcome", "of", "sort"].map(byId);
  var text = controls[0], tag = controls[1], outcome = controls[2], of = controls[3], sort = controls[4];
  var PASSED = 0, COUNTED = 1, ERRORS = 2, SKIPPED = 3, CAUSES = 4, SCORE = 5;

  var bodies = Array.from(document.querySelectorAll(".matrix tbody"));
  var rows = [];
  bodies.forEach(function (body) {
    body.querySelectorAll("tr:not(.suite)").forEach(function (tr) {
      var head = tr.firstElementChild, tags = tr.dataset.tags ? tr.dataset.tags.split("\n") : [];
      rows.push({
        tr: tr, body: body, at: rows.length, tags: tags, cells: data.rows[rows.length], name: (head.querySelector("a:not(.own)") || head).textContent,
        words: (head.textContent + " " + head.title + " " + tags.join(" ")).toLowerCase(),
      });
    });
  });

  // ---- numbers
  function value(cell) {
    if (!cell || !cell[COUNTED]) return null;
    var score = cell[SCORE];  // missing for tests that count by pass or fail
    return score === undefined ? cell[PASSED] / cell[COUNTED] : score;
  }
  function sum(cells, field) {
    return cells.reduce(function (total, cell) { return total + (cell ? cell[field] : 0); }, 0);
  }
  function total(row) {
    var counted = sum(row.cells, COUNTED);  // of all models' trials, as in the cell
    return counted ? row.cells.reduce(function (all, cell) {
      return all + (value(cell) === null ? 0 : value(cell) * cell[COUNTED]);
    }, 0) / counted : null;
  }

  // ---- filter and sort
  function wanted(row) {
    var cells = of.value === "" ? row.cells : [row.cells[+of.value]];
    var passed = sum(cells, PASSED), counted = sum(cells, COUNTED);
    var words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.every(function (word) { return row.words.includes(word); })) return false;
    if (tag.value && !row.tags.includes(tag.value)) return false;
    switch (outcome.value) {
      case "all": return counted > 0 && passed === counted;
      case "some": return passed < counted;
      case "none": return counted > 0 && passed === 0;
      case "error": return sum(cells, ERRORS) > 0;
      case "skipped": return sum(cells, SKIPPED) > 0;
      case "differ":
        return new Set(row.cells.map(value).filter(function (v) { return v !== null; })).size > 1;
      default: return !outcome.value || causes(cells).has(data.causes.indexOf(outcome.value));
    }
  }
  function causes(cells) {
    return new Set(cells.flatMap(function (cell) { return cell && cell[CAUSES] || []; }));
  }
  var group = outcome.querySelector("optgroup");
  function offer() {  // the causes that there are, as outcomes
    var found = causes(rows.flatMap(function (row) { return row.cells; })), chosen = outcome.value;
    group.replaceChildren.apply(group, data.causes.filter(function (cause, at) { return found.has(at); }).map(function (cause) {
      return new Option(cause, cause, false, cause === chosen);
    }));
    group.hidden = !found.size;
  }
  function key(row) {
    if (sort.value === "") return row.at;
    var v = sort.value === "total" ? total(row) : value(row.cells[+sort.value]);
    return v === null ? Infinity : v;
  }
  var upwards = true, order = rows;
  function apply() {
    var shown = 0, before = order;
    order = rows.slice().sort(function (a, b) {
      var x = key(a), y = key(b);
      if (x === y) return a.at - b.at;
      if (x === Infinity || y === Infinity) return x - y;  // untried tests last, in either order
      return upwards ? x - y : y - x;
    });
    order.forEach(function (row) {
      row.tr.hidden = !wanted(row);
      if (!row.tr.hidden) shown += 1;
    });
    if (order.some(function (row, at) { return row !== before[at]; })) {
      order.forEach(function (row) { row.body.appendChild(row.tr); });
    }
    bodies.forEach(function (body) { body.hidden = !body.querySelector("tr:not(.suite):not([hidden])"); });
    byId("shown").textContent = shown + " of " + rows.length + " shown";
    document.querySelectorAll(".matrix [data-sort]").forEach(function (button) {
      var on = button.dataset.sort === sort.value;
      button.parentNode.setAttribute("aria-sort", on ? (upwards ? "ascending" : "descending") : "none");
    });
  }

  // ---- choices are kept in the address, for reload, back and shared links
  var compared = ["first", "second"].map(byId).filter(Boolean);
  function remember() {
    var state = new URLSearchParams();
    controls.concat(compared).forEach(function (control) {
      var usual = control.tagName === "SELECT" ? (control.querySelector("[selected]") || control.options[0]).value : "";
      if (control.value !== usual) state.set(control.id, control.value);
    });
    if (!upwards) state.set("down", "1");
    var hash = state.toString();
    try { history.replaceState(null, "", hash ? "#" + hash : location.pathname); } catch (e) { /* forbidden */ }
  }
  function recall() {
    var state = new URLSearchParams(location.hash.slice(1));
    controls.concat(compared).forEach(function (control) {
      if (!state.has(control.id)) return;
      control.value = state.get(control.id);
      if (control.selectedIndex === -1) control.selectedIndex = 0;
    });
    upwards = !state.has("down");
  }
  function changed() { apply(); remember(); }
  controls.forEach(function (control) {
    control.addEventListener(control === text ? "input" : "change", function () { if (control === sort) upwards = true; changed(); });
  });
  document.querySelectorAll("form.tools").forEach(function (form) {
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.addEventListener("reset", function () { upwards = true; setTimeout(changed); });
  });
  document.querySelectorAll(".matrix [data-sort]").forEach(function (button) {
    button.addEventListener("click", function () {
      upwards = sort.value === button.dataset.sort ? !upwards : true;
      sort.value = button.dataset.sort;
      changed();
    });
  });

  // ---- side by side
  function pair(i, j) {  // computed beforehand; in the order (0,1), (0,2) ... (1,2) ...
    var n = data.models.length, a = Math.min(i, j), b = Math.max(i, j), turn = i > j;
    var x = data.pairs[a * n - a * (a + 1) / 2 + b - a - 1];
    var verdict = turn && x[8] !== "tie" ? { better: "worse", worse: "better" }[x[8]] : x[8];
    return {
      tests: x[0], mean: turn ? -x[1] : x[1], low: turn ? -x[3] : x[2], high: turn ? -x[2] : x[3],
      wins: turn ? x[5] : x[4], losses: turn ? x[4] : x[5], p: x[6], adjusted: x[7],
      verdict: verdict, test: x[9], why: x[10], of: x[11], few: x[12],
    };
  }
  function element(name, content, css) {
    var made = document.createElement(name);
    if (css) made.className = css;
    (Array.isArray(content) ? content : [content]).forEach(function (each) { made.append(each); });
    return made;
  }
  function points(x) {
    var text = Math.abs(x * 100).toFixed(1);
    return (+text === 0 ? "" : x > 0 ? "+" : "−") + text;
  }
  function bar(found) {
    var scale = 100 / data.width;
    var svg = "http://www.w3.org/2000/svg", made = document.createElementNS(svg, "svg");
    made.setAttribute("class", "gap");
    made.setAttribute("viewBox", "-100 0 200 10");
    made.setAttribute("preserveAspectRatio", "none");
    made.setAttribute("aria-hidden", "true");
    [["track", -100, 0, 200, 10], ["zero", -0.6, 0, 1.2, 10],
     ["range", found.low * scale, 4, (found.high - found.low) * scale, 2],
     ["at", found.mean * scale - 1.5, 1, 3, 8]].forEach(function (each) {
      var rect = document.createElementNS(svg, "rect");
      ["class", "x", "y", "width", "height"].forEach(function (name, at) { rect.setAttribute(name, each[at]); });
      made.append(rect);
    });
    return made;
  }
  function beside(one, other) {  // a link to both answers; a live page has none
    var names = [one, other].map(function (cell) {
      var link = cell.querySelector("a");
      return link ? (link.getAttribute("href") || "").replace(/^cells\//, "") : "";
    });
    if (data.live || !names.every(Boolean)) return "";
    var made = element("a", "both answers", "both");
    made.href = "side.html#" + names.join("+");
    return made;
  }
  function compare() {
    var i = +compared[0].value, j = +compared[1].value, place = byId("comparison");
    place.replaceChildren();
    if (i === j) { place.append(element("p", "Choose two different models.", "note")); return; }
    function apart(row) {  // its suite ran under different conditions
      var kinds = data.kinds[bodies.indexOf(row.body)];
      return kinds[i] && kinds[j] && kinds[i] !== kinds[j];
    }
    var both = rows.map(function (row) {  // a test with several names counts once
      return { row: row, cells: data.once[row.at] || row.cells };
    }).filter(function (test) { return test.cells.length && value(test.cells[i]) !== null && value(test.cells[j]) !== null && !apart(test.row); });
    if (!both.length) { place.append(element("p", "They have no finished test in common that can be compared.", "note")); return; }
    function gap(test) { return value(test.cells[i]) - value(test.cells[j]); }
    var found = pair(i, j), first = data.models[i], second = data.models[j];
    if (!found.tests) { place.append(element("p", "Not compared yet.", "note")); return; }  // a live page gets the cells first
    var same = found.tests - found.wins - found.losses, tie = found.verdict === "tie";
    place.append(element("p", [
      bar(found),
      element("b", found.few ? "Too few tests to tell. " : tie ? "A tie. " : first + " is " + found.verdict + " than " + second + ". "),
      points(found.mean) + " points, 95% interval " + points(found.low) + " to " + points(found.high) +
      ", over the " + found.tests + (found.tests === 1 ? " test" : " tests") + " that both finished.",
    ], "verdictline " + found.verdict));
    place.append(element("p",
      (tie ? found.why.charAt(0).toUpperCase() + found.why.slice(1) + ". " : "") +
      "Better on " + found.wins + ", worse on " + found.losses + ", the same on " + same + ". " +
      found.test.charAt(0).toUpperCase() + found.test.slice(1) + ": p " + found.p +
      (found.of > 1 ? "; p " + found.adjusted + " after Holm’s correction for " +
        found.of + " pairs" : "") + ".", "note"));
    var differ = both.filter(function (test) { return gap(test) !== 0; });
    differ.sort(function (a, b) { return gap(b) - gap(a) || a.row.at - b.row.at; });
    if (!differ.length) return;
    var table = element("table", element("thead", element("tr", [
      element("th", "tests that differ (" + differ.length + ")"), element("th", first), element("th", second),
      element("th", ""),
    ])), "pairs");
    var body = element("tbody", []);
    differ.forEach(function (test) {
      var row = test.row, cells = row.tr.querySelectorAll("td:not(.t):not(.about)");
      body.append(element("tr", [
        element("th", row.name), cells[i].cloneNode(true), cells[j].cloneNode(true), element("td", beside(cells[i], cells[j])),
      ]));
    });
    table.append(body);
    place.append(element("div", table, "scroll"));
  }
  compared.forEach(function (select) {
    select.addEventListener("change", function () { compare(); remember(); });
  });

  // ---- for a live page (live.js): rows in their original order, and changed cells
  window.assayGrid = {
    row: function (at) { return rows[at] && rows[at].tr; },
    update: function (cells, statistics) {
      cells.forEach(function (each) { rows[each[0]].cells[each[1]] = each[2]; });
      if (statistics) { data.pairs = statistics.pairs; data.width = statistics.width; data.once = statistics.once; data.kinds = statistics.kinds; }
      if (cells.length) { offer(); apply(); }
      if (compared.length && (cells.length || statistics)) compare();
    },
  };

  offer();
  recall();
  apply();
  if (compared.length) compare();
}
document.addEventListener("DOMContentLoaded", startGrid);
