// Two cells' pages side by side, named in the address; only pages of this report are opened.
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  var PAGE = /^[a-z0-9-]*[0-9a-f]{10}\.html$/;
  var frames = Array.from(document.querySelectorAll("iframe"));
  var around = [{}, {}];
  function open(names) {
    var good = names.length === 2 && names.every(function (name) { return PAGE.test(name); });
    document.getElementById("nothing").hidden = good;
    document.querySelector("main").hidden = !good;
    if (!good) return;
    around = [{}, {}];
    names.forEach(function (name, at) { frames[at].src = "cells/" + name; });
    try { history.replaceState(null, "", "#" + names.join("+")); } catch (e) { /* a viewer that forbids it */ }
  }
  // Each page tells the tests before and after it (cell.js).
  window.addEventListener("message", function (event) {
    var at = frames.findIndex(function (frame) { return frame.contentWindow === event.source; });
    if (at >= 0 && event.data && typeof event.data === "object") around[at] = event.data;
  });
  document.querySelectorAll("[data-step]").forEach(function (button) {
    button.addEventListener("click", function () {
      var names = around.map(function (each) { return String(each[button.dataset.step] || ""); });
      if (names.every(function (name) { return PAGE.test(name); })) open(names);
    });
  });
  window.addEventListener("hashchange", function () { open(location.hash.slice(1).split("+")); });
  open(location.hash.slice(1).split("+"));
});
