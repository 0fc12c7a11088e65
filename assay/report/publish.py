"""The tables and the HTML report of records and their suites."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assay.errors import ConfigError, StoreError, TestFileError
from assay.git import head_commit
from assay.home import typed
from assay.records import Table, TrialRecord
from assay.report.aggregate import Grid, each_test_once
from assay.report.folder import check_free
from assay.report.messages import say
from assay.report.wording import count
from assay.results.sandbox_contents import NAMED
from assay.results.saved_command import SAME_CALL, SAME_REST, load_command, rest_of, without
from assay.results.saved_command import SUFFIX as COMMAND
from assay.results.saved_runs import RESCORED
from assay.results.saved_suites import no_longer_here
from assay.results.scores import with_scores
from assay.results.since_stopped import stopped_runs
from assay.results.unfinished import Stopped
from assay.results.workspace import Workspace
from assay.suites.selection import APPLIED, Selection
from assay.suites.suite import Suite, tables_by

JUDGED_AGAIN = (
    "Rescored: these are saved replies that the current tests judged again; no model was asked. "
    "The report of the runs is another one."
)


def suites_of(names: Iterable[str], selection: Selection) -> list[Suite]:
    """Those of the suites `names` that have their own folder, in their current version."""
    found = []
    for name in dict.fromkeys(names):
        if name == APPLIED:
            continue
        try:
            found.append(selection.suite(name))
        except ConfigError as error:
            gone = name not in selection.own_suites() and no_longer_here(name, selection.root / "results")
            say(f"the tables of suite {name} could not be made: {gone or error}")
    return found


def tables_of(suites: Iterable[Suite], records: Sequence[TrialRecord]) -> list[Table]:
    """The tables that `suites` compute, each from its own records."""
    tables: list[Table] = []
    having = [suite for suite in suites if suite.defines("tables")]
    records = with_scores(records) if having else ()
    for suite in having:
        try:
            its = [record for record in records if record.suite == suite.name]
            tables += tables_by(suite, each_test_once(its))
        except TestFileError as error:  # the trials are paid for, so they are shown anyway
            say(f"its tables could not be made: {error}")
    return tables


def said_of_unfinished(
    workspace: Workspace,
    keep: Callable[[TrialRecord], bool] = lambda record: True,
    files: Iterable[Path] | None = None,
    stopped: Collection[str] = (),
) -> list[str]:
    """A sentence for each run that was stopped: the rate of its finished part looks like any.
    `files`: among which that run is, by default all. `stopped`: the models of a command that was stopped just
    now, which itself says what goes on, and may have no trial of some."""
    runs = stopped_runs(workspace, keep, files, stopped)
    here = head_commit(workspace.root) if runs else ""
    return [
        f"{'the last' if run.last else 'an earlier'} run of {run.model}"
        f"{'' if (commit := _commit(run)) == here else f' at commit {commit}'} is not finished: "
        f"{run.lacking:,} of {count(run.trials, 'trial')} {'is' if run.lacking == 1 else 'are'} missing"
        + f"; if it was stopped, {_resumed(run, workspace, here)}"
        * (not stopped)
        for run in runs
    ]


def _commit(run: Stopped) -> str:
    return Path(run.judged or run.file).parent.parent.name


def _resumed(run: Stopped, workspace: Workspace, here: str) -> str:
    """What goes on with a run at the commit `here`."""
    file, of_here = run.file, _commit(run) == here
    if RESCORED in file.parts[-4:-3]:
        if run.judged:
            results = replace(workspace.results, root=file.resolve().parents[3])
            judged = replace(run, file=Path(run.judged), judged="", last=False)
            return f"{_resumed(judged, replace(workspace, results=results), here)}, and rescore again"
        return f"the same rescore{' with --resume' * of_here} goes on"
    if (command := load_command(file.with_suffix(COMMAND))) is None:
        how, call = ("--resume", SAME_CALL) if of_here else ("--skip-existing", SAME_REST)
        return f"the same command with {how} goes on, or {call} (which of them started it is not known)"
    if not of_here:
        again = without(rest_of(command, [run.model]), {"--logdir": 1})
        folder = f"cd {shlex.quote(command.cwd)} && " * (Path(command.cwd) != Path.cwd())
        return f"go on with {folder}{typed()} run {shlex.join(again)}{workspace.logdir}"
    which = "" if run.last else f" --runid {file.stem.removeprefix('run-')}"
    return f"go on with {typed()} run --resume --model {shlex.quote(run.model)}{which}{workspace.logdir}"


def write_report(
    records: Sequence[TrialRecord],
    suites: Sequence[Suite],
    workspace: Workspace,
    notes: Sequence[str] = (),
    grid: Grid | None = None,
    warnings: Sequence[str] | None = None,
    meanwhile: Callable[[], None] = lambda: None,
    python: str = "",
) -> None:
    """Write the HTML report of `records`, with the suites' own parts, and `notes` at its head. `grid`,
    `warnings`: the grid of the same records and what `mixed` says of them, if they exist already.
    `meanwhile` is called while other processes write. `python`: the call that writes it, if no command does.
    Raises StoreError if the report cannot be written."""
    from assay.report.html import write_report as write

    check_free(workspace.report, python or "--report-dir")
    judged_again = [JUDGED_AGAIN] * (workspace.results.root.resolve().name == RESCORED)
    try:
        summary = write(
            records,
            workspace.report,
            images=workspace.results.images,
            tables=[table] if (table := versions_table(records)) is not None else [],
            suites=suites,
            root=workspace.root,
            notes=[*judged_again, *notes],
            grid=grid,
            warnings=warnings,
            meanwhile=meanwhile,
        )
    except BrokenPipeError:  # of `meanwhile`
        raise
    except OSError as error:
        again = f"try again with {typed()} report, or write it elsewhere with --report-dir"
        raise StoreError(
            f"cannot write the report to {workspace.report}: {error.strerror or error}. The results are "
            f"safe; {f'{python} writes it elsewhere' if python else again}"
        ) from None
    for problem in summary.problems:
        say(problem)
    figures = f" and {count(summary.drawn, 'figure')}" if summary.drawn else ""
    written = f"{count(summary.written, 'page')}{figures} written"
    say(f"report: {summary.index} ({written}, {summary.unchanged} unchanged)")


# ---------------------------------------------------------------- what was in the sandboxes

PREFIX = f"{NAMED} "


def versions_table(records: Iterable[TrialRecord]) -> Table | None:
    """A column for each kind of sandbox; None if no record names one."""
    kinds: dict[tuple[tuple[str, str], ...], dict[str, None]] = {}  # contents -> models
    known: dict[int, tuple[tuple[str, str], ...]] = {}  # records of a run share their versions
    for record in records:
        inside = known.get(id(record.versions))
        if inside is None:
            inside = known[id(record.versions)] = _inside(record.versions)
        if inside:
            kinds.setdefault(inside, {})[record.model] = None
    if not kinds:
        return None
    each = [(dict(inside), list(models)) for inside, models in kinds.items()]
    names = sorted({name for inside, _ in each for name in inside} - {"tier"}, key=_order)
    rows = [(name, *(inside.get(name) for inside, _ in each)) for name in names]
    rows.append(("trials of", *(", ".join(models) for _, models in each)))
    heads = [inside.get("tier", "sandbox") for inside, _ in each]
    return Table("Versions in the sandbox", ("what", *heads), tuple(rows), sortable=False, compact=True)


def _inside(versions: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.removeprefix(PREFIX), version) for name, version in versions.items() if name.startswith(PREFIX)
    )


def _order(name: str) -> tuple[int, str]:
    first = ("image", "kernel", "python")
    return (first.index(name) if name in first else len(first), name)
