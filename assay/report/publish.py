"""What is shown of records with the help of their suites: tables, and the HTML report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.errors import ConfigError, StoreError, TestFileError
from assay.home import typed
from assay.records import Table, TrialRecord
from assay.report.aggregate import Grid
from assay.report.messages import say
from assay.results.scores import with_scores
from assay.results.workspace import Workspace
from assay.suites.selection import APPLIED, Selection
from assay.suites.suite import Suite, blame


def suites_of(names: Iterable[str], selection: Selection) -> list[Suite]:
    """Those of the suites `names` that have a folder of their own, as it is now."""
    found = []
    for name in dict.fromkeys(names):
        if name == APPLIED:
            continue
        try:
            found.append(selection.suite(name))
        except ConfigError as error:
            say(f"the tables of suite {name} could not be made: {error}")
    return found


def tables_of(suites: Iterable[Suite], records: Sequence[TrialRecord]) -> list[Table]:
    """The tables that `suites` compute, each from its own records."""
    tables: list[Table] = []
    records = with_scores(records)
    for suite in suites:
        try:
            with blame(suite.name, suite.folder):
                tables += suite.tables([record for record in records if record.suite == suite.name])
        except TestFileError as error:  # the trials are paid for: they must be shown all the same
            say(f"its tables could not be made: {error}")
    return tables


def write_report(
    records: Sequence[TrialRecord],
    suites: Sequence[Suite],
    place: Workspace,
    notes: Sequence[str] = (),
    grid: Grid | None = None,
    warnings: Sequence[str] | None = None,
) -> None:
    """The HTML report of `records`, with what `suites` show of theirs, and `notes` at its head. `grid`: of
    the same records, and `warnings`: what `mixed` says of them, if they are there already. Raises StoreError
    if it cannot be written."""
    from assay.report.html import write_report as write
    from assay.report.insides import versions_table

    try:
        summary = write(
            records,
            place.report,
            images=place.results.images,
            tables=[table] if (table := versions_table(records)) is not None else [],
            suites=suites,
            root=place.root,
            notes=notes,
            grid=grid,
            warnings=warnings,
        )
    except OSError as error:
        raise StoreError(
            f"cannot write the report to {place.report}: {error.strerror or error}. The results are safe; "
            f"try again with {typed()} report, or write it elsewhere with --report-dir"
        ) from None
    for problem in summary.problems:
        say(problem)
    pages = f"{summary.written} page{'s'[: summary.written != 1]} written"
    say(f"report: {summary.index} ({pages}, {summary.unchanged} unchanged)")
