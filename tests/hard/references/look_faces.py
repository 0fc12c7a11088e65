"""Right and wrong replies to look_faces: along the lines from crossing to crossing, always the next way to the left."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations, pairwise

from ..look_faces import KINDS, TASK

Spot = tuple[int, int]


@cache
def _counted(seed: int) -> tuple[int, ...]:
    """The numbers of parts by corners, in the order of the question."""
    wide, high = TASK.wide, TASK.high
    frame = [(0, 0), (wide, 0), (wide, high), (0, high)]
    lines = [*TASK.cut(seed)[0], *zip(frame, [*frame[1:], frame[0]], strict=True)]
    spots: dict[int, set[Spot]] = defaultdict(set)
    for (n, ((ax, ay), (bx, by))), (m, ((cx, cy), (dx, dy))) in combinations(enumerate(lines), 2):
        turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
        if abs(turn) > 1e-6:
            s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
            t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
            if -1e-9 <= s <= 1 + 1e-9 and -1e-9 <= t <= 1 + 1e-9:
                at = round(ax + s * (bx - ax)), round(ay + s * (by - ay))
                spots[n].add(at)
                spots[m].add(at)
    ways: dict[Spot, list[Spot]] = defaultdict(list)
    for n, its in spots.items():
        for a, b in pairwise(sorted(its, key=lambda at: math.dist(at, lines[n][0]))):
            ways[a].append(b)
            ways[b].append(a)
    for a, its in ways.items():
        its.sort(key=lambda b: math.atan2(b[1] - a[1], b[0] - a[0]))
    todo = {(a, b) for a, its in ways.items() for b in its}
    found: Counter[int] = Counter()
    while todo:
        begin = step = next(iter(todo))
        corners = 0
        turned = 0.0
        while True:
            todo.discard(step)
            a, b = step
            c = ways[b][ways[b].index(a) - 1]
            angle = math.atan2(c[1] - b[1], c[0] - b[0]) - math.atan2(b[1] - a[1], b[0] - a[0])
            turned += (angle + math.pi) % (2 * math.pi) - math.pi
            corners += 1
            step = b, c
            if step == begin:
                break
        if turned > 0:  # the way around the frame from outside turns in the other direction
            found[min(7, corners)] += 1
    return tuple(found[corners] for corners in KINDS.values())


def _said(numbers: tuple[int, ...], mark: str = "") -> str:
    lines = (f"{mark}{kind}{mark}: {number}" for kind, number in zip(KINDS, numbers, strict=True))
    return "I went from part to part.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    numbers = _counted(seed)
    return [_said(numbers), _said(numbers, "**").lower()]


def wrong(seed: int) -> list[str]:
    three, four, five, six, larger = _counted(seed)
    return [
        _said((three, four - 1, five + 1, six, larger)),
        _said((three - 1, four, five, six, larger)),
        # frame corners that are not taken for corners
        _said((three + 4, four - 4, five, six, larger)),
        _said((three, four, five, six + larger, 0 if larger else 1)),
        "There are too many parts.",
    ]
