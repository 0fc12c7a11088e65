"""trays: crystals of two hands. README.md has the rules."""

import sys

from drawers import Fault, names, tray


def answer(kind, *rest):
    if kind == "list" and not rest:
        its = [(name, tray(name).fields) for name in names()]
        return ", ".join("{} {}x{}".format(name, len(rows[0]), len(rows)) for name, rows in its)
    if len(rest) != {"at": 2, "count": 2, "turn": 3, "pairs": 1}.get(kind):
        raise Fault("no such command")
    its = tray(rest[0])
    if kind == "at":
        row, column = its.place(rest[1])
        here = its.fields[row][column]
        return "form {} {}".format(abs(here), "right" if here > 0 else "left") if here else "empty"
    if kind == "count":
        if rest[1] not in list("12345678"):
            raise Fault("no form " + rest[1])
        every = [each for row in its.fields for each in row]
        return "right {} left {}".format(every.count(int(rest[1])), every.count(-int(rest[1])))
    if kind == "turn":
        (top, left), (low, right) = map(its.place, rest[1:])
        (top, low), (left, right) = sorted((top, low)), sorted((left, right))
        part = [each for row in its.fields[top : low + 1] for each in row[left : right + 1]]
        return str(sum((each > 0) - (each < 0) for each in part))
    beside = [pair for row in its.fields for pair in zip(row, row[1:])]
    above = [pair for rows in zip(its.fields, its.fields[1:]) for pair in zip(*rows)]
    return str(sum(one == -other != 0 for one, other in beside + above))


for line in sys.stdin:
    if line.strip():
        try:
            print(answer(*line.lower().split()))
        except Fault as fault:
            print("error:", fault)
