"""assay show: merge the saved runs of any commits and models, and show them. The subcommands report and
export select results in the same way."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from functools import cache
from pathlib import Path

from assay.cli.regression_gate import Baseline, below, find_baseline, worse
from assay.cli.request import request_of
from assay.config import near
from assay.errors import ConfigError
from assay.gc_pause import gc_paused
from assay.records import TrialRecord
from assay.report.aggregate import make_grid
from assay.report.changes import changes_table
from assay.report.messages import say
from assay.report.publish import said_of_unfinished, suites_of, tables_of, write_report
from assay.report.wording import count
from assay.results.conditions import in_words, mixed
from assay.results.export.registry import exports_of, write_exports
from assay.results.result_set import nothing_in
from assay.results.store import load_records
from assay.results.workspace import Workspace
from assay.running.wiring import settings
from assay.suites.listing import matches, names_of
from assay.suites.saved_conditions import check_saved
from assay.suites.selection import Selection

# Flags that choose records
CHOOSING = ("model", "all_models", "suite", "test", "tag", "tier", "tests", "only_changed")


def command(options: argparse.Namespace, root: Path) -> int:
    """The process's exit code. Raises ConfigError if no saved result fits the flags."""
    from assay.report.terminal import show_results

    request, config = request_of(options, root), settings(options.config, root)
    workspace, selection = request.workspace(config), request.selection
    exports = exports_of(options.export)
    wanted = selection.keeps()
    models = set(config.models if options.all_models and config.models else options.model)

    recorded, known = set[tuple[str, str]](), set[str]()  # suite and test, and model, chosen or not

    def chosen(record: TrialRecord) -> bool:
        return (not models or record.model in models) and wanted(record)

    def keep(record: TrialRecord) -> bool:
        recorded.add((record.suite, record.test))
        known.add(record.model)
        return chosen(record)

    if options.live is not None and not options.generate_report:
        return _serve(options, workspace, selection, keep)
    files = workspace.results.files()
    check_saved(selection, files, models)
    read = load_records(files, keep=keep, light=not options.generate_report)
    for problem in read.problems:
        say(problem)
    unknown = _unknown_model(options, known) if known else nothing_in(workspace.results)
    if not read.records:
        if read.outdated:
            raise ConfigError("all saved results that match these flags are left out, as said above")
        unknown = unknown or _unknown_test(selection.tests, {test for _, test in recorded})
        raise ConfigError(
            unknown
            or f"no saved results in {workspace.results.root} match these flags; models recorded: "
            f"{', '.join(sorted(known))}"
        )
    if unknown:
        say(unknown)
    baseline = find_baseline(options, workspace, sorted({record.model for record in read.records}))
    not_finished = said_of_unfinished(workspace, chosen)
    if options.cli_command != "show" or options.format == "json":  # tables have it above them
        for note in not_finished:
            say(note)
    with gc_paused(freeze=True):
        warnings, grid = mixed(read.records), make_grid(read.records)
    for warning in warnings:
        say(warning)
    shown = suites_of(grid.suites, selection)

    @cache  # once
    def show_tables() -> None:
        if options.cli_command == "show":
            whole = options.format == "markdown"
            changes = changes_table(read.records, whole)  # of --logdir results/rescored
            tables = [*tables_of(shown, read.records), *([changes] if changes else [])]
            show_results(grid, tables=tables, unfinished=not_finished, format=options.format)

    try:
        if options.generate_report:
            covered = _covered(read.records, recorded, options)
            for name, its in selection.conditions.items():
                covered.append(f"the report has the results of suite {name} under {in_words(its, its)} only")
            notes = [*not_finished, *covered, *read.left_out]
            write_report(read.records, shown, workspace, notes, grid, warnings, show_tables)
            for note in covered:
                say(note)
    finally:
        show_tables()
    light = None if options.generate_report else read
    write_exports(exports, files, keep, workspace, light, not_finished)
    if options.live is not None:
        return _serve(options, workspace, selection, keep)
    code = below(options.fail_under, grid.totals, not_finished)
    now = _since(baseline, workspace, keep, read.records, options.with_changed)
    return max(code, worse(baseline, options, workspace, now))


def _unknown_model(options: argparse.Namespace, known: Collection[str]) -> str:
    """What to say of a model that has no results; '' if each has."""
    unknown = [model for model in options.model if model not in known]
    if not unknown:
        return ""
    test = f" A test is chosen by --test {unknown[0]}." if unknown[0] in options.cli_given else ""
    return (
        f"no saved results of a model {' or '.join(map(repr, unknown))}.{near(unknown[0], known) or test} "
        f"Models recorded: {', '.join(sorted(known))}"
    )


def _unknown_test(patterns: Sequence[str], known: Collection[str]) -> str:
    """What to say of a name that fits no test with results; '' if each fits one."""
    for pattern in patterns:
        if not any(matches(test, pattern) for test in known):
            names = {name: None for test in known for name in names_of(test)}
            return f"no saved results of a test {pattern!r}.{near(pattern, names)}"
    return ""


def _covered(
    records: Sequence[TrialRecord], recorded: Collection[tuple[str, str]], options: argparse.Namespace
) -> list[str]:
    """What a report of some of the tests must say, because it takes the place of one of all."""
    covered = {(record.suite, record.test) for record in records}
    given = [f"--{name.replace('_', '-')}" for name in CHOOSING if getattr(options, name)]
    if not given or len(covered) == len(recorded):
        return []
    all_of_them = f"{count(len(recorded), 'test')} with results; without {' and '.join(given)} it has all"
    return [f"the report covers {len(covered):,} of {all_of_them}"]


def _since(
    baseline: Baseline | None,
    workspace: Workspace,
    keep: Callable[[TrialRecord], bool],
    records: list[TrialRecord],
    with_changed: bool,
) -> list[TrialRecord]:
    """The records to compare with the baseline. For a model these are the ones shown or, if changed tests
    count too, the newest of each test; for a commit, the newest of any other commit."""
    if baseline is None or not (baseline.commit or with_changed):
        return records
    if not baseline.commit:
        return load_records(workspace.results.files(), keep=keep, light=True, alone=True).records
    files = [path for path in workspace.results.files() if path.parent.parent.name != baseline.commit]
    found = load_records(files, keep=keep, light=True).records
    if not found:
        raise ConfigError(f"--fail-if-worse-than: all these results are from commit {baseline.commit}")
    return found


def _serve(
    options: argparse.Namespace,
    workspace: Workspace,
    selection: Selection,
    keep: Callable[[TrialRecord], bool],
) -> int:
    from assay.report.live.watch import listening, serve_saved

    listens = listening(options.live)
    assert listens is not None
    return serve_saved(listens, workspace, selection.test_folders(), keep)
