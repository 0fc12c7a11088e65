// Sort any table by a click on a heading; compare two tables of the same shape.
function startTables(root) {
  "use strict";
  function element(name, content, css) {
    var made = document.createElement(name);
    if (css) made.className = css;
    made.append(content);
    return made;
  }

  // ---- sorting
  function key(cell) {  // a number if it is one, null if there is no value
    var said = cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v;
    if (said === "" || said === "–") return null;
    return isFinite(said) ? +said : said;
  }
  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), undefined, { numeric: true });
  }
  root.querySelectorAll("table[data-sortable]").forEach(function (table) {
    var body = table.tBodies[0], original = Array.from(body.rows);
    var heads = Array.from(table.tHead.rows[0].cells), sorted = -1, upwards = true;
    heads.forEach(function (head, at) {
      var button = element("button", head.textContent);
      button.type = "button";
      head.replaceChildren(button);
      button.addEventListener("click", function () {
        if (sorted !== at) {  // numbers in descending, words in ascending order
          sorted = at;
          upwards = !original.some(function (row) { return typeof key(row.cells[at]) === "number"; });
        } else upwards = !upwards;
        var rows = original.map(function (row, place) { return { row: row, key: key(row.cells[at]), at: place }; });
        rows.sort(function (a, b) {
          if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.at - b.at;
          return (upwards ? compare(a.key, b.key) : compare(b.key, a.key)) || a.at - b.at;
        });
        body.append.apply(body, rows.map(function (each) { return each.row; }));
        table.dataset.sorted = at + (upwards ? " up" : " down");
        heads.forEach(function (each, place) {
          if (place === at) each.setAttribute("aria-sort", upwards ? "ascending" : "descending");
          else each.removeAttribute("aria-sort");
        });
      });
    });
  });

  // ---- two of several
  var MINUS = "−";
  function signed(x) {
    var text = Math.abs(x) >= 100 ? Math.abs(x).toFixed(0) : String(+Math.abs(x).toPrecision(3));
    return +text === 0 ? "0" : (x > 0 ? "+" : MINUS) + text;
  }
  function shade(share) {  // like assay.report.cells.shade_class: only 0 has no colour
    var at = Math.round(share * 5);
    return "g" + (5 + (at || Math.sign(share)));
  }
  function difference(first, second, times, full) {
    var made = first.cloneNode(true);
    made.removeAttribute("data-sortable");
    Array.from(made.tHead.rows[0].cells).forEach(function (head) {
      head.textContent = head.textContent;
      head.removeAttribute("aria-sort");
    });
    Array.from(made.tBodies[0].rows).forEach(function (row, y) {
      Array.from(row.cells).forEach(function (cell, x) {
        var other = second.tBodies[0].rows[y] && second.tBodies[0].rows[y].cells[x];
        if (cell.tagName === "TH") { cell.textContent = cell.textContent; return; }
        var a = key(cell), b = other ? key(other) : null;
        cell.removeAttribute("title");
        cell.classList.remove.apply(cell.classList, Array.from(cell.classList).filter(function (name) {
          return name === "shade" || /^[qhg]\d+$/.test(name);
        }));
        if (typeof a !== "number" || typeof b !== "number") { cell.textContent = "–"; return; }
        cell.textContent = signed((a - b) * times);
        cell.title = first.dataset.name + ": " + first.tBodies[0].rows[y].cells[x].textContent.trim() + ", " +
          second.dataset.name + ": " + other.textContent.trim();
        cell.classList.add("shade", shade(Math.max(-1, Math.min(1, (a - b) / full))));
      });
    });
    return made;
  }
  root.querySelectorAll(".versus").forEach(function (versus) {
    var selects = Array.from(versus.querySelectorAll("select")), duel = versus.querySelector(".duel");
    var sides = Array.from(duel.querySelectorAll(".side"));
    sides.forEach(function (side) { side.querySelector("table").dataset.name = side.querySelector("h3").textContent; });
    var gap = element("div", element("h3", ""), "side gap");
    gap.setAttribute("aria-live", "polite");
    function show() {
      var chosen = selects.map(function (select) { return +select.value; });
      duel.replaceChildren.apply(duel, sides);
      sides.forEach(function (side, at) { side.hidden = chosen.indexOf(at) < 0; });
      if (chosen[0] !== chosen[1]) {
        var tables = chosen.map(function (at) { return sides[at].querySelector("table"); });
        var scroll = element("div", difference(tables[0], tables[1], +versus.dataset.times, +versus.dataset.full), "scroll compact");
        gap.replaceChildren(element("h3", tables[0].dataset.name + " " + MINUS + " " + tables[1].dataset.name), scroll);
        duel.replaceChildren(sides[chosen[0]], sides[chosen[1]], gap);
        duel.append.apply(duel, sides.filter(function (side) { return side.hidden; }));
      }
    }
    function remember() {
      var state = new URLSearchParams(location.hash.slice(1));
      selects.forEach(function (select) { state.set(select.id, select.value); });
      try { history.replaceState(null, "", "#" + state); } catch (e) { /* a viewer that forbids it */ }
    }
    var state = new URLSearchParams(location.hash.slice(1));
    selects.forEach(function (select) {
      if (select.querySelector("option[value='" + parseInt(state.get(select.id), 10) + "']")) select.value = state.get(select.id);
      select.addEventListener("change", function () { show(); remember(); });
    });
    versus.querySelector("form").addEventListener("submit", function (event) { event.preventDefault(); });
    if (sides.length > 1) show();
  });
}
document.addEventListener("DOMContentLoaded", function () { startTables(document); });
