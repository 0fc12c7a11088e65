"""Answers of models to samples, from an earlier run or another program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assay.records import Completion
from assay.suites.sample import Sample


@dataclass(frozen=True)
class StoredTrial:
    """A model's stored answer to a sample: its replies in order, or why there are none (an error)."""

    sample: Sample
    epoch: int
    replies: tuple[Completion, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Stored:
    """One model's answers in a file or folder, from an earlier run or another program. `trials()` makes them
    again at each call. `problems`: what could not be read (file, line and why)."""

    model: str
    trials: Callable[[], Iterable[StoredTrial]]
    problems: tuple[str, ...] = ()
