"""Answers that exist already, for --rescore: a run's file of ours, or folders of raw replies.

Folders are DIR/<model>/<language>/NNNN.md, as users of the published benchmark have them; DIR may also be
one model's folder. A model's name may be several folders deep (openai/gpt-4o).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from assay.harness.store import read_file
from assay.harness.suite import Sample, Stored, StoredTrial
from assay.records import Block, Completion, TrialRecord

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
    """The answers at `path`, one Stored for each model; None if it holds none of ours."""
    wanted = Wanted.by(options)
    if path.is_dir():
        replies = _folders(path, wanted)
        if replies:
            return [Stored(model, partial(_of_files, its, wanted, make)) for model, its in replies.items()]
        files = sorted(path.rglob("run-*.jsonl"))
    else:
        files = [path] if path.suffix == ".jsonl" else []
    found: dict[str, list[Path]] = {}
    problems_seen: list[str] = []
    for file in files:
        models = dict.fromkeys(r.model for r in read_file(file, problems_seen, _is_ours, light=True))
        for model in models:
            found.setdefault(model, []).append(file)
    if not found:
        return None
    return [
        Stored(model, partial(_of_records, its, model, wanted, make), tuple(problems_seen))
        for model, its in found.items()
    ]


def _is_ours(record: TrialRecord) -> bool:
    return record.suite == "euler"


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


def _of_records(
    files: Sequence[Path], model: str, wanted: Wanted, make: SampleMaker
) -> Iterable[StoredTrial]:
    newest: dict[tuple[int, str, int], TrialRecord] = {}
    for file in files:
        for record in read_file(file, [], lambda r: _is_ours(r) and r.model == model):
            number, language = record.extra.get("problem"), record.extra.get("language")
            if isinstance(number, int) and number in problems() and wanted(number, str(language)):
                key = (number, str(language), record.epoch)
                if key not in newest or record.started_at >= newest[key].started_at:
                    newest[key] = record
    for (number, language, epoch), record in sorted(newest.items()):
        sample = _sample(problems()[number], language, wanted, make)
        replies = tuple(_replies(record.reason)) if record.reason else ()
        if not replies:
            yield StoredTrial(sample, epoch, error=record.error or "no reply is stored")
            continue
        yield StoredTrial(sample, epoch, (Completion(replies[0], record.usage, record.cost),))


def _replies(block: Block) -> Iterable[str]:
    if block.kind == "chat" and block.role == "assistant":
        yield block.body
    for child in block.children:
        yield from _replies(child)


def _sample(problem: Problem, language: str, wanted: Wanted, make: SampleMaker) -> Sample:
    conditions: Mapping[str, Any] = {"run_limit": wanted.time_limit_s}
    return replace(make(problem, language, wanted.time_limit_s), conditions=conditions)
