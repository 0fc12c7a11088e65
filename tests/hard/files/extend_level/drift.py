"""drift: leaves on currents. README.md has the rules."""

import sys
from functools import lru_cache

from levels import BANK, POOL, Fault, level, names

level = lru_cache(None)(level)


def number(word, most):
    if not word.isdigit() or not 1 <= int(word) <= most:
        raise Fault("no such square")
    return int(word) - 1


def answer(kind, *rest):
    if kind == "list" and not rest:
        its = [(name, level(name)) for name in names()]
        return ", ".join("{} {}x{} {}".format(name, one.rows, one.columns, "".join(one.squares).count("o")) for name, one in its)
    if len(rest) != {"step": 3, "drift": 3, "calm": 2}.get(kind):
        raise Fault("no such command")
    its = level(rest[0])
    row = number(rest[1], its.rows)
    if kind == "calm":
        return str(sum(its.drift((row, column))[0] == POOL for column in range(its.columns)))
    at = row, number(rest[2], its.columns)
    if kind == "step":
        to = its.step(at)
        return to if to in (POOL, BANK) else "{} {}".format(to[0] + 1, to[1] + 1)
    end, (row, column), steps = its.drift(at)
    return "{} {} {} after {}".format(end, row + 1, column + 1, steps) if end == POOL else "{} after {}".format(end, steps)


for line in sys.stdin:
    if line.strip():
        try:
            print(answer(*line.lower().split()))
        except Fault as fault:
            print("error:", fault)
