// Search in prompts, replies and agents' turns, which are read on demand from the data of the cells' pages.
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  var place = document.getElementById("search");
  if (!place) return;
  var MOST = 200, AROUND = 70, LONGEST = 20000, AT_ONCE = 16, SAY_MS = 100;
  var todo = place.dataset.files.split(" "), files = todo.length, input = place.querySelector("input");
  var said = place.querySelector("output"), list = place.querySelector("ol");
  var texts = [], reading = 0, told = 0, waiting = null, asked = 0;

  // ---- the texts of every trial, in the order of the grid, whose links lead to the pages
  var links = new Map();
  document.querySelectorAll(".matrix td > a").forEach(function (link) {
    var number = /([0-9a-f]{10})\.html$/.exec(link.getAttribute("href"));
    if (number) links.set(number[1], { at: links.size, page: link.getAttribute("href") });
  });
  function words(node) {  // the text of markup.py's trees: as shown, with the addresses of links
    if (typeof node === "string") return node;
    if (typeof node[0] === "number") return node[1];
    var within = node.slice(2).map(words).join("");
    return node[0] === "a" && node[1] && node[1] !== within ? within + " " + node[1] : within;
  }
  function textOf(piece) { return (piece.tree ? piece.tree.map(words).join("") : piece.text || "").slice(0, LONGEST); }
  window.assayCells = function (cells) {
    Object.keys(cells).forEach(function (number) {
      var link = links.get(number), cell = link && JSON.parse(cells[number]);
      if (!cell) return;
      cell.trials.forEach(function (trial, at) {
        var turn = null, depth = 0;  // the agent's turn that a piece is in
        trial.pieces.forEach(function (piece, number) {
          var reply = piece.kind === "chat" && piece.role === "assistant", label = trial.label.toLowerCase();
          if (piece.kind === "round" && piece.spent) { turn = { name: piece.title, id: "#f" + (at + 1) + "-" + (number + 1) }; depth = 0; }
          if (turn && /^(open|round)$/.test(piece.kind)) { depth += 1; return; }
          if (turn && piece.kind === "close") { depth -= 1; turn = depth ? turn : null; return; }
          if (piece.kind !== "chat" && !turn) return;
          texts.push({
            at: link.at, test: cell.test, page: link.page + (turn ? turn.id : reply ? "#t" + (at + 1) : ""),
            said: turn ? " " + cell.model + ", " + turn.name + ", " + label : reply ? " " + cell.model + " replied, " + label : " the prompt",
            prompt: !reply && !turn, text: textOf(piece.same_as ? trial.pieces[piece.same_as - 1] : piece),
          });
        });
      });
    });
  };
  function inOrder() {  // with each prompt of a test only once
    var seen = new Map();
    texts.sort(function (a, b) { return a.at - b.at; });
    texts = texts.filter(function (each) {
      if (!each.prompt) return true;
      if (!seen.has(each.test)) seen.set(each.test, new Set());
      return !seen.get(each.test).has(each.text) && seen.get(each.test).add(each.text);
    });
  }

  // ---- read the files, several at once
  function load(then) {
    waiting = then;
    if (!todo.length && !reading) { then(); return; }
    while (todo.length && reading < AT_ONCE) next();
  }
  function next() {
    var name = todo.shift(), script = document.createElement("script");
    reading += 1;
    script.src = "data/" + name + ".js";
    script.onload = function () {
      script.remove();
      reading -= 1;
      if (performance.now() - told > SAY_MS) {  // each update causes a new layout
        told = performance.now();
        said.textContent = "reading " + (files - todo.length) + " of " + files + " …";
      }
      if (todo.length) next();
      else if (!reading) { inOrder(); waiting(); }
    };
    script.onerror = function () {  // the next search tries again
      reading -= 1;
      todo.push(name);
      said.textContent = script.getAttribute("src") + " is not beside this page";
    };
    document.head.append(script);
  }

  function element(name, content, css) {
    var made = document.createElement(name);
    if (css) made.className = css;
    made.append.apply(made, [].concat(content));
    return made;
  }
  function lines(text) { return text.replace(/\s*\n\s*/g, "\n"); }  // an excerpt shows no empty lines
  function hit(each, at, length) {
    var text = each.text, from = Math.max(0, at - AROUND), to = Math.min(text.length, at + length + AROUND);
    var link = element("a", each.test);
    link.href = each.page;
    return element("li", [
      link, element("small", each.said),
      element("p", [(from ? "…" : "") + lines(text.slice(from, at)), element("mark", text.slice(at, at + length)),
        lines(text.slice(at + length, to)) + (to < text.length ? "…" : "")]),
    ]);
  }
  function search() {
    var wanted = input.value.trim().toLowerCase(), mine = ++asked;
    list.replaceChildren();
    said.textContent = "";
    if (wanted.length < 3) { if (wanted) said.textContent = "three letters or more"; return; }
    load(function () {
      if (mine !== asked) return;
      var count = 0, shown = document.createDocumentFragment();
      texts.forEach(function (each) {
        var at = each.text.toLowerCase().indexOf(wanted);
        if (at < 0) return;
        count += 1;
        if (count <= MOST) shown.append(hit(each, at, wanted.length));
      });
      list.append(shown);
      said.textContent = count ? count + (count === 1 ? " text" : " texts") + (count > MOST ? ", the first " + MOST + " shown" : "") : "nothing found";
    });
  }
  var timer = 0;
  input.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(search, 250); });
});
