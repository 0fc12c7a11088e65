"""One trial's part of the run's journal: its finished parts, and the usage at the end of each."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

from assay.language import dsl
from assay.records import TrialKey
from assay.results.journal import Journal
from assay.running.meter import Meter


class TrialJournal(dsl.Journal):
    """The journal that nodes see as `ctx.journal`. A trial has the parts of each of its long steps, one step
    behind the other."""

    def __init__(self, journal: Journal, trial: TrialKey, meter: Meter) -> None:
        self._journal, self._trial, self._meter = journal, trial, meter
        self._stamp, self._replies = "", 0  # how many replies the parts have
        self._begun = self._at = 0  # how many parts the steps before have, and with this one's

    def recall(self, stamp: str) -> list[Any]:
        self._stamp, self._begun = stamp, self._at
        parts = self._journal.of(self._trial)
        found = [*itertools.takewhile(lambda part: part.get("stamp") == stamp, parts[self._at :])]
        if found:
            with contextlib.suppress(KeyError, TypeError):
                replies: list[Any] = []
                for part in found:
                    replies[part.get("after", 0) :] = part["spent"]["replies"]
                self._meter.resume({**found[-1]["spent"], "replies": replies})
                self._replies = len(replies)
                self._at += len(found)
                return [part["part"] for part in found]
        self._forget_behind()
        return []

    def forget(self) -> None:
        self._at = self._begun
        self._forget_behind()

    def _forget_behind(self) -> None:
        """Whatever came next depends on what is not there any more."""
        self._replies = 0
        if len(self._journal.of(self._trial)) > self._at:
            self._journal.forget(self._trial, self._at)

    def keep(self, part: Any) -> None:
        after, self._replies = self._replies, len(self._meter.replies)
        spent = self._meter.spent(after)  # the earlier replies are in the step's earlier parts
        self._journal.add(self._trial, {"stamp": self._stamp, "spent": spent, "after": after, "part": part})
        self._at += 1
