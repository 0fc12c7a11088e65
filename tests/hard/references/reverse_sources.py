"""Right and wrong replies to reverse_sources."""

from __future__ import annotations

from collections.abc import Sequence

from ..reverse_sources import TASK, Row


def _said(rules: Sequence[Row], line: str = "Source: {}") -> str:
    return "I grouped them.\n\n" + "\n".join(line.format(" ".join(map(str, rule))) for rule in rules)


def right(seed: int) -> list[str]:
    rules = sorted(TASK.puzzle(seed)[0])
    return [_said(rules), _said(rules[::-1], "- **Source 1:** {}")]


def wrong(seed: int) -> list[str]:
    one, *others = sorted(TASK.puzzle(seed)[0])
    near = (*one[:-1], (one[-1] + 1) % TASK.prime)
    return [
        _said([near, *others]),
        _said(others),
        _said([one, one, *others[1:]]),
        _said([each[::-1] + each[:1] for each in (one, *others)]),
        "There are many.",
    ]
