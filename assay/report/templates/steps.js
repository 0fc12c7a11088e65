// An explanation as elements. Text of models, programs and authors becomes text nodes, never markup.
var assaySteps = (function () {
  "use strict";
  var TAGS = "a blockquote br code em h1 h2 h3 h4 h5 h6 hr i li ol p pre s span strong table tbody td th thead tr ul".split(" ");
  var SAFE_LINK = /^\s*(https?:\/\/|mailto:)/i;

  // element("p.note", [text, element, null ...], {title: ...}): classes behind the dot; nothing for null, false and "".
  function element(name, content, attributes) {
    var parts = name.split("."), made = document.createElement(parts[0]);
    if (parts[1]) made.className = parts[1];
    for (var key in attributes) if (attributes[key] !== null) made.setAttribute(key, attributes[key]);
    [].concat(content).forEach(function (each) {
      if (each || each === 0) made.append(each);
    });
    return made;
  }
  function count(number, thing) {
    return number.toLocaleString("en") + " " + thing + (number === 1 ? "" : "s");
  }

  // ---- trees of markup.py: a text, [kind, text] of code, or [tag, value, children ...]
  function grow(place, tree) {
    tree.forEach(function (node) {
      if (typeof node === "string") { place.append(node); return; }
      if (typeof node[0] === "number") { place.append(element("i." + "csknfd"[node[0]], node[1])); return; }
      if (TAGS.indexOf(node[0]) < 0) return;
      var made = document.createElement(node[0]), value = node[1];
      if (node[0] === "ol" && value) made.start = +value;
      else if (node[0] !== "a" && value) made.className = value;
      else if (node[0] === "a" && SAFE_LINK.test(value)) {
        made.href = made.title = value;
        made.rel = "noopener noreferrer nofollow";
        made.target = "_blank";
      }
      grow(made, node.slice(2));
      place.append(made);
    });
    return place;
  }

  // ---- one piece of an explanation (explanation.py)
  function folded(piece, id, shown) {
    if (!piece.fold) return shown;
    var label = element("label", [element("span", "Show all " + count(piece.lines, "line")), element("span", "Fold")], { for: id + "x" });
    return element("div.fold", [element("input", [], { type: "checkbox", id: id + "x" }), shown, label]);
  }
  function picture(piece, id) {
    var name = "../images/" + piece.image;
    var image = piece.image
      ? element("a", element("img", [], { src: name, alt: piece.title || "picture", loading: "lazy" }), { href: name })
      : element("p.ext", "[a picture that cannot be shown]");
    return element("figure", [piece.title && element("figcaption", piece.title), image, piece.text && element("p", piece.text)], { id: id });
  }
  function leaf(piece, t, id) {
    var passed = piece.passed, title = piece.title || "";
    switch (piece.kind) {
      case "label": return element("h4", title);
      case "remark": return element("p.remark", piece.text);
      case "verdict":
        return element("p.verdict " + (passed === undefined ? "none" : passed ? "pass" : "fail"), [
          element("b", passed === undefined ? "–" : passed ? "✓" : "✗"), " ",
          title && element("em", title), title && " ", piece.text,
        ]);
    }
    if (piece.same_as) {
      var same = "the same " + (piece.image ? "picture" : count(piece.lines, "line")) + " as above";
      return element("div.block same", [
        element("h4", title || piece.role || "the same"), " ", element("a", same, { href: "#f" + t + "-" + piece.same_as }),
      ]);
    }
    if (piece.kind === "image") return picture(piece, id);
    if (piece.kind === "chat") {
      var reply = piece.role === "assistant";
      var said = reply ? grow(element("div.md", []), piece.tree || []) : element("div.said", piece.text);
      return element(reply ? "div.chat reply" : "div.chat prompt", [element("h4", title || piece.role || "message"), folded(piece, id, said)], { id: id });
    }
    if (piece.kind === "source") {
      var code = grow(element("pre.code", []), piece.tree || []);
      return element("div.block", [element("h4", [title || "code", " ", element("small", piece.language)]), folded(piece, id, code)], { id: id });
    }
    return element("div.block", [element("h4", title), folded(piece, id, element("pre", piece.text))], { id: id });
  }

  // Append every piece to `place`; `t` numbers the parts of a page, so that ids are unique.
  function show(place, pieces, t) {
    var within = [place];
    pieces.forEach(function (piece, at) {
      var here = within[within.length - 1], id = "f" + t + "-" + (at + 1), made;
      if (piece.kind === "close" || piece.kind === "rest") { within.pop(); return; }
      if (piece.kind === "open") made = element(piece.role === "changes" ? "section.changes" : "section", element("h3", piece.title));
      else if (piece.kind === "round") {
        made = element("details.round", element("summary", [element("b", piece.title), " ", element("span.does", piece.text || "")]));
        made.open = piece.passed === true;
        if (piece.role === "failed") made.classList.add("failed");
      } else {
        made = leaf(piece, t, id);
        made.assaySpent = piece.spent;  // of a turn: turns.js
        if (piece.role === "end") made.classList.add("end");
        here.append(made);
        return;
      }
      made.id = id;
      made.assaySpent = piece.spent;
      here.append(made);
      within.push(made);
    });
  }

  // Add a button to every block that copies it.
  function copyButtons(root) {
    root.querySelectorAll(".block, .chat").forEach(function (block) {
      var text = block.querySelector("pre, .said, .md"), head = block.querySelector("h4");
      if (!text || !head || block.classList.contains("same")) return;
      var button = element("button.copy", "Copy", { type: "button" });
      button.addEventListener("click", function () {
        copy(text.textContent).then(function (done) {
          button.textContent = done ? "Copied" : "Press Ctrl-C";
          setTimeout(function () { button.textContent = "Copy"; }, 1500);
        });
      });
      block.insertBefore(button, head);

      function copy(what) {
        function byHand() {  // for a page opened from a file, or without access to the clipboard
          var range = document.createRange();
          range.selectNodeContents(text);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          try { return document.execCommand("copy"); } catch (e) { return false; }
        }
        if (!navigator.clipboard) return Promise.resolve(byHand());
        return navigator.clipboard.writeText(what).then(function () { return true; }, byHand);
      }
    });
  }
  return { element: element, show: show, copyButtons: copyButtons };
})();
