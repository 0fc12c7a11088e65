"""The commands."""

from larder.holds import Holds
from larder.journal import Journal
from larder.lots import Lot, Shelf
from larder.picking import free_units, pick
from larder.rules import BINDS_HOLD, JOIN, NAMES, UNTIL_INCLUDED

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
