"""assay run, from the flags to the exit code."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.request import request_of
from assay.cli.resume import note_command
from assay.errors import ConfigError, RunEnds
from assay.few import few
from assay.files import drop_output
from assay.home import typed
from assay.records import VISION_EVAL_LLM, TrialRecord
from assay.report.aggregate import Grid, GridCounter
from assay.report.folder import check_free
from assay.report.messages import say
from assay.report.publish import said_of_unfinished, suites_of, tables_of, write_report
from assay.report.terminal import show_results
from assay.report.wording import count
from assay.results.conditions import mixed
from assay.results.store import load_records
from assay.running.aggregates import read_light, write_aggregates
from assay.running.event_loop import leave, run_until_done
from assay.running.execute import Watching, execute, nobody
from assay.running.observe import find_observer
from assay.running.run import RunResult
from assay.running.session import Session
from assay.stdout import stdout

if TYPE_CHECKING:
    from assay.cli.regression_gate import Baseline
    from assay.results.export.registry import Wanted

ORACLE = "oracle"
PROVES = {ORACLE: ("failed", "pass"), "saboteur": ("passed", "fail")}  # what it must not do, and what it must
NAMED = 10  # tests
SAME = "the same command"


def command(options: argparse.Namespace, root: Path) -> int:
    """Run the tests, or with --dry-run only describe the run. Returns the exit code."""
    try:
        return leave(_command(options, Session(request_of(options, root))))
    except BrokenPipeError:  # of stderr: the run cannot say any more what it does
        drop_output(stdout())
        drop_output(sys.stderr)
        return 1


def _command(options: argparse.Namespace, session: Session) -> int:
    workspace = session.workspace
    exports: list[Wanted] = []
    if options.export:  # found before anything is paid for
        from assay.results.export.registry import exports_of

        exports = exports_of(options.export)
    if _writes_report(options):
        check_free(workspace.report)
    observer = find_observer(options.observer or "otel" * options.otel, content=options.otel_content)
    asyncio.run(session.find_installed())
    models, selected = session.models, session.select()
    if not selected.count:
        say("nothing to run")
        if options.format == "json":
            _shown([], options, session)
        if selected.errors:
            _write_exports(exports, [], session)
        return 1 if selected.errors else 0
    asked = session.request
    if not (asked.models or asked.endpoint or asked.all_models) and models == [ORACLE]:
        say(f"no --model was given, and config.json names no other: the {ORACLE} replays references")
    for suite in selected.suites.values():
        suite.check_extras(draws=_writes_report(options))
    baseline = None
    if options.fail_if_worse_than is not None:
        from assay.cli.regression_gate import check_before, find_baseline

        baseline = find_baseline(options, workspace, models)
        check_before(baseline, options, session, models)
    if options.dry_run:
        from assay.cli.dry_run import show_estimates

        show_estimates(session, options.format)
        return 1 if selected.errors else 0
    counter = GridCounter()
    result = RunResult(counter.add)
    live: Watching = nobody
    if options.live is not None:
        from assay.report.live.watch import live_watch

        live = live_watch(options.live)
    facts = {
        "assay.models": models,
        "assay.suites": list(selected.suites),
        "assay.commit": session.commit,
    }
    with observer.watch(facts, workspace.results.scrub, say) as session.observer:
        work = execute(session, result, watching=live, note=lambda runs: note_command(options, session, runs))
        code = run_until_done(work, session, len(models))
    for problem in result.problems:
        say(problem)
    if not result.files and not options.skip_existing:
        return code or 1
    ending = Ending()
    try:
        return _ended(options, session, result, counter, code, exports, baseline, ending)
    except ConfigError as error:
        ending.failed.append(str(error))
        raise
    finally:
        if result.files and options.format == "json":  # the last, since it says how the run ended
            _show(options, session, result, counter.grid(), ending)


@dataclass
class Ending:
    """`lacking`: what is said of trials that are missing. `failed`: why the run did not end well."""

    lacking: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def fails(self, text: str, *more: str) -> None:
        """Say why the run did not end well, and after a semicolon or in another line what to do."""
        self.failed.append(text)
        say("".join((text, *more)))


def _ended(
    options: argparse.Namespace,
    session: Session,
    result: RunResult,
    counter: GridCounter,
    code: int,
    exports: Sequence[Wanted],
    baseline: Baseline | None,
    ending: Ending,
) -> int:
    """Show what came of the run, write report and exports, and return the exit code."""
    workspace, selected = session.workspace, session.selected
    if code or result.failure is not None:
        models = [session.roles(each).llm.name for each in session.models]
        ending.lacking = said_of_unfinished(workspace, session.wants, result.files, models)
    if result.files:
        code = _after_run(options, session, result, counter, code, ending)
    if _writes_report(options):
        read = load_records(workspace.results.files())
        for warning in (*read.left_out, *mixed(read.records)):
            say(warning)
        shown = suites_of((record.suite for record in read.records), session.request.selection)
        notes = [*said_of_unfinished(workspace), *read.left_out]
        write_report(read.records, shown, workspace, notes)
    again = f"{SAME} with {_resumed(options, session, result)}"
    _write_exports(exports, result.files, session, ending.lacking, again=again)
    if code in (0, 3):  # otherwise the run is incomplete, and says so
        code = _check_worse(baseline, options, session, result, ending) or code
    return 1 if selected.errors and code in (0, 2, 3) else code


def _writes_report(options: argparse.Namespace) -> bool:
    """Whether the run ends with the report; that of a live page is written, too."""
    return options.generate_report or options.live is not None


def _write_exports(
    exports: Sequence[Wanted],
    files: Sequence[Path],
    session: Session,
    unfinished: Sequence[str] = (),
    again: str = SAME,
) -> None:
    if exports:
        from assay.results.export.registry import write_exports

        lacking = [*session.selected.errors, *unfinished]
        write_exports(exports, files, session.wants, session.workspace, lacking=lacking, again=again)


def _after_run(
    options: argparse.Namespace,
    session: Session,
    result: RunResult,
    counter: GridCounter,
    code: int,
    ending: Ending,
) -> int:
    """Show the results, say how to continue, and return the exit code."""
    grid, workspace, read = counter.grid(), session.workspace, cache(read_light)
    if grid.totals and options.format != "json":
        _show(options, session, result, grid, ending, read)
    if options.skip_existing and (grid.totals or options.format == "json"):
        say(f"these are only this run's trials; for all of them: {typed()} show{workspace.logdir}")
    again = (
        f"use the same command with {_resumed(options, session, result)} (until another run is started, "
        f"{typed()} run --resume{workspace.logdir} is enough)"
    )
    for tests in {frozenset(each): None for each in result.unproved.values()}:
        names = [f"the {name}" for name, its in sorted(result.unproved.items()) if its == tests]
        has = "has" if len(names) == 1 else "have"
        say(f"{' and '.join(names)} {has} no reference for {count(len(tests), 'test')}")
    if code:
        ending.fails("stopped", f"; {again}")
        return code
    if result.failure is not None:
        if getattr(result.failure, "judge", False):  # the same command may name the same judge
            own = session.request.judges.get(VISION_EVAL_LLM) or session.config.vision_judge
            flag = "--judge NAME (or --vision-judge NAME)" if own else "--judge NAME"
            again = f"{typed()} run --resume{workspace.logdir} {flag} goes on with another judge"
        ending.fails(f"error: {result.failure}", f"\nthe run is not complete; {again}")
    if result.failure is None:
        chosen = session.selected.suites.values()
        for problem in write_aggregates(result.files, chosen, session.results, read):
            say(problem)
    if errors := session.selected.errors:
        ending.fails(f"tests are missing because of {count(len(errors), 'error')}", " (see above)")
    if result.failure is not None:
        return 2 if isinstance(result.failure, RunEnds) else 1
    if any(total.failed for total in grid.totals.values()) and not _writes_report(options):
        say(f"why a trial failed, step by step: {typed()} report{workspace.logdir}")
    disproved = _disproved(grid, session, ending)
    if any(total.errors for total in grid.totals.values()):
        for line in grid.reasons.errors() if options.format == "json" else ():  # tables have them
            say(line)
        mended = "to run them again, once any mistake they name is mended"
        ending.fails("some trials ended in ERROR", f"; {mended}, {again}")
        return 2
    return _below(options.fail_under, grid, ending) or 3 * disproved


def _resumed(options: argparse.Namespace, session: Session, result: RunResult) -> str:
    """The flags with which the same command goes on with this run."""
    runs = {path.stem.removeprefix("run-") for path in result.files}
    named = options.runid is not None or len(session.models) > 1 or not options.resume
    return "--resume" + "".join(f" --runid {each}" for each in runs if named and len(runs) == 1)


def _below(percent: float | None, grid: Grid, ending: Ending) -> int:
    """3 if a model passed less than --fail-under asks for, else 0."""
    if percent is None:
        return 0
    from assay.cli.regression_gate import below

    return below(percent, grid.totals, tell=ending.fails)


def _disproved(grid: Grid, session: Session, ending: Ending) -> bool:
    """Whether the oracle failed a test or the saboteur passed one, each told with its tests, or references
    are of a test that does not exist."""
    found = False
    files = [] if grid.totals.keys().isdisjoint(PROVES) else session.selected.files
    if files:
        from assay.running.wiring import unknown_references
        from assay.suites.stray_references import stray_references

        for where, text in stray_references(files, session.root, unknown_references, whole=False):
            found = True
            ending.fails(f"{where}: {text}")
    for model, (did, must) in PROVES.items():
        tests = [row.test for row in grid.rows if (its := row.cells.get(model)) and getattr(its, did)]
        if tests:
            found = True
            what = f"{count(len(tests), 'test')} that it must {must}"
            ending.fails(f"the {model} {did} {what}: {few(tests, NAMED)}")
    return found


def _show(
    options: argparse.Namespace,
    session: Session,
    result: RunResult,
    grid: Grid,
    ending: Ending,
    read: Callable[[Path], Sequence[TrialRecord]] = read_light,
) -> None:
    """Print the results, with the tables of suites."""
    suites = [each for each in suites_of(grid.suites, session.request.selection) if each.defines("tables")]
    records = _records_of({suite.name for suite in suites}, session, result, read)
    _shown(grid, options, session, tables_of(suites, records), ending)


def _shown(
    results: Any,
    options: argparse.Namespace,
    session: Session,
    tables: Sequence[Any] = (),
    ending: Ending | None = None,
) -> None:
    """Print the results; whoever reads them, e.g. head, may have seen enough. The run ends as it would."""
    chosen = session.selected
    ending = ending or Ending()
    more = {
        "failed": ending.failed,
        "errors": chosen.errors,
        "warnings": chosen.warnings,
        "deleted": chosen.deleted,
    }
    try:
        show_results(results, tables=tables, unfinished=ending.lacking, more=more, format=options.format)
        stdout().flush()
    except BrokenPipeError:
        drop_output(stdout())


def _check_worse(
    baseline: Baseline | None,
    options: argparse.Namespace,
    session: Session,
    result: RunResult,
    ending: Ending,
) -> int:
    """3 if a model did worse than the baseline, else 0."""
    if baseline is None:
        return 0
    from assay.cli.regression_gate import worse

    now = load_records(result.files, keep=session.wants, light=True).records
    return worse(baseline, options, session.workspace, now, result.files, tell=ending.fails)


def _records_of(
    suites: set[str], session: Session, result: RunResult, read: Callable[[Path], Sequence[TrialRecord]]
) -> list[TrialRecord]:
    """The run's records of the suites that compute tables from them."""

    def keep(record: TrialRecord) -> bool:
        return record.suite in suites and session.wants(record)

    if suites and len(result.files) == 1:
        return list(filter(keep, read(result.files[0])))
    return load_records(result.files, keep=keep, light=True).records if suites else []
