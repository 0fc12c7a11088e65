"""The commands."""

import re

from gridy.places import key, letter
from gridy.sheet import Sheet
from gridy.tokens import Bad, rewritten, tokens_of


class Desk:
    def __init__(self):
        self.sheet = Sheet()

    def do(self, line):
        """The lines that a command prints."""
        name, _, rest = line.partition(" ")
        return getattr(self, name)(rest)

    def set(self, rest):
        cell, _, text = rest.partition(" ")
        try:
            self.sheet.put(key(cell), read(text.strip()))
        except Bad:
            return ["syntax"]
        return ["ok"]

    def copy(self, rest):
        here, there = (key(word) for word in rest.split())
        self.sheet.put(there, copied(self.sheet.cells.get(here), there[0] - here[0], there[1] - here[1]))
        return ["ok"]

    def show(self, rest):
        return [str(self.sheet.values().get(key(rest), "-"))]

    def text(self, rest):
        return [self.sheet.text(key(rest))]

    def dump(self, _):
        lines = []
        values = self.sheet.values()
        for place in sorted(values, key=lambda each: (each[1], each[0])):
            name = f"{letter(place[0])}{place[1]}"
            formula = f" {self.sheet.text(place)}" * isinstance(self.sheet.cells[place], list)
            lines.append(f"{name} {values[place]}{formula}")
        return lines or ["empty"]


def read(text):
    if not text:
        return None
    if text.startswith("="):
        return tokens_of(text[1:])
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def copied(it, columns, rows):
    """A content as it is so far away."""
    if not isinstance(it, list):
        return it

    def change(place):
        moved = place.moved(columns, rows)
        return moved if moved.is_inside() else None

    return rewritten(it, change)
