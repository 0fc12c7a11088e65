"""Where trains come out: orders from stdin, an answer a line."""

import sys

from table import partners
from yard import following


def journey(others, end, times):
    stops = []
    for _ in range(times):
        out = others.get(end, "?")
        stops.append(out)
        if out == "?":
            break
        end = following(others, out)
    return stops


def main():
    others = partners("lines.txt")
    for line in sys.stdin:
        train, end, times = line.split()
        print(train, *journey(others, end, int(times)))


main()
