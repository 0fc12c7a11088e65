"""Another name for a cell, wherever it is mentioned."""

from .formulas import names_in, renamed
from .patterns import is_pattern


def is_mentioned(cells, name):
    """Whether a formula has the name, or what a cell has read."""
    return any(
        name in names_in(cell.formula)
        or any(name in (value if is_pattern(what) else [what]) for what, value in cell.reads)
        for cell in cells.by_name.values()
    )


def rename(cells, old, new):
    cells.by_name[new] = cells.by_name.pop(old)
    for cell in cells.by_name.values():
        cell.formula = renamed(cell.formula, old, new)
        cell.reads = [read_renamed(what, value, old, new) for what, value in cell.reads]


def read_renamed(what, value, old, new):
    if is_pattern(what):
        return what, tuple(new if name == old else name for name in value)
    return (new if what == old else what), value
