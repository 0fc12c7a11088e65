"""Tests that may be versions of one: the same question, other checks, another name, and no model tried two of
them. Somebody who renames a test and changes its checks between two runs has these. Their verdicts say
different things, so they are never compared; but without a word they look like tests that a model lacks."""

from __future__ import annotations

from assay.few import few
from assay.home import program
from assay.report.aggregate import Grid, Row
from assay.report.wording import count

NAMED = 3  # questions in a sentence
MOST_MODELS = 3  # named beside a test


def rechecked(grid: Grid) -> list[list[Row]]:
    """The versions of each such test."""
    if len(grid.models) < 2:
        return []
    groups: dict[int, list[Row]] = {}
    for row in grid.tests:
        question = grid.questions.get(row.suite, {}).get(row.test)
        if question is not None:
            groups.setdefault(question, []).append(row)
    return [rows for rows in groups.values() if len(rows) > 1 and _apart(rows)]


def _apart(rows: list[Row]) -> bool:
    """Whether no model tried two of the tests."""
    models = [model for row in rows for model in row.cells]
    return len(models) == len(set(models))


def about_rechecked(grid: Grid) -> str:
    """A line about them; '' if there are none."""
    found = rechecked(grid)
    if not found:
        return ""
    listed = ", ".join(" and ".join(_named(row) for row in rows) for rows in found[:NAMED])
    more = f", and {len(found) - NAMED:,} more" if len(found) > NAMED else ""
    were = "was" if len(found) == 1 else "were"
    return (
        f"{count(len(found), 'question')} {were} asked by different models in tests that differ in name and "
        f"checks, so these are {sum(map(len, found)):,} tests, not compared with each other: {listed}{more}. "
        "If they were changed between the runs, run the current ones again with each model, or judge its "
        f"saved replies by them: {program()} rescore MODEL."
    )


def _named(row: Row) -> str:
    """The test, with the models that tried it."""
    return f"{row.test} ({few([*row.cells], MOST_MODELS)})"
