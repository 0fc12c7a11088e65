"""One trial's part of the run's journal: its finished parts, and the usage at the end of each."""

from __future__ import annotations

import contextlib
from typing import Any

from assay.language import dsl
from assay.records import TrialKey
from assay.results.journal import Journal
from assay.running.meter import Meter


class TrialJournal(dsl.Journal):
    """The journal that nodes see as `ctx.journal`."""

    def __init__(self, journal: Journal, trial: TrialKey, meter: Meter) -> None:
        self._journal, self._trial, self._meter = journal, trial, meter
        self._stamp, self._replies = "", 0  # how many replies the parts have

    def recall(self, stamp: str) -> list[Any]:
        self._stamp = stamp
        parts = self._journal.of(self._trial)
        if parts and parts[0].get("stamp") == stamp:
            with contextlib.suppress(KeyError, TypeError):
                replies: list[Any] = []
                for part in parts:
                    replies[part.get("after", 0) :] = part["spent"]["replies"]
                self._meter.resume({**parts[-1]["spent"], "replies": replies})
                self._replies = len(replies)
                return [part["part"] for part in parts]
        self._replies = 0
        if parts:
            self._journal.forget(self._trial)
        return []

    def keep(self, part: Any) -> None:
        after, self._replies = self._replies, len(self._meter.replies)
        spent = self._meter.spent(after)  # the earlier replies are in earlier parts
        self._journal.add(self._trial, {"stamp": self._stamp, "spent": spent, "after": after, "part": part})
