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
