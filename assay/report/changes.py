"""Verdicts that changed in rescoring: as a table, as JSON, and as a line on a trial's page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.records import Cell, Table, TrialRecord
from assay.report.sanitise import one_line
from assay.results.natural_order import natural

WHY_CHARS = 80
TITLE = "Verdicts that changed"
SHADES = {"PASS": 1.0, "FAIL": 0.0}


def changed(records: Sequence[TrialRecord]) -> list[TrialRecord]:
    """The records whose verdict changed in rescoring, by test."""
    found = [record for record in records if record.rescored.get("changed")]
    return sorted(found, key=lambda record: (record.suite, natural(record.test), record.model, record.epoch))


def changes_table(records: Sequence[TrialRecord]) -> Table | None:
    """One line for each changed verdict; None if there are none."""
    found = changed(records)
    if not found:
        return None
    rows = tuple(
        (
            Cell(record.test, link=(record.test, record.model)),
            record.model,
            record.epoch,
            _verdict(_text(record, "before")),
            _verdict(_text(record, "after")),
            _why(record),
        )
        for record in found
    )
    judged = sum(bool(record.rescored) for record in records)
    note = f"{len(found):,} of the {judged:,} trials whose saved replies were judged again."
    return Table(TITLE, ("test", "model", "trial", "before", "after", "why"), rows, note)


def _verdict(text: str) -> Cell:
    return Cell(text, shade=SHADES.get(text.partition(" ")[0]))


def _why(record: TrialRecord) -> Cell:
    """The beginning of the explanation, so that no line is wider than a screen; the trial's page has all of
    it."""
    whole = explanation(record)
    return Cell(whole, text=one_line(whole, WHY_CHARS), hover=whole)


def explanation(record: TrialRecord) -> str:
    """Why a verdict changed, in one line."""
    why, was, now = (_text(record, name) for name in ("why", "was", "now"))
    if was and now:
        return f"{why}: {was} \u2192 {now}"
    return f"{why}: {was or now}" if was or now else why


def change_facts(records: Sequence[TrialRecord]) -> list[dict[str, Any]]:
    """The changed verdicts as JSON values."""
    names = ("before", "after", "why", "was", "now")
    return [
        {"test": record.test, "trial": record.epoch}
        | {name: record.rescored[name] for name in names if name in record.rescored}
        for record in changed(records)
    ]


def judged_again(record: TrialRecord) -> dict[str, Any] | None:
    """What a trial's page says about its rescoring; None for a trial that was judged once."""
    if not record.rescored:
        return None
    is_other, said = bool(record.rescored.get("changed")), "The verdict is the same."
    if is_other:
        why = explanation(record)
        said = f"It was {_text(record, 'before')}. {why[:1].upper()}{why[1:]}"
    replied = _text(record, "judged_at")[:16].replace("T", " ")  # when the replies were given
    return {"changed": is_other, "said": said, "replied": replied}


def _text(record: TrialRecord, name: str) -> str:
    return str(record.rescored.get(name, ""))
