"""Rescoring of Assay's own runs: replies come from the records, found by their questions."""

from __future__ import annotations

import glob
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from assay.config import near
from assay.errors import ConfigError, StoreError
from assay.language.agents.handover import SavedWork
from assay.records import (
    EVAL_LLM,
    LLM,
    VISION_EVAL_LLM,
    Completion,
    JsonMode,
    Message,
    Tool,
    Traits,
    TrialKey,
    TrialRecord,
    is_from_python,
)
from assay.rescoring.current_tests import CurrentTests
from assay.rescoring.saved_agents import saved_agents
from assay.rescoring.verdict_diff import judged_again
from assay.rescoring.work import Work
from assay.results.conditions import SELF_JUDGED, rank
from assay.results.replies import Recorded, recorded
from assay.results.saved_runs import SavedTrial, newest_trials, run_files
from assay.results.since_stopped import stopped_runs
from assay.results.store import Results, folder_name, read_file
from assay.running.roles import Roles
from assay.running.session import Session
from assay.running.trial import Planned
from assay.suites.sample import Sample

LAST = "last"


@dataclass
class Answers:
    """The saved trials of one model; each is read when it begins and forgotten when it has ended."""

    trials: dict[TrialKey, SavedTrial]
    in_order: set[TrialKey]  # trials whose questions contain measurements: see `recorded`
    begun: dict[TrialKey, tuple[TrialRecord, Recorded]] = field(default_factory=dict)
    agents: dict[TrialKey, Iterator[SavedWork | None]] = field(default_factory=dict)

    def of(self, key: TrialKey) -> tuple[TrialRecord, Recorded]:
        if key not in self.begun:
            saved = self.trials[key]
            try:
                record = saved.whole()
            except (OSError, ValueError) as error:
                raise StoreError(f"{saved.path} cannot be read again: {error}") from None
            self.begun[key] = record, recorded(record, in_order=key in self.in_order)
        return self.begun[key]

    def finish(self, record: TrialRecord) -> TrialRecord:
        """The new record, completed by the old one: facts of the model, and the verdict before."""
        key = record.key
        old, _ = self.of(key)
        del self.begun[key]
        if self.agents.pop(key, None) is not None:  # whose replies nobody asked for
            its = {name: getattr(old, name) for name in ("replies", "usage", "cost", "calls")}
            record = replace(record, **its, cached_calls=old.calls)
        extra = dict(record.extra)
        if answered_by := old.extra.get("answered_by"):
            extra["answered_by"] = answered_by
        return replace(
            record,
            parameters=old.parameters,
            about=old.about,
            judges=old.judges,
            extra=extra,
            rescored=judged_again(old, record, str(self.trials[key].path)),
        )


@dataclass(frozen=True)
class RecordedModel:
    """A role's model in a trial, answering from the trial's record without asking anyone."""

    name: str
    role: str
    answers: Answers
    key: TrialKey | None = None
    traits: Traits = field(default_factory=Traits)

    def for_trial(self, trial: TrialKey) -> RecordedModel:
        record, _ = self.answers.of(trial)
        name = self.name if self.role == LLM else record.judges.get(self.role, self.role)
        traits = Traits(self_judged=bool(record.about.get(SELF_JUDGED)))
        return RecordedModel(name, self.role, self.answers, trial, traits)

    def saved_work(self) -> SavedWork | None:
        """What the next agent of the trial handed in, if that was kept."""
        assert self.key is not None
        agents = self.answers.agents
        if self.key not in agents:
            agents[self.key] = saved_agents(self.answers.of(self.key)[0], self.answers.trials[self.key].path)
        return next(agents[self.key], None)

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        assert self.key is not None
        _, replies = self.answers.of(self.key)
        return replies.reply(self.role, self.name, messages, json, tools)


def files_of(text: str, results: Results) -> list[Path]:
    """The run files named by an argument of `rescore`: a path, a model, or the last run. Empty for a path
    without any. Raises ConfigError for anything else."""
    if Path(text).exists():
        return run_files(Path(text))
    if text == LAST:
        if not (files := results.files()):
            raise ConfigError(f"rescore last: there is no saved run in {results.root}")
        return _last(files)
    if files := sorted(results.root.glob(f"*/{glob.escape(folder_name(text))}/run-*.jsonl")):
        return files
    raise ConfigError(
        f"{text!r} is not a file, a folder or a model with a saved run in "
        f"{results.root}.{near(text, results.models())} Name a run's file, its folder, a model, or last "
        "(tests are chosen by --test)"
    )


def _last(files: Sequence[Path]) -> list[Path]:
    """The file that was written to last, and those of other models written to at the same time, since one
    command runs its models side by side."""
    written = {file: file.stat().st_mtime for file in files}
    newest = max(files, key=lambda file: written[file])
    first = next(iter(read_file(newest, [], light=True)), None)
    try:
        began = datetime.fromisoformat(first.started_at).timestamp() if first else math.inf
    except (ValueError, OverflowError):
        began = math.inf
    latest: dict[Path, Path] = {}
    for file in sorted(files, key=lambda file: written[file]):
        if file.parent.parent == newest.parent.parent and written[file] >= began:
            latest[file.parent] = file
    return sorted({**latest, newest.parent: newest}.values())


def saved_work(
    labels: Mapping[Path, str], session: Session, keep: Callable[[TrialRecord], bool]
) -> list[Work]:
    """The selected trials of run files that `keep` keeps, by what names the file and by model. Of several
    trials of a test, an epoch and a model only the newest one is among them, whatever names its file."""
    problems: list[str] = []
    selection, models = session.request.selection, session.request.models

    def means(record: TrialRecord) -> bool:
        its = not models or record.model in models
        return its and selection.wants_record(record) and keep(record)

    found: dict[tuple[str, str], dict[TrialKey, SavedTrial]] = {}
    given = {name: selection.flags[name] for name in selection.given}
    for model, trials in newest_trials(labels, problems, means, given).items():
        for key, each in trials.items():
            found.setdefault((labels[each.path], model), {})[key] = each
    order, stopped = list(dict.fromkeys(labels.values())), stopped_runs(session.workspace, means, labels)
    today = CurrentTests(session, {key.test for trials in found.values() for key in trials})
    work = [
        _work(label, model, trials, today)
        for (label, model), trials in sorted(found.items(), key=lambda each: order.index(each[0][0]))
    ]
    for its in work:
        its.lacking = [run for run in stopped if (Path(labels[run.file]), run.model) == (its.path, its.model)]
    if work:
        work[0].problems, work[0].errors = problems, today.errors
    return work


def _work(label: str, model: str, trials: dict[TrialKey, SavedTrial], today: CurrentTests) -> Work:
    planned: dict[TrialKey, Planned] = {}
    answered: dict[TrialKey, SavedTrial] = {}
    gone, broken, from_python, renamed = Counter[str](), Counter[str](), Counter[str](), dict[str, str]()
    elsewhere: dict[str, str] = {}
    in_order: set[TrialKey] = set()
    known = {key.test for key in trials}
    for saved in trials.values():
        record = saved.record
        sample = today.sample(record)
        if sample is None and (sample := today.renamed(record, known)) is not None:
            renamed[record.test] = sample.id
        if sample is None:
            lost = broken if today.cannot_be_loaded(record) else gone
            (from_python if is_from_python(record) else lost)[record.test] += 1
            if lost is gone and (folder := today.elsewhere(record)):
                elsewhere[record.test] = folder
            continue
        trial = Planned(sample, record.epoch)
        key = trial.key if record.test in renamed else saved.key
        if key in answered and rank(answered[key].record) > rank(record):
            continue  # the test had two names before
        planned[key], answered[key] = trial, saved
        if _answers_in_order(sample):
            in_order.add(key)
    answers = Answers(answered, in_order)
    roles = Roles(*(RecordedModel(model, role, answers) for role in (LLM, EVAL_LLM, VISION_EVAL_LLM)))
    names = sorted({each.sample.suite for each in planned.values()})
    suites = [suite for name in names if name != "applied" and (suite := today.suite(name)) is not None]
    return Work(
        Path(label), model, suites, [*planned.values()], roles, ours=True, finish=answers.finish,
        gone=dict(gone), elsewhere=elsewhere, broken=dict(broken), from_python=dict(from_python),
        renamed=renamed,
    )  # fmt: skip


def _answers_in_order(sample: Sample) -> bool:
    return any(getattr(node, "answers_in_order", False) for node in sample.test.walk())
