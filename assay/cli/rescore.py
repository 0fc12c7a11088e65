"""--rescore: judge answers that exist already by today's tests, without asking a model."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.cli.choose import APPLIED, suites_of, wanted_by
from assay.cli.event_loop import Stopped, run_until_done
from assay.cli.lazy_pool import Opener
from assay.cli.listing import find_suite
from assay.cli.place import Place, place_of, say, with_flags
from assay.cli.players import Players, References
from assay.cli.run import Ending, Job, ModelRun, run_job, workers_for
from assay.cli.shown import show, tables_of, write_report
from assay.errors import ConfigError, ProviderError
from assay.harness.changed import head_commit, is_dirty
from assay.harness.config import Config
from assay.harness.engine import Planned
from assay.harness.store import Earlier, Results, read_earlier, read_file
from assay.harness.suite import Stored, StoredTrial, Suite
from assay.records import LLM, Completion, Message, Model, TrialKey, TrialRecord, Usage
from assay.report.aggregate import make_grid

Key = tuple[str, str, int]  # suite, test, epoch


@dataclass(frozen=True)
class StoredModel:
    """Gives the stored replies of a trial in their order, whoever asks: the judges' are among them."""

    name: str
    trials: dict[Key, StoredTrial]
    begun: dict[Key, Iterator[Completion]] = field(default_factory=dict)
    trial: Key | None = None

    def for_trial(self, trial: TrialKey) -> StoredModel:
        key = (trial.suite, trial.test, trial.epoch)
        self.begun.setdefault(key, iter(self.trials[key].replies))
        return replace(self, trial=key)

    async def complete(self, messages: Sequence[Message], *, json: bool = False) -> Completion:
        if self.trial is None:
            raise ProviderError("stored answers belong to trials; call for_trial first")
        if error := self.trials[self.trial].error:
            raise ProviderError(error)
        completion = next(self.begun[self.trial], None)
        if completion is None:
            count = len(self.trials[self.trial].replies)
            raise ProviderError(f"the test asks once more than there are stored replies ({count})")
        return completion


@dataclass
class StoredSource:
    """Where the models of a rescoring come from: no provider is ever asked."""

    models: dict[str, StoredModel]
    references: References | None = None
    spent: tuple[Usage, float | None] = (Usage(), 0.0)
    connections: int = 0

    def load(self, name: str, role: str = LLM) -> Model:
        return self.models[name]

    async def learn(self, names: Sequence[str]) -> None: ...

    async def available(self, provider: str = "ollama") -> Sequence[Any]:
        return ()

    def variants(self, name: str, trial: TrialKey) -> int:
        return 1

    def cached(
        self, name: str, messages: Sequence[Message], json: bool, trial: TrialKey, role: str = LLM
    ) -> bool:
        return True


@dataclass(frozen=True)
class StoredPlan:
    """The trials of one file that are to be judged."""

    trials: Sequence[StoredTrial]

    def __iter__(self) -> Iterator[Planned]:
        return (Planned(trial.sample, trial.epoch) for trial in self.trials)

    def size(self) -> int:
        return len(self.trials)


@dataclass(frozen=True)
class Found:
    """What one of the paths held for one model."""

    path: Path
    suite: Suite
    stored: Stored


def find_stored(paths: Iterable[Path], options: argparse.Namespace, root: Path) -> list[Found]:
    """The answers in every path. Raises ConfigError for one that no suite can read."""
    names = suites_of(options, root) if options.suite else suites_of(_all_suites(options), root)
    suites = [find_suite(name, options, root) for name in names if name != APPLIED]
    found = []
    for path in paths:
        if not path.exists():
            raise ConfigError(f"--rescore {path}: there is no such file or folder")
        for suite in suites:
            if (stored := suite.stored(path, options)) is not None:
                found += [Found(path, suite, each) for each in stored]
                break
        else:
            known = ", ".join(suite.name for suite in suites) or "none"
            raise ConfigError(
                f"--rescore {path}: holds no answers in a form that a suite can read (asked: {known})"
            )
    return found


def _all_suites(options: argparse.Namespace) -> argparse.Namespace:
    return argparse.Namespace(**{**vars(options), "suite": ["all"]})


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
    results = Results(place.results.root / "rescored", place.results.secrets)
    place = replace(place, results=results)
    found = find_stored([Path(path) for path in options.rescore], options, root)
    job = Job(
        list, wanted_by(options), [each.stored.model for each in found], config, results,
        head_commit(root), place.cache, resume=options.resume, run=options.runid, dirty=is_dirty(root),
    )  # fmt: skip
    ending = Ending(message=say)
    runs: list[ModelRun] = []
    code = 0
    try:
        for each in found:
            runs.append(_prepare(each, job, ending))
            for problem in each.stored.problems:
                say(problem)
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
    _show(found, runs, options, place)
    return code


def _prepare(found: Found, job: Job, ending: Ending) -> ModelRun:
    """Open the file that a path's results go to, and find what is left to do."""
    name, results = found.stored.model, job.results
    trials = {(t.sample.suite, t.sample.id, t.epoch): t for t in found.stored.trials()}
    run = job.run
    if job.resume and (run := run or results.latest(job.commit, name)) is not None:
        store = results.open_existing(job.commit, name, run)
        earlier = read_earlier(store.path, ending.problems)
    else:
        store, earlier = results.open_new(job.commit, name, run), Earlier()
    ending.files.append(store.path)
    model = StoredModel(name, trials)
    left = [
        trial
        for key, trial in trials.items()
        if key not in earlier.done and job.wanted(trial.sample.id, trial.sample.tags)
    ]
    players = Players(model, model, model)
    return ModelRun(name, players, store, StoredPlan(left), earlier, len(left), len(trials) - len(left), 0)


async def _run(
    job: Job, runs: Sequence[ModelRun], open_pool: Callable[[Config, str], Opener], ending: Ending
) -> None:
    from assay.report.progress import Progress

    source = StoredSource({})
    with Progress(sum(each.left for each in runs)) as display:
        ending.message = display.message
        try:
            for run in runs:  # one after the other: two files may be of one model
                opener = open_pool(job.config, f"{job.commit}-{run.store.path.stem}")
                await run_job(job, [run], source, opener, display, ending)
        finally:
            ending.message = say


def _show(
    found: Sequence[Found], runs: Sequence[ModelRun], options: argparse.Namespace, place: Place
) -> None:
    problems: list[str] = []
    wanted = wanted_by(options)
    records: list[TrialRecord] = []
    light = not options.generate_report
    for each, run in zip(found, runs, strict=False):
        its = [r for r in read_file(run.store.path, problems, light=light) if wanted(r.test, r.tags)]
        its = list({(r.suite, r.test, r.epoch): r for r in its}.values())
        records += its
        if options.format == "json":
            facts = {"file": str(each.path), "model": run.model, "trials": len(its)}
            with contextlib.suppress(BrokenPipeError):
                print(json.dumps({**facts, **each.suite.summary(its)}))  # noqa: T201
    for problem in problems:
        say(problem)
    suites = list({each.suite.name: each.suite for each in found}.values())
    if options.format != "json" and records:
        show(make_grid(records), tables_of(suites, records), options)
    if options.generate_report and records:
        write_report(records, suites, place)
