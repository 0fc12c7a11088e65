"""Why trials ended without a verdict, in a line each, counted."""

from __future__ import annotations

from assay.records import Outcome, TrialRecord
from assay.report.sanitise import one_line

DIFFERENT = 1_000  # reasons kept apart; errors that each say something else must not fill the memory
OTHERS = "other reasons"
LONGEST = 500  # characters; what to do often stands at the end


def gist(error: str) -> str:
    """What an error says, in one line: a traceback's last; of any other text the first and, where the
    cause stands below it, the last.

    >>> gist("the agent has ended\\nits output:\\nbwrap: no such folder")
    'the agent has ended: bwrap: no such folder'
    """
    lines = [line for line in error.strip().splitlines() if line.strip()] or ["no reason given"]
    if lines[0].startswith("Traceback") or len(lines) == 1:
        return one_line(lines[-1], LONGEST)
    return one_line(f"{lines[0].rstrip(':')}: {lines[-1].strip()}", LONGEST)


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
