"""Why trials ended without a verdict, in a line each, counted."""

from __future__ import annotations

from assay.records import Outcome, TrialRecord
from assay.report.sanitise import one_line

DIFFERENT = 1_000  # reasons kept apart; errors that each say something else must not fill the memory
OTHERS = "other reasons"


def gist(error: str) -> str:
    """The one line of an error that says most: a traceback's last, any other text's first."""
    lines = error.strip().splitlines() or ["no reason given"]
    return one_line(lines[-1] if lines[0].startswith("Traceback") else lines[0], 160)


class Reasons:
    """How often trials ended as ERROR or SKIPPED for which reason."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}

    def add(self, record: TrialRecord) -> None:
        if record.outcome in (Outcome.ERROR, Outcome.SKIPPED):
            outcome = str(record.outcome).upper()
            key = (outcome, gist(record.error))
            if key not in self._counts and len(self._counts) >= DIFFERENT:
                key = (outcome, OTHERS)
            self._counts[key] = self._counts.get(key, 0) + 1

    def lines(self, at_most: int = 12) -> list[str]:
        """The commonest first, e.g. 'ERROR 3x: no key'; the last line counts those left out."""
        ordered = sorted(self._counts.items(), key=lambda item: -item[1])
        said = [f"{outcome} {number}x: {why}" for (outcome, why), number in ordered[:at_most]]
        return [*said, f"and {len(ordered) - at_most} other reasons"] if len(ordered) > at_most else said
