"""Transactions, deadlines, minimum stocks and more for a small program that has undo and reservations."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from evaluator import *

from .cases import Cases
from .repair_larder import script

DESCRIPTION = (
    "Can an agent add nine commands to a small program so that they agree with each other and with undo?"
)
TAGS = ["hard", "code", "python", "agent"]

FOLDER = Path(__file__).parent / "files" / "repair_larder"
EXTENDED = Path(__file__).parent / "files" / "extend_larder"
SCRIPTS, OLD = 50, 10
QUESTION = """In this folder is larder, a Python program of several files; README.md says what it does. NEXT.md says what it must do as well from now
on. Build that. Everything in README.md goes on to hold where NEXT.md does not change it. Leave README.md and NEXT.md as they are. The
program is run as `python3 -m larder` in this folder; scripts that you do not see decide, old ones and new ones."""
NEXT = """# What larder must do next

New commands:

    {split} LOT QUANTITY DAY        make a lot of its own out of free units of a lot
    {join} LOT OTHER                put the units of the lot OTHER into LOT
    {give} WHO OTHER                pass everything that WHO has reserved on to OTHER
    hold WHO NAME QUANTITY DAY      as hold, with a day at which the reservation ends (rule 4)
    {least} NAME QUANTITY           from now on keep so many units of NAME free
    who                             all reservations
    redo                            take the last undo back
    {begin}, {commit}, {cancel}     transactions

1. `{split}` takes free units only. The units leave the lot, at their cost by rule 3 of README.md, and become a new lot with the next number, the same name
   and the cost that left; it expires on DAY or on the old lot's day, whichever is earlier. It prints `lot N` with the new number; `short N` with
   the lot's free units if there are too few; `no lot` if there is no such lot. A lot that loses its last unit so is used up.
2. `{join}` adds units and costs; the lot keeps the number LOT and expires on the {join_day} of both days. Reservations of units of OTHER are then of
   units of LOT. OTHER is used up. It prints `ok`, or `no` if one of them does not exist, if both are the same lot, or if their names differ.
3. `{give}` prints `ok`, or `nobody` if WHO has no reservation. The days of the reservations stay. OTHER keeps what OTHER had.
4. A reservation that was made with a day ends at a `spoil DAY` with {until}, before anything is thrown away. One without a day
   holds for ever. One person's reservations of units of one lot are kept apart if their days differ; `use` all the same takes all of a
   person's units out of a lot at once, so that rule 3 of README.md rounds once for each lot.
5. `{least} NAME QUANTITY` prints `ok`. After it, {bound} may not leave fewer free units of NAME than that: it prints `short N` as if only the units beyond
   the minimum were free (0 if there are none beyond it). Nothing else is bound by it. At first every minimum is 0.
6. `who` prints a line for each person, lot and day that has a reservation: `WHO lot N units U until DAY`, and `ever` for one without a day. The lines
   are in the order of the persons' names, then of lot numbers, then of days, `ever` last; `empty` if there is none.
7. All these are commands that can be undone if they changed something: lots, reservations, minimums or numbers. Setting a minimum to what it was changes
   nothing; nor does passing reservations on to oneself.
8. `redo` prints `redone` and restores everything as it was before the last undo that was not taken back yet; with none it prints `nothing`. What was redone can be
   undone again. A command that changes something forgets what could be redone; one that changes nothing does not.
9. `{begin}` opens a transaction, also inside another one, and prints `open N`, N being how many are then open. Inside a transaction, undo only goes back to its
   beginning; then it prints `nothing`.
10. `{commit}` ends the innermost transaction and prints `open N` with the number of those that are left. For undo and redo all that it changed is then a single
    command of the transaction around it, or of none; if all is as it was at its beginning, there is nothing to undo for it.
11. `{cancel}` ends {cancels}, restores everything as it was at its beginning, numbers too, and prints `open N` with the number of those that are left.
    It is nothing that could be undone.
12. `{commit}` and `{cancel}` without an open transaction print `none` and do nothing. Whenever `{begin}`, `{commit}` or `{cancel}` does something, what could be redone
    is forgotten.
"""
Hold = tuple[str, int, int, int]  # who, lot, day (EVER: none), units
EVER = 10**9


@dataclass(frozen=True)
class Rules:
    """What a seed decides."""

    words: Mapping[str, str]
    join_day: str
    until_included: bool
    binds_hold: bool
    cancels_all: bool

    def text(self) -> str:
        """NEXT.md."""
        return NEXT.format(
            **self.words,
            join_day=self.join_day,
            until="DAY greater than or equal to its day" if self.until_included else "DAY greater than its day",
            bound="`take` and `hold`" if self.binds_hold else "`take`",
            cancels="all open transactions at once, so that the outermost counts" if self.cancels_all else "the innermost transaction",
        )  # fmt: skip


def rules_of(seed: int) -> Rules:
    """The rules and words of a seed."""
    chance = random.Random(f"larder next {seed}")
    words = {
        "split": chance.choice(["split", "open", "part"]),
        "join": chance.choice(["join", "merge", "pour"]),
        "give": chance.choice(["give", "pass", "cede"]),
        "least": chance.choice(["least", "keep", "floor"]),
        "begin": chance.choice(["begin", "start"]),
        "commit": chance.choice(["commit", "finish"]),
        "cancel": chance.choice(["cancel", "rollback"]),
    }
    return Rules(
        words,
        chance.choice(["earlier", "later"]),
        chance.random() < 0.5,
        chance.random() < 0.5,
        chance.random() < 0.5,
    )


@dataclass(frozen=True)
class Lot:
    """Units of one purchase; `order` is that of rule 2."""

    number: int
    name: str
    day: int
    units: int
    cost: int

    def without(self, units: int) -> tuple[Lot, int]:
        """The lot with fewer units, and what these cost."""
        cost = round(Fraction(self.cost * units, self.units))
        return replace(self, units=self.units - units, cost=self.cost - cost), cost


@dataclass(frozen=True)
class State:
    """Everything that undo restores."""

    last: int = 0
    lots: tuple[Lot, ...] = ()
    holds: tuple[Hold, ...] = ()
    least: tuple[tuple[str, int], ...] = ()

    def lot(self, number: int) -> Lot | None:
        """The lot of a number."""
        return next((each for each in self.lots if each.number == number), None)

    def free(self, lot: Lot) -> int:
        """Units of a lot that nobody has reserved."""
        return lot.units - sum(units for _, number, _, units in self.holds if number == lot.number)

    def put(self, *changed: Lot) -> State:
        """With these lots in place of those of their numbers; empty ones leave."""
        numbers = {lot.number for lot in changed}
        kept = [lot for lot in self.lots if lot.number not in numbers] + [lot for lot in changed if lot.units]
        there = {lot.number for lot in kept}
        lots = tuple(sorted(kept, key=lambda lot: (lot.day, lot.number)))
        return replace(self, lots=lots, holds=tuple(hold for hold in self.holds if hold[1] in there))

    def hold(self, *holds: Hold) -> State:
        """With these reservations alone; equal persons, lots and days are added up."""
        units: dict[tuple[str, int, int], int] = {}
        for who, number, day, count in holds:
            units[who, number, day] = units.get((who, number, day), 0) + count
        return replace(self, holds=tuple(sorted((*key, count) for key, count in units.items())))


class Model:
    """The program as it must be, as functions of states."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.now = rules, State()
        self.name_of = {word: name for name, word in rules.words.items()}
        self.begun: list[State] = []
        self.past: list[list[State]] = [[]]
        self.future: list[State] = []

    def do(self, line: str) -> list[str]:
        """The lines that a command prints."""
        word, *rest = line.split()
        name = self.name_of.get(word, word)
        if name in ("undo", "redo", "begin", "commit", "cancel"):
            return [getattr(self, name)()]
        after, said = getattr(self, name)(self.now, *rest)
        if after != self.now:
            self.past[-1].append(self.now)
            self.future, self.now = [], after
        return list(said)

    def undo(self) -> str:
        if not self.past[-1]:
            return "nothing"
        self.future.append(self.now)
        self.now = self.past[-1].pop()
        return "undone"

    def redo(self) -> str:
        if not self.future:
            return "nothing"
        self.past[-1].append(self.now)
        self.now = self.future.pop()
        return "redone"

    def begin(self) -> str:
        self.begun.append(self.now)
        self.past.append([])
        self.future = []
        return f"open {len(self.begun)}"

    def commit(self) -> str:
        if not self.begun:
            return "none"
        before = self.begun.pop()
        self.past.pop()
        self.future = []
        if before != self.now:
            self.past[-1].append(before)
        return f"open {len(self.begun)}"

    def cancel(self) -> str:
        if not self.begun:
            return "none"
        keep = 0 if self.rules.cancels_all else len(self.begun) - 1
        self.now = self.begun[keep]
        del self.begun[keep:], self.past[keep + 1 :]
        self.future = []
        return f"open {keep}"

    def buy(self, now: State, name: str, units: str, cost: str, day: str) -> tuple[State, Sequence[str]]:
        lot = Lot(now.last + 1, name, int(day), int(units), int(cost))
        return replace(now.put(lot), last=lot.number), [f"lot {lot.number}"]

    def _pick(self, now: State, name: str, units: int, bound: bool) -> tuple[list[tuple[Lot, int]], int]:
        """Which lots the units come from; none of them, and how many there are, if that is too few."""
        free = [(lot, now.free(lot)) for lot in now.lots if lot.name == name]
        most = sum(count for _, count in free)
        most = max(0, most - dict(now.least).get(name, 0)) if bound else most
        if units > most:
            return [], most
        found = []
        for lot, count in free:
            here = min(units, count)
            units -= here
            found += [(lot, here)] if here else []
        return found, most

    def take(self, now: State, name: str, units: str) -> tuple[State, Sequence[str]]:
        picked, most = self._pick(now, name, int(units), True)
        if int(units) > most:
            return now, [f"short {most}"]
        drawn = [lot.without(here) for lot, here in picked]
        return now.put(*(lot for lot, _ in drawn)), [f"cost {sum(cost for _, cost in drawn)}"]

    def hold(
        self, now: State, who: str, name: str, units: str, day: str = str(EVER)
    ) -> tuple[State, Sequence[str]]:
        picked, most = self._pick(now, name, int(units), self.rules.binds_hold)
        if int(units) > most:
            return now, [f"short {most}"]
        return now.hold(*now.holds, *((who, lot.number, int(day), here) for lot, here in picked)), ["ok"]

    def use(self, now: State, who: str) -> tuple[State, Sequence[str]]:
        mine: dict[int, int] = {}
        for person, number, _, units in now.holds:
            if person == who:
                mine[number] = mine.get(number, 0) + units
        if not mine:
            return now, ["nobody"]
        drawn = [lot.without(mine[lot.number]) for lot in now.lots if lot.number in mine]
        after = now.hold(*(each for each in now.holds if each[0] != who)).put(*(lot for lot, _ in drawn))
        return after, [f"cost {sum(cost for _, cost in drawn)}"]

    def drop(self, now: State, who: str) -> tuple[State, Sequence[str]]:
        rest = [each for each in now.holds if each[0] != who]
        return now.hold(*rest), ["ok" if len(rest) < len(now.holds) else "nobody"]

    def spoil(self, now: State, day: str) -> tuple[State, Sequence[str]]:
        last = int(day) - (0 if self.rules.until_included else 1)
        after = now.hold(*(each for each in now.holds if each[2] > last))
        bad = [lot for lot in now.lots if lot.day < int(day)]
        return after.put(*(replace(lot, units=0) for lot in bad)), [f"cost {sum(lot.cost for lot in bad)}"]

    def split(self, now: State, number: str, units: str, day: str) -> tuple[State, Sequence[str]]:
        lot = now.lot(int(number))
        if lot is None:
            return now, ["no lot"]
        if now.free(lot) < int(units):
            return now, [f"short {now.free(lot)}"]
        rest, cost = lot.without(int(units))
        new = Lot(now.last + 1, lot.name, min(lot.day, int(day)), int(units), cost)
        return replace(now.put(rest, new), last=new.number), [f"lot {new.number}"]

    def join(self, now: State, one: str, two: str) -> tuple[State, Sequence[str]]:
        lot, other = now.lot(int(one)), now.lot(int(two))
        if lot is None or other is None or lot == other or lot.name != other.name:
            return now, ["no"]
        day = (min if self.rules.join_day == "earlier" else max)(lot.day, other.day)
        whole = replace(lot, day=day, units=lot.units + other.units, cost=lot.cost + other.cost)
        holds = [
            (who, lot.number if number == other.number else number, until, units)
            for who, number, until, units in now.holds
        ]
        return now.hold(*holds).put(whole, replace(other, units=0)), ["ok"]

    def give(self, now: State, who: str, other: str) -> tuple[State, Sequence[str]]:
        holds = [(other if each[0] == who else each[0], *each[1:]) for each in now.holds]
        return now.hold(*holds), ["ok" if any(each[0] == who for each in now.holds) else "nobody"]

    def least(self, now: State, name: str, units: str) -> tuple[State, Sequence[str]]:
        bounds = {**dict(now.least), name: int(units)}
        return replace(now, least=tuple(sorted(each for each in bounds.items() if each[1]))), ["ok"]

    def who(self, now: State) -> tuple[State, Sequence[str]]:
        lines = [
            f"{who} lot {number} units {units} until {'ever' if day == EVER else day}"
            for who, number, day, units in sorted(now.holds)
        ]
        return now, lines or ["empty"]

    def show(self, now: State) -> tuple[State, Sequence[str]]:
        lines = [
            f"lot {lot.number} {lot.name} day {lot.day} units {lot.units} free {now.free(lot)} cost {lot.cost}"
            for lot in now.lots
        ]
        return now, lines or ["empty"]

    def worth(self, now: State, name: str) -> tuple[State, Sequence[str]]:
        lots = [lot for lot in now.lots if lot.name == name]
        return now, [f"{sum(lot.units for lot in lots)} units, {sum(lot.cost for lot in lots)} cents"]


def new_script(chance: random.Random, words: Mapping[str, str]) -> str:
    """A random script with the new commands."""
    names, people = ["egg", "milk"][: chance.choice([1, 2])], ["ann", "bob", "cy"]
    lines, lots = [], 3
    for _ in range(3):
        lines.append(
            f"buy {chance.choice(names)} {chance.randint(2, 9)} {chance.randint(1, 400)} {chance.randint(1, 7)}"
        )
    for _ in range(chance.randint(25, 60)):
        name, who, day = chance.choice(names), chance.choice(people), chance.randint(1, 7)
        said = chance.choices(
            [
                f"buy {name} {chance.randint(1, 9)} {chance.randint(1, 400)} {day}", f"take {name} {chance.choice([1, 1, 2, 3, 4])}",
                f"hold {who} {name} {chance.choice([1, 2, 2, 3])}", f"hold {who} {name} {chance.choice([1, 1, 2, 3])} {day}",
                f"use {who}", f"drop {who}", f"spoil {chance.randint(1, 5)}", "undo", "redo", "show", "who",
                f"{words['split']} {chance.randint(1, lots + 1)} {chance.randint(1, 4)} {day}",
                f"{words['join']} {chance.randint(1, lots)} {chance.randint(1, lots)}",
                f"{words['give']} {who} {chance.choice(people)}", f"{words['least']} {name} {chance.choice([0, 1, 2, 4])}",
                words["begin"], words["commit"], words["cancel"],
            ],
            [9, 9, 7, 10, 5, 2, 4, 16, 12, 2, 3, 8, 8, 5, 5, 8, 7, 4],
        )[0]  # fmt: skip
        lots += said.startswith(("buy", words["split"]))
        lines.append(said)
        if said in ("undo", "redo", words["cancel"]) and chance.random() < 0.5:
            lines.append(chance.choice(["show", "who"]))
    return "\n".join([*lines, "show", "who", *(f"worth {name}" for name in names)]) + "\n"


def cases(seed: int) -> list[tuple[str, str]]:
    """New and old scripts, and what they must print."""
    chance, rules = random.Random(f"larder next cases {seed}"), rules_of(seed)
    texts = [new_script(chance, rules.words) for _ in range(SCRIPTS)] + [script(chance) for _ in range(OLD)]
    found = []
    for text in texts:
        model = Model(rules)
        found.append((text, "\n".join(answer for line in text.splitlines() for answer in model.do(line))))
    return found


def files_of(seed: int) -> dict[str, str]:
    """The program as it is, and NEXT.md."""
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(FOLDER.rglob("*.*"))
        if path.suffix != ".pyc"
    }
    return {**found, "NEXT.md": rules_of(seed).text()}


def extended(seed: int) -> dict[str, str]:
    """The files of the program that differ once it can do what NEXT.md says: undo still works by copies."""
    rules = rules_of(seed)
    found = {
        f"larder/{path.name}": path.read_text(encoding="utf-8") for path in sorted(EXTENDED.glob("*.py"))
    }
    found["larder/rules.py"] = (
        f'"""What NEXT.md leaves to choice."""\n\nNAMES = {dict(rules.words)!r}\nBINDS_HOLD = {rules.binds_hold}\n'
        f"UNTIL_INCLUDED = {rules.until_included}\nCANCELS_ALL = {rules.cancels_all}\n"
        f"JOIN = {'min' if rules.join_day == 'earlier' else 'max'}\n"
    )
    return found


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=40)
    return work >> Cases("python3 -m larder", partial(cases, seed), files=["larder"])
