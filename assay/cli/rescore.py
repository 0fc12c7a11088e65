"""assay rescore: judge saved replies with the current tests, without asking a model."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.cli.after_rescoring import next_commands
from assay.cli.regression_gate import below
from assay.cli.request import request_of
from assay.errors import ConfigError
from assay.records import Outcome, TrialRecord
from assay.report.aggregate import Grid, make_grid
from assay.report.changes import change_facts, changes_line, changes_table
from assay.report.folder import check_place
from assay.report.messages import say
from assay.report.publish import said_of_unfinished, tables_of, write_report
from assay.report.terminal import show_results
from assay.report.wording import count
from assay.rescoring.recorded_runs import files_of
from assay.rescoring.rescore import find_work, judged_in, left_out, rescore, rescoring_session
from assay.rescoring.where_they_ran import folders_then
from assay.rescoring.work import Work
from assay.results.conditions import mixed
from assay.results.export.registry import exports_of, write_exports
from assay.results.merging import Merge
from assay.results.scores import with_scores
from assay.results.store import read_file
from assay.running.event_loop import leave, run_until_done
from assay.running.run import RunResult
from assay.running.session import Session
from assay.stdout import print_json
from assay.suites.blame import blame
from assay.suites.suite import Suite


def command(options: argparse.Namespace, root: Path) -> int:
    """Judge, show and save. Returns the process's exit code."""
    session = rescoring_session(request_of(options, root))
    selection = session.request.selection
    if not selection.folders:
        files = (file for word in options.rescore for file in files_of(word, session.results))
        selection = replace(selection, folders=folders_then(files, selection))
        session.request = replace(session.request, selection=selection)
    return leave(_command(options, session))


def _command(options: argparse.Namespace, session: Session) -> int:
    exports, place = exports_of(options.export), session.workspace
    if options.generate_report:
        check_place(judged_in(session).report)
    work = find_work(options.rescore, session)
    lost = [line for each in work for line in left_out(each)]
    if lost and not any(each.planned for each in work):
        raise ConfigError("\n".join(["nothing is left to judge", *lost]))
    for suite in {suite.name: suite for each in work for suite in each.suites}.values():
        suite.check_extras(draws=options.generate_report)
    result = RunResult()
    code = run_until_done(rescore(session, work, result), session, len(work))
    for problem in result.problems:
        say(problem)
    if result.failure is not None:
        say(str(result.failure))
        code = code or 2
    lacking = said_of_unfinished(session.workspace, session.wants, result.files)
    grid, records, broke = _show(work, result, options, session, lacking)
    write_exports(exports, result.files, session.wants, session.workspace, lacking=lacking)
    if records and not code:
        folders = session.request.selection.folders
        for line in next_commands(records, place, session.workspace, folders):
            say(line)
    if any(each.broken for each in work):
        code = code or 1
    return code or (2 if broke else 0) or below(options.fail_under, grid.totals, lacking)


def _show(
    work: Sequence[Work],
    result: RunResult,
    options: argparse.Namespace,
    session: Session,
    lacking: Sequence[str],
) -> tuple[Grid, list[TrialRecord], bool]:
    """Print the results that count, as `assay show` does. Returns them, and whether a verdict broke of any
    trial that was judged."""
    problems: list[str] = []
    judged: list[TrialRecord] = []
    merge: Merge[Path] = Merge()
    light = not options.generate_report
    for path in result.files:
        its = {record.key: record for record in read_file(path, problems, light) if session.wants(record)}
        judged += its.values()
        for record in its.values():
            merge.add(record, path)
    shown = [*merge.all_shown()]
    records, left_out = [record for record, _ in shown], merge.left_out()
    warnings, grid = mixed(records), make_grid(records)
    unsaid = lacking if options.format == "json" else ()  # tables have it above them
    for said in (*problems, *left_out, *warnings, *unsaid):
        say(said)
    if options.format == "json":
        facts = [
            fact
            for each, path in zip(work, result.files, strict=False)
            for fact in _facts(each, [record for record, of in shown if of == path])
        ]
        with contextlib.suppress(BrokenPipeError):
            print_json(facts)
    if result.steps is not None and any(each.ours for each in work):
        ran, remembered = result.steps
        say(f"sandbox: {count(ran, 'command')} run, {remembered:,} remembered")
    suites = list({suite.name: suite for each in work for suite in each.suites}.values())
    changes = changes_table(records, whole=options.format == "markdown")
    if options.format != "json" and records:
        tables = [*tables_of(suites, records), *([changes] if changes else [])]
        show_results(grid, tables=tables, unfinished=lacking, format=options.format)
    _tell_of_changes(records, judged)
    if options.generate_report and records:
        lost = [said for each in work for said in each.problems]
        notes = [*lacking, *lost, *left_out]
        write_report(records, suites, session.workspace, notes, grid, warnings)
    return grid, records, any(map(_newly_broken, judged))


def _facts(work: Work, records: Sequence[TrialRecord]) -> Iterator[dict[str, Any]]:
    """What JSON tells of each suite."""
    suites: dict[str, Suite | None] = {suite.name: suite for suite in work.suites}
    if work.ours:
        suites = {name: suites.get(name) for name in dict.fromkeys(each.suite for each in records)}
    for name, suite in suites.items():
        its = [each for each in records if each.suite == name]
        facts: dict[str, Any] = {"file": str(work.path), "model": work.model, "trials": len(its)}
        if suite is not None:
            with blame(suite.name, suite.folder):
                facts |= suite.summary(with_scores(its))
        if work.ours:
            facts |= {
                "suite": name,
                "outcomes": {each: sum(r.outcome is each for r in its) for each in Outcome},
                "unanswerable": sum(_unanswerable(each) for each in its),
                "changed": change_facts(its),
                "gone": work.gone,
                "broken": work.broken,
                "from_python": work.from_python,
                "renamed": work.renamed,
            }
        yield facts


def _unanswerable(record: TrialRecord) -> bool:
    return record.outcome is Outcome.ERROR and record.error.startswith("NotRecorded: ")


def _newly_broken(record: TrialRecord) -> bool:
    if record.outcome is not Outcome.ERROR or not record.rescored:
        return False
    return not str(record.rescored["before"]).startswith("ERROR")


def _tell_of_changes(records: Sequence[TrialRecord], judged: Sequence[TrialRecord]) -> None:
    """`records`: those that count, of all that were `judged`."""
    if said := changes_line(records):
        say(said)
    if lost := sum(map(_unanswerable, judged)):
        say(
            f"{count(lost, 'trial')} could not be judged: the current test asks something new, and "
            "rescoring asks no model (a run does)"
        )
