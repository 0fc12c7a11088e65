"""What follows the trials of assay run: tables, report, exports and the exit code."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import RunEnds
from assay.few import few
from assay.files import drop_output
from assay.home import typed
from assay.records import VISION_EVAL_LLM, TrialRecord
from assay.report.aggregate import Grid, GridCounter
from assay.report.messages import say
from assay.report.publish import said_of_unfinished, suites_of, tables_of, write_report
from assay.report.terminal import show_results
from assay.report.wording import count
from assay.results.conditions import mixed
from assay.results.store import load_records
from assay.running.aggregates import read_light, write_aggregates
from assay.running.run import RunResult
from assay.running.session import Session
from assay.stdout import stdout

if TYPE_CHECKING:
    from assay.cli.regression_gate import Baseline
    from assay.results.export.registry import Wanted

PROVES = {"oracle": ("failed", "pass"), "saboteur": ("passed", "fail")}  # what it must not do, what it must
NAMED = 10  # tests


def writes_report(options: argparse.Namespace) -> bool:
    """Whether the run ends with the report; that of a live page is written, too."""
    return options.generate_report or options.live is not None


@dataclass
class AfterRun:
    """What is shown and written of a run, by its flags. `lacking`: what is said of trials that are missing.
    `failed`: why the run did not end well. `stray`: references of tests that do not exist."""

    options: argparse.Namespace
    session: Session
    result: RunResult
    counter: GridCounter
    exports: Sequence[Wanted]
    baseline: Baseline | None = None
    lacking: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)

    def nothing_ran(self) -> int:
        """Say why nothing did, if that is an error, and return the exit code."""
        astray = self._astray()
        code = self._lost() or 3 * astray
        if self.options.format == "json":
            self.show()
        if code:
            self.write_exports()
        return code

    def finish(self, code: int) -> int:
        """Show what came of the run, write report and exports, and return the exit code. `code`: of trials
        that were stopped."""
        session, result, workspace = self.session, self.result, self.session.workspace
        if code or result.failure is not None:
            models = [session.roles(each).llm.name for each in session.models]
            self.lacking = said_of_unfinished(workspace, session.wants, result.files, models)
        if result.files:
            code = self._told(code)
        if writes_report(self.options):
            read = load_records(workspace.results.files())
            for warning in (*read.left_out, *mixed(read.records)):
                say(warning)
            shown = suites_of((record.suite for record in read.records), session.request.selection)
            notes = [*said_of_unfinished(workspace), *read.left_out]
            write_report(read.records, shown, workspace, notes)
        self.write_exports()
        if code in (0, 3):  # otherwise the run is incomplete, and says so
            code = self._worse() or code
        return 1 if session.selected.errors and code in (0, 2, 3) else code

    def show(self, read: Callable[[Path], Sequence[TrialRecord]] = read_light) -> None:
        """Print the results, with the tables of suites; whoever reads them, e.g. head, may have seen enough.
        The run ends as it would. `read`: for who reads the run's file more than once."""
        chosen, selection = self.session.selected, self.session.request.selection
        suites = [each for each in suites_of(self.grid.suites, selection) if each.defines("tables")]
        tables = tables_of(suites, self._records_of({suite.name for suite in suites}, read))
        more = {
            "paid": self.result.paid,
            "failed": self.failed,
            "errors": chosen.errors,
            "warnings": chosen.warnings,
            "deleted": chosen.deleted,
        }
        form = self.options.format
        try:
            show_results(self.grid, tables=tables, unfinished=self.lacking, more=more, format=form)
            stdout().flush()
        except BrokenPipeError:
            drop_output(stdout())

    def write_exports(self) -> None:
        """Write what --export asks for."""
        if self.exports:
            from assay.results.export.registry import write_exports

            session, files = self.session, self.result.files
            again = f"the same command{f' with {self._resumed()}' if files else ''}"
            lacking = [*session.selected.errors, *self.stray, *self.lacking]
            write_exports(self.exports, files, session.wants, session.workspace, lacking=lacking, again=again)

    @cached_property
    def grid(self) -> Grid:
        """Of the run's trials, all of which have ended."""
        return self.counter.grid()

    def _fails(self, text: str, *more: str) -> None:
        """Say why the run did not end well, and after a semicolon or in another line what to do."""
        self.failed.append(text)
        say("".join((text, *more)))

    def _told(self, code: int) -> int:
        """Show the results, say how to continue, and return the exit code."""
        options, session, result, totals = self.options, self.session, self.result, self.grid.totals
        logdir, read = session.workspace.logdir, cache(read_light)
        if totals and options.format != "json":
            self.show(read)
        if options.skip_existing and (totals or options.format == "json"):
            say(f"these are only this run's trials; for all of them: {typed()} show{logdir}")
        again = (
            f"use the same command with {self._resumed()} (until another run is started, "
            f"{typed()} run --resume{logdir} is enough)"
        )
        for tests in {frozenset(each): None for each in result.unproved.values()}:
            names = [f"the {name}" for name, its in sorted(result.unproved.items()) if its == tests]
            has = "has" if len(names) == 1 else "have"
            say(f"{' and '.join(names)} {has} no reference for {count(len(tests), 'test')}")
        if code:
            self._fails("stopped", f"; {again}")
            return code
        if result.failure is not None:
            if getattr(result.failure, "judge", False):  # the same command may name the same judge
                own = session.request.judges.get(VISION_EVAL_LLM) or session.config.vision_judge
                flag = "--judge NAME (or --vision-judge NAME)" if own else "--judge NAME"
                again = f"{typed()} run --resume{logdir} {flag} goes on with another judge"
            self._fails(f"error: {result.failure}", f"\nthe run is not complete; {again}")
        else:
            chosen = session.selected.suites.values()
            for problem in write_aggregates(result.files, chosen, session.results, read):
                say(problem)
        self._lost()
        if result.failure is not None:
            return 2 if isinstance(result.failure, RunEnds) else 1
        if any(total.failed for total in totals.values()) and not writes_report(options):
            say(f"why a trial failed, step by step: {typed()} report{logdir}")
        disproved = self._disproved()
        if any(total.errors for total in totals.values()):
            for line in self.grid.reasons.errors() if options.format == "json" else ():  # tables have them
                say(line)
            mended = "to run them again, once any mistake they name is corrected"
            self._fails("some trials ended in ERROR", f"; {mended}, {again}")
            return 2
        return self._below() or 3 * disproved

    def _resumed(self) -> str:
        """The flags with which the same command goes on with this run."""
        runs = {path.stem.removeprefix("run-") for path in self.result.files}
        named = self.options.runid is not None or len(self.session.models) > 1 or not self.options.resume
        return "--resume" + "".join(f" --runid {each}" for each in runs if named and len(runs) == 1)

    def _lost(self) -> int:
        """1 if tests could not be loaded, else 0."""
        if errors := self.session.selected.errors:
            self._fails(f"tests are missing because of {count(len(errors), 'error')}", " (see above)")
        return 1 if errors else 0

    def _astray(self) -> bool:
        """Whether references that the oracle or the saboteur would give are of tests that do not exist, each
        told."""
        chosen, session = self.session.selected, self.session
        if PROVES.keys().isdisjoint(session.models) or not (chosen.files or chosen.lone_references):
            return False
        from assay.running.wiring import unknown_references
        from assay.suites.stray_references import stray_references, without_tests

        whole = session.request.selection.is_whole
        alone = without_tests(chosen.files) if whole else chosen.lone_references
        files = [file for file in chosen.files if file.tests]  # one that lost all is an error itself
        found = stray_references(files, session.root, unknown_references, alone)
        self.stray = [f"{where}: {text}" for where, text in found]
        for text in self.stray:
            self._fails(text)
        return bool(self.stray)

    def _disproved(self) -> bool:
        """Whether the oracle failed a test or the saboteur passed one, each told with its tests, or
        references are of a test that does not exist."""
        found, grid = self._astray(), self.grid
        for model, (did, must) in PROVES.items():
            tests = [row.test for row in grid.rows if (its := row.cells.get(model)) and getattr(its, did)]
            if tests:
                found = True
                what = f"{count(len(tests), 'test')} that it must {must}"
                self._fails(f"the {model} {did} {what}: {few(tests, NAMED)}")
        return found

    def _below(self) -> int:
        """3 if a model passed less than --fail-under asks for, else 0."""
        if self.options.fail_under is None:
            return 0
        from assay.cli.regression_gate import below

        return below(self.options.fail_under, self.grid.totals, tell=self._fails)

    def _worse(self) -> int:
        """3 if a model did worse than the baseline, else 0."""
        if self.baseline is None:
            return 0
        from assay.cli.regression_gate import worse

        session, files = self.session, self.result.files
        now = load_records(files, keep=session.wants, light=True).records
        return worse(self.baseline, self.options, session.workspace, now, files, tell=self._fails)

    def _records_of(
        self, suites: set[str], read: Callable[[Path], Sequence[TrialRecord]]
    ) -> list[TrialRecord]:
        """The run's records of the suites that compute tables from them."""
        files, wants = self.result.files, self.session.wants

        def keep(record: TrialRecord) -> bool:
            return record.suite in suites and wants(record)

        if suites and len(files) == 1:
            return list(filter(keep, read(files[0])))
        return load_records(files, keep=keep, light=True).records if suites else []
