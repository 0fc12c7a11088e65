"""One trial's part of the run's journal: its finished parts, and what it had spent by the end of each."""

from __future__ import annotations

import contextlib
from typing import Any

from assay.language import dsl
from assay.records import TrialKey
from assay.results.journal import Journal
from assay.running.meter import Meter


class TrialJournal(dsl.Journal):
    """What nodes see as `ctx.journal`."""

    def __init__(self, journal: Journal, trial: TrialKey, meter: Meter) -> None:
        self._journal, self._trial, self._meter = journal, trial, meter
        self._stamp = ""

    def recall(self, stamp: str) -> list[Any]:
        self._stamp = stamp
        parts = self._journal.of(self._trial)
        if parts and parts[0].get("stamp") == stamp:
            with contextlib.suppress(KeyError, TypeError):
                self._meter.resume(parts[-1]["spent"])
                return [part["part"] for part in parts]
        if parts:
            self._journal.forget(self._trial)
        return []

    def keep(self, part: Any) -> None:
        self._journal.add(self._trial, {"stamp": self._stamp, "spent": self._meter.spent(), "part": part})
