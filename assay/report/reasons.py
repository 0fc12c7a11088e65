"""Why trials ended without a verdict or by a function that raised: a line for each reason, with its count."""

from __future__ import annotations

import re
from collections import Counter

from assay.records import Cause, Outcome, TrialRecord
from assay.report.sanitise import one_line

DIFFERENT = 1_000  # distinct reasons at most, so that errors with varying texts do not fill the memory
CALLED_WITH = "; called with "  # follows what PyEvaluator says
OTHERS = "other reasons"
LONGEST = 500  # characters; the end often says what to do
_LACKS = re.compile(r"(sandbox \S+) lacks ([^;]+)(; .*)?")
# What varies between errors of a kind: times, addresses in memory and in the network, ids.
_VARYING = re.compile(
    r"\b0x[0-9a-fA-F]+\b"
    r"|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?"
    r"|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"
    r"|(?<=[\w\]]):\d{2,5}\b"
    r"|\b(?:req|request|chatcmpl|msg|resp|gen)[-_][0-9A-Za-z_-]{6,}"
    r"|\b\d+(?:\.\d+)?(?=\s?(?:s|ms|sec|seconds?|minutes?|min)\b)"
)


def gist(error: str) -> str:
    """An error in one line: the last line of a traceback; of other text the first line and, if the cause
    stands below it, the last.

    >>> gist("the agent has ended\\nits output:\\nbwrap: no such folder")
    'the agent has ended: bwrap: no such folder'
    """
    lines = [line for line in error.strip().splitlines() if line.strip()] or ["no reason given"]
    if lines[0].startswith("Traceback") or len(lines) == 1:
        return one_line(lines[-1], LONGEST)
    return one_line(f"{lines[0].rstrip(':')}: {lines[-1].strip()}", LONGEST)


def kind(said: str) -> str:
    """An error without the parts that vary from one to the next.

    >>> kind("no answer from 10.0.0.7:8000 in 12.53 s") == kind("no answer from 10.0.0.8:8000 in 9 s")
    True
    >>> kind("HTTP 429") == kind("HTTP 503")
    False
    """
    return _VARYING.sub("#", said)


def _together(reasons: list[tuple[int, str, str]]) -> list[tuple[int, str, str]]:
    """Count, outcome and reason of each, with one entry for everything that a sandbox lacks."""
    kept: list[tuple[int, str, str]] = []
    lacking: dict[tuple[str, str, str], list[tuple[int, list[str]]]] = {}
    for number, outcome, why in reasons:
        if (found := _LACKS.fullmatch(why)) is None:
            kept.append((number, outcome, why))
        else:
            needs = found[2].split(", ")
            lacking.setdefault((outcome, found[1], found[3] or ""), []).append((number, needs))
    for (outcome, before, after), its in lacking.items():
        count: Counter[str] = Counter()
        for number, needs in its:
            count.update(dict.fromkeys(needs, number))
        ordered = sorted(count.items(), key=lambda each: (-each[1], each[0]))
        listed = ", ".join(f"{need} ({n})" for need, n in ordered) if len(ordered) > 1 else ordered[0][0]
        kept.append((sum(number for number, _ in its), outcome, f"{before} lacks {listed}{after}"))
    return kept


class Reasons:
    """Counts of the reasons why trials ended as ERROR or SKIPPED, or as FAIL because a function of the test
    raised an error, which may be the function's fault; "ERROR later" if an earlier verdict still counts.
    Reasons that differ only in seconds or addresses are one; the first is shown."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._first: dict[tuple[str, str], str] = {}
        self._test: dict[tuple[str, str], str] = {}  # in which it came first

    def add(self, record: TrialRecord) -> None:
        outcome, error = str(record.outcome).upper(), record.error
        if record.later:
            outcome, _, error = record.later.partition(": ")
            outcome = f"{outcome} later"
        raised = record.outcome is Outcome.FAIL and record.cause == Cause.RAISED
        if raised and not record.later:
            error = record.why.partition(CALLED_WITH)[0]
        if raised or record.later or record.outcome in (Outcome.ERROR, Outcome.SKIPPED):
            said = gist(error)
            key = (outcome, kind(said))
            if key not in self._counts and len(self._counts) >= DIFFERENT:
                key, said = (outcome, OTHERS), OTHERS
            self._first.setdefault(key, said)
            self._test.setdefault(key, record.test)
            self._counts[key] = self._counts.get(key, 0) + 1

    def lines(self, at_most: int = 12) -> list[str]:
        """The most common first, e.g. 'ERROR 3x: no key'; the last line counts those left out."""
        found = [(number, key[0], self._first[key]) for key, number in self._counts.items()]
        ordered = sorted(_together(found), key=lambda each: (-each[0], *each[1:]))
        said = [f"{outcome} {number}x: {why}" for number, outcome, why in ordered[:at_most]]
        return [*said, f"and {len(ordered) - at_most} other reasons"] if len(ordered) > at_most else said

    def errors(self, at_most: int = 3) -> list[str]:
        """Why trials ended in ERROR, the most common first, each with the first test, where no table is
        shown."""
        errors = [key for key in self._counts if key[0] == "ERROR"]
        found = sorted(errors, key=lambda key: (-self._counts[key], key))
        said = [
            f"ERROR {(n := self._counts[key])}x: {self._first[key]} ({'first in' if n > 1 else 'in'} "
            f"{self._test[key]})"
            for key in found[:at_most]
        ]
        return [*said, f"and {len(found) - at_most} other reasons"] if len(found) > at_most else said
