"""Right and wrong counts for exact_captures, played on rows of signs."""

from __future__ import annotations

from functools import cache

from ..exact_captures import TASK
from .lines import near_misses, right_forms


def _moved(board: str, own: str, between: bool, own_jumps: bool) -> set[str]:
    side, other, found = TASK.columns, "xo"[own == "x"], set()
    at = {(n // side, n % side): sign for n, sign in enumerate(board)}
    for (y, x), sign in at.items():
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)) if sign == own else ():
            goal = (y + down, x + right)
            new = {**at, (y, x): "."}
            if at.get(goal) in ("o", "x"):
                if at[goal] == other:
                    new[goal] = "."
                elif not own_jumps:
                    continue
                goal = (y + 2 * down, x + 2 * right)
            if at.get(goal) != ".":
                continue
            new[goal] = own
            for v, h in ((0, 1), (1, 0), (0, -1), (-1, 0)) if between else ():
                middle, end = (goal[0] + v, goal[1] + h), (goal[0] + 2 * v, goal[1] + 2 * h)
                if new.get(middle) == other and new.get(end) == own:
                    new[middle] = "."
            found.add("".join(new.values()))
    return found


@cache
def _counts(seed: int, between: bool = True, own_jumps: bool = True) -> dict[str, int]:
    counts = {}
    for name, (start, *_) in zip("ABCDEF", TASK.puzzle(seed), strict=False):
        boards = {"".join(TASK.drawn(start)).replace(" ", "")}
        for n, own in enumerate("oxo", 1):
            boards = {new for each in boards for new in _moved(each, own, between, own_jumps)}
            counts[f"{name}{n}"] = len(boards)
    return {name: count for name, count in counts.items() if name[1] != "1"}


def right(seed: int) -> list[str]:
    return right_forms(_counts(seed))


def wrong(seed: int) -> list[str]:
    """Rules forgotten; a position overlooked, or counted twice."""
    good = _counts(seed)
    return near_misses(
        good,
        _counts(seed, between=False),
        _counts(seed, own_jumps=False),
        {**good, "B3": good["B3"] - 1},
        {**good, "A3": good["A3"] + 1},
        {**good, "C2": good["C2"] + 1},
    )
