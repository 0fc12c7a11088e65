"""What a command leaves for people and programs: tables on stdout, the HTML report, the exit code."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from assay.cli.choose import APPLIED
from assay.cli.listing import find_suite
from assay.cli.place import Place, say
from assay.errors import ConfigError, StoreError, TestFileError
from assay.records import Table, TrialRecord
from assay.report.aggregate import Grid
from assay.report.tally import Tally
from assay.results.scores import with_scores
from assay.suites.suite import Suite, blame


def suites_of(names: Iterable[str], options: argparse.Namespace, root: Path) -> list[Suite]:
    """Those of the suites `names` that have a folder of their own, as it is now."""
    found = []
    for name in dict.fromkeys(names):
        if name == APPLIED:
            continue
        try:
            found.append(find_suite(name, options, root))
        except ConfigError as error:
            say(f"suite {name} shows no tables: {error}")
    return found


def suites_with_tables(names: Iterable[str], options: argparse.Namespace, root: Path) -> list[Suite]:
    """Those of the suites `names` that compute tables of their own."""
    return [suite for suite in suites_of(names, options, root) if suite.defines("tables")]


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


def show(results: Sequence[TrialRecord] | Grid, tables: Sequence[Table], options: argparse.Namespace) -> None:
    """The result tables on stdout."""
    from assay.report.terminal import show_results

    show_results(results, tables=tables, format=options.format)


def write_report(
    records: Sequence[TrialRecord],
    suites: Sequence[Suite],
    place: Place,
    notes: Sequence[str] = (),
    grid: Grid | None = None,
) -> None:
    """The HTML report of `records`, with what `suites` show of theirs, and `notes` at its head. `grid`: of
    the same records, if it is there already. Raises StoreError if it cannot be written."""
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
        )
    except OSError as error:
        raise StoreError(
            f"cannot write the report to {place.report}: {error.strerror or error}. The results are safe; "
            "try again with --load-saved --generate-report, elsewhere with --report-dir"
        ) from None
    for problem in summary.problems:
        say(problem)
    pages = f"{summary.written} page{'s'[: summary.written != 1]} written"
    say(f"report: {summary.index} ({pages}, {summary.unchanged} unchanged)")


def below(percent: float | None, totals: Mapping[str, Tally]) -> int:
    """3 if a model (`totals`: by its name) passed less than `percent` of its counted trials, or has none,
    else 0."""
    if percent is None:
        return 0
    code = 0
    for model, total in totals.items():
        rate = Fraction(100 * total.passed, total.counted) if total.counted else Fraction()
        if rate < Fraction(str(percent)):  # 29 of 100 is 28.999... as a float
            code = 3
            if not total.counted:
                say(f"{model}: no trial has a verdict, so nothing shows that {percent:g}% pass")
                continue
            shown = f"{float(rate):.1f}"
            if float(shown) >= percent:  # 33.75 is below 33.8
                shown = f"{float(rate):.4g}"
            say(f"{model}: passed {shown}% ({total.passed}/{total.counted}), below {percent:g}%")
    return code
