def nothing(messages):
    return ""


FILTER = r"""```javascript
const readline = require("node:readline");

const reversed = (text) => text.split("").reverse().join("");
const modulo = (a, n) => ((a % n) + n) % n; // python's %, for n > 0
const title = (text) => text.toLowerCase().replace(/[a-z]+/g, (word) => word[0].toUpperCase() + word.slice(1));

function shelfPlan(items, width) {
  const sorted = [...items].sort((a, b) => {
    if (a[1] !== b[1]) return b[1] - a[1];
    const x = reversed(a[0]), y = reversed(b[0]);
    return x < y ? -1 : x > y ? 1 : 0;
  });
  const shelves = [];
  for (const [name, size] of sorted) {
    if (name === "" || modulo(size, 7) === 3) continue;
    const entry = [name, Math.abs(size)];
    const shelf = shelves.find((parts) => parts.reduce((sum, part) => sum + part[1], 0) + entry[1] <= width);
    if (shelf) shelf.splice(Math.floor(shelf.length / 2), 0, entry);
    else shelves.push([entry]);
  }
  let total = 0;
  shelves.forEach((shelf, number) => {
    for (const [name, size] of shelf.slice(-3)) {
      total = modulo(total * 31 + Math.floor(size / -4) + name.length - number, 1000003);
    }
  });
  const names = shelves.map((shelf) => shelf.map(([name]) => title(name)));
  const last = names.length ? names[names.length - 1].at(-1) : null;
  return { shelves: names, sum: total, last };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  console.log(JSON.stringify(shelfPlan(request.items, request.width)));
});
```"""

RIGHT = {
    "TestTranslateFuzzPythonToJavaScript": [
        f"Mind `%` and `//` with negative numbers, and that python's sort compares by code point:\n\n{FILTER}",
        r"""```js
const fs = require("fs");
const mod = (a, n) => { const r = a % n; return r < 0 ? r + n : r; };
for (const line of fs.readFileSync(0, "utf8").split("\n")) {
  if (!line.trim()) continue;
  const { items, width } = JSON.parse(line);
  const keyed = items.map(([name, size]) => ({ name, size, key: Array.from(name).reverse().join("") }));
  keyed.sort((p, q) => q.size - p.size || (p.key > q.key) - (p.key < q.key));
  const shelves = [];
  outer: for (const { name, size } of keyed) {
    if (!name || mod(size, 7) == 3) continue;
    const space = Math.abs(size);
    for (const shelf of shelves) {
      let used = 0;
      for (const part of shelf) used += part.space;
      if (used + space <= width) {
        shelf.splice(shelf.length >> 1, 0, { name, space });
        continue outer;
      }
    }
    shelves.push([{ name, space }]);
  }
  let sum = 0;
  for (let i = 0; i < shelves.length; i++)
    for (const { name, space } of shelves[i].slice(-3))
      sum = mod(sum * 31 - Math.ceil(space / 4) + name.length - i, 1000003);
  const title = (s) => s.toLowerCase().split(/(?<=[^a-z])/).map((w) => w.charAt(0).toUpperCase() + w.slice(1)).join("");
  const names = shelves.map((s) => s.map((p) => title(p.name)));
  const end = names.flat(0).pop();
  console.log(JSON.stringify({ last: end ? end[end.length - 1] : null, sum, shelves: names }));
}
```""",
    ]
}

WRONG = {
    "TestTranslateFuzzPythonToJavaScript": [
        nothing,
        FILTER.replace("modulo(size, 7) === 3", "size % 7 === 3"),
        FILTER.replace("Math.floor(size / -4)", "Math.trunc(size / -4)"),
        FILTER.replace(".toLowerCase().replace", ".replace").replace(
            "[a-z]+", "[a-zA-Z]+"
        ),  # leaves the rest of a word
        FILTER.replace("return x < y ? -1 : x > y ? 1 : 0;", "return x.localeCompare(y);"),  # a before B
        FILTER.replace(
            "const x = reversed(a[0]), y = reversed(b[0]);", "const x = a[0], y = b[0];  // [::-1]"
        ),
        FILTER.replace('name === "" || ', ""),
    ]
}
