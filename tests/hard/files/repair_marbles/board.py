"""The board of the game."""

NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
WAYS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


def read(name):
    """The arrow of each square, None where it is empty."""
    found = {}
    with open(name) as file:
        for row, line in enumerate(file.read().split(), 1):
            for column in range(1, len(line) // 2 + 1):
                sign, turn = line[2 * column - 2 : 2 * column]
                found[column, row] = None if sign == "." else (int(sign), 1 if turn == "+" else -1)
    return found
