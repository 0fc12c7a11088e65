"""The tables: percent with two decimals, "-" where a task is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import mean

from assay.records import Cell, Table, TrialRecord, Value

from .aggregate import ModelScore, TaskScore, model_scores, percentile
from .learn_tasks import LEARN
from .submission import KINDS
from .tasks import TASKS, Task

Row = tuple[Value | Cell, ...]


def percent(share: float | None, note: str = "") -> Cell | None:
    """A share as percent, coloured by it."""
    return None if share is None else Cell(round(100 * share, 6), f"{100 * share:.2f}", share, hover=note)


def spread(task: TaskScore) -> str:
    """A task's score in words."""
    deviation = "" if task.deviation is None else f", standard deviation {100 * task.deviation:.2f}"
    error = "" if task.error is None else f", standard error {100 * task.error:.2f}"
    word = f"{len(task.scores)} run{'s'[: len(task.scores) != 1]}"
    interval = bounds(task.interval())
    return f"{word}{deviation}{error}" + (f", 95% interval {interval}" if interval else "")


def bounds(interval: tuple[float, float] | None) -> str | None:
    """An interval in percent; None where there is none."""
    return None if interval is None else f"{100 * interval[0]:.2f} to {100 * interval[1]:.2f}"


def tables(records: Sequence[TrialRecord]) -> Iterable[Table]:
    """All tables of the suite. Nothing for records without a verdict."""
    for tasks, addition in ((TASKS, ""), (LEARN, ", new tasks")):
        if scores := model_scores(records, tasks):
            for table in (
                overview(scores, tasks), by_task(scores, tasks), by_submission(scores), failures(scores), effort(scores)
            ):  # fmt: skip
                yield replace(table, title=table.title + addition)


def overview(scores: Sequence[ModelScore], tasks: Mapping[str, Task]) -> Table:
    """Mean, coverage and rank of each model, and its task scores."""
    rows = []
    rank = 0
    several = len({score.kind for score in scores}) > 1
    for score in scores:
        rank += score.complete
        row: list[Value | Cell] = [rank if score.complete else None, _link(score)]
        row += [score.kind] if several else []
        row += [percent(score.mean), bounds(score.bounds), score.coverage]
        for name in tasks:
            task = score.tasks.get(name)
            row.append(None if task is None else percent(task.mean, spread(task)))
        rows.append(tuple(row))
    columns = ("rank", "model", *(("limits",) if several else ()), "mean", "95% interval", "tasks")
    kinds = "" if several else f" All under these limits: {scores[0].kind}."
    note = (
        "Percent. A run counts its best submission, a task the mean of its runs, a model the mean of its tasks; "
        f"models that have all tasks are ranked.{kinds} The interval is for other runs; it takes two of each task."
    )
    return Table("Accuracy", (*columns, *(task.title for task in tasks.values())), tuple(rows), note)


def _link(score: ModelScore) -> Value | Cell:
    return score.model


def by_task(scores: Sequence[ModelScore], tasks: Mapping[str, Task]) -> Table:
    """Mean, spread and error of every task and model."""
    rows: list[Row] = []
    for name, task in tasks.items():
        for score in scores:
            if (found := score.tasks.get(name)) is None:
                continue
            sources = {str(run.extra.get("source", "")) for run in found.runs}
            rows.append((
                task.title, score.model, len(found.runs), percent(found.mean), _points(found.deviation),
                _points(found.error), bounds(found.interval()), percent(min(found.scores)),
                percent(max(found.scores)), ", ".join(sorted(sources)),
            ))  # fmt: skip
    columns = ("task", "model", "runs", "mean", "deviation", "error", "95% interval", "worst", "best", "data")
    return Table(
        "Runs of each task",
        columns,
        tuple(rows),
        "Percent. deviation: over runs; error: of the mean; interval: for other runs.",
    )


def _points(share: float | None) -> Cell | None:
    return None if share is None else Cell(round(100 * share, 6), f"{100 * share:.2f}")


def by_submission(scores: Sequence[ModelScore]) -> Table:
    """The best so far after 1, 2, ... submissions, mean over runs and tasks."""
    longest = max((len(task.curve) for score in scores for task in score.tasks.values()), default=0)
    rows = []
    for score in scores:
        row: list[Value | Cell] = [score.model]
        for turn in range(longest):
            reached = [task.curve[turn] for task in score.tasks.values() if turn < len(task.curve)]
            row.append(percent(mean(reached)) if reached else None)
        gain = [task.curve[-1] - task.curve[0] for task in score.tasks.values() if task.curve]
        rows.append((*row, _points(mean(gain)) if gain else None))
    columns = ("model", *(f"after {turn}" for turn in range(1, longest + 1)), "gain")
    note = "Percent: best accuracy so far, mean over runs, then over tasks. gain: of the last over the first."
    return Table("What feedback gives", columns, tuple(rows), note)


def failures(scores: Sequence[ModelScore]) -> Table:
    """How submissions failed."""
    rows: list[Row] = []
    for score in scores:
        kinds = Counter(one["kind"] for one in score.made)
        total = sum(kinds.values())
        cells = [
            Cell(kinds[kind], shade=kinds[kind] / total if kinds[kind] else None, scale="heat")
            for kind in KINDS
        ]
        rows.append((score.model, total, percent_plain(score.failure_rate), *cells))
    columns = ("model", "submissions", "failed", *(kind.replace("_", " ") for kind in KINDS))
    return Table("Failed submissions", columns, tuple(rows), "failed: percent of all submissions.")


def percent_plain(share: float) -> Cell:
    return Cell(round(100 * share, 6), f"{100 * share:.2f}")


def effort(scores: Sequence[ModelScore]) -> Table:
    """Cost, tokens, code lines and running time."""
    rows = []
    for score in scores:
        cost = score.cost_of_a_run
        row: list[Value | Cell] = [score.model, None if cost is None else Cell(cost, f"${cost:.4f}")]
        row.append(round(mean(run.usage.output_tokens for run in score.runs)))
        for name, digits in (("lines", 0), ("seconds", 1), ("cpu_seconds", 1)):
            values = [float(one[name]) for one in score.made if one["lines"] and one["kind"] != "no_code"]
            shown = [f"{percentile(values, share):.{digits}f}" for share in (0.1, 0.5, 0.9)] if values else []
            row.append(Cell(percentile(values, 0.5), " / ".join(shown)) if values else None)
        pasted = max((int(one["literal_bytes"]) for one in score.made), default=0)
        rows.append((*row, pasted))
    columns = (
        "model",
        "cost a run",
        "output tokens a run",
        "code lines",
        "wall s",
        "CPU s",
        "most literal bytes",
    )
    note = (
        "Code lines and seconds of the scripts that ran: 10th, 50th and 90th percentile. Literal bytes: of strings and "
        "numbers in one script; many of them may be pasted weights."
    )
    return Table("Cost and effort", columns, tuple(rows), note)
