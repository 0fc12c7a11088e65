"""Cells that are worked out as seldom as can be, in which faults make too much work, too little, or circles that are none."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from evaluator import *

from .cases import Cases

DESCRIPTION = "Can an agent find eight faults of an incremental calculator whose promise is also to do no work too much?"
TAGS = ["hard", "code", "python", "agent"]

FOLDER = Path(__file__).parent / "files" / "repair_cells"
COUNT = 8  # faults
SCRIPTS, STEPS = 60, 90
COMMAND = "python3 -m rill"
QUESTION = """In this folder is rill, a Python program of several files. README.md says what it must do, rule by rule. A user writes:

    "rill is not to be trusted. {complaint} I have seen other things, too, but I cannot say any more what I did."

Find out what is wrong and mend it. There are several faults, and some of them hide others: afterwards everything in README.md must hold, whatever sequence of commands comes, what
`log` and `reads` print included. Leave README.md as it is. The program is run as `python3 -m rill` in this folder; long random scripts that you do not see decide, and all must be right."""

# file, what is right, what is planted (pairs of these for each fault), and what a user may notice first
Edit = tuple[str, str, str]
FAULTS: tuple[tuple[tuple[Edit, ...], str], ...] = (
    ((("engine.py", "any(read(what) != value for what, value in cell.reads)", "any([read(what) != value for what, value in cell.reads])"),),
     "I looked into the log, and a cell had been worked out that nobody needs any more."),
    ((("engine.py", "read(what) != value for", "self.moved(cells, cell, what, value, read(what)) for"),
      ("engine.py", "    def bring(",
       "    def moved(self, cells, reader, what, before, now):\n        found = cells.find(what)\n"
       "        return now != before or (found is not None and found.changed > reader.seen)\n\n    def bring("),
      ("engine.py", "        finally:\n", "        finally:\n            if cell.value != before:\n                cell.changed = self.time\n"),
      ("engine.py", "        reads = []\n", "        reads, before = [], cell.value\n"),
      ("cells.py", "    seen: int = -1", "    changed: int = -1  # when its value was last another one\n    seen: int = -1")),
     "I changed a cell and changed it back, and a cell that reads it was worked out again for nothing."),
    ((("engine.py", "        if not cell.frozen and cell.seen", "        if what in self.way.names and not cell.frozen:\n            return LOOP\n        if not cell.frozen and cell.seen"),),
     "I asked for two cells, and when I ask for them in the other order, they have other values."),
    ((("engine.py", "                reads.append((what, None))\n                raise\n", "                raise\n"),),
     "I broke a circle, and a cell still says ?loop."),
    ((("engine.py", "                reads.append((what, None))\n", "                reads.append((what, LOOP))\n"),),
     "A cell says ?loop although it is in no circle any more, and has an `or` against it."),
    ((("commands.py", "        elif cell.formula == formula:\n            return True\n", ""),),
     "I gave a cell the formula that it had, and it was worked out again."),
    ((("commands.py", "        if cell.another:\n            cell.value, cell.reads, cell.another = None, [], False\n",
       "        cell.value, cell.reads, cell.another = None, [], False\n"),),
     "I thawed a cell, and it was worked out although nothing had changed."),
    ((("commands.py", "cell.value, cell.reads, cell.another = None, [], False\n", "cell.value, cell.reads = None, []\n"),),
     "I have frozen and thawed a cell several times, and the last time it was worked out for nothing."),
    ((("commands.py", "None, [], False\n        self.engine.touch()\n", "None, [], False\n"),),
     "I thawed a cell, and it keeps its old value."),
    ((("commands.py", "        cell.frozen = True\n        self.engine.touch()\n", "        cell.frozen = True\n"),),
     "I froze a cell of a circle, and the others are in the circle as before."),
    ((("commands.py", "        self.value(name)\n        cell.frozen = True", "        if cell.value is None:\n            self.value(name)\n        cell.frozen = True"),),
     "I froze a cell, and it shows a value that it had long ago."),
    ((("cells.py", "replace(self, reads=list(self.reads))", "Cell(self.formula, self.number, self.value, list(self.reads), self.frozen)"),
      ("cells.py", "dataclass, field, replace", "dataclass, field")),
     "I went back to a mark and thawed something, and its new formula does not count."),
    ((("renaming.py", "        cell.reads = [read_renamed(what, value, old, new) for what, value in cell.reads]\n", ""),),
     "I gave a cell another name, and half of my cells were worked out again."),
    ((("renaming.py", "return what, tuple(new if name == old else name for name in value)", "return what, value"),),
     "I gave a cell another name, and a sum was worked out again for nothing."),
    ((("cells.py", "return sorted(self.by_name, key=lambda name: self.by_name[name].number)", "return list(self.by_name)"),),
     "The cells of a sum are not always read in the order in which I made them."),
    ((("watches.py", " for name, value in self.shown.items() if name != new", " for name, value in self.shown.items()"),),
     "A watch that should have ended has mixed itself into another one."),
    ((("commands.py", '"rename", "freeze", "thaw", "back", "keep")', '"rename", "thaw", "back")'),),
     "I watch a cell, and am sometimes not told of its new value."),
    ((("evaluate.py", "        found += value\n    return bounded(found)\n", "        found = bounded(found + value)\n        if is_error(found):\n            return found\n    return found\n"),),
     "A sum of large numbers said ?big where it should not."),
    ((("evaluate.py", "        return len(read(parts[0]))\n", "        return len([name for name in read(parts[0]) if read(name) is not None])\n"),),
     "I only wanted to know how many there are, and everything was worked out."),
    ((("patterns.py", "pattern[:-1]", "pattern[:-2]"),), "A sum has too much in it."),
    ((("engine.py", "            if cell.value is None or any(", "            if cell.value in (None, LOOP) or any("),),
     "Cells with errors are worked out more often than they should be."),
    ((("engine.py", "                self.log.add(name)\n                cell.value = value_of(cell.formula, read)\n",
       "                cell.value = value_of(cell.formula, read)\n                self.log.add(name)\n"),),
     "The log is not in its order."),
    ((("engine.py", "            if any(what == each for each, _ in reads):\n                return dict(reads)[what]\n", ""),),
     "`reads` says some names twice."),
    ((("cells.py", "        self.last += 1\n", "        self.last = len(self.by_name) + 1\n"),),
     "After I had removed some cells, a new one stood in the middle of a sum."),
    ((("commands.py", "            cell.formula, cell.value, cell.reads = formula, None, []\n", "            self.cells.make(name, formula)\n"),),
     "I gave a cell another formula, and it lost its place."),
    ((("renaming.py", "        name in names_in(cell.formula)\n        or any(name in (value if is_pattern(what) else [what]) for what, value in cell.reads)\n",
       "        name in names_in(cell.formula)\n"), ("renaming.py", "from .patterns import is_pattern\n", "from .patterns import is_pattern\n")),
     "I could give a cell a name that I should not have been able to give it."),
    ((("marks.py", "    def keep(self):\n        self.kept.pop()", "    def keep(self):\n        self.kept.clear()"),),
     "I had set two marks and kept one, and could not go back any more."),
    ((("engine.py", "            if circle.first != name:\n                raise\n", "            if self.way.names[0] != name:\n                raise\n"),),
     "A cell that only reads one of a circle says ?loop although it has something else in that case."),
)  # fmt: skip


def planted(seed: int) -> list[tuple[tuple[Edit, ...], str]]:
    """The faults of a seed, each in another place; the user complains about the first."""
    chance = random.Random(f"cells {seed}")
    found: list[tuple[tuple[Edit, ...], str]] = []
    for fault in chance.sample(FAULTS, len(FAULTS)):
        texts = [right for edits, _ in found for _, right, _ in edits]
        if len(found) < COUNT and not any(
            right in text or text in right for _, right, _ in fault[0] for text in texts
        ):
            found.append(fault)
    return found


def program() -> dict[str, str]:
    """The program without faults, and what it must do."""
    return {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*.*")
        if path.suffix != ".pyc"
    }


def with_faults(faults: list[tuple[tuple[Edit, ...], str]]) -> Mapping[str, str]:
    """The program with these faults."""
    found = program()
    for edits, _ in faults:
        for name, right, wrong in edits:
            file = f"rill/{name}"
            assert found[file].count(right) == 1, (name, right)
            found[file] = found[file].replace(right, wrong)
    return found


def script(chance: random.Random) -> str:
    """A random command script that stays in a small world, so that everything meets."""
    names = ["a", "b", "c", "d", "p.a", "p.b", "p.c", "pq"]
    spare = [f"{letter}{number}" for letter in ("e", "p.e") for number in range(4)]
    names_of = [*names, *spare[:1]]

    def formula(depth: int = 0) -> str:
        kind = chance.random()
        if kind < 0.25 + 0.2 * depth:
            return str(chance.choice([0, 0, 1, 2, 3, 7, -4, 600000]))
        if kind < 0.6:
            return chance.choice(names_of)
        if kind < 0.7:
            return chance.choice(["sum p.*", "sum p.*", "count p.*"])
        word = chance.choice(["+", "+", "-", "*", "/", "max", "min", "if", "if", "or", "or", "or"])
        return " ".join([word, *(formula(depth + 1) for _ in range(3 if word == "if" else 2))])

    def name() -> str:
        return chance.choice(names_of)

    def put(to: str = "") -> str:
        return f"set {to or name()} {formula()}"

    def number(to: str = "") -> str:
        return f"set {to or name()} {chance.choice([0, 1, 2, 3])}"

    def there_and_back() -> str:
        one, other = chance.sample(names, 2)
        return f"set {one} 3\nset {other} + {one} 1\nget {other}\nset {one} 4\nget {one}\nset {one} 3\nget {other}\nlog"

    def frozen() -> str:
        one = name()
        middle = [put(one), chance.choice(["mark", "log"]), put(), put(one), chance.choice(["back", "log"])]
        again = [f"freeze {one}", f"thaw {one}", "log"] if chance.random() < 0.5 else []
        return "\n".join([f"freeze {one}", *middle, f"thaw {one}", "log", f"get {one}", "log", *again])

    def circle() -> str:
        one, two, three = chance.sample(names, 3)
        lines = [f"set {one} or {two} 1", f"set {two} + {three} 0", f"set {three} or {one} 2"]
        asked = [f"get {chance.choice([one, two, three])}", f"reads {three}", "log"]
        return "\n".join([*lines, *asked, chance.choice([f"freeze {two}", number(two), put(three)]), *asked])

    def renaming() -> str:
        old, new = name(), chance.choice([*spare, *names])
        return "\n".join(
            [
                f"watch {new}" if chance.random() < 0.4 else "log",
                f"watch {old}",
                "log",
                f"rename {old} {new}",
                "log",
                "get p.a",
                f"rename {new} {old}",
            ]
        )

    def large() -> str:
        one, *others = chance.sample(["a", "b", "c", "d"], 4)
        values = chance.sample([600000, 600000, -600000, -400000, 5], 3)
        lines = [f"set p.{letter} {value}" for letter, value in zip("abc", values, strict=True)]
        return "\n".join(
            [*lines, f"set {one} + sum p.* * {others[0]} 0", f"get {one}", f"reads {one}", "log"]
        )

    def gone() -> str:
        one, other, third = chance.sample(["p.a", "p.b", "p.c"], 3)
        last = (
            f"rename {chance.choice('abc')} {one}" if chance.random() < 0.5 else f"del {other}\nset {one} 4"
        )
        return f"set d max {chance.choice(['sum', 'count'])} p.* + {third} {third}\nget d\ndel {one}\nlog\n{last}\nreads d\nget d\nlog"

    def asked() -> str:
        return "\n".join([f"{chance.choice(['get', 'get', 'reads'])} {name()}", "log"])

    lines = [put(each) for each in chance.sample(names, len(names))]
    lines += [f"watch {each}" for each in chance.sample(names, chance.choice([0, 1, 3]))]
    kinds: list[tuple[Callable[[], str], int]] = [
        (put, 14), (number, 12), (there_and_back, 2), (frozen, 3), (circle, 3), (renaming, 4), (asked, 22),
        (lambda: f"del {name()}", 3), (lambda: f"del {name()}\ndel {name()}\n{put()}", 2), (lambda: f"freeze {name()}", 2), (lambda: f"thaw {name()}", 4),
        (lambda: "mark", 3), (lambda: "mark\n" + put() + "\nmark\n" + put() + "\nkeep", 1), (lambda: "back", 3), (lambda: "keep", 3),
        (lambda: f"watch {name()}", 2), (lambda: f"unwatch {name()}", 2), (large, 1), (gone, 3), (lambda: f"set {name()} + {name()}", 1), (lambda: "log", 3),
    ]  # fmt: skip
    makers, weights = [make for make, _ in kinds], [weight for _, weight in kinds]
    lines += [make() for make in chance.choices(makers, weights, k=STEPS)]
    lines += [f"{word} {each}" for each in names for word in ("get", "reads")]
    return "\n".join([*lines, "log"]) + "\n"


# the program without faults, on several scripts in one process
EVERY = """
import json, sys
from rill.commands import Rill
found = []
for text in json.load(sys.stdin):
    rill = Rill()
    found.append("".join(answer + chr(10) for line in text.splitlines() for answer in rill.do(line.split())))
json.dump(found, sys.stdout)
"""


def cases(seed: int) -> list[tuple[str, str]]:
    """Scripts, and what the program without faults prints."""
    chance = random.Random(f"cells cases {seed}")
    texts = [script(chance) for _ in range(SCRIPTS)]
    argv = [sys.executable, "-B", "-c", EVERY]
    done = subprocess.run(
        argv, input=json.dumps(texts), capture_output=True, text=True, cwd=FOLDER, check=True, timeout=60
    )
    return list(zip(texts, json.loads(done.stdout), strict=True))


def build(seed: int) -> Node:
    """The test of a seed."""
    question = QUESTION.format(complaint=planted(seed)[0][1])
    work = (
        Files(lambda: with_faults(planted(seed))) >> question >> AgentRun([Shell(), EditFile()], max_turns=60)
    )
    return work >> Cases(COMMAND, partial(cases, seed), files=["rill"])
