"""The map of a cave."""


class Map:
    def __init__(self, lines):
        self.lines = lines

    def is_open(self, column, row, across, down):
        """Whether there is no wall at a side of a cell."""
        line, place = 2 * row - 1 + down, 2 * column - 1 + across
        return 0 <= line < len(self.lines) and self.lines[line].ljust(place + 1)[place] == " "
