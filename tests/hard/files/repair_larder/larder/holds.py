"""Reservations: who has how many units of which lot."""


class Holds:
    def __init__(self):
        self.by_who = {}

    def held(self, number):
        """Units of a lot that anybody has reserved."""
        return sum(its.get(number, 0) for its in self.by_who.values())

    def free(self, lot):
        return lot.units - self.held(lot.number)

    def add(self, who, number, units):
        its = self.by_who.setdefault(who, {})
        its[number] = its.get(number, 0) + units

    def end(self, who):
        return self.by_who.pop(who)

    def shrink(self, number):
        """A lot is gone: nobody has any of it."""
        for who in list(self.by_who):
            self.by_who[who].pop(number, None)
            if not self.by_who[who]:
                del self.by_who[who]
