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
