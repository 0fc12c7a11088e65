"""Why trials failed: counted for each model, and for one trial in a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from assay.records import Cause, Table, TrialRecord, Value
from assay.report import wording
from assay.report.aggregate import Grid
from assay.report.tally import Tally
from assay.results.causes import of_record

TITLE = "Why trials failed"
COLUMNS = ("pass rate", "without cut off or filtered")
NOTE = (
    "pass rate: PASS of the trials that ended in PASS or FAIL; beside it the same without the replies that "
    "were cut off at a limit or filtered by the provider, which is not the model's fault."
)
_PLURAL = {Cause.DOES_NOT_BUILD: "do not build"}


def words(causes: Iterable[tuple[str, int]]) -> str:
    """Counted causes in words, the most common first.

    >>> words([("cut off", 3), ("wrong", 7), ("does not build", 2)])
    '7 wrong, 3 cut off, 2 do not build'
    """
    ordered = sorted(causes, key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{n:,} {_PLURAL.get(cause, cause) if n > 1 else cause}" for cause, n in ordered)  # type: ignore[call-overload]


def failures(total: Tally) -> str:
    """For example '12 FAIL: 7 wrong, 3 cut off, 2 do not build'; '' if nothing failed."""
    return f"{total.failed:,} FAIL: {words(total.causes)}" if total.failed else ""


def errors(total: Tally) -> str:
    """For example '3 ERROR: 2 provider, 1 grader'; '' if nothing broke."""
    return f"{total.errors:,} ERROR: {words(total.breaks)}" if total.errors else ""


def not_passed(total: Tally) -> list[str]:
    """A phrase for each kind of trial that did not pass or was not judged."""
    skipped = f"{total.skipped} skipped" if total.skipped else ""
    return [said for said in (failures(total), errors(total), skipped, wording.later(total)) if said]


def causes_table(grid: Grid) -> Table | None:
    """A row for each model with a failure; None if there are none. Pass rates only where some failures are
    not the models' fault: the table of models has them too."""
    rows: list[tuple[Value, ...]] = []
    some = any(total.excused for total in grid.totals.values())
    for model, total in grid.totals.items():
        if not (total.failed or total.errors):
            continue
        said = "; ".join(filter(None, (failures(total), errors(total))))
        rates = (_percent(total.rate), _percent(total.rate_without_excused))
        rows.append((model, said, *rates[: 2 * some]))
    if not rows:
        return None
    return Table(
        TITLE,
        ("model", "why", *COLUMNS[: 2 * some]),
        tuple(rows),
        note=NOTE if some else "",
        align=("left", "left"),
    )


def _percent(rate: float | None) -> str | None:
    return wording.percent(rate) if rate is not None else None


def told(record: TrialRecord) -> str:
    """For example 'wrong: expected 42, printed 41'; '' for a PASS."""
    found = of_record(record)
    return f"{found.cause}: {found.why}" if found.cause and found.why else found.why or found.cause
