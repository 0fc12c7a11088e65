// Draw the explanations on a suite's page, each in its place.
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  var blocks = JSON.parse(document.getElementById("blocks").textContent);
  Object.keys(blocks).forEach(function (id) { assaySteps.show(document.getElementById(id), blocks[id], id); });
});
