"""A stock of lots with reservations and undo, in which several faults hide each other."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from evaluator import *

from .cases import Cases

DESCRIPTION = "Can an agent find every fault of a small program whose README promises much and whose complaint names one?"
TAGS = ["hard", "code", "python", "agent"]

FOLDER = Path(__file__).parent / "files" / "repair_larder"
COUNT = 4  # faults
SCRIPTS = 40
QUESTION = """In this folder is larder, a Python program of several files. README.md says what it must do, rule by rule. A user writes:

    "Something is wrong with larder. {complaint} I trust none of its numbers any more."

Find out what is wrong and mend it. There may be more faults than the one that the user met: afterwards everything in README.md must hold.
Leave README.md as it is. The program is run as `python3 -m larder` in this folder."""

# file, what is right, what is planted, and what a user may notice first
FAULTS = (
    ("journal.py", "[replace(lot) for lot in self.shelf.lots]", "list(self.shelf.lots)",
     "I took two eggs out of a lot of six and typed undo, and it undid something else that I had done before."),
    ("journal.py", "{who: dict(its) for who, its in self.holds.by_who.items()}", "dict(self.holds.by_who)",
     "Ann has reserved twice, and when I undid the second time, her eggs were still not free."),
    ("money.py", "round(Fraction(cost * units, of))", "int(Fraction(cost * units, of) + Fraction(1, 2))",
     "Compared with my own books some costs are a cent too high."),
    ("commands.py", "            self.holds.shrink(lot.number)\n", "",
     "After something had spoiled, `use` ended with an AttributeError."),
    ("journal.py", "        return self.shelf.last, lots, holds\n",
     "        return max([lot.number for lot in self.shelf.lots], default=0), lots, holds\n",
     "After an undo a new lot got a number that an older one had had, which is used up."),
    ("journal.py", "        if before != self.state():", "        if before[1] != self.shelf.lots:",
     "I reserved something by mistake, typed undo, and it undid my last purchase."),
    ("holds.py", "return self.by_who.pop(who)", "its, self.by_who[who] = self.by_who[who], {}\n        return its",
     "Ann's reservation was used up, and when she tried again it said \"cost 0\" instead of \"nobody\"."),
    ("picking.py", "here = min(left, holds.free(lot))", "here = min(left, lot.units if lot.name in holds.by_who else holds.free(lot))",
     "When the kitchen's cat called Egg, who is in my list as egg, reserves eggs, everybody gets hers."),
    ("lots.py", "(each.day, each.number)", "(each.day, -each.units, each.number)",
     "Two lots expire on the same day, and it used the newer one first."),
    ("commands.py", "        for number, units in self.holds.end(who).items():\n            cost += self.shelf.draw(self.shelf.find(number), units)\n",
     "        for number, units in self.holds.end(who).items():\n            for _ in range(units):\n                cost += self.shelf.draw(self.shelf.find(number), 1)\n",
     "The cost of what Ann used was not the part of the lot's cost that it should have been."),
)  # fmt: skip


def planted(seed: int) -> list[tuple[str, str, str, str]]:
    """The faults of a seed; the user complains about the first."""
    return random.Random(f"larder {seed}").sample(FAULTS, COUNT)


def files_of(seed: int) -> Mapping[str, str]:
    """The program with its faults."""
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*.*")
        if path.suffix != ".pyc"
    }
    for name, right, wrong, _ in planted(seed):
        file = f"larder/{name}"
        assert right in found[file], (name, right)
        found[file] = found[file].replace(right, wrong)
    return found


def script(chance: random.Random) -> str:
    """A random command script that stays in a small world, so that everything meets."""
    names, people = ["egg", "milk", "rice"][: chance.choice([1, 2, 3])], ["ann", "bob", "egg"]
    lines = [
        f"buy {chance.choice(names)} {chance.randint(1, 9)} {chance.randint(1, 400)} {chance.randint(1, 5)}"
        for _ in range(4)
    ]
    for _ in range(chance.randint(15, 50)):
        name, who = chance.choice(names), chance.choice(people)
        lines.append(chance.choices(
            [
                f"buy {name} {chance.randint(1, 9)} {chance.randint(1, 400)} {chance.randint(1, 6)}",
                f"take {name} {chance.choice([1, 1, 2, 3, 4, 6, 9])}", f"hold {who} {name} {chance.choice([1, 2, 2, 3, 5])}",
                f"use {who}", f"drop {who}", f"spoil {chance.randint(1, 5)}", "undo", "show", f"worth {name}",
            ],
            [14, 18, 18, 9, 6, 4, 22, 5, 6],
        )[0])  # fmt: skip
    return "\n".join([*lines, "show", *(f"worth {name}" for name in names)]) + "\n"


# the program without faults, on several scripts in one process
EVERY = """
import json, sys
from larder.commands import Kitchen
found = []
for text in json.load(sys.stdin):
    kitchen = Kitchen()
    found.append("".join(answer + chr(10) for line in text.splitlines() for answer in kitchen.do(line.split())))
json.dump(found, sys.stdout)
"""


def cases(seed: int) -> list[tuple[str, str]]:
    """Scripts, and what the program without faults prints."""
    chance = random.Random(f"larder cases {seed}")
    texts = [script(chance) for _ in range(SCRIPTS)]
    argv = [sys.executable, "-B", "-c", EVERY]
    done = subprocess.run(
        argv, input=json.dumps(texts), capture_output=True, text=True, cwd=FOLDER, check=True, timeout=60
    )
    return list(zip(texts, json.loads(done.stdout), strict=True))


def build(seed: int) -> Node:
    """The test of a seed."""
    question = QUESTION.format(complaint=planted(seed)[0][3])
    work = Files(partial(files_of, seed)) >> question >> AgentRun([Shell(), EditFile()], max_turns=40)
    return work >> Cases("python3 -m larder", partial(cases, seed), files=["larder"])
