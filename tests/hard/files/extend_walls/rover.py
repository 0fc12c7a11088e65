"""rover: halls with walls. README.md has the rules."""

import sys
from functools import lru_cache

from halls import WAYS, Fault, hall, names

hall = lru_cache(None)(hall)


def number(word, most):
    if not word.isdigit() or not 1 <= int(word) <= most:
        raise Fault("no such square")
    return int(word) - 1


def answer(kind, *rest):
    if kind == "list" and not rest:
        its = [(name, hall(name)) for name in names()]
        return ", ".join("{} {}x{} {}".format(name, one.rows, one.columns, one.walls()) for name, one in its)
    if len(rest) != {"open": 3, "drive": 4, "roll": 4, "reach": 3}.get(kind):
        raise Fault("no such command")
    its = hall(rest[0])
    at = number(rest[1], its.rows), number(rest[2], its.columns)
    if kind == "open":
        return "".join(way for way in WAYS if its.next(at, way) != at) or "none"
    if kind == "reach":
        found = [at]
        for here in found:
            found += [to for to in {its.next(here, way) for way in WAYS} if to not in found]
        return str(len(found))
    for way in rest[3]:
        if way not in WAYS:
            raise Fault("no way " + way)
        before = None
        while before != at:
            before, at = at, its.next(at, way)
            if kind == "drive":
                break
    return "{} {}".format(at[0] + 1, at[1] + 1)


for line in sys.stdin:
    if line.strip():
        try:
            print(answer(*line.lower().split()))
        except Fault as fault:
            print("error:", fault)
