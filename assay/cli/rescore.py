"""--rescore: answers that exist already, judged by today's tests without asking a model."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.cli.choose import wanted_by
from assay.cli.export import exports_of, write_exports
from assay.cli.place import Place, place_of, say, try_named_sandbox, with_flags
from assay.cli.rescore_saved import files_of, saved_work
from assay.cli.rescore_stored import stored_work
from assay.cli.rescore_work import Work
from assay.cli.shown import below, show, tables_of, write_report
from assay.config import Config
from assay.errors import ConfigError
from assay.records import LLM, JsonMode, Message, Model, Outcome, TrialKey, TrialRecord, Usage
from assay.report.aggregate import make_grid
from assay.report.changes import change_facts, changes_table
from assay.report.wording import count
from assay.results.scores import with_scores
from assay.results.store import Earlier, Results, read_earlier, read_file
from assay.running.engines import local_engine, workers_for
from assay.running.event_loop import Stopped, run_until_done
from assay.running.lazy_pools import Opener
from assay.running.roles import ModelSource, References
from assay.running.run import Job, ModelRun, RunResult, run_job
from assay.running.trial import Planned
from assay.suites.changed import head_commit, is_dirty
from assay.suites.suite import Suite, blame


@dataclass
class NoSource:
    """Stands where models come from: a rescoring loads none and asks no provider."""

    references: References | None = None
    spent: tuple[Usage, float | None] = (Usage(), 0.0)
    unread: tuple[int, float] = (0, 0.0)
    connections: int = 0

    def load(self, name: str, role: str = LLM) -> Model:
        raise ConfigError(f"--rescore asks no model, and was told to ask {name}")

    async def learn(self, names: Sequence[str]) -> None: ...

    async def available(self, provider: str = "ollama") -> Sequence[Any]:
        return ()

    def variants(self, name: str, trial: TrialKey) -> int:
        return 1

    def identity(self, name: str) -> tuple[str, dict[str, Any]]:
        return name, {}

    def has_answered(self, name: str, role: str) -> bool:
        return True

    def price(self, name: str, usage: Usage) -> float | None:
        return 0.0

    def cached(
        self, name: str, messages: Sequence[Message], json: JsonMode, trial: TrialKey, role: str = LLM
    ) -> bool:
        return True


@dataclass(frozen=True)
class Left:
    """The trials that are still to be judged."""

    trials: Sequence[Planned]

    def __iter__(self) -> Iterator[Planned]:
        return iter(self.trials)

    def size(self) -> int:
        return len(self.trials)


def rescore_command(
    options: argparse.Namespace,
    config: Config,
    root: Path,
    open_pool: Callable[[Config, str], Opener],
) -> int:
    """Judge, show, keep. Results lie in `<logdir>/rescored`, apart from those of runs that asked models.
    Returns the process's exit code."""
    config = with_flags(config, options)
    place = place_of(options, config, root)
    exports = exports_of(options.export)
    work = _find(options, config, place)
    for suite in {suite.name: suite for each in work for suite in each.suites}.values():
        suite.check_extras(draws=options.generate_report)
    results = Results(place.results.root / "rescored", place.results.secrets)
    place = replace(place, results=results)
    job = Job(
        list, wanted_by(options), [each.model for each in work], config, results,
        head_commit(root), place.cache, resume=options.resume, run=options.runid, dirty=is_dirty(root),
        reuse_steps=options.reuse_steps,
        suites={suite.name: suite.code for each in work for suite in each.suites},
    )  # fmt: skip
    ending = RunResult(message=say)
    runs: list[ModelRun] = []
    code = 0
    try:
        for each in work:
            runs.append(_prepare(each, job, ending))
            for problem in each.problems:
                say(problem)
            _announce(each, runs[-1])
        run_until_done(
            _run(job, runs, open_pool, ending),
            threads=min(256, 16 + len(runs) * workers_for(config)),
            message=lambda text: ending.message(text),
        )
    except Stopped as stopped:
        code = stopped.code
    finally:
        for run in runs:
            run.store.close()
    for problem in ending.problems:
        say(problem)
    if ending.failure is not None:
        say(str(ending.failure))
        code = code or 2
    totals, broke = _show(work, runs, ending, options, place)
    write_exports(exports, ending.files, lambda record: job.wanted(record.test, record.tags), place)
    return code or (2 if broke else 0) or below(options.fail_under, totals)


def _find(options: argparse.Namespace, config: Config, place: Place) -> list[Work]:
    """What is to be judged. Raises ConfigError for a word that means nothing, or if nothing fits."""
    work: list[Work] = []
    for text in options.rescore:
        if files := files_of(text, place.results):
            work += saved_work(text, files, options, config, place)
        else:
            work += stored_work(Path(text), options, place.root)
    if not work:
        raise ConfigError("--rescore: no saved trial fits these flags (--model, --suite, --test, --tag)")
    return work


def _prepare(work: Work, job: Job, ending: RunResult) -> ModelRun:
    """Open the file that the results go to, and find what is left to do."""
    name, results = work.model, job.results
    run = job.run
    if job.resume and (run := run or results.latest(job.commit, name)) is not None:
        store = results.open_existing(job.commit, name, run)
        earlier = read_earlier(store.path, ending.problems)
    else:
        store, earlier = results.open_new(job.commit, name, run), Earlier()
    ending.files.append(store.path)
    left = [
        each
        for each in work.planned
        if (each.sample.suite, each.sample.id, each.epoch) not in earlier.done
        and job.wanted(each.sample.id, each.sample.tags)
    ]
    kept = len(work.planned) - len(left)
    return ModelRun(name, work.players, store, Left(left), earlier, len(left), kept, 0, finish=work.finish)


def _announce(work: Work, run: ModelRun) -> None:
    kind = "saved trial" if work.ours else "stored answer"
    say(f"{work.model}: {count(run.left, kind)} to judge again -> {run.store.path}")
    if work.gone:
        names = ", ".join(sorted(work.gone))
        trials = count(sum(work.gone.values()), "saved trial")
        say(
            f"{work.model}: {trials} left out, whose tests are not here any more: {names} "
            f"(those of another folder: --tests DIR; those that a flag of a suite made: "
            "--suite NAME and the flag)"
        )


async def _run(
    job: Job, runs: Sequence[ModelRun], open_pool: Callable[[Config, str], Opener], ending: RunResult
) -> None:
    from assay.report.progress import Progress

    await try_named_sandbox(job.config, (trial.sample for run in runs for trial in run.plan))
    source: ModelSource = NoSource()
    with Progress(sum(each.left for each in runs)) as display:
        ending.message = display.message
        try:
            for run in runs:  # one after the other: two files may be of one model
                opener = open_pool(job.config, f"{job.commit}-{run.store.path.stem}")
                async with local_engine(job.config, opener, run.left) as engine:
                    await run_job(job, [run], source, engine, display, ending)
        finally:
            ending.message = say


def _show(
    work: Sequence[Work],
    runs: Sequence[ModelRun],
    ending: RunResult,
    options: argparse.Namespace,
    place: Place,
) -> tuple[dict[str, Any], int]:
    """Print what came out. Returns the models' totals, and how many trials of ours broke that had not."""
    problems: list[str] = []
    wanted = wanted_by(options)
    records: list[TrialRecord] = []
    light = not options.generate_report
    for each, run in zip(work, runs, strict=False):
        its = [r for r in read_file(run.store.path, problems, light=light) if wanted(r.test, r.tags)]
        its = list({(r.suite, r.test, r.epoch): r for r in its}.values())
        records += its
        if options.format == "json":
            with contextlib.suppress(BrokenPipeError):
                for line in _facts(each, its):
                    print(json.dumps(line))  # noqa: T201
    for problem in problems:
        say(problem)
    if ending.steps is not None and any(each.ours for each in work):
        ran, remembered = ending.steps
        say(f"sandbox: {count(ran, 'command')} run, {remembered:,} remembered")
    suites = list({suite.name: suite for each in work for suite in each.suites}.values())
    grid = make_grid(records)
    changes = changes_table(records)
    if options.format != "json" and records:
        show(grid, [*tables_of(suites, records), *([changes] if changes else [])], options)
    _tell_of_changes(records)
    if options.generate_report and records:
        write_report(records, suites, place)
    return grid.totals, _newly_broken(records)


def _facts(work: Work, records: Sequence[TrialRecord]) -> Iterator[dict[str, Any]]:
    """A JSON line for each suite."""
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
            }
        yield facts


def _unanswerable(record: TrialRecord) -> bool:
    return record.outcome is Outcome.ERROR and record.error.startswith("NotRecorded: ")


def _newly_broken(records: Sequence[TrialRecord]) -> int:
    return sum(
        r.outcome is Outcome.ERROR and bool(r.rescored) and not str(r.rescored["before"]).startswith("ERROR")
        for r in records
    )


def _tell_of_changes(records: Sequence[TrialRecord]) -> None:
    ours = [record for record in records if record.rescored]
    if not ours:
        return
    changed = sum(bool(record.rescored["changed"]) for record in ours)
    say(f"{changed:,} of {count(len(ours), 'verdict')} changed")
    if lost := sum(map(_unanswerable, ours)):
        say(
            f"{count(lost, 'trial')} could not be judged: today's test asks what was not asked then, and no "
            "model is asked now (--run-tests does)"
        )
