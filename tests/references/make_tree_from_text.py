import json


def nothing(messages):
    return ""


def e(name, count=1, *children):
    return {"name": name, "count": count, "children": list(children)}


def stock(plums=0, floor=None, attic=None):
    return [
        e(
            "cellar",
            1,
            e("shelf left", 1, e("jam", 12), e("pickles", 3), e("plums", plums)),
            e("shelf right", 1, e("paint", 1, e("white", 2), e("green"))),
            floor or e("floor", 1, e("box", 4, e("toys"), e("books", 30))),
        ),
        attic or e("attic", 1, e("skis", 2, e("old", 1, e("sledge"))), e("lamp")),
        e("shed"),
    ]


DRAW = """```python
def draw(text):
    lines = [line.rstrip() for line in text.split("\\n") if line.strip()]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    parents = []
    for i, indent in enumerate(indents):
        above = [j for j in range(i) if indents[j] < indent]
        parents.append(above[-1] if above else None)
    children = {i: [] for i in range(len(lines))}
    for i, parent in enumerate(parents):
        if parent is not None:
            children[parent].append(i)
    out = []

    def walk(i, prefix):
        for child in children[i]:
            last = child == children[i][-1]
            out.append(prefix + ("└── " if last else "├── ") + lines[child].strip())
            walk(child, prefix + ("    " if last else "│   "))

    for i, parent in enumerate(parents):
        if parent is None:
            out.append(lines[i].strip())
            walk(i, "")
    return "\\n".join(out)
```"""

RIGHT = {
    "TestMakeTreeFromTextJson": [
        "```json\n" + json.dumps(stock(), indent=2) + "\n```",
        json.dumps(stock(), separators=(",", ":")),
    ],
    "TestMakeTreeFromTextDraw": [
        f"A function that keeps the parent of each line:\n\n{DRAW}",
        """With a stack, from the last line up, it is known which bars still go on:

```python
def draw(text):
    entries, stack = [], []
    for raw in text.splitlines():
        name = raw.strip()
        if not name:
            continue
        indent = len(raw) - len(raw.lstrip())
        while stack and stack[-1] >= indent:
            stack.pop()
        entries.append((len(stack), name))
        stack.append(indent)
    rows, open_levels = [], set()
    for depth, name in reversed(entries):
        open_levels = {d for d in open_levels if d <= depth}
        if depth == 0:
            rows.append(name)
            open_levels = set()
            continue
        bars = "".join("│   " if d in open_levels else "    " for d in range(1, depth))
        rows.append(bars + ("├── " if depth in open_levels else "└── ") + name)
        open_levels.add(depth)
    return "\\n".join(reversed(rows))
```

```
house
└── hall
```""",
    ],
}

WRONG = {
    "TestMakeTreeFromTextJson": [
        nothing,
        json.dumps(stock(plums=1)),  # a count of 0 taken for none
        # a tab taken for one column
        json.dumps(stock(floor=e("floor", 1, e("box", 4), e("toys"), e("books", 30)))),
        json.dumps(stock(attic=e("attic", 1, e("skis", 2), e("old", 1, e("sledge")), e("lamp")))),
        json.dumps({"stock": stock()}),
        ["The tree is cellar > shelf left > jam, pickles, plums.", "There is no JSON in it."],
    ],
    "TestMakeTreeFromTextDraw": [
        nothing,
        DRAW.replace('("    " if last else "│   ")', '"│   "'),  # bars that go on for ever
        DRAW.replace(
            "above[-1] if above else None", "i - 1 if above else None"
        ),  # the line above is the parent
        # two blanks are one level, whatever is above
        """```python
def draw(text):
    out = []
    for line in text.splitlines():
        if line.strip():
            level = (len(line) - len(line.lstrip())) // 2
            out.append("│   " * (level - 1) + "├── " * (level > 0) + line.strip())
    return "\\n".join(out)
```""",
        "```python\ndef draw(text):\n    return '''house\n├── kitchen\n│   └── oven\n└── hall'''\n```",
    ],
}
