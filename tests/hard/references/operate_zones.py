"""Right and wrong work on operate_zones: the zones are grown from the control units through the gaps."""

from __future__ import annotations

from ..operate_zones import OTHERS, PLAN, before, units, wired
from .written import refused, written


def _seen(seed: int) -> dict[str, str]:
    """The control unit of each alarm, by a flood."""
    maze, zone = PLAN.maze(OTHERS + seed), {}
    beside: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for one, other in maze.open:
        beside.setdefault(one, []).append(other)
    for number, begin in maze.numbers.items():
        todo = [begin]
        while todo:
            cell = todo.pop()
            if cell not in zone:
                zone[cell] = number
                todo += beside.get(cell, [])
    return {alarm: zone[cell] for alarm, cell in maze.letters.items()}


def right(seed: int) -> list[object]:
    rows = wired(_seen(seed))
    return [written("alarms.txt", rows), written("alarms.txt", dict(reversed(rows.items())))]


def wrong(seed: int) -> list[object]:
    true = dict(units(seed))
    alarms = list(true)
    other = next(each for each in alarms if true[each] != true["A"])
    rows = wired(true)
    return [
        written("alarms.txt", wired(true | {"A": true[other], other: true["A"]})),
        written("alarms.txt", wired(true | {"A": true[other]})),
        written("alarms.txt", wired({each: true[alarms[n - 1]] for n, each in enumerate(alarms)})),
        written("alarms.txt", {alarm: row.split()[0] + " 1" for alarm, row in rows.items()}),
        written("alarms.txt", dict([*rows.items()][:-1])),
        written("alarms.txt", before(seed)),
        refused("alarms.txt"),
    ]
