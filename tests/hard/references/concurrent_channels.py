"""Right and wrong replies to concurrent_channels: every arc that could be drawn is looked for in the picture."""

from __future__ import annotations

import math
from functools import cache
from itertools import permutations

from ..arcs import BOWS
from ..concurrent_channels import LONG, NEVER, SHORT, TASK, joined
from .drawn import is_drawn
from .pixels import Pixels

Pairs = list[tuple[int, int]]


@cache
def _pairs(seed: int) -> Pairs:
    """The channels that are seen."""
    pixels, nodes = Pixels(TASK.picture(seed)), TASK.nodes(seed)
    found = []
    for one, other in permutations(nodes, 2):
        if SHORT < math.dist(nodes[one], nodes[other]) < LONG:
            arcs = [joined(nodes, (one, other), bow) for bow in BOWS]
            found += [(one, other) for arc in arcs if is_drawn(pixels, arc, TASK.sides)]
    assert len(found) == len(TASK.net(seed)) == len(set(found))
    return found


def _paths(pairs: Pairs) -> dict[int, str]:
    """The result of a thread is the number of ways that end there, each thread being one; too long ways go round."""
    found = dict.fromkeys(range(1, TASK.threads + 1), 0)
    ways = dict.fromkeys(found, 1)
    for _ in found:
        found = {name: number + ways[name] for name, number in found.items()}
        ways = {name: sum(ways[one] for one, other in pairs if other == name) for name in found}
    return {name: NEVER if ways[name] else str(number) for name, number in found.items()}


def _said(results: dict[int, str], mark: str = "") -> str:
    return "One after another.\n\n" + "\n".join(f"{mark}{name}{mark}: {its}" for name, its in results.items())


def right(seed: int) -> list[str]:
    results = _paths(_pairs(seed))
    return [_said(results), _said(results, "**").replace(NEVER, NEVER.upper())]


def wrong(seed: int) -> list[str]:
    pairs = _pairs(seed)
    results = _paths(pairs)
    (one, its), *_ = ((name, its) for name, its in results.items() if its != NEVER)
    return [
        _said(_paths([(other, one) for one, other in pairs])),
        _said({name: its.replace(NEVER, "1") for name, its in results.items()}),
        _said({**results, one: str(int(its) + 1)}),
        _said({**results, one: NEVER}),
        _said(dict([*results.items()][:-1])),
        "All threads wait.",
    ]
