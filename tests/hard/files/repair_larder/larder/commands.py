"""The commands."""

from larder.holds import Holds
from larder.journal import Journal
from larder.lots import Shelf
from larder.picking import free_units, pick


class Kitchen:
    def __init__(self):
        self.shelf, self.holds = Shelf(), Holds()
        self.journal = Journal(self.shelf, self.holds)

    def do(self, words):
        name, *rest = words
        if name == "undo":
            return ["undone" if self.journal.undo() else "nothing"]
        before = self.journal.state()
        answer = getattr(self, name)(*rest)
        self.journal.note(before)
        return answer

    def buy(self, name, units, cost, day):
        return [f"lot {self.shelf.add(name, int(units), int(cost), int(day)).number}"]

    def take(self, name, units):
        picked = pick(self.shelf, self.holds, name, int(units))
        if picked is None:
            return [f"short {free_units(self.shelf, self.holds, name)}"]
        return [f"cost {sum(self.shelf.draw(lot, here) for lot, here in picked)}"]

    def hold(self, who, name, units):
        picked = pick(self.shelf, self.holds, name, int(units))
        if picked is None:
            return [f"short {free_units(self.shelf, self.holds, name)}"]
        for lot, here in picked:
            self.holds.add(who, lot.number, here)
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
        cost = 0
        for lot in [lot for lot in self.shelf.lots if lot.day < int(day)]:
            self.holds.shrink(lot.number)
            cost += self.shelf.draw(lot, lot.units)
        return [f"cost {cost}"]

    def show(self):
        lines = [
            f"lot {lot.number} {lot.name} day {lot.day} units {lot.units} free {self.holds.free(lot)} cost {lot.cost}"
            for lot in self.shelf.lots
        ]
        return lines or ["empty"]

    def worth(self, name):
        lots = self.shelf.of(name)
        return [f"{sum(lot.units for lot in lots)} units, {sum(lot.cost for lot in lots)} cents"]
