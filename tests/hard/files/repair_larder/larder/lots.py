"""Lots, and the order in which they are used."""

from dataclasses import dataclass

from larder.money import part


@dataclass
class Lot:
    number: int
    name: str
    day: int
    units: int
    cost: int


class Shelf:
    def __init__(self):
        self.lots = []
        self.last = 0

    def add(self, name, units, cost, day):
        self.last += 1
        lot = Lot(self.last, name, day, units, cost)
        self.place(lot)
        return lot

    def place(self, lot):
        self.lots.append(lot)
        self.lots.sort(key=lambda each: (each.day, each.number))

    def remove(self, lot):
        self.lots.remove(lot)

    def find(self, number):
        return next((lot for lot in self.lots if lot.number == number), None)

    def of(self, name):
        return [lot for lot in self.lots if lot.name == name]

    def draw(self, lot, units):
        """Take units out of a lot; returns their cost."""
        cost = part(lot.cost, units, lot.units)
        lot.units -= units
        lot.cost -= cost
        if lot.units == 0:
            self.remove(lot)
        return cost
