"""The cells and their values."""

from gridy.evaluate import Evaluation
from gridy.parsing import Parser
from gridy.places import cells
from gridy.tokens import content


class Sheet:
    """`cells`: by (column, row) a number, a text or a list of tokens."""

    def __init__(self):
        self.cells = {}

    def put(self, key, it):
        """None empties the cell. A formula that is none raises Bad, and nothing changes."""
        if isinstance(it, list):
            Parser(it).whole()
        self.cells.pop(key, None)
        if it is not None:
            self.cells[key] = it

    def text(self, key):
        it = self.cells.get(key, "-")
        return content(it) if isinstance(it, list) else str(it)

    def values(self):
        """The values of all cells that are not empty."""
        evaluation = Evaluation(self)
        return {key: evaluation.value(key) for key in self.cells}

    def references(self, key):
        """The keys of all cells that a cell's formula names."""
        it = self.cells.get(key)
        if not isinstance(it, list):
            return set()
        return {each for kind, place in it if kind == "place" for each in cells(place)}
