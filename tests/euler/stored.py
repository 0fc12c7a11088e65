"""Answers that other programs stored, for --rescore: folders of raw replies.

They are DIR/<model>/<language>/NNNN.md, as users of the published benchmark have them; DIR may also be
one model's folder. A model's name may be several folders deep (openai/gpt-4o).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from assay.harness.suite import Sample, Stored, StoredTrial
from assay.records import Completion

from .facts import Problem, problems
from .languages import LANGUAGES
from .nodes import RUN_TIME_LIMIT_S

SampleMaker = Callable[[Problem, str, float], Sample]  # of a problem, a language, a limit in seconds


@dataclass(frozen=True)
class Wanted:
    """What the flags leave of the stored answers; --rescore may come without the suite's flags."""

    numbers: frozenset[int] | None
    languages: frozenset[str]
    time_limit_s: float

    @classmethod
    def by(cls, options: Any) -> Wanted:
        numbers = getattr(options, "problem", None)
        languages = getattr(options, "language", None) or LANGUAGES
        limit = getattr(options, "run_limit", None) or RUN_TIME_LIMIT_S
        return cls(frozenset(numbers) if numbers else None, frozenset(languages), limit)

    def __call__(self, number: int, language: str) -> bool:
        return language in self.languages and (self.numbers is None or number in self.numbers)


def read_stored(path: Path, options: Any, make: SampleMaker) -> Iterable[Stored] | None:
    """The answers at `path`, one Stored for each model; None if it holds none."""
    wanted = Wanted.by(options)
    replies = _folders(path, wanted) if path.is_dir() else {}
    if not replies:
        return None
    return [Stored(model, partial(_of_files, its, wanted, make)) for model, its in replies.items()]


def _folders(path: Path, wanted: Wanted) -> dict[str, list[tuple[int, str, Path]]]:
    """model -> its replies as (problem, language, file), in order."""
    found: dict[str, list[tuple[int, str, Path]]] = {}
    for file in sorted(path.rglob("*.md")):
        language = file.parent.name.lower()
        if not file.stem.isdecimal() or language not in LANGUAGES:
            continue
        folder = file.parent.parent.relative_to(path)
        model = str(folder) if folder.parts else path.resolve().name
        its = found.setdefault(model, [])
        if int(file.stem) in problems() and wanted(int(file.stem), language):
            its.append((int(file.stem), language, file))
    return found


def _of_files(
    replies: Sequence[tuple[int, str, Path]], wanted: Wanted, make: SampleMaker
) -> Iterable[StoredTrial]:
    for number, language, file in replies:
        text = file.read_text(encoding="utf-8", errors="replace")
        sample = _sample(problems()[number], language, wanted, make)
        yield StoredTrial(sample, 1, (Completion(text, cost=0.0),))


def _sample(problem: Problem, language: str, wanted: Wanted, make: SampleMaker) -> Sample:
    conditions: Mapping[str, Any] = {"run_limit": wanted.time_limit_s}
    return replace(make(problem, language, wanted.time_limit_s), conditions=conditions)
