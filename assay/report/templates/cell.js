// Tabs: one trial at a time. Without scripts all trials stand below each other.
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  var tabs = Array.from(document.querySelectorAll("[role=tab]"));
  function show(tab, focus) {
    tabs.forEach(function (each) {
      var on = each === tab;
      each.setAttribute("aria-selected", on);
      each.tabIndex = on ? 0 : -1;
      document.getElementById(each.getAttribute("aria-controls")).hidden = !on;
    });
    if (focus) tab.focus();
  }
  tabs.forEach(function (tab, at) {
    tab.addEventListener("click", function (event) {
      event.preventDefault();
      show(tab);
      try { history.replaceState(null, "", tab.hash); } catch (e) { /* a viewer that forbids it */ }
    });
    tab.addEventListener("keydown", function (event) {
      var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) show(tabs[(at + step + tabs.length) % tabs.length], true);
    });
  });
  if (!tabs.length) return;
  var target = document.getElementById(location.hash.slice(1));  // a trial, or something inside one
  var article = target && target.closest("article");
  show(tabs.find(function (tab) { return article && tab.hash === "#" + article.id; }) || tabs[0]);
  if (article && target !== article) target.scrollIntoView();
});

// Copy buttons; the keys n, p and f; and what side.html asks: which tests stand before and after.
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  document.querySelectorAll("main .block, main .chat").forEach(function (block) {
    var text = block.querySelector("pre, .said, .md"), head = block.querySelector("h4");
    if (!text || !head || block.classList.contains("same")) return;
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", function () {
      copy(text.textContent.replace(/^\n/, "")).then(function (done) {
        button.textContent = done ? "Copied" : "Press Ctrl-C";
        setTimeout(function () { button.textContent = "Copy"; }, 1500);
      });
    });
    block.insertBefore(button, head);

    function copy(what) {
      function byHand() {  // from a file, or where the page may not write to the clipboard
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
  var links = {};
  document.querySelectorAll("[data-to]").forEach(function (link) { links[link.dataset.to] = link; });
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    var link = links[{ n: "after", p: "before", f: "failure" }[event.key]];
    if (link) link.click();
  });
  if (window.parent !== window) {
    document.body.classList.add("framed");
    var said = {};
    ["before", "after"].forEach(function (name) { if (links[name]) said[name] = links[name].getAttribute("href"); });
    window.parent.postMessage(said, "*");
  }
});
