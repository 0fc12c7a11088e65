"""Right and wrong counts for exact_pavings, one paving after the other: the cell with the fewest pieces first."""

from __future__ import annotations

from functools import cache

from ..exact_pavings import SHAPES, TASK, Board
from .lines import near_misses, right_forms


def _count(
    board: Board, shapes: tuple[tuple[tuple[int, int], ...], ...] = SHAPES, alike: bool = False
) -> int:
    found: dict[tuple[int, int], list[frozenset[tuple[int, int]]]] = {}
    cells = {(y, x): letter for y, row in enumerate(board) for x, letter in enumerate(row)}
    for y, x in cells:
        found.setdefault((y, x), [])
        for shape in shapes:
            piece = frozenset((y + down, x + right) for down, right in shape)
            if piece <= cells.keys() and (alike or len({cells[each] for each in piece}) == len(piece)):
                for each in piece:
                    found.setdefault(each, []).append(piece)

    def rest(free: frozenset[tuple[int, int]]) -> int:
        if not free:
            return 1
        fitting = min(([piece for piece in found[cell] if piece <= free] for cell in free), key=len)
        return sum(rest(free - piece) for piece in fitting)

    return rest(frozenset(cells))


@cache
def _counts(seed: int, first: int = 0, last: int = len(SHAPES)) -> dict[str, int]:
    return {f"Q{n}": _count(board, SHAPES[first:last]) for n, (board, _) in enumerate(TASK.puzzle(seed), 1)}


def right(seed: int) -> list[str]:
    return right_forms(_counts(seed))


def wrong(seed: int) -> list[str]:
    """Without pieces that are no straight ones; without one corner; one paving overlooked or counted twice."""
    good = _counts(seed)
    return near_misses(
        good,
        _counts(seed, 0, 4),
        _counts(seed, 0, 7),
        {**good, "Q3": good["Q3"] - 1},
        {**good, "Q1": good["Q1"] + 1},
        {name: 2 * each for name, each in good.items()},
    )
