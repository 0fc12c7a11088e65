"""Right and wrong replies to exact_tilt; here gaps between pieces say at once how far each slides."""

from __future__ import annotations

from collections import Counter

from ..exact_tilt import TASK, Tilts
from .states import near_misses, right_forms

TURNS = {"left": 0, "up": 1, "right": 2, "down": 3}  # quarters that make it a tilt to the left


def turned(rows: list[str], quarters: int) -> list[str]:
    """The rows turned anticlockwise."""
    for _ in range(quarters):
        rows = ["".join(each) for each in zip(*rows, strict=True)][::-1]
    return rows


def labels(rows: list[str], alone: bool = False) -> list[list[int]]:
    """The smallest cell of the piece of each cell, found by spreading."""
    n = len(rows)
    names = [[r * n + c for c in range(n)] for r in range(n)]
    changed = not alone
    while changed:
        changed = False
        for r in range(n):
            for c in range(n):
                for y, x in ((r + 1, c), (r, c + 1)):
                    if max(y, x) < n and rows[r][c] == rows[y][x] and names[r][c] != names[y][x]:
                        names[r][c] = names[y][x] = min(names[r][c], names[y][x])
                        changed = True
    return names


def to_left(rows: list[str], alone: bool) -> list[str]:
    n = len(rows)
    names = labels(rows, alone)
    far = {names[r][c]: n for r in range(n) for c in range(n) if rows[r][c] not in ".#"}
    bounds = []  # a piece, what lies ahead of it, the gap
    for r in range(n):
        ahead, at = -1, -1
        for c in range(n):
            if rows[r][c] == "#":
                ahead, at = -1, c
            elif rows[r][c] != ".":
                bounds.append((names[r][c], ahead, c - at - 1))
                ahead, at = names[r][c], c
    for _ in far:
        for piece, ahead, gap in bounds:
            if piece != ahead:
                far[piece] = min(far[piece], gap + (far[ahead] if ahead >= 0 else 0))
    new = [["#" if cell == "#" else "." for cell in row] for row in rows]
    for r in range(n):
        for c in range(n):
            if rows[r][c] not in ".#":
                new[r][c - far[names[r][c]]] = rows[r][c]
    return ["".join(row) for row in new]


def play(
    seed: int,
    task: Tilts,
    *,
    alone: bool = False,
    more: int = 0,
    parity: int = 0,
    again: bool = False,
    letters: str = "abcda",
) -> dict[str, list[str]]:
    start, tilts, _ = task.puzzle(seed)
    rows, found = list(start), {}
    for number, way in enumerate(tilts, 1):
        rows = turned(to_left(turned(rows, TURNS[way]), alone), -TURNS[way] % 4)
        for _ in range(5 if again else 1):
            names = labels(rows)
            sizes = Counter(each for its in names for each in its)
            rows = [
                "".join(
                    letters[letters.index(cell) + 1]
                    if cell not in ".#" and sizes[names[r][c]] >= task.limit + more and (r + c) % 2 == parity
                    else cell
                    for c, cell in enumerate(row)
                )
                for r, row in enumerate(rows)
            ]
        if number in task.asked:
            found[f"After tilt {number}"] = rows
    return found


def right(seed: int, task: Tilts = TASK) -> list[str]:
    return right_forms(play(seed, task))


def wrong(seed: int, task: Tilts = TASK) -> list[str]:
    return near_misses(
        play(seed, task),
        play(seed, task, alone=True),
        play(seed, task, more=1),
        play(seed, task, parity=1),
        play(seed, task, again=True),
        play(seed, task, letters="adcba"),
    )
