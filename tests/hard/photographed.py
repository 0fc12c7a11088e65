"""Work in a folder by a picture that is in the question only: no tool sees it, so a model must read it by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluator import *

OTHER = 7_000_000  # added to seeds: no picture is one of the families whose drawing is shared


def pictured(
    picture: Callable[[], bytes],
    files: Callable[[], Mapping[str, str | bytes]],
    question: str,
    show: str,
    judge: Callable[[str], object],
) -> Node:
    """The picture comes with the question; afterwards `judge` gets what the command `show` prints."""
    work = (
        Image(picture) >> Files(files) >> AgentRun([Shell()], task=question, max_turns=20, time_limit_s=7200)
    )
    return work >> show >> TerminalRun(time_limit_s=10) >> PyFunc(judge)


def judge_rows(wanted: Callable[[], Mapping[str, str]], printed: str) -> tuple[Score, str]:
    """The share of rows that are right: the first word of each line is its name, and no name may come twice."""
    expected, said = wanted(), dict[str, list[str]]()
    for line in printed[:200_000].splitlines():
        name, *rest = line.split() or [""]
        if name:
            said.setdefault(name, []).append(" ".join(rest))
    wrong = [name for name, value in expected.items() if said.get(name) != [value]]
    more = sorted(set(said) - set(expected))
    told = [
        f"{name} {(said.get(name) or ['is missing'])[0][:40]}, not {expected[name]}" for name in wrong[:12]
    ]
    told += [f"there is no {name[:20]}" for name in more[:3]]
    share = 1 - len(wrong) / len(expected)
    return Score(min(share, 0.99) if more else share, not wrong and not more), "; ".join(
        [f"{len(expected) - len(wrong)} of {len(expected)} rows are right", *told]
    )


def as_rows(rows: Mapping[str, str]) -> str:
    """A file of rows: name, blank, value."""
    return "".join(f"{name} {value}\n" for name, value in rows.items())


def shown(name: str) -> str:
    """The command that prints a file."""
    return f"head -c 200000 {name}"
