// Runs before the first paint, to apply the reader's saved choice of light or dark.
(function () {
  "use strict";
  var root = document.documentElement;
  function remembered() { try { return localStorage.getItem("assay-theme"); } catch (e) { return null; } }
  var chosen = remembered();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  root.classList.add("js");
  document.addEventListener("click", function (event) {
    if (!event.target.closest || !event.target.closest("#theme")) return;
    var dark = getComputedStyle(root).colorScheme.trim() === "dark" ||
      (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("assay-theme", root.dataset.theme); } catch (e) { /* private window */ }
  });
})();
