"""Replies that end with states of a board, each under a line that says after which step it is, and their score."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from evaluator import *

MOST = 400  # characters of a line that are read
HEAD = re.compile(r"[\s#>*_`-]*(after \w+ \d+)[\s*_`]*:[\s*_`]*(.*)", re.IGNORECASE | re.DOTALL)
END = """Work it out without running any code. End your reply with {count} states in this order: for each a line "After {step} N:" with the number of the {step}
in place of N, and below it {form}."""


def ending(step: str, asked: Sequence[int], form: str) -> str:
    """What is asked, and how the reply must end."""
    which = ", ".join(map(str, asked[:-1])) + f" and {asked[-1]}"
    question = f"What is the state after {step}s {which}? "
    return question + END.format(count=len(asked), step=step, form=form)


def states(reply: str, rows: Mapping[str, int]) -> dict[str, list[str]]:
    """The rows below the last line "After STEP N:" of each name, as many as are wanted at the most."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in reply.splitlines():
        head = HEAD.fullmatch(line[:MOST])
        if head:
            name = " ".join(head[1].lower().split())
            found[name] = []
        said = head[2] if head else line[:MOST]
        if name in rows and not said.strip().startswith("```"):
            parts = [each for each in said.split("/") if each.strip(" \t`*|,")]
            found[name] += parts[: rows[name] - len(found[name])]
    return found


def same_row(said: str, wanted: str) -> bool:
    """Whether the cells are the same; blanks between them matter only if the wanted row has some."""
    words = [word for word in re.split(r"[\s,|`*]+", said) if word]
    return words == wanted.split() if " " in wanted else "".join(words) == wanted


def judge_states(wanted: Callable[[], Mapping[str, Sequence[str]]], reply: str) -> tuple[Score, str]:
    """The share of rows that are right; passed if all are. `wanted` is called on the host when it is needed."""
    expected = {name.lower(): rows for name, rows in wanted().items()}
    said = states(reply, {name: len(rows) for name, rows in expected.items()})
    right, every, told = 0, 0, []
    for name, rows in expected.items():
        lines = [*said.get(name, []), *[""] * len(rows)]
        wrong = [
            n for n, (line, row) in enumerate(zip(lines, rows, strict=False), 1) if not same_row(line, row)
        ]
        every += len(rows)
        right += len(rows) - len(wrong)
        told += [f"{name}: wrong rows {', '.join(map(str, wrong))}"] if wrong else []
    return Score(right / every, right == every), "\n".join(told)
