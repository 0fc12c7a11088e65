"""Cells in the order in which they were made."""

from dataclasses import dataclass, field, replace


@dataclass
class Cell:
    formula: tuple
    number: int
    value: object = None  # None: it was never worked out by this formula
    reads: list = field(default_factory=list)  # (name or pattern, value); None where it leads on in a circle
    frozen: bool = False
    another: bool = False  # it got another formula while it was frozen
    seen: int = -1  # when it was last brought up to date

    def copy(self):
        return replace(self, reads=list(self.reads))


class Cells:
    """Cells by name."""

    def __init__(self):
        self.by_name = {}
        self.last = 0

    def find(self, name):
        return self.by_name.get(name)

    def make(self, name, formula):
        self.last += 1
        self.by_name[name] = Cell(formula, self.last)

    def names(self):
        return sorted(self.by_name, key=lambda name: self.by_name[name].number)

    def copy(self):
        found = Cells()
        found.last = self.last
        found.by_name = {name: cell.copy() for name, cell in self.by_name.items()}
        return found
