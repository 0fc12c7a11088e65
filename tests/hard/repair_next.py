"""Faults in transactions, deadlines and redo of a small program, which show far from where they are."""

from __future__ import annotations

import random
from functools import partial

from evaluator import *

from .cases import Cases
from .extend_larder import cases, extended, files_of

DESCRIPTION = "Can an agent find four faults among transactions, undo and reservations, of which the complaint names one?"
TAGS = ["hard", "code", "python", "agent"]

COUNT = 4
QUESTION = """In this folder is larder, a Python program of several files. README.md and NEXT.md say what it must do, rule by rule; NEXT.md goes before
README.md where they differ. A user writes:

    "{complaint} That is not what the rules say, and it does not seem to be all."

Find out what is wrong and mend it: afterwards everything in both must hold. Leave README.md and NEXT.md as they are. The program is run as
`python3 -m larder` in this folder."""

# file, what is right, what is planted, and what a user may notice first
FAULTS = (
    ("journal", "            self.levels[-1][0].append(before)\n            self.undone = []\n\n    def undo", "            self.levels[-1][0].append(before)\n\n    def undo",
     "I took a command back, bought something else, typed redo, and my purchase was gone."),
    ("commands", "cost, min(lot.day, int(day))", "cost, int(day)",
     "I made a lot out of an old one, and the new lot keeps longer than the food in it."),
    ("journal", "        if before != self.state():\n            self.levels[-1][0].append(before)\n        return", "        self.levels[-1][0].append(before)\n        return",
     "I ended a transaction in which I had taken everything back, and then undo seemed to do nothing."),
    ("commands", "until <= day if UNTIL_INCLUDED else until < day", "until < day if UNTIL_INCLUDED else until <= day",
     "Reservations end on another day than they should."),
    ("holds", "            found[number] = found.get(number, 0) + units\n        return found", "            found[number] = units\n        return found",
     "Ann had reserved twice with different days, and `use` did not take all of it."),
    ("journal", "{name: n for name, n in self.holds.least.items() if n}", "self.holds.least",
     "I set a minimum by mistake, typed undo, and something older was undone."),
    ("journal", "{name: n for name, n in self.holds.least.items() if n}", "dict(self.holds.least)",
     "I set a minimum to 0 where there was none, and then had to type undo twice."),
    ("journal", "        self.undone.append(self.state())\n        self.restore(past.pop())\n", "        self.restore(past.pop())\n        self.undone.append(self.state())\n",
     "`redo` says redone, but all is as before."),
    ("journal", "        self.levels.append(([], self.state()))\n        self.undone = []\n", "        self.levels.append(([], self.state()))\n",
     "Inside a transaction that I had just opened, redo brought something back from before it."),
    ("commands", "(who, a.number if lot == b.number else lot, day)", "(who, lot, day)",
     "I put two lots together, and Ann's reservation of the second was gone."),
    ("commands", "(other if each == who else each, lot, day))", "(other, lot, day) if each == who else (each, lot, day) if each != other else None)",
     "Ann passed her reservations on to Bob, and Bob lost his own."),
    ("commands", "return max(0, free_units(self.shelf, self.holds, name) - (self.holds.least.get(name, 0) if bound else 0))",
     "return free_units(self.shelf, self.holds, name) - (self.holds.least.get(name, 0) if bound else 0)",
     "It said that it was short of a number below zero."),
    ("holds", "its[number, day] = its.get((number, day), 0) + units", "its[number, day] = units",
     "Ann reserved twice from one lot, and only the second counts."),
    ("commands", "for number, day in sorted(its)", "for number, day in sorted(its, key=lambda each: each[::-1])",
     "The list of reservations is not in the order in which it should be."),
)  # fmt: skip


def planted(seed: int) -> list[tuple[str, str, str, str]]:
    """The faults of a seed, each in another place; the user complains about the first."""
    chance = random.Random(f"larder next faults {seed}")
    found: list[tuple[str, str, str, str]] = []
    for fault in chance.sample(FAULTS, len(FAULTS)):
        if (
            all(fault[1] not in other[1] and other[1] not in fault[1] for other in found)
            and len(found) < COUNT
        ):
            found.append(fault)
    return found


def faulty(seed: int) -> dict[str, str]:
    """The program with its faults, and what it must do."""
    found = {**files_of(seed), **extended(seed)}
    for name, right, wrong, _ in planted(seed):
        file = f"larder/{name}.py"
        assert right in found[file], (name, right)
        found[file] = found[file].replace(right, wrong)
    return found


def build(seed: int) -> Node:
    """The test of a seed."""
    question = QUESTION.format(complaint=planted(seed)[0][3])
    work = Files(partial(faulty, seed)) >> question >> AgentRun([Shell(), EditFile()], max_turns=40)
    return work >> Cases("python3 -m larder", partial(cases, seed), files=["larder"])
