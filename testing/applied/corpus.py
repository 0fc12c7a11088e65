"""Replies that models gave to the applied tests, with the verdict that a reader found right (tests/replies/).

A line of a corpus is {"test", "suite", "round", "should_be": "pass" or "fail", "mistake", "why", "replies":
[{"role", "text"}]}: the replies of one trial in the order of its calls (with "calls", where tools were
called). Where the test said FAIL when it was asked, `mistake` says whose that was, "model" or "test". The
replies are given again by their order in each role, so that a prompt may be said more clearly and its old
replies still judge the test.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.dialogue import ToolCall
from assay.records import Completion, Message, Model, Reply, Tool, TrialKey
from assay.results.replies import Recorded

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "replies"


@dataclass(frozen=True)
class Answered:
    """One trial of the corpus. `where`: its file and line, for messages."""

    test: str
    should_be: str
    why: str
    replies: tuple[Reply, ...]
    where: str


def corpus(folder: Path = FOLDER) -> Iterator[Answered]:
    """Every recorded trial, file by file. Raises ValueError for one without a verdict, naming its line."""
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                yield _answered(json.loads(line), f"{path.name}:{number}")


def _answered(row: dict[str, Any], where: str) -> Answered:
    if row["should_be"] not in ("pass", "fail"):
        raise ValueError(f"{where}: should_be must be pass or fail, not {row['should_be']!r}")
    if row["should_be"] == "fail" and (row.get("mistake") != "model" or not row["why"]):
        raise ValueError(f"{where}: a reply that should fail needs mistake = model, and why")
    replies = tuple(
        Reply(
            each["role"],
            "",
            each["text"],
            finish_reason=each.get("finish_reason", "stop"),
            calls=tuple(ToolCall(**call) for call in each.get("calls", ())),
        )
        for each in row["replies"]
    )
    return Answered(row["test"], row["should_be"], row["why"], replies, where)


@dataclass
class Answers:
    """The trials of a corpus by test; epoch k of a test is the k-th that has answered it."""

    trials: dict[str, list[Answered]] = field(default_factory=dict)
    begun: dict[tuple[str, int], Recorded] = field(default_factory=dict)

    def add(self, answered: Answered) -> int:
        """Its epoch."""
        its = self.trials.setdefault(answered.test, [])
        its.append(answered)
        return len(its)

    def of(self, trial: TrialKey) -> Recorded:
        key = (trial.test, trial.epoch)
        if key not in self.begun:
            self.begun[key] = Recorded(self.trials[trial.test][trial.epoch - 1].replies, in_order=True)
        return self.begun[key]


@dataclass(frozen=True)
class CorpusModel:
    """Answers as the corpus has it, in one role."""

    role: str
    answers: Answers
    trial: TrialKey | None = None

    @property
    def name(self) -> str:
        return "corpus"

    def for_trial(self, trial: TrialKey) -> Model:
        return CorpusModel(self.role, self.answers, trial)

    async def complete(
        self, messages: Sequence[Message], *, json: bool = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        assert self.trial is not None
        return self.answers.of(self.trial).reply(self.role, self.name, messages, json, tools)
