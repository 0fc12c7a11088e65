"""Programs to be extended by what only a picture shows: the picture comes with the task, the program lies in the folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from evaluator import *

from .cases import Cases

OTHER = 8_000_000  # seeds of boards that are no other family's
TURNS, HOURS = 20, 2


@cache
def program(name: str) -> Mapping[str, str]:
    """The files of a program by their names."""
    folder = Path(__file__).parent / "files" / name
    paths = (path for path in sorted(folder.rglob("*.*")) if path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def share(printed: str, expected: str) -> float:
    """The share of lines that are right; lines too many count like lines that lack."""
    said, wanted = ([line.strip() for line in text.strip().splitlines()] for text in (printed, expected))
    right = sum(one == other for one, other in zip(said, wanted, strict=False))
    return right / max(len(said), len(wanted), 1)


def work(
    name: str,
    picture: Callable[[], bytes],
    question: str,
    command: str,
    cases: Callable[[], Sequence[tuple[str, str]]],
) -> Node:
    """The test: what is shown, what is asked, and hidden scripts for the program."""
    agent = AgentRun([Shell()], task=question, max_turns=TURNS, time_limit_s=3600 * HOURS)
    return Image(picture) >> Files(f"files/{name}") >> agent >> Cases(command, cases, agrees=share)
