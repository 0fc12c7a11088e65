"""The cards of a loom."""


class Cards:
    def __init__(self, lines):
        self.lines = lines
        self.count = len(lines)

    def lifts(self, number):
        """Which threads a card lifts, the first one first."""
        return [sign == "#" for sign in self.lines[number - 1]]
