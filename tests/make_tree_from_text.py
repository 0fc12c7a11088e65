from evaluator import *

DESCRIPTION = "Can the model see the tree in an indented text, and write the code that draws it?"
TAGS = ["format", "json", "code", "python"]
DETERMINISTIC = True

question_json = (
    """
please turn this stock list into JSON for me. a list at the top, each entry {"name": ..., "count": ..., "children": [...]},
children always there even when empty. x12 behind a name is the count, if there is none it's 1. the indentation is from
two different editors, a tab goes to the next multiple of 4 columns. Just the JSON.

cellar
    shelf left
      jam x12
      pickles x3
   >  plums x0
>shelf right
>    paint
>      white x2
>      green
    floor
      box x4
      >toys
      >books x30
attic
  skis x2
>old
>   sledge
  lamp
shed
"""
).replace("\n>", "\n\t").replace(" >", " \t")  # fmt: skip


def entry(name, count=1, *children):
    return {"name": name, "count": count, "children": list(children)}


stock = [
    entry(
        "cellar",
        1,
        entry("shelf left", 1, entry("jam", 12), entry("pickles", 3), entry("plums", 0)),
        entry("shelf right", 1, entry("paint", 1, entry("white", 2), entry("green"))),
        entry("floor", 1, entry("box", 4, entry("toys"), entry("books", 30))),
    ),
    entry("attic", 1, entry("skis", 2, entry("old", 1, entry("sledge"))), entry("lamp")),
    entry("shed"),
]

question_draw = """
Write me a python function draw(text) that makes a drawing out of an indented list, like the tree command does:

house
  kitchen
      oven
  hall

becomes

house
├── kitchen
│   └── oven
└── hall

The parent of a line is the nearest line above it that is indented less, however much less. Indentation is spaces only.
There may be several roots, they stand at the left edge without a mark (and a line without any less indented line above
is a root, even if it's indented). Skip blank lines, take off blanks at the end of lines. Return the drawing without a
newline at the end.
"""

test_case, answer = make_python_test(
    [
        (
            r"draw('house\n  kitchen\n      oven\n  hall')",
            r"'house\n├── kitchen\n│   └── oven\n└── hall'",
        ),
        ("draw('')", "''"),
        (r"draw('\n   \n')", "''"),
        ("draw('one')", "'one'"),
        (r"draw('a\nb\nc\n')", r"'a\nb\nc'"),
        (r"draw('a\n b\nc\n d\n')", r"'a\n└── b\nc\n└── d'"),
        (
            r"draw('a\n  b\n    c\n      d\n  e')",
            r"'a\n├── b\n│   └── c\n│       └── d\n└── e'",
        ),
        (r"draw('a\n    b\n  c')", r"'a\n├── b\n└── c'"),
        (r"draw('a\n  b\n      c\n    d\n  e\n   f')", r"'a\n├── b\n│   ├── c\n│   └── d\n└── e\n    └── f'"),
        (r"draw('    x\n  y\n      z\nw')", r"'x\ny\n└── z\nw'"),
        (r"draw('a b  \n\n  c  d\n   \n    e\n')", r"'a b\n└── c  d\n    └── e'"),
        (r"draw('n\n n\n  n\n n\n  n')", r"'n\n├── n\n│   └── n\n└── n\n    └── n'"),
        (
            r"draw('r\n  a\n    b\n      c\n    d\n      e\n  f')",
            r"'r\n├── a\n│   ├── b\n│   │   └── c\n│   └── d\n│       └── e\n└── f'",
        ),
    ]
)

TestMakeTreeFromTextJson = (
    question_json >> LLMRun() >> ExtractJSON() >> PyFunc(json.loads) >> EqualEvaluator(stock)
)
TestMakeTreeFromTextDraw = (
    question_draw
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestMakeTreeFromTextJson))
    print(run_test(TestMakeTreeFromTextDraw))
