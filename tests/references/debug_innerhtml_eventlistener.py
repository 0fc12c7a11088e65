def nothing(messages):
    return ""


BROKEN_LINE = (
    'list.innerHTML += `<p>${name}: <b id="votes-${name}">0</b> <button id="plus-${name}">+1</button></p>`;'
)
MENDED_LINE = (
    'list.insertAdjacentHTML("beforeend",\n'
    '    `<p>${name}: <b id="votes-${name}">0</b> <button id="plus-${name}">+1</button></p>`);'
)

MENDED = f"""```html
<!DOCTYPE html>
<html>
<body>
<h1>Votes</h1>
<div id="list"></div>
<script>
const list = document.getElementById("list");

function addRow(name) {{
  {MENDED_LINE}
  document.getElementById("plus-" + name).addEventListener("click", () => {{
    const votes = document.getElementById("votes-" + name);
    votes.textContent = Number(votes.textContent) + 1;
  }});
}}

["Ana", "Ben", "Chi"].forEach(addRow);
</script>
</body>
</html>
```"""

RIGHT = {
    "TestDebugInnerHTMLEventListener": [
        "`innerHTML +=` turns the list into text and parses it anew: the old buttons, and their listeners, are gone.\n\n"
        + MENDED,
        # one listener for the whole list
        """```html
<!DOCTYPE html>
<html><body>
<h1>Votes</h1>
<div id="list"></div>
<script>
const list = document.getElementById("list");
list.addEventListener("click", (event) => {
  if (!event.target.id.startsWith("plus-")) return;
  const votes = document.getElementById(event.target.id.replace("plus", "votes"));
  votes.textContent = +votes.textContent + 1;
});
function addRow(name) {
  list.innerHTML += `<p>${name}: <b id="votes-${name}">0</b> <button id="plus-${name}">+1</button></p>`;
}
["Ana", "Ben", "Chi"].forEach(addRow);
</script>
</body></html>
```""",
        # built from elements, once the page is there
        """```html
<!DOCTYPE html>
<html><head><script>
function addRow(name) {
  const row = document.createElement("p"), votes = document.createElement("b"), plus = document.createElement("button");
  votes.id = "votes-" + name;
  votes.textContent = "0";
  plus.id = "plus-" + name;
  plus.textContent = "+1";
  plus.onclick = () => { votes.textContent = String(Number(votes.textContent) + 1); };
  row.append(name + ": ", votes, " ", plus);
  document.getElementById("list").append(row);
}
document.addEventListener("DOMContentLoaded", () => { for (const name of ["Ana", "Ben", "Chi"]) addRow(name); });
</script></head><body><h1>Votes</h1><div id="list"></div></body></html>
```""",
    ]
}

WRONG = {
    "TestDebugInnerHTMLEventListener": [
        nothing,
        # explains it and changes nothing
        "innerHTML += destroys the listeners; use insertAdjacentHTML.\n\n"
        + MENDED.replace(MENDED_LINE, BROKEN_LINE),
        # draws all rows anew, and with them the votes
        """```html
<!DOCTYPE html>
<html><body><h1>Votes</h1><div id="list"></div>
<script>
const names = [];
function addRow(name) {
  names.push(name);
  list.innerHTML = names.map(n => `<p>${n}: <b id="votes-${n}">0</b> <button id="plus-${n}">+1</button></p>`).join("");
  for (const n of names)
    document.getElementById("plus-" + n).onclick = () => document.getElementById("votes-" + n).textContent++;
}
["Ana", "Ben", "Chi"].forEach(addRow);
</script></body></html>
```""",
        # afterbegin turns the order round
        MENDED.replace('"beforeend"', '"afterbegin"'),
        MENDED.replace("Number(votes.textContent)", "votes.textContent"),  # 0, 01, 011
    ]
}
