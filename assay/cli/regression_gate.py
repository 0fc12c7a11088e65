"""Exit code 3: --fail-under PERCENT, and --fail-if-worse-than MODEL or COMMIT, by more than chance."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.request import selection_of
from assay.config import near
from assay.errors import ConfigError
from assay.records import Outcome, TrialRecord
from assay.report.aggregate import make_grid
from assay.report.messages import say
from assay.report.publish import said_of_unfinished
from assay.report.sanitise import one_line
from assay.report.tally import Tally
from assay.report.versus import Pair, compare_rows, corrected, sentence, too_few
from assay.report.wording import count
from assay.results.conditions import mixed_conditions
from assay.results.one_version import ways_to_compare
from assay.results.paired import Comparison, fewest
from assay.results.result_set import (
    ResultSet,
    changed_tests,
    commits_of,
    comparable,
    find_commit,
    model_files,
    read,
    recorded_models,
    warnings_of,
)
from assay.results.workspace import Workspace
from assay.suites.saved_conditions import check_saved

if TYPE_CHECKING:
    from assay.running.session import Session


@dataclass(frozen=True)
class Baseline:
    """The baseline of results: a model, or the same model at a commit (its folder's name)."""

    model: str = ""
    commit: str = ""


def below(
    percent: float | None,
    totals: Mapping[str, Tally],
    unfinished: Sequence[str] = (),
    tell: Callable[[str], None] = say,
) -> int:
    """3 if a model (`totals`: by its name) passed less than `percent` of its counted trials, or has none, 2
    if trials of one ended in ERROR, else 0. `unfinished`: what was said of runs that were stopped. `tell`:
    shows why. Raises ConfigError if these must decide."""
    if percent is None:
        return 0
    code = 0
    for model, total in totals.items():
        rate = Fraction(100 * total.passed, total.counted) if total.counted else Fraction()
        if rate < Fraction(str(percent)):  # 29 of 100 is 28.999... as a float
            code = 3
            if not total.counted:
                tell(f"{model}: no trial has a verdict, so nothing shows that {percent:g}% pass")
                continue
            shown = f"{float(rate):.1f}"
            if float(shown) >= percent:  # 33.75 is below 33.8
                shown = f"{float(rate):.4g}"
            tell(f"{model}: passed {shown}% ({total.passed}/{total.counted}), below {percent:g}%")
    if code:
        return code
    if unfinished:
        raise ConfigError(f"--fail-under {percent:g} is undecided: {'; '.join(unfinished)}")
    return _undecided_by(totals, f"--fail-under {percent:g}", tell)


def _undecided_by(totals: Mapping[str, Tally], gate: str, tell: Callable[[str], None] = say) -> int:
    """2 if trials of a model ended in ERROR, which is told, else 0."""
    broken = [
        f"{total.errors:,} of {count(total.trials, 'trial')} of {model}"
        for model, total in totals.items()
        if total.errors
    ]
    if broken:
        tell(one_line(f"{gate} is undecided: {' and '.join(broken)} ended in ERROR"))
    return 2 * bool(broken)


def find_baseline(
    options: argparse.Namespace, workspace: Workspace, models: Sequence[str]
) -> Baseline | None:
    """The baseline that --fail-if-worse-than names, if it is given. `models`: those that will have results
    anyway. Raises ConfigError, before anything is paid for, if there is nothing to compare with."""
    text = options.fail_if_worse_than
    if text is None:
        return None
    if text in models or workspace.results.commits(text):
        if set(models) == {text}:
            raise ConfigError(f"--fail-if-worse-than {text}: there is no other model to compare with it")
        return Baseline(model=text)
    known = commits_of(workspace.results)
    try:
        folder = find_commit(text, workspace, known, "saved results")
    except ConfigError as error:
        names = sorted({*recorded_models(workspace.results), *models})
        hint = near(text, names)
        raise ConfigError(
            f"--fail-if-worse-than: {text!r} is not a model with results "
            f"({', '.join(names) or 'none'}).{hint} As a commit: {error}"
        ) from None
    if options.only_changed and not options.with_changed:
        raise ConfigError(
            "--fail-if-worse-than leaves out tests that were changed, and --only-changed runs no others; "
            "with --with-changed they are compared all the same"
        )
    lacking = [
        model
        for model in models
        if not model.startswith("endpoint:") and folder not in workspace.results.commits(model)
    ]
    if lacking:
        raise ConfigError(
            f"--fail-if-worse-than: no results of {', '.join(lacking)} at commit {folder} to compare with; "
            "run there first, or name a commit that has them"
        )
    return Baseline(commit=folder)


def check_before(
    baseline: Baseline | None, options: argparse.Namespace, session: Session, models: Sequence[str]
) -> None:
    """Before a run of `models`: raise ConfigError if nothing can be compared with `baseline`, and say
    so if the tests are too few for any verdict on a model."""
    from assay.running.trial import facts_of

    compared = {*models} - {baseline.model} if baseline else set()
    if not (baseline and compared):
        return
    tests = session.selected.count
    # a run that goes on may have verdicts on earlier versions of its tests
    if baseline.model not in models and not (options.resume or options.skip_existing):
        once = [
            TrialRecord(
                **facts_of(sample), model="", epoch=1, outcome=Outcome.PASS, expression=sample.expression
            )
            for sample in session.selected()
        ]
        for model in (each for each in compared if not each.startswith("endpoint:")):
            its = ResultSet(model, model, once)
            then = _then(baseline, model, options, session.workspace, once, ())
            tests = min(tests, _compared(its, then, options)[0].tests)
    if tests < fewest(options.confidence, len(compared)):
        say(f"warning: --fail-if-worse-than: {too_few(tests, options.confidence, len(compared))}")


def worse(
    baseline: Baseline | None,
    options: argparse.Namespace,
    workspace: Workspace,
    now: Sequence[TrialRecord],
    made_now: Sequence[Path] = (),
    tell: Callable[[str], None] = say,
) -> int:
    """3 if a model of the records `now` is worse than the baseline, 2 if trials of saved results ended in
    ERROR, else 0; says why. `made_now`: files that hold these records, which are no baseline for themselves.
    `tell`: shows why. Raises ConfigError if it cannot be told."""
    if baseline is None:
        return 0
    compared, stopped = [], []
    totals: dict[str, Tally] = {}
    keep = selection_of(options, workspace.root).keeps()
    for model in sorted({record.model for record in now} - {baseline.model}):
        its = ResultSet(model, model, [record for record in now if record.model == model])
        then = _then(baseline, model, options, workspace, now, made_now)
        told = not options.with_changed and changed_tests(its, then)
        ways = ways_to_compare(its, then, workspace) if told else ""
        for warning in warnings_of(its, then, options.with_changed, ways):
            say(one_line(warning))
        if not made_now:  # a run that has just ended well lacks nothing that was asked for
            files = model_files(workspace.results, model)
            since = [path for path in files if path.parent.parent.name != baseline.commit]
            stopped += said_of_unfinished(workspace, keep, since)
            sides = comparable(its, then, options.with_changed)
            totals |= make_grid([record for side in sides for record in side.labelled()]).totals
        stopped += said_of_unfinished(workspace, keep, then.files)
        found, same = _compared(its, then, options)
        if same:
            say(same)
        compared.append((model, then.label, found))
    if not compared:
        raise ConfigError(f"--fail-if-worse-than {baseline.model}: no other model has results")
    pairs = corrected(compared, options.confidence)
    fails = any(_fails(pair, options.margin) for pair in pairs)
    for pair in pairs:
        said = one_line("so far: " * (bool(stopped) and not fails) + _said(pair, options.margin))
        (tell if _fails(pair, options.margin) else say)(said)
    if fails:
        return 3
    if stopped:
        raise ConfigError(f"--fail-if-worse-than: {'; '.join(dict.fromkeys(stopped))}")
    if unclear := [pair.first for pair in pairs if _undecided(pair, options.margin)]:
        raise ConfigError(
            f"--fail-if-worse-than: {' and '.join(unclear)} did worse, on too few tests to tell whether that "
            "is chance; run more tests, or allow it by --margin"
        )
    return _undecided_by(totals, "--fail-if-worse-than", tell)


def _compared(its: ResultSet, then: ResultSet, options: argparse.Namespace) -> tuple[Comparison, str]:
    """The two sides on the tests that were not changed in between, and what is said of tests that are the
    same under two names. Raises ConfigError if they cannot be compared."""
    changed = not options.with_changed and changed_tests(its, then)
    its, then = comparable(its, then, options.with_changed)
    both = [*its.labelled(), *then.labelled()]
    if mixed := mixed_conditions(both):
        raise ConfigError(f"--fail-if-worse-than cannot compare: {'; '.join(mixed)}")
    grid = make_grid(both)
    found, _ = compare_rows(grid.tests, its.label, then.label, options.confidence)
    if not found.tests:
        raise ConfigError(
            f"--fail-if-worse-than: {its.label} and {then.label} have no finished test in common"
            + (", of those that were not changed in between" if changed else "")
        )
    return found, grid.about_same


def _then(
    baseline: Baseline,
    model: str,
    options: argparse.Namespace,
    workspace: Workspace,
    now: Sequence[TrialRecord],
    made_now: Sequence[Path],
) -> ResultSet:
    if baseline.model:
        records = [record for record in now if record.model == baseline.model]
        label = name = baseline.model
        files = model_files(workspace.results, name)
    else:
        records, name, label = [], model, f"{model}@{baseline.commit}"
        files = model_files(workspace.results, name, baseline.commit)
    mine = {path.resolve() for path in made_now}
    others, selection = (
        [path for path in files if path.resolve() not in mine],
        selection_of(options, workspace.root),
    )
    if not records:
        records = read(others, selection.keeps(), say, name)
    elif made_now:
        others = []
    if not records:
        check_saved(selection, others, [name])
        raise ConfigError(
            f"--fail-if-worse-than: there are no saved results of {label} on these tests to compare with"
        )
    return ResultSet(label, name, records, files=others)


def _fails(pair: Pair, margin: float) -> bool:
    return pair.verdict == "worse" and pair.found.high * 100 < -margin


def _undecided(pair: Pair, margin: float) -> bool:
    """Whether a loss beyond the margin could not be shown if every test were lost."""
    few = pair.found.tests < fewest(pair.confidence, pair.of)
    return pair.verdict == "tie" and pair.found.mean * 100 < -margin and few


def _said(pair: Pair, margin: float) -> str:
    if _undecided(pair, margin):
        return f"undecided: {sentence(pair)}"
    if pair.verdict == "worse" and not _fails(pair, margin):
        return f"{sentence(pair)} This may be within the margin of {margin:g} points, which is allowed."
    return ("not shown to be worse: " if pair.verdict != "worse" else "failed: ") + sentence(pair)
