"""Right and wrong work on extend_larder: the program's own classes extended, with undo by copies as it has it."""

from __future__ import annotations

import json

from evaluator import Call, Script

from ..extend_larder import rules_of

HOLDS = '''
"""Reservations: who has how many units of which lot until when."""


class Holds:
    def __init__(self):
        self.by_who = {}
        self.least = {}

    def held(self, number):
        """Units of a lot that anybody has reserved."""
        return sum(units for its in self.by_who.values() for (lot, _), units in its.items() if lot == number)

    def free(self, lot):
        return lot.units - self.held(lot.number)

    def add(self, who, number, units, day):
        its = self.by_who.setdefault(who, {})
        its[number, day] = its.get((number, day), 0) + units

    def end(self, who):
        found = {}
        for (number, _), units in self.by_who.pop(who).items():
            found[number] = found.get(number, 0) + units
        return found

    def rewrite(self, change):
        """Put each reservation down again as change(who, number, day) says; None ends it."""
        old, self.by_who = self.by_who, {}
        for who, its in old.items():
            for (number, day), units in its.items():
                to = change(who, number, day)
                if to is not None:
                    self.add(to[0], to[1], units, to[2])

    def shrink(self, number):
        """A lot is gone: nobody has any of it."""
        self.rewrite(lambda who, lot, day: None if lot == number else (who, lot, day))
'''
JOURNAL = '''
"""What undo needs: how everything was before each command that changed something."""

from dataclasses import replace


class Journal:
    def __init__(self, shelf, holds):
        self.shelf, self.holds = shelf, holds
        self.levels = [([], None)]
        self.undone = []

    def state(self):
        lots = [replace(lot) for lot in self.shelf.lots]
        holds = {who: dict(its) for who, its in self.holds.by_who.items()}
        return self.shelf.last, lots, holds, {name: n for name, n in self.holds.least.items() if n}

    def restore(self, state):
        self.shelf.last, self.shelf.lots, self.holds.by_who, self.holds.least = state

    def note(self, before):
        """Remember how it was, if it is no longer so."""
        if before != self.state():
            self.levels[-1][0].append(before)
            self.undone = []

    def undo(self):
        past = self.levels[-1][0]
        if not past:
            return False
        self.undone.append(self.state())
        self.restore(past.pop())
        return True

    def redo(self):
        if not self.undone:
            return False
        self.levels[-1][0].append(self.state())
        self.restore(self.undone.pop())
        return True

    def begin(self):
        self.levels.append(([], self.state()))
        self.undone = []
        return f"open {len(self.levels) - 1}"

    def commit(self):
        if len(self.levels) == 1:
            return "none"
        self.undone = []
        before = self.levels.pop()[1]
        if before != self.state():
            self.levels[-1][0].append(before)
        return f"open {len(self.levels) - 1}"

    def cancel(self):
        if len(self.levels) == 1:
            return "none"
        self.undone = []
        before = self.levels.pop()[1]
        while CANCELS_ALL and len(self.levels) > 1:
            before = self.levels.pop()[1]
        self.restore(before)
        return f"open {len(self.levels) - 1}"
'''
COMMANDS = '''
"""The commands."""

from larder.holds import Holds
from larder.journal import Journal
from larder.lots import Lot, Shelf
from larder.money import part
from larder.picking import free_units, pick

EVER = 10**9
WORDS = {word: name for name, word in NAMES.items()}


class Kitchen:
    def __init__(self):
        self.shelf, self.holds = Shelf(), Holds()
        self.journal = Journal(self.shelf, self.holds)

    def do(self, words):
        name, *rest = words
        name = WORDS.get(name, name)
        if name in ("undo", "redo"):
            return [name.replace("redo", "redone").replace("undo", "undone") if getattr(self.journal, name)() else "nothing"]
        if name in ("begin", "commit", "cancel"):
            return [getattr(self.journal, name)()]
        before = self.journal.state()
        answer = getattr(self, name)(*rest)
        self.journal.note(before)
        return answer

    def buy(self, name, units, cost, day):
        return [f"lot {self.shelf.add(name, int(units), int(cost), int(day)).number}"]

    def beyond(self, name, bound):
        return max(0, free_units(self.shelf, self.holds, name) - (self.holds.least.get(name, 0) if bound else 0))

    def take(self, name, units):
        if int(units) > self.beyond(name, True):
            return [f"short {self.beyond(name, True)}"]
        return [f"cost {sum(self.shelf.draw(lot, here) for lot, here in pick(self.shelf, self.holds, name, int(units)))}"]

    def hold(self, who, name, units, day=EVER):
        if int(units) > self.beyond(name, BINDS_HOLD):
            return [f"short {self.beyond(name, BINDS_HOLD)}"]
        for lot, here in pick(self.shelf, self.holds, name, int(units)):
            self.holds.add(who, lot.number, here, int(day))
        return ["ok"]

    def use(self, who):
        if who not in self.holds.by_who:
            return ["nobody"]
        cost = 0
        for number, units in self.holds.end(who).items():
            cost += self.shelf.draw(self.shelf.find(number), units)
        return [f"cost {cost}"]

    def drop(self, who):
        if who not in self.holds.by_who:
            return ["nobody"]
        self.holds.end(who)
        return ["ok"]

    def spoil(self, day):
        cost, day = 0, int(day)
        ended = lambda until: until <= day if UNTIL_INCLUDED else until < day
        self.holds.rewrite(lambda who, lot, until: None if ended(until) else (who, lot, until))
        for lot in [lot for lot in self.shelf.lots if lot.day < day]:
            self.holds.shrink(lot.number)
            cost += self.shelf.draw(lot, lot.units)
        return [f"cost {cost}"]

    def split(self, number, units, day):
        lot, units = self.shelf.find(int(number)), int(units)
        if lot is None:
            return ["no lot"]
        if self.holds.free(lot) < units:
            return [f"short {self.holds.free(lot)}"]
        cost = self.shelf.draw(lot, units)
        return [f"lot {self.shelf.add(lot.name, units, cost, min(lot.day, int(day))).number}"]

    def join(self, one, two):
        a, b = self.shelf.find(int(one)), self.shelf.find(int(two))
        if a is None or b is None or a is b or a.name != b.name:
            return ["no"]
        self.shelf.remove(a)
        self.shelf.remove(b)
        self.shelf.place(Lot(a.number, a.name, JOIN(a.day, b.day), a.units + b.units, a.cost + b.cost))
        self.holds.rewrite(lambda who, lot, day: (who, a.number if lot == b.number else lot, day))
        return ["ok"]

    def give(self, who, other):
        if who not in self.holds.by_who:
            return ["nobody"]
        self.holds.rewrite(lambda each, lot, day: (other if each == who else each, lot, day))
        return ["ok"]

    def least(self, name, units):
        self.holds.least[name] = int(units)
        return ["ok"]

    def who(self):
        return [
            f"{who} lot {number} units {its[number, day]} until {'ever' if day == EVER else day}"
            for who, its in sorted(self.holds.by_who.items())
            for number, day in sorted(its)
        ] or ["empty"]

    def show(self):
        lines = [
            f"lot {lot.number} {lot.name} day {lot.day} units {lot.units} free {self.holds.free(lot)} cost {lot.cost}"
            for lot in self.shelf.lots
        ]
        return lines or ["empty"]

    def worth(self, name):
        lots = self.shelf.of(name)
        return [f"{sum(lot.units for lot in lots)} units, {sum(lot.cost for lot in lots)} cents"]
'''


def _built(seed: int, *changes: tuple[str, str, str]) -> Script:
    rules = rules_of(seed)
    head = (
        f"NAMES = {dict(rules.words)!r}\nBINDS_HOLD = {rules.binds_hold}\nUNTIL_INCLUDED = {rules.until_included}\n"
        f"JOIN = {'min' if rules.join_day == 'earlier' else 'max'}\n"
    )
    files = {
        "holds": HOLDS,
        "journal": f"CANCELS_ALL = {rules.cancels_all}\n{JOURNAL}",
        "commands": head + COMMANDS,
    }
    for name, before, after in changes:
        assert before in files[name], before
        files[name] = files[name].replace(before, after)
    lines = ["python3 - <<'END_OF_PROGRAM'", "import json"]
    for name, text in files.items():
        lines.append(f"open('larder/{name}.py', 'w').write(json.loads({json.dumps(text)!r}))")
    return Script("\n".join([*lines, "END_OF_PROGRAM"]))


def right(seed: int) -> list[Script]:
    return [_built(seed)]


def wrong(seed: int) -> list[object]:
    return [
        _built(seed, ("journal", "            self.undone = []\n\n    def undo", "\n    def undo")),
        _built(seed, ("commands", "cost, min(lot.day, int(day))", "cost, int(day)")),
        _built(seed, ("journal", "        if before != self.state():\n            self.levels[-1][0].append(before)\n        return", "        self.levels[-1][0].append(before)\n        return")),
        _built(seed, ("commands", "until <= day if UNTIL_INCLUDED else until < day", "until < day if UNTIL_INCLUDED else until <= day")),
        _built(seed, ("holds", "        found = {}\n        for (number, _), units in self.by_who.pop(who).items():\n            found[number] = found.get(number, 0) + units\n        return found", "        return {number: units for (number, _), units in self.by_who.pop(who).items()}")),
        [Call("shell", command="cat NEXT.md"), "That is too much for one day."],
    ]  # fmt: skip
