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

from assay.records import Completion
from assay.suites.suite import Sample, Stored, StoredTrial

from .facts import Problem, problems
from .languages import LANGUAGES
from .nodes import RUN_TIME_LIMIT_S

SHOWN = 10  # files in a message
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
    taken = {file for its in replies.values() for _, _, file in its}
    left = [each for each in sorted(path.resolve().rglob("*")) if each.is_file() and each not in taken]
    odd = _left_out(left, path.resolve())
    return [
        Stored(model, partial(_of_files, its, wanted, make), () if number else odd)
        for number, (model, its) in enumerate(replies.items())
    ]


def _left_out(files: Sequence[Path], top: Path) -> tuple[str, ...]:
    """A sentence on what is no answer to a problem that is known here; nothing of what flags leave out."""
    odd = [
        str(file.relative_to(top))
        for file in files
        if not (
            file.suffix == ".md"
            and file.stem.isdecimal()
            and int(file.stem) in problems()
            and file.parent.name.lower() in LANGUAGES
        )
    ]
    if not odd:
        return ()
    more = f" and {len(odd) - SHOWN} more" if len(odd) > SHOWN else ""
    return (f"left out, being no <language>/NNNN.md of a known problem: {', '.join(odd[:SHOWN])}{more}",)


def _folders(path: Path, wanted: Wanted) -> dict[str, list[tuple[int, str, Path]]]:
    """model -> its replies as (problem, language, file), in order."""
    found: dict[str, list[tuple[int, str, Path]]] = {}
    top = path.resolve()
    if top.name.lower() in LANGUAGES and any(each.stem.isdecimal() for each in top.glob("*.md")):
        top = top.parent  # one language of a model
    for file in sorted(path.resolve().rglob("*.md")):
        language = file.parent.name.lower()
        if not file.stem.isdecimal() or language not in LANGUAGES:
            continue
        folder = file.parent.parent.relative_to(top)
        model = str(folder) if folder.parts else top.name
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
