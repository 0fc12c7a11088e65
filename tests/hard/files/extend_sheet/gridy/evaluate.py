"""The values of formulas."""

from gridy.functions import FUNCTIONS
from gridy.parsing import Parser
from gridy.places import Place, cells
from gridy.values import Error, arithmetic, compare


class Evaluation:
    """The values of a sheet as it stands."""

    def __init__(self, sheet):
        self.sheet, self.known = sheet, {}

    def value(self, key):
        """None for an empty cell."""
        if key not in self.known:
            it = self.sheet.cells.get(key)
            if isinstance(it, list):
                it = Error("#CYCLE") if self.in_cycle(key) else self.compute(Parser(it).whole())
                it = 0 if it is None else it
            self.known[key] = it
        return self.known[key]

    def in_cycle(self, key):
        seen, todo = set(), [key]
        while todo:
            for each in self.sheet.references(todo.pop()):
                if each == key:
                    return True
                if each not in seen:
                    seen.add(each)
                    todo.append(each)
        return False

    def all_values(self, place):
        return [self.value(key) for key in cells(place)]

    def compute(self, tree):
        kind, *rest = tree
        if kind in ("number", "text"):
            return rest[0]
        if kind == "error":
            return Error(rest[0])
        if kind == "place":
            return self.value(cells(rest[0])[0]) if isinstance(rest[0], Place) else Error("#VALUE")
        if kind == "brackets":
            return self.compute(rest[0])
        if kind == "call":
            return FUNCTIONS[rest[0]](self, *rest[1:])
        op, *trees = rest
        left, right = [self.compute(each) for each in trees]
        for each in (left, right):
            if isinstance(each, Error):
                return each
        return arithmetic(op, left, right) if kind == "arithmetic" else compare(op, left, right)
