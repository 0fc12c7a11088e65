"""assay run, from the flags to the exit code."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.after_run import AfterRun, writes_report
from assay.cli.request import request_of
from assay.cli.resume import note_command
from assay.errors import ConfigError
from assay.files import drop_output
from assay.report.aggregate import GridCounter
from assay.report.folder import check_place
from assay.report.messages import say
from assay.running.event_loop import leave, run_until_done
from assay.running.execute import Watching, execute, nobody
from assay.running.observe import find_observer
from assay.running.run import RunResult
from assay.running.session import Session
from assay.stdout import stdout

if TYPE_CHECKING:
    from assay.results.export.registry import Wanted

ORACLE = "oracle"


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
    if writes_report(options):
        check_place(workspace.report)
    observer = find_observer(options.observer or "otel" * options.otel, content=options.otel_content)
    asyncio.run(session.find_installed())
    models, selected = session.models, session.select()
    counter = GridCounter()
    result = RunResult(counter.add)
    after = AfterRun(options, session, result, counter, exports)
    if not selected.count:
        say("nothing to run")
        return after.nothing_ran()
    asked = session.request
    if not (asked.models or asked.endpoint or asked.all_models) and models == [ORACLE]:
        say(f"no --model was given, and config.json names no other: the {ORACLE} replays references")
    for suite in selected.suites.values():
        suite.check_extras(draws=writes_report(options))
    if options.fail_if_worse_than is not None:
        from assay.cli.regression_gate import check_before, find_baseline

        after.baseline = find_baseline(options, workspace, models)
        check_before(after.baseline, options, session, models)
    if options.dry_run:
        from assay.cli.dry_run import show_estimates

        show_estimates(session, options.format)
        return 1 if selected.errors else 0
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
    try:
        return after.finish(code)
    except ConfigError as error:
        after.failed.append(str(error))
        raise
    finally:
        if result.files and options.format == "json":  # the last, since it says how the run ended
            after.show()
