"""Right and wrong strings for optimise_supersequence."""

from __future__ import annotations

from ..optimise_supersequence import TASK
from .optima import right_forms, said, spoiled, with_first


def right(seed: int) -> list[str]:
    best = TASK.puzzles(seed)[0][1]
    return [
        *right_forms(TASK, seed)[:1],
        said(TASK, [["".join(best)]], "- **{}:** {} (the best that I found)"),
    ]


def wrong(seed: int) -> list[str]:
    strings, best = TASK.puzzles(seed)[0]
    dear = TASK.greedy(strings)
    return [
        *with_first(TASK, seed, dear, [*best, best[0]], best[1:], "".join(strings)),
        *spoiled(TASK, seed),
    ]
