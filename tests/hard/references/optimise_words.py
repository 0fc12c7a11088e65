"""Right and wrong squares for optimise_words."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..optimise_words import TASK


def _said(rows: Sequence[str], before: str = "By trial and error.\n\n```\n", after: str = "\n```") -> str:
    return before + "\n".join(rows) + after


def _columns(rows: Sequence[str]) -> list[str]:
    return ["".join(column) for column in zip(*rows, strict=True)]


def _bad(rows: Sequence[str], words: Sequence[str]) -> int:
    both = [*rows, *_columns(rows)]
    return sum(word not in words or word in both[:n] for n, word in enumerate(both))


def _repaired(seed: int, steps: int = 3000) -> list[str]:
    """The usual local search: a row is exchanged for the word that leaves the fewest bad columns. The best of it all, unless it is right."""
    words, _ = TASK.planted(seed)
    chance = random.Random(seed)
    rows = chance.sample(words, TASK.size)
    best, least = list(rows), _bad(rows, words)
    for _ in range(steps // len(words)):
        at = chance.randrange(TASK.size)
        tried = [[*rows[:at], word, *rows[at + 1 :]] for word in words if word not in rows]
        rows = min(tried, key=lambda each: (_bad(each, words), chance.random()))
        if 0 < _bad(rows, words) < least:
            best, least = list(rows), _bad(rows, words)
        if chance.random() < 0.1:
            rows[chance.randrange(TASK.size)] = chance.choice(words)
    return best


def right(seed: int) -> list[str]:
    _, rows = TASK.planted(seed)
    return [_said(rows), _said([" ".join(each.upper()) for each in _columns(rows)])]


def wrong(seed: int) -> list[str]:
    words, planted = TASK.planted(seed)
    rows = list(planted)
    other = next(word for word in words if word not in rows)
    return [
        _said(_repaired(seed)),
        _said(words[: TASK.size]),
        _said([*rows[:-1], other]),
        _said([rows[1], rows[0], *rows[2:]]),
        _said([rows[0]] * TASK.size),
        _said(rows[:-1]),
        "There is no such square.",
    ]
