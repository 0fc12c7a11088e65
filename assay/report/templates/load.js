// Load this page's data, found by the number in its name, and the script that draws it.
(function () {
  "use strict";
  var asked = document.currentScript.dataset, name = /([0-9a-f]{10})(?:\.html)?$/.exec(location.pathname);
  if (!name) return;
  window.assayCell = name[1];
  document.addEventListener("DOMContentLoaded", function () {
    ["../" + asked.draws, "../data/" + name[1].slice(0, +asked.digits) + ".js"].forEach(function (path) {
      var script = document.createElement("script");
      script.async = false;  // one after the other
      script.src = path;
      script.onload = function () { script.remove(); };
      script.onerror = function () { document.getElementById("nothing").textContent = path.slice(3) + " is not beside this page."; };
      document.head.append(script);
    });
  });
})();
