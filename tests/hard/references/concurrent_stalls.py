"""Right and wrong lists for concurrent_stalls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..concurrent_stalls import TASK, Program


def _said(lists: Mapping[str, Sequence[str]], form: str = "{}: {}", sign: str = " ") -> str:
    return "By cases.\n\n" + "\n".join(form.format(name, sign.join(its)) for name, its in lists.items())


def _hurried(program: Program, kept: str) -> list[str]:
    """The stuck moments for a reader who takes a wake to be kept, or a message to need no taker: the instruction does nothing."""
    other = [[("up" if what == "wake" else "down" if what == "sleep" else what, which) if kept == "wake"
              else ("up" if what == "send" else "down" if what == "take" else what, which)
              for what, which in thread] for thread in program.threads]  # fmt: skip
    return Program(other).explored()[1]


def right(seed: int) -> list[str]:
    lists = TASK.wanted(seed)
    spread = {name: [",".join(each) for each in reversed(its)] for name, its in lists.items()}
    return [_said(lists), _said(spread, "- **{}:** {}", "; ")]


def wrong(seed: int) -> list[str]:
    lists, programs = TASK.wanted(seed), TASK.programs(seed)
    more = next(f"{n:04}" for n in range(1111, 9999) if f"{n:04}" not in lists["G2"])
    return [
        _said({name: _hurried(program, "wake") for name, (program, _) in programs.items()}),
        _said({name: _hurried(program, "send") for name, (program, _) in programs.items()}),
        _said({**lists, "G1": lists["G1"][:-1]}),
        _said({**lists, "G2": [*lists["G2"], more]}),
        _said({name: [each[::-1] for each in its] for name, its in lists.items()}),
        _said({name: its for name, its in lists.items() if name != "G3"}),
        "They cannot be stuck.",
    ]
