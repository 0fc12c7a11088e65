"""Scores of runs, tasks and models, exactly as the benchmark counts them.

A run's score is the best accuracy of its submissions, a task's the mean over its runs, a model's the unweighted
mean of the unrounded scores of the tasks that are there. Only models that have all tasks are ranked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from statistics import fmean, mean, stdev, variance
from typing import Any

from assay.records import Outcome, TrialRecord
from assay.results.paired import t_quantile

from .feedback import best_so_far
from .learn_tasks import LEARN
from .tasks import TASKS, Task


@dataclass(frozen=True)
class TaskScore:
    """What a model has reached in one task: a record for each run."""

    task: str
    runs: tuple[TrialRecord, ...]

    @cached_property
    def scores(self) -> list[float]:
        """Of each run, 0 to 1."""
        return [run.score or 0.0 for run in self.runs]

    @property
    def mean(self) -> float:
        return mean(self.scores)

    @property
    def deviation(self) -> float | None:
        """Standard deviation over runs (of a sample: n - 1); None for a single run."""
        return stdev(self.scores) if len(self.scores) > 1 else None

    @property
    def error(self) -> float | None:
        """Standard error of the mean."""
        return None if self.deviation is None else self.deviation / len(self.scores) ** 0.5

    @cached_property
    def curve(self) -> list[float]:
        """Mean over runs of the best accuracy so far, after 1, 2, ... submissions."""
        curves = [best_so_far([one["accuracy"] for one in submissions(run)]) for run in self.runs]
        longest = max(map(len, curves), default=0)
        padded = [curve + curve[-1:] * (longest - len(curve)) for curve in curves if curve]
        return [mean(curve[turn] for curve in padded) for turn in range(longest)]

    def interval(self) -> tuple[float, float] | None:
        """95% interval of the mean, for other runs."""
        return interval([self.scores])


def interval(tasks: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """95% interval of the mean over tasks of the mean over runs, for other runs of the same tasks: they are
    the benchmark. None where the runs do not tell how much runs differ: a task has a single one, or all
    runs of each task are alike.

    Student's t, the variance being that of a stratified mean, sum s_t² / r_t over the square of the number of
    tasks, with the degrees of freedom of F. E. Satterthwaite, An Approximate Distribution of Estimates of
    Variance Components, Biometrics Bulletin 2 (1946).
    """
    if any(len(scores) < 2 for scores in tasks):
        return None
    parts = [(variance(scores) / len(scores), len(scores) - 1) for scores in tasks]
    whole = fsum(part for part, _ in parts)
    if not whole:
        return None
    free = whole**2 / fsum(part**2 / its for part, its in parts)
    middle = fmean(map(fmean, tasks))
    half = t_quantile(0.975, int(free + 1e-9)) * whole**0.5 / len(tasks)
    return max(0.0, middle - half), min(1.0, middle + half)


def submissions(run: TrialRecord) -> list[dict[str, Any]]:
    """The facts of a run's submissions, in order."""
    return list(run.extra.get("submissions", ()))


@dataclass(frozen=True)
class ModelScore:
    """A model's scores, by task. `kind`: what its results were made under, see `kinds`."""

    model: str
    tasks: Mapping[str, TaskScore]
    kind: str = ""
    all_tasks: int = len(TASKS)

    @property
    def mean(self) -> float:
        return model_mean([task.mean for task in self.tasks.values()])

    @property
    def coverage(self) -> str:
        return f"{len(self.tasks)}/{self.all_tasks}"

    @property
    def complete(self) -> bool:
        return len(self.tasks) == self.all_tasks

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """95% interval of the mean, for other runs; None where there is none to be had."""
        return interval([task.scores for task in self.tasks.values()])

    @property
    def runs(self) -> list[TrialRecord]:
        return [run for task in self.tasks.values() for run in task.runs]

    @property
    def made(self) -> list[dict[str, Any]]:
        """All submissions of all runs."""
        return [one for run in self.runs for one in submissions(run)]

    @property
    def failure_rate(self) -> float:
        """The share of submissions that got no score above 0."""
        return mean(bool(one["kind"]) for one in self.made) if self.made else 0.0

    @property
    def cost_of_a_run(self) -> float | None:
        """Mean cost in US dollars; None if that of any run is unknown."""
        costs = [run.cost for run in self.runs if run.cost is not None]
        return mean(costs) if costs and len(costs) == len(self.runs) else None


def model_mean(tasks: Sequence[float]) -> float:
    """The unweighted mean of unrounded task scores.

    >>> f"{model_mean([42.03, 21.31, 3.56, 11.27]):.2f}"
    '19.54'
    """
    return mean(tasks)


def summary(records: Sequence[TrialRecord]) -> dict[str, Any]:
    """What one model's run comes to: means are unrounded, 0 to 1; {} without results. `learn`: of the new tasks."""
    found, more = (_summed(model_scores(records, tasks)) for tasks in (TASKS, LEARN))
    return {**found, "learn": more} if more else found


def _summed(scores: Sequence[ModelScore]) -> dict[str, Any]:
    if not scores:
        return {}
    best = scores[0]
    return {
        "accuracy": best.mean,
        "interval": None if best.bounds is None else list(best.bounds),
        "tasks": {name: task.mean for name, task in best.tasks.items()},
        "coverage": best.coverage,
        "limits": best.kind,
        "failed_submissions": best.failure_rate,
        "cost_of_a_run": best.cost_of_a_run,
    }


def kind_of(record: TrialRecord) -> str:
    """What a result must share with another to be pooled with it: limits, device, number of submissions."""
    device = str(record.extra.get("device", ""))
    parts = [record.limits.removeprefix("weirdml "), f"{record.extra.get('iterations', 5)} submissions"]
    parts += [device.partition(",")[0]] if device.startswith("GPU") else []
    return ", ".join(part for part in parts if part)


def task_kind(record: TrialRecord) -> tuple[str, ...]:
    """The same within one task: where its data come from, which they are, and the rules of scoring."""
    return tuple(str(record.extra.get(name, "")) for name in ("source", "data", "rules"))


def model_scores(records: Sequence[TrialRecord], tasks: Mapping[str, Task] = TASKS) -> list[ModelScore]:
    """A ModelScore for each model and kind of result, the best complete ones first, then the incomplete ones.
    `tasks`: those that count, the benchmark's or the new ones; they are never mixed.

    Runs that ended in ERROR or were SKIPPED are no results. Of a task's runs on different data the newest
    data and rules count: sources are never pooled.
    """
    found: dict[tuple[str, str], dict[str, list[TrialRecord]]] = {}
    for record in records:
        task = record.test.rpartition(".")[2]
        if record.outcome in (Outcome.PASS, Outcome.FAIL) and task in tasks:
            found.setdefault((record.model, kind_of(record)), {}).setdefault(task, []).append(record)
    scores = []
    for (model, kind), its in found.items():
        whole = {name: TaskScore(name, _on_one_source(its[name])) for name in tasks if name in its}
        scores.append(ModelScore(model, whole, kind, len(tasks)))
    return sorted(scores, key=lambda each: (not each.complete, -each.mean, each.model))


def _on_one_source(runs: list[TrialRecord]) -> tuple[TrialRecord, ...]:
    newest = max(runs, key=lambda run: run.started_at)
    kept = [run for run in runs if task_kind(run) == task_kind(newest)]
    return tuple(sorted(kept, key=lambda run: run.epoch))


def percentile(values: Sequence[float], share: float) -> float:
    """By linear interpolation between the two nearest, as numpy has it.

    >>> percentile([1, 2, 3, 4], 0.5), percentile([7], 0.9)
    (2.5, 7.0)
    """
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
