"""Right and wrong lists for concurrent_stale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..concurrent_stale import TASK, outcomes


def _said(lists: Mapping[str, Sequence[str]], form: str = "{}: {}", sign: str = " ") -> str:
    return "By cases.\n\n" + "\n".join(form.format(name, sign.join(its)) for name, its in lists.items())


def _others(seed: int, buffered: bool) -> dict[str, list[str]]:
    """The first of all final states with buffers, or without."""
    return {
        name: [f"{each:0{TASK.loads + 3}}" for each in sorted(outcomes(threads, TASK.loads, buffered))][:16]
        for name, (threads, *_) in TASK.programs(seed).items()
    }


def right(seed: int) -> list[str]:
    lists = TASK.wanted(seed)
    spread = {name: [f"({','.join(each)})" for each in reversed(its)] for name, its in lists.items()}
    return [_said(lists), _said(spread, "- **{}:** {}")]


def wrong(seed: int) -> list[str]:
    lists, at_once = TASK.wanted(seed), _others(seed, buffered=False)
    return [
        _said(_others(seed, buffered=True)),
        _said(at_once),
        _said({**lists, "G1": lists["G1"][:-1]}),
        _said({**lists, "G2": [*lists["G2"], at_once["G2"][0]]}),
        _said({name: [each[::-1] for each in its] for name, its in lists.items()}),
        _said({name: its for name, its in lists.items() if name != "G3"}),
        "None: buffers are emptied at the end.",
    ]
