"""What names mean: each column becomes ("cell", PLACE), the place of its value in a row."""

from tabq.errors import Mistake


class Scope:
    def __init__(self, alias, columns):
        self.alias, self.columns = alias, columns

    def resolve(self, expression):
        """The expression with all names replaced."""
        kind, *rest = expression
        if kind == "column":
            return self.column(*rest)
        return (kind, *(self.resolve(part) if isinstance(part, tuple) else part for part in rest))

    def column(self, table, name):
        if table not in (None, self.alias) or name not in self.columns:
            raise Mistake
        return ("cell", self.columns.index(name))

    def star(self, table):
        """Pairs of expression and name."""
        if table not in (None, self.alias):
            raise Mistake
        return [(("cell", place), name) for place, name in enumerate(self.columns)]
