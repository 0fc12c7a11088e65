"""Replies to puzzles that ask for the cheapest answer: in the forms that are asked and allowed, and spoiled ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from ..optima import Optima

Words = Sequence[str]


def said(task: Optima[Any], answers: Iterable[Words], line: str = "{}: {}", sign: str = " ") -> str:
    """A reply with these answers."""
    lines = (line.format(label, sign.join(words)) for label, words in zip(task.labels, answers, strict=False))
    return "By trial and error.\n\n" + "\n".join(lines)


def right_forms(task: Optima[Any], seed: int) -> list[str]:
    """Two right replies."""
    best = [words for _, words in task.puzzles(seed)]
    first = said(task, [words[::-1] for words in best])
    return [
        said(task, best),
        f"{first}\n\nNo, better:\n{said(task, best, '- **{}:** {} (the best that I found)')}",
    ]


def with_first(task: Optima[Any], seed: int, *answers: Words) -> list[str]:
    """Replies that are right but for the first answer, which is one of these."""
    rest = [words for _, words in task.puzzles(seed)[1:]]
    return [said(task, [words, *rest]) for words in answers]


def exchanged(task: Optima[Any], seed: int) -> Iterator[Words]:
    """The first answer with two words exchanged, where that makes it dearer."""
    puzzle, best = task.puzzles(seed)[0]
    least = task.cost(puzzle, best) or 0
    for one, two in combinations(range(len(best)), 2):
        words = list(best)
        words[one], words[two] = best[two], best[one]
        if (task.cost(puzzle, words) or 0) > least:
            yield words


def spoiled(task: Optima[Any], seed: int) -> list[str]:
    """Replies that name no answers, only some, or one without its last word."""
    best = [words for _, words in task.puzzles(seed)]
    return [
        *with_first(task, seed, best[0][:-1]),
        said(task, best[:-1]),
        said(task, best).replace(":", " is"),
        "There are too many to try them all.",
    ]
