"""Right and wrong lamps for optimise_lamps."""

from __future__ import annotations

from ..optimise_lamps import ROWS, TASK
from .optima import right_forms, spoiled, with_first


def _greedy(seed: int) -> list[str]:
    """Always the lamp that lights the most fields that are still dark."""
    board, best = TASK.puzzles(seed)[0]
    lit = {
        f"{ROWS[row]}{column + 1}": set(TASK.lit(board, row, column))
        for row in range(TASK.rows)
        for column in range(TASK.columns)
    }
    dark, found = set().union(*lit.values()), []
    while dark:
        found.append(max(lit, key=lambda name: len(lit[name] & dark)))
        dark -= lit[found[-1]]
    return found if len(found) > len(best) else [*best, next(name for name in lit if name not in best)]


def right(seed: int) -> list[str]:
    return right_forms(TASK, seed)


def wrong(seed: int) -> list[str]:
    _, best = TASK.puzzles(seed)[0]
    other = next(f"{name}1" for name in ROWS if f"{name}1" not in best)
    return [
        *with_first(TASK, seed, _greedy(seed), [*best, other], best[1:], [*best[1:], "A99"]),
        *spoiled(TASK, seed),
    ]
