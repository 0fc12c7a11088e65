// Search in prompts and replies: their files are loaded when somebody asks, one after the other.
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  var place = document.getElementById("search");
  if (!place) return;
  var MOST = 200, AROUND = 70;
  var files = +place.dataset.files, input = place.querySelector("input");
  var said = place.querySelector("output"), list = place.querySelector("ol");
  var texts = [], loaded = 0, waiting = null, asked = 0;

  window.assaySearch = function (number, found) {
    texts = texts.concat(found);
    loaded = number + 1;
    if (waiting) waiting();
  };
  function load(then) {
    if (loaded >= files) { then(); return; }
    said.textContent = "reading " + (loaded + 1) + " of " + files + " …";
    var script = document.createElement("script");
    script.src = "search/" + loaded + ".js";
    waiting = function () { waiting = null; script.remove(); load(then); };
    script.onerror = function () { said.textContent = "search/" + loaded + ".js is not beside this page"; };
    document.head.append(script);
  }
  function element(name, content, css) {
    var made = document.createElement(name);
    if (css) made.className = css;
    made.append.apply(made, [].concat(content));
    return made;
  }
  function lines(text) { return text.replace(/\s*\n\s*/g, "\n"); }  // an excerpt has no room for empty ones
  function hit(each, at, length) {
    var text = each[4], from = Math.max(0, at - AROUND), to = Math.min(text.length, at + length + AROUND);
    var link = element("a", each[0]);
    link.href = each[3];
    return element("li", [
      link, element("small", each[1] ? " " + each[1] + " replied, trial " + each[2] : " the prompt"),
      element("p", [(from ? "…" : "") + lines(text.slice(from, at)), element("mark", text.slice(at, at + length)),
        lines(text.slice(at + length, to)) + (to < text.length ? "…" : "")]),
    ]);
  }
  function search() {
    var words = input.value.trim().toLowerCase(), mine = ++asked;
    list.replaceChildren();
    said.textContent = "";
    if (words.length < 3) { if (words) said.textContent = "three letters or more"; return; }
    load(function () {
      if (mine !== asked) return;
      var count = 0, shown = document.createDocumentFragment();
      texts.forEach(function (each) {
        var at = each[4].toLowerCase().indexOf(words);
        if (at < 0) return;
        count += 1;
        if (count <= MOST) shown.append(hit(each, at, words.length));
      });
      list.append(shown);
      said.textContent = count ? count + (count === 1 ? " text" : " texts") + (count > MOST ? ", the first " + MOST + " shown" : "") : "nothing found";
    });
  }
  var timer = 0;
  input.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(search, 250); });
});
