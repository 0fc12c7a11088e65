"""Bringing cells up to date."""

from .circles import Circle, Way
from .evaluate import value_of
from .patterns import is_pattern, matching
from .values import LOOP, MISSING


class Engine:
    """What all cells are worth. `time` counts the changes, so that nothing is gone through twice between two of them."""

    def __init__(self, log):
        self.log = log
        self.way = Way()
        self.time = 0

    def touch(self):
        self.time += 1

    def read(self, cells, what):
        """The value of a cell, which is brought up to date, or the names of a pattern."""
        if is_pattern(what):
            return matching(what, cells.names())
        cell = cells.find(what)
        if cell is None:
            return MISSING
        if not cell.frozen and cell.seen != self.time:
            self.bring(cells, what, cell)
        return cell.value

    def bring(self, cells, name, cell):
        self.way.enter(name)
        reads = []

        def read(what):
            if any(what == each for each, _ in reads):
                return dict(reads)[what]
            try:
                value = self.read(cells, what)
            except Circle:
                reads.append((what, None))
                raise
            reads.append((what, value))
            return value

        try:
            if cell.value is None or any(read(what) != value for what, value in cell.reads):
                reads.clear()
                self.log.add(name)
                cell.value = value_of(cell.formula, read)
        except Circle as circle:
            cell.value = LOOP
            if circle.first != name:
                raise
        finally:
            cell.reads = reads
            cell.seen = self.time
            self.way.leave()
