"""Existing answers, judged by the current tests without asking a model."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from assay.errors import ConfigError
from assay.few import few
from assay.records import TrialKey, TrialRecord
from assay.report.progress import Progress
from assay.report.wording import count
from assay.rescoring.recorded_runs import files_of, saved_work
from assay.rescoring.stored_answers import stored_work
from assay.rescoring.work import Work
from assay.results import run_notes
from assay.results.natural_order import natural
from assay.results.run_notes import Note, Trials
from assay.results.saved_runs import RESCORED
from assay.results.store import Earlier, read_earlier
from assay.results.unfinished import Stopped
from assay.results.workspace import Workspace
from assay.running.request import RunRequest
from assay.running.roles import ModelSource
from assay.running.run import ModelRun, RunResult, note_trial, run_trials
from assay.running.session import Session
from assay.suites.selected import Selected

NAMED = 5  # tests in a message


class NoModels:
    """A source of models that has none: rescoring asks no provider."""

    waves = None

    def variants(self, name: str, trial: TrialKey) -> int:
        return 1

    def __getattr__(self, name: str) -> Any:
        raise ConfigError("rescoring asks no model")


def rescoring_session(request: RunRequest) -> Session:
    """A session in which no model can be loaded."""
    session = Session(request, source=cast(ModelSource, NoModels()))
    session.providers = {}  # the replies came by the packages of then
    return session


def find_work(
    words: Sequence[str | Path], session: Session, keep: Callable[[TrialRecord], bool] = lambda record: True
) -> list[Work]:
    """The trials to judge: from run files and folders, those that `keep` keeps; from models, the last run, or
    other programs' answers.
    Raises ConfigError for an unknown argument, or if nothing fits."""
    labels: dict[Path, str] = {}  # run file -> the word that names it
    known: set[Path] = set()
    stored: list[Work] = []
    for text in map(str, words):
        if files := files_of(text, session.results):
            labels |= {file: text for file in files if file.resolve() not in known}
            known |= {file.resolve() for file in files}
        else:
            stored += stored_work(Path(text), session.request.selection)
    work = [*saved_work(labels, session, keep), *stored]
    if not work:
        raise ConfigError("no saved trial matches these flags (--model, --suite, --test, --tag)")
    return work


def judged_in(session: Session) -> Workspace:
    """The folders of the new verdicts and of their report."""
    return replace(session.request, logdir=session.results.root / RESCORED).workspace(session.config)


async def rescore(session: Session, work: Sequence[Work], result: RunResult) -> None:
    """Judge all of `work`. The results are in `<logdir>/rescored`, apart from those of runs that asked
    models."""
    session.check_code(lambda: (trial.sample for each in work for trial in each.planned))
    say, session.workspace = session.message, judged_in(session)
    session.selected = Selected(suites={suite.name: suite for each in work for suite in each.suites})
    runs: list[ModelRun] = []
    try:
        for each in work:
            runs.append(_prepare(each, session, result))
            for problem in each.problems:
                say(problem)
            _announce(each, runs[-1], session)
        await session.check_sandbox(trial.sample for run in runs for trial in run.plan)
        total = sum(each.left for each in runs)
        async with session:
            await session.open_engine(f"{session.commit}-rescored", total)
            with Progress(total) as display:
                session.message = display.message
                try:
                    # one after the other, because two files may be of one model
                    for each, run in zip(work, runs, strict=True):
                        await run_trials(session, [run], display, result)
                        if each.lacking and result.failure is None:
                            _note_lacking(run.store.path, each.lacking)
                finally:
                    session.message = say
    finally:
        for run in runs:
            run.store.close()


def _note_lacking(path: Path, stopped: Sequence[Stopped]) -> None:
    """Note what the saved runs lack, which these verdicts lack, too."""
    parts = [part for run in stopped for part in run.which.items()]
    trials = sum(run.trials for run in stopped)
    run_notes.save(path, Note(trials, "", parts, str(stopped[0].file.resolve())))


def _prepare(work: Work, session: Session, result: RunResult) -> ModelRun:
    """Open the file for the results, and find what is left to do."""
    name, results, asked = work.model, session.results, session.request
    run = asked.runid
    if asked.resume and (run := run or results.latest(session.commit, name)) is not None:
        store = results.open_existing(session.commit, name, run)
        earlier = read_earlier(store.path, result.problems)
    else:
        store, earlier = results.open_new(session.commit, name, run), Earlier()
    result.files.append(store.path)
    wants = asked.selection.wants
    left = [
        each
        for each in work.planned
        if each.key not in earlier.done and wants(each.sample.id, each.sample.tags)
    ]
    kept = len(work.planned) - len(left)
    which: Trials = {}
    for each in work.planned:
        if each.key in earlier.done or wants(each.sample.id, each.sample.tags):
            note_trial(each, which)
    return ModelRun(
        name, work.roles, store, left, earlier, len(left), kept, 0, finish=work.finish,
        resumed=asked.resume, trials=len(earlier.done) + len(left), which=which,
    )  # fmt: skip


def _announce(work: Work, run: ModelRun, session: Session) -> None:
    kind = "saved trial" if work.ours else "stored answer"
    if work.planned:
        session.message(f"{work.model}: judging {count(run.left, kind)} again -> {run.store.path}")
    if work.renamed:
        names = {f"{old} is now {new}": 1 for old, new in work.renamed.items()}
        session.message(
            f"{work.model}: {count(len(names), 'test')} found under another name, by what it asks: "
            f"{_named(names)}"
        )
    for line in left_out(work):
        session.message(line)


def left_out(work: Work) -> Iterator[str]:
    """What is said of the trials whose tests cannot be had, with what to do."""
    places = sorted({*work.elsewhere.values()})
    if there := {test: trials for test, trials in work.gone.items() if test in work.elsewhere}:
        flags = "".join(f" --tests {shlex.quote(place)}" for place in places)
        other = "is in another folder", "are in another folder"
        yield f"{_left_out(work, there, *other)} (to judge {'it' if len(there) == 1 else 'them'}:{flags})"
    if gone := {test: trials for test, trials in work.gone.items() if test not in work.elsewhere}:
        yield (
            f"{_left_out(work, gone, 'no longer exists', 'no longer exist')} (renamed ones are "
            "found if only one test asks the same; those of another folder: --tests DIR; those that a flag "
            "of a suite made: --suite NAME and the flag)"
        )
    if work.broken:
        cannot = "cannot be loaded", "cannot be loaded"
        yield f"{_left_out(work, work.broken, *cannot)} (see the error above)"
    if work.from_python:
        given = "was given from Python, and is in no file", "were given from Python, and are in no file"
        yield f"{_left_out(work, work.from_python, *given)} (in Python: assay.rescore(results, tests))"


def _left_out(work: Work, tests: dict[str, int], one: str, several: str) -> str:
    """`one`, `several`: what is said of the tests."""
    trials = sum(tests.values())
    its = f"{'its' if trials == 1 else 'their'} {f'test {one}' if len(tests) == 1 else f'tests {several}'}"
    return f"{work.model}: {count(trials, 'saved trial')} left out because {its}: {_named(tests)}"


def _named(tests: dict[str, int]) -> str:
    return few(sorted(tests, key=natural), NAMED)
