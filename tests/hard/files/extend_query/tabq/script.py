"""The statements of a script."""

from dataclasses import dataclass, field

from tabq.answer import answer
from tabq.errors import Mistake
from tabq.syntax import Parser
from tabq.values import shown
from tabq.words import words


@dataclass
class Table:
    columns: list
    rows: list = field(default_factory=list)


class Script:
    def __init__(self):
        self.tables, self.last = {}, None

    def do(self, line):
        """The lines that a statement prints."""
        try:
            found = words(line)
            if not found:
                return []
            if found[0] == ("name", "table"):
                names = [value for _, value in found[1:]]
                self.last = self.tables[names[0]] = Table(names[1:])
                return []
            if found[0] == ("name", "row"):
                parser = Parser(found[1:])
                row = []
                while parser.peek()[0] != "end":
                    sign = -1 if parser.have("-") else 1
                    value = parser.atom()[1]
                    row.append(-value if sign < 0 else value)
                self.last.rows.append(tuple(row))
                return []
            names, rows = answer(Parser(found).query(), self.tables)
        except Mistake:
            return ["error"]
        lines = [" | ".join(names), *(" | ".join(map(shown, row)) for row in rows)]
        return [*lines, f"({len(rows)} rows)"]
