"""What main.py can do, one function each. Each returns the process's exit code."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TextIO, cast

from assay.cli import dry_run
from assay.cli.choose import APPLIED, choose, suite_samples, suites_of, test_folders, wanted_by
from assay.cli.event_loop import Stopped, run_until_done
from assay.cli.lazy_pool import Opener
from assay.cli.listing import find_suite
from assay.cli.players import SELF_JUDGED, ModelSource, judge_names, load_players, roles_asked
from assay.cli.run import Ending, Job, ModelRun, prepare, run_job, workers_for
from assay.errors import BudgetExceeded, ConfigError
from assay.harness.changed import ChangedTests, head_commit, is_dirty
from assay.harness.config import Config
from assay.harness.fingerprint import Fingerprints
from assay.harness.store import Results, load_records
from assay.harness.suite import Sample, load_tests
from assay.records import EVAL_LLM, VISION_EVAL_LLM, Outcome, Table, TrialRecord

OpenModels = Callable[[Config, Path | None], contextlib.AbstractAsyncContextManager[ModelSource]]


def say(text: str) -> None:
    """A message for people, on stderr."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201


@dataclass(frozen=True)
class Place:
    """Where everything of a command lies. `cache`: None with --no-cache."""

    root: Path
    results: Results
    report: Path
    cache: Path | None


def place_of(options: argparse.Namespace, config: Config, root: Path) -> Place:
    results = Results(options.logdir or root / "results", config.secrets())
    cache = None if options.no_cache else root / config.cache
    return Place(root, results, options.report_dir or root / "evaluation_examples", cache)


def with_flags(config: Config, options: argparse.Namespace) -> Config:
    """The settings with what the flags say instead."""
    given = {
        "sandbox": options.sandbox,
        "max_connections": options.max_connections,
        "max_cost": options.max_cost,
    }
    return replace(config, **{name: value for name, value in given.items() if value is not None})


def models_of(options: argparse.Namespace, config: Config) -> list[str]:
    """The models that a run is about, each once."""
    if options.all_models:
        if not config.models:
            raise ConfigError('--all-models runs the "models" of config.json, and it lists none')
        return list(dict.fromkeys(config.models))
    return list(dict.fromkeys(options.model or [config.model]))


@dataclass
class Chosen:
    """The samples of all suites asked for. `errors`: files that could not be loaded."""

    applied: list[Sample]
    others: list[Callable[[], Iterable[Sample]]]
    errors: list[str]

    def __call__(self) -> Iterable[Sample]:
        yield from self.applied
        for suite in self.others:
            yield from suite()

    def roles(self) -> set[str]:
        return {role for sample in self.applied for role in roles_asked(sample)}


def choose_samples(options: argparse.Namespace, place: Place) -> Chosen:
    """Load the tests that the flags mean. Raises ConfigError if there are none."""
    suites = suites_of(options, place.root)
    chosen = Chosen([], [], [])
    if APPLIED in suites:
        cache = place.cache / "listing.json" if place.cache else None
        choice = choose(options, place.root, cache, strict=suites == [APPLIED])
        fingerprint = Fingerprints(place.root, test_folders(options, place.root))
        wanted = wanted_by(options)
        loaded = load_tests(
            choice.files,
            root=place.root,
            wanted=lambda listed: wanted(listed.id, listed.tags),
            fingerprint=fingerprint,
        )
        for text in (*choice.messages, *loaded.warnings):
            say(text)
        chosen.applied, chosen.errors = loaded.samples, [*choice.errors, *loaded.errors]
    for name in suites:
        if name == APPLIED:
            continue
        if options.only_changed and not suite_changed(name, options, place.root):
            say(f"suite {name} did not change since {options.only_changed}")
            continue
        suite = find_suite(name, options, place.root)
        chosen.others.append(partial(suite_samples, suite, options))
    for error in chosen.errors:
        say(f"error: {error}")
    if not chosen.errors and not options.only_changed and next(iter(chosen()), None) is None:
        raise ConfigError("no test fits these flags; main.py --list shows them all")
    return chosen


def suite_changed(name: str, options: argparse.Namespace, root: Path) -> bool:
    """Whether a suite of its own changed as --only-changed means it."""
    for folder in test_folders(options, root):
        if (folder / name / "suite.py").is_file():
            changed = ChangedTests([folder / name], root, options.only_changed)
            return changed.affects(folder / name / "suite.py") or changed.folder_changed()
    return True


def run_command(
    options: argparse.Namespace,
    config: Config,
    root: Path,
    open_models: OpenModels,
    open_pool: Callable[[Config, str], Opener],
) -> int:
    """--run-tests, and --dry-run."""
    config = with_flags(config, options)
    place = place_of(options, config, root)
    models = models_of(options, config)
    chosen = choose_samples(options, place)
    if next(iter(chosen()), None) is None:
        say("nothing to run")
        if options.format == "json":
            show([], options, place)
        return 1 if chosen.errors else 0
    flags = {EVAL_LLM: options.judge, VISION_EVAL_LLM: options.vision_judge}
    if options.dry_run:
        _dry_run(options, config, place, models, chosen, flags, open_models)
        return 1 if chosen.errors else 0
    job = Job(
        chosen,
        models,
        config,
        place.results,
        head_commit(root),
        place.cache,
        times=options.times,
        resume=options.resume,
        run=options.runid,
        dirty=is_dirty(root),
    )
    ending = Ending(message=say)
    code = 0
    try:
        run_until_done(
            _run(job, flags, chosen.roles(), open_models, open_pool, ending),
            threads=min(256, 16 + len(models) * workers_for(config)),
            message=lambda text: ending.message(text),
        )
    except Stopped as stopped:
        code = stopped.code
    for problem in ending.problems:
        say(problem)
    if not ending.files:
        return code or 1
    code = _after_run(options, job, ending, chosen, place, code)
    if options.generate_report:
        write_report(load_records(place.results.files()).records, place, options)
    return code


async def _run(
    job: Job,
    flags: dict[str, str | None],
    roles: set[str],
    open_models: OpenModels,
    open_pool: Callable[[Config, str], Opener],
    ending: Ending,
) -> None:
    from assay.report.progress import Progress

    async with open_models(job.config, job.cache) as source:
        runs = prepare(
            job, source, lambda model: load_players(source, model, job.config, flags, roles), ending
        )
        _announce(job, runs)
        file = cast(TextIO, _NoTerminal()) if any(model.startswith("human") for model in job.models) else None
        with Progress(sum(each.left for each in runs), file=file) as display:
            ending.message = display.message
            try:
                run_id = f"{job.commit}-{runs[0].store.path.stem}"
                await run_job(job, runs, source, open_pool(job.config, run_id), display, ending)
            finally:
                ending.message = say


class _NoTerminal(io.TextIOBase):
    """stderr without its terminal: a live display would write over what a person is typing."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _announce(job: Job, runs: Sequence[ModelRun]) -> None:
    for each in runs:
        kept = f", {each.kept} done before" if each.kept else ""
        say(f"{each.model}: {each.left} trial{'s'[: each.left != 1]} to run{kept} -> {each.store.path}")
        if each.outdated:
            say(
                f"{each.outdated} of these were made by an earlier version of their test and are kept; "
                "a new run (without --resume) makes them anew"
            )
        if job.resume and not each.kept:
            elsewhere = job.results.commits(each.players.llm.name) - {job.commit}
            seen = f" (there are runs at {', '.join(sorted(elsewhere)[:5])})" if elsewhere else ""
            say(f"{each.model}: nothing to resume at commit {job.commit}{seen}; it starts afresh")


def _after_run(
    options: argparse.Namespace, job: Job, ending: Ending, chosen: Chosen, place: Place, code: int
) -> int:
    """Show what came out, say how to go on, and find the exit code."""
    wanted = wanted_by(options)
    records = load_records(
        ending.files, keep=lambda record: wanted(record.test, record.tags), light=True
    ).records
    if records:
        show(records, options, place)
    again = "go on with the same command and --resume"
    if job.run is not None or len(job.models) > 1 or not options.resume:
        runs = sorted({path.stem.removeprefix("run-") for path in ending.files})
        if len(runs) == 1:
            again = f"go on with the same command and --resume --runid {runs[0]}"
    if ending.missing_references:
        say(f"{ending.missing_references} tests have no references, so the oracle could not try them")
    if code:
        say(f"stopped; {again}")
        return code
    if ending.failure is not None:
        say(f"error: {ending.failure}\nthe run is not complete; {again}")
    if chosen.errors:
        say(f"{len(chosen.errors)} test file(s) could not be loaded (see above)")
        return 1
    if ending.failure is not None:
        return 2 if isinstance(ending.failure, BudgetExceeded) else 1
    if any(record.outcome is Outcome.ERROR for record in records):
        say(f"some trials ended in ERROR; to try these again, {again}")
        return 2
    return below(options.fail_under, records)


def below(percent: float | None, records: Sequence[TrialRecord]) -> int:
    """3 if a model passed less than `percent` of its counted trials, else 0."""
    if percent is None:
        return 0
    code = 0
    for model in dict.fromkeys(record.model for record in records):
        its = [record.outcome for record in records if record.model == model]
        counted = its.count(Outcome.PASS) + its.count(Outcome.FAIL)
        rate = 100 * its.count(Outcome.PASS) / counted if counted else 0.0
        if rate < percent:
            say(f"{model}: passed {rate:.1f}% ({its.count(Outcome.PASS)}/{counted}), below {percent:g}%")
            code = 3
    return code


def tables_of(records: Sequence[TrialRecord], options: argparse.Namespace, root: Path) -> list[Table]:
    """The tables that the suites compute from their own records."""
    tables: list[Table] = []
    for name in dict.fromkeys(record.suite for record in records if record.suite != APPLIED):
        try:
            suite = find_suite(name, options, root)
        except ConfigError as error:
            say(f"suite {name} shows no tables: {error}")
            continue
        tables += suite.tables([record for record in records if record.suite == name])
    return tables


def show(records: Sequence[TrialRecord], options: argparse.Namespace, place: Place) -> None:
    """The result tables on stdout."""
    from assay.report.terminal import show_results

    show_results(records, tables=tables_of(records, options, place.root), format=options.format)


def write_report(records: Sequence[TrialRecord], place: Place, options: argparse.Namespace) -> None:
    """The HTML report of `records`."""
    from assay.report.html import write_report as write

    summary = write(
        records,
        place.report,
        images=place.results.images,
        tables=tables_of(records, options, place.root),
        root=place.root,
    )
    say(f"report: {summary.index} ({summary.written} pages written, {summary.unchanged} unchanged)")


def saved_command(options: argparse.Namespace, config: Config, root: Path) -> int:
    """--load-saved: merge the saved runs of any commits and models, and show them."""
    place = place_of(options, config, root)
    wanted = wanted_by(options)
    models = set(config.models if options.all_models and config.models else options.model)
    suites = None if not options.suite or "all" in options.suite else set(options.suite)

    def keep(record: TrialRecord) -> bool:
        return (
            (not models or record.model in models)
            and (suites is None or record.suite in suites)
            and wanted(record.test, record.tags)
        )

    read = load_records(place.results.files(), keep=keep)
    for problem in read.problems:
        say(problem)
    if not read.records:
        known = sorted({record.model for record in load_records(place.results.files(), light=True).records})
        hint = f"; models recorded: {', '.join(known)}" if known else "; run something first: --run-tests"
        raise ConfigError(f"no saved results in {place.results.root} fit these flags{hint}")
    show(read.records, options, place)
    if options.generate_report:
        write_report(read.records, place, options)
    return below(options.fail_under, read.records)


def _dry_run(
    options: argparse.Namespace,
    config: Config,
    place: Place,
    models: Sequence[str],
    chosen: Chosen,
    flags: dict[str, str | None],
    open_models: OpenModels,
) -> None:
    from assay.report.terminal import show_tables

    async def count() -> list[dry_run.Estimate]:
        async with open_models(config, place.cache) as source:
            judges = {model: judge_names(model, config, flags) for model in models}
            return await dry_run.estimate(chosen, models, judges, source, options.times, place.results)

    rows = tuple(
        (
            each.model,
            each.trials,
            each.calls,
            f"{each.first_cached} of {each.first_calls}",
            0.0 if each.model in SELF_JUDGED else None if each.cost is None else round(each.cost, 4),
        )
        for each in asyncio.run(count())
    )
    note = (
        "calls: at least; judges, retries and later turns come on top. First calls that need a sandbox "
        "before they can be known are not looked up. Cost: from earlier trials of the same model, "
        "- if there are none."
    )
    columns = ("model", "trials", "calls", "first calls cached", "cost (USD)")
    show_tables([Table("What this would run", columns, rows, note)], format=options.format)
