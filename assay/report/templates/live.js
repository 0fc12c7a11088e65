// A page that follows a run: ask its server for news, and change only that.
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  var CALM = 1000, HIDDEN = 8000, LOST = 3000, GIVE_UP = 5;
  var reader = Math.floor(Math.random() * 1e9), exhibits = -1, statistics = -1, known = {}, failures = 0, timer = 0, over = false;
  var box = function () { return document.getElementById("live"); };
  var version = +box().dataset.version, shape = +box().dataset.shape;

  function say(state, text, share) {
    var place = box(), bar = place.querySelector("progress");
    place.className = "live " + state;
    if (place.querySelector("span").textContent !== text) place.querySelector("span").textContent = text;
    bar.hidden = share === null;
    if (share !== null) bar.value = share;
  }
  function parse(html) { return new DOMParser().parseFromString(html, "text/html"); }
  function ask(path) {
    return fetch(path, { cache: "no-store", credentials: "omit" }).then(function (answer) {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    });
  }

  // ---- keep the reader's position while the page changes
  function keeping(work) {
    var places = Array.from(document.querySelectorAll(".matrix, .scroll")).map(function (each) {
      return [each, each.scrollLeft, each.scrollTop];
    });
    var focus = document.activeElement, id = focus && focus.id, from = focus && focus.selectionStart, to = focus && focus.selectionEnd;
    var x = window.scrollX, y = window.scrollY, matrix = document.querySelector(".matrix");
    var left = matrix ? matrix.scrollLeft : 0, top = matrix ? matrix.scrollTop : 0;
    work();
    places.forEach(function (each) { if (each[0].isConnected) { each[0].scrollLeft = each[1]; each[0].scrollTop = each[2]; } });
    matrix = document.querySelector(".matrix");
    if (matrix) { matrix.scrollLeft = left; matrix.scrollTop = top; }
    window.scrollTo(x, y);
    if (id && focus !== document.activeElement) {
      var again = document.getElementById(id);
      if (again) again.focus({ preventScroll: true });
      if (again && again.setSelectionRange && from !== null) try { again.setSelectionRange(from, to); } catch (e) { /* no text field */ }
    }
  }

  // ---- cells
  function cellOf(row, column) {
    var tr = window.assayGrid.row(row);
    return tr && tr.querySelectorAll("td:not(.t):not(.about)")[column];
  }
  function fill(change) {  // [row, column, numbers, text, class, mark, hover, link]
    var td = cellOf(change[0], change[1]);
    if (!td) return;
    td.className = change[4];
    td.replaceChildren();
    if (change[4] === "z") return;
    var link = document.createElement("a");
    link.href = change[7];
    if (change[6]) link.title = change[6];
    link.textContent = change[3];
    if (change[5]) { var mark = document.createElement("i"); mark.textContent = change[5]; link.append(mark); }
    td.append(link);
    td.classList.add("new");
  }
  function underWay(places) {
    var now = new Set(places.map(function (each) { return cellOf(each[0], each[1]); }));
    document.querySelectorAll(".matrix td.running").forEach(function (td) { if (!now.has(td)) td.classList.remove("running"); });
    now.forEach(function (td) { if (td) td.classList.add("running"); });
  }
  function patch(news) {
    keeping(function () {
      news.cells.forEach(fill);
      underWay(news.running);
      if (news.cells.length) {
        document.querySelector("h1").textContent = news.headline;
        document.querySelector("#totals tbody").replaceChildren.apply(document.querySelector("#totals tbody"),
          Array.from(parse("<table><tbody>" + news.models + "</tbody></table>").querySelector("tbody").children));
        (news.totals || []).forEach(function (each) {
          var td = window.assayGrid.row(each[0]).querySelector("td.t");
          if (td) td.textContent = each[1];
        });
        document.querySelectorAll(".matrix tr.suite").forEach(function (tr, at) {
          var cells = Array.from(tr.querySelectorAll("td:not(.about)"));
          cells = cells.slice(cells.length - news.suites[at].length);
          news.suites[at].forEach(function (each, model) { cells[model].textContent = each[0]; cells[model].title = each[1]; });
        });
      }
      if (news.statistics) Object.keys(news.statistics.parts).forEach(function (id) { part(id, news.statistics.parts[id]); });
      window.assayGrid.update(news.cells, news.statistics);
    });
    if (news.statistics) statistics = news.statistics.number;
    version = news.version;
  }
  function part(id, html) {  // a table over all tests, sorted as the reader had it
    var place = document.getElementById(id), table = place && place.querySelector("table"), sorted = table && table.dataset.sorted;
    if (!place) return;
    place.replaceChildren.apply(place, Array.from(parse(html).body.childNodes));
    startTables(place);
    if (sorted && place.querySelector("table")) resort(place.querySelector("table"), sorted);
  }
  function swap() {  // new rows or columns: replace the page, with the reader's choices from the address
    return ask("./").then(function (html) {
      var fresh = parse(html);
      keeping(function () {
        document.querySelector("header").replaceWith(document.adoptNode(fresh.querySelector("header")));
        document.querySelector("main").replaceWith(document.adoptNode(fresh.querySelector("main")));
        document.getElementById("data").textContent = fresh.getElementById("data").textContent;
        document.title = fresh.title;
        document.body.className = fresh.body.className;
        startTables(document);
        startGrid();
      });
      version = +box().dataset.version; shape = +box().dataset.shape; known = {}; statistics = -1;
    });
  }

  // ---- the suites' own parts
  function sections() {
    return ask("exhibits").then(function (html) {
      var place = document.getElementById("exhibits"), jumps = document.querySelector(".jumps");
      keeping(function () {
        Array.from(parse(html).querySelectorAll("body > section")).forEach(function (section) {
          var text = section.outerHTML, old = document.getElementById(section.id);
          if (known[section.id] === text) { redraw(old); return; }
          known[section.id] = text;
          var sorted = old ? Array.from(old.querySelectorAll("table")).map(function (table) { return table.dataset.sorted; }) : [];
          document.adoptNode(section);
          if (old) old.replaceWith(section); else place.append(section);
          redraw(section);
          startTables(section);
          Array.from(section.querySelectorAll("table")).forEach(function (table, at) { resort(table, sorted[at]); });
          if (!jumps.querySelector("[href='#" + section.id + "']")) {
            var item = document.createElement("li"), link = document.createElement("a");
            link.href = "#" + section.id; link.textContent = section.id.replace("suite-", "");
            item.append(link); jumps.append(item);
          }
        });
      });
    });
  }
  function redraw(section) {  // a picture keeps its name, so the browser would show a cached one
    section.querySelectorAll("img").forEach(function (picture) {
      picture.src = picture.getAttribute("src").split("?")[0] + "?" + exhibits;
    });
  }
  function resort(table, how) {  // "2 down": repeat the reader's clicks
    var at = parseInt(how, 10), head = table.tHead && table.tHead.rows[0].cells[at], button = head && head.querySelector("button");
    if (!button) return;
    button.click();
    if (table.dataset.sorted !== how) button.click();
  }

  // ---- polling
  function end(news) {
    over = true;
    document.body.classList.add("over");
    document.querySelectorAll(".matrix td a, #exhibits a, .pairs a").forEach(function (link) { link.removeAttribute("href"); });
  }
  function poll() {
    clearTimeout(timer);
    ask("changes?since=" + version + "&shape=" + shape + "&statistics=" + statistics + "&reader=" + reader).then(function (text) {
      var news = JSON.parse(text), work = Promise.resolve();
      failures = 0;
      if (!news.cells) work = swap();
      else patch(news);
      return work.then(function () {
        say(news.status.state, news.status.text, news.status.share);
        if (news.exhibits === undefined || news.exhibits === exhibits) return;
        exhibits = news.exhibits;
        if (exhibits) return sections();
      }).then(function () {
        if (news.cells && (news.status.state === "ended" || news.status.state === "stopped")) end(news);
      });
    }).catch(function () {
      failures += 1;
      if (failures >= GIVE_UP) say("lost", "The server does not answer: the run has ended, or its machine cannot be reached.", null);
    }).then(function () {
      if (!over) timer = setTimeout(poll, document.hidden ? HIDDEN : failures ? LOST : CALM);
    });
  }
  document.addEventListener("visibilitychange", function () { if (!document.hidden && !over) poll(); });
  poll();
});
