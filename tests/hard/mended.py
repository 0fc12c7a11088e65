"""A small program whose data must be mended by a picture that comes with the task and is not in the folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from evaluator import *

from .cases import Cases

FOLDER = Path(__file__).parent / "files"


def program(family: str) -> dict[str, str]:
    """The files of a family's folder that are the same for all seeds."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((FOLDER / family).glob("*.*"))}


def lines_right(printed: str, expected: str) -> float:
    """The share of the lines that are as expected."""
    wanted, lines = expected.splitlines(), [line.rstrip() for line in printed.splitlines()]
    right = sum(a == b for a, b in zip(lines, wanted, strict=False))
    return right / max(len(wanted), len(lines), 1)


def mended(
    picture: Callable[[], bytes],
    files: Callable[[], Mapping[str, str]],
    task: str,
    command: str,
    cases: Callable[[], Sequence[tuple[str, str]]],
) -> Node:
    """The picture is shown with the task; the folder holds the files; hidden cases run the command afterwards."""
    work = Image(picture) >> Files(files) >> AgentRun([Shell()], task=task, max_turns=20, time_limit_s=7200)
    return work >> Cases(command, cases, agrees=lines_right)
