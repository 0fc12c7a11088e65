"""Right and wrong placements for optimise_queens."""

from __future__ import annotations

from collections.abc import Sequence

from ..optimise_queens import TASK, attacks


def _said(columns: Sequence[int], line: str = "Columns: {}", sign: str = " ") -> str:
    return "By trial and error.\n\n" + line.format(sign.join(str(each + 1) for each in columns))


def _in_order(seed: int) -> list[int]:
    """Each row's free square that the fewest queens above attack."""
    free, _ = TASK.planted(seed)
    placed: list[int] = []
    for row, its in enumerate(free):
        hit = [sum(attacks(row, column, n, at) for n, at in enumerate(placed)) for column in its]
        placed.append(its[hit.index(min(hit))])
    return placed


def right(seed: int) -> list[str]:
    _, placed = TASK.planted(seed)
    return [_said(placed), _said(placed, "- **Columns:** {}", ", ")]


def wrong(seed: int) -> list[str]:
    free, planted = TASK.planted(seed)
    placed = list(planted)
    moved = [next(each for each in free[0] if each != placed[0]), *placed[1:]]
    beside = [each for each in range(TASK.size) if each not in free[0]]
    return [
        _said(_in_order(seed)),
        _said(TASK.repaired(free, seed)[0]),
        _said(moved),
        _said([beside[0], *placed[1:]]),
        _said(placed[:-1]),
        _said([each - 1 for each in placed]),
        "There is no such placement.",
    ]
