"""The pictures: models, tasks, failures, cost, and what feedback gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import exp
from statistics import mean, stdev
from typing import Any

from assay.records import TrialRecord
from assay.report.plot import Ink, label, plotted
from assay.suites.exhibits import Figure

from .aggregate import ModelScore, TaskScore, model_scores, submissions
from .learn_tasks import EVERY, LEARN
from .tasks import TASKS, Task

MARKERS = ("o", "s", "^", "D", "v", "P")  # of the tasks
MOST = 24  # models in one picture; the best


def figures(records: Sequence[TrialRecord]) -> Iterable[Figure]:
    """All pictures; none without results."""
    for tasks, addition in ((TASKS, ""), (LEARN, ", new tasks")):
        if scores := model_scores(records, tasks):
            yield from _pictures(scores[:MOST], tasks, addition)


def _pictures(shown: Sequence[ModelScore], tasks: Mapping[str, Task], addition: str) -> Iterable[Figure]:
    named = names(shown)
    rows = 0.42 * len(shown)
    yield plotted(
        f"Mean accuracy{addition}",
        "Bars: the mean over the tasks that a model has, with a 95% interval where each has several runs. "
        "Markers: each task. Hatched: tasks are "
        "missing.",
        partial(_models, shown, named),
        width=9.0,
        height=1.9 + rows,
    )
    for name in tasks:
        found = [(named[id(score)], score.tasks[name]) for score in shown if name in score.tasks]
        if found:
            title = tasks[name].title
            yield plotted(
                title,
                f"{title}: each dot a run, bars the mean with the standard deviation over runs, violins how the runs "
                "are spread; dashed: chance.",
                partial(_task, name, found),
                width=9.0,
                height=1.5 + 0.62 * len(found),
            )
    yield plotted(
        f"Failed submissions{addition}",
        "Bars: the share of a model's submissions that got no score. Markers: each task.",
        partial(_failures, shown, named),
        width=9.0,
        height=1.9 + rows,
    )
    if any(score.cost_of_a_run is not None for score in shown):
        yield plotted(
            f"Accuracy and cost{addition}", "Mean accuracy against the mean cost of a run.", partial(_cost, shown, named),
            width=8.0, height=4.6,
        )  # fmt: skip
    if any(len(task.curve) > 1 for score in shown for task in score.tasks.values()):
        yield plotted(
            f"What feedback gives{addition}",
            "The best accuracy so far after each submission: mean over runs, then over tasks.",
            partial(_curves, shown[: 2 * len(MARKERS)], named),
            width=8.0,
            height=4.4,
        )


def names(scores: Sequence[ModelScore]) -> dict[int, str]:
    """id of a score -> what it is called: by its limits too, where a model has several."""
    often = [score.model for score in scores]
    return {
        id(score): label(score.model, 34)
        + (f"\n{label(score.kind, 44)}" if often.count(score.model) > 1 else "")
        for score in scores
    }


def _bars(
    axes: Any, ink: Ink, named: Sequence[str], values: Sequence[float], hatched: Sequence[bool]
) -> None:
    """Horizontal bars from the top down, labelled at the left."""
    at = range(len(values))
    bars = axes.barh(at, values, height=0.62, color=ink.cycle[0], alpha=0.35, zorder=1)
    for bar, hatch in zip(bars, hatched, strict=True):
        if hatch:
            bar.set(hatch="///", edgecolor=ink.ground, linewidth=0)
    axes.set_yticks(list(at), list(named))
    axes.set_ylim(len(values) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")


def _percent_axis(axes: Any, what: str) -> None:
    axes.set_xlim(0, 100)
    axes.set_xlabel(what)


def _task_markers(axes: Any, ink: Ink, scores: Sequence[ModelScore], value: Any) -> None:
    """A marker for each task beside each bar; the six stand at slightly different heights."""
    for place, name in enumerate(EVERY):
        number = place % len(MARKERS)
        points = [
            (100 * value(score.tasks[name]), row + 0.075 * (number - 2.5))
            for row, score in enumerate(scores)
            if name in score.tasks
        ]
        if points:
            axes.plot(
                [x for x, _ in points], [y for _, y in points], MARKERS[number], markersize=5.5, linestyle="none",
                color=ink.cycle[number], markeredgecolor=ink.ground, markeredgewidth=0.5, label=EVERY[name].title,
                clip_on=False, zorder=4,
            )  # fmt: skip


def _legend_below(canvas: Any, axes: Any) -> None:
    handles, labels = axes.get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside lower center", ncols=3, fontsize="small", handletextpad=0.3)


def _models(scores: Sequence[ModelScore], named: dict[int, str], canvas: Any, ink: Ink) -> None:
    axes = canvas.subplots()
    means = [100 * score.mean for score in scores]
    _bars(axes, ink, [named[id(score)] for score in scores], means, [not score.complete for score in scores])
    for row, score in enumerate(scores):
        if score.bounds is not None:
            ends = [100 * end for end in score.bounds]
            axes.plot(ends, [row, row], color=ink.ink, linewidth=1.4, zorder=3, solid_capstyle="butt")
        axes.plot([100 * score.mean], [row], "|", color=ink.ink, markersize=11, markeredgewidth=1.8, zorder=3)
        missing = "" if score.complete else f" ({score.coverage})"
        axes.annotate(
            f"{100 * score.mean:.2f}{missing}", (1.01, row), xycoords=("axes fraction", "data"), va="center",
            color=ink.ink, fontsize="small",
        )  # fmt: skip
    _task_markers(axes, ink, scores, lambda task: task.mean)
    _percent_axis(axes, "accuracy in percent")
    _legend_below(canvas, axes)


def _task(name: str, found: Sequence[tuple[str, TaskScore]], canvas: Any, ink: Ink) -> None:
    axes = canvas.subplots()
    _bars(
        axes, ink, [each for each, _ in found], [100 * task.mean for _, task in found], [False] * len(found)
    )
    for row, (_, task) in enumerate(found):
        runs = [100 * score for score in task.scores]
        if len(runs) > 2 and max(runs) - min(runs) > 1e-9:
            xs, widths = _violin(runs)
            above, below = [row - width for width in widths], [row + width for width in widths]
            axes.fill_between(xs, above, below, color=ink.cycle[0], alpha=0.30, linewidth=0, zorder=2)
        axes.plot(runs, [row + _offset(at) for at in range(len(runs))], "o", color=ink.cycle[0], markersize=3.6,
                  markeredgecolor=ink.ground, markeredgewidth=0.4, linestyle="none", zorder=4, clip_on=False)  # fmt: skip
        deviation = 100 * (task.deviation or 0.0)
        low, high = max(0.0, 100 * task.mean - deviation), min(100.0, 100 * task.mean + deviation)
        axes.plot([low, high], [row, row], color=ink.ink, linewidth=1.4, zorder=5)
        axes.plot([100 * task.mean], [row], "|", color=ink.ink, markersize=12, markeredgewidth=1.8, zorder=5)
        count = f"{len(runs)} run{'s'[: len(runs) != 1]}"
        shown = f"{count}, {100 * task.mean:.2f}" + (f" ± {deviation:.2f}" if len(runs) > 1 else "")
        axes.annotate(shown, (1.01, row), xycoords=("axes fraction", "data"), va="center", fontsize="small",
                      color=ink.ink)  # fmt: skip
    chance = 100 * EVERY[name].chance
    axes.axvline(chance, color=ink.soft, linestyle="--", linewidth=1.1, zorder=3)
    axes.annotate("chance", (chance, 1.0), xycoords=("data", "axes fraction"), xytext=(3, 2), ha="left", va="bottom",
                  textcoords="offset points", fontsize="small", color=ink.soft)  # fmt: skip
    _percent_axis(axes, "accuracy in percent")


def _offset(number: int) -> float:
    """Where in its row a run's dot stands, so that equal ones are seen apart."""
    return ((number * 0.381966) % 1 - 0.5) * 0.34


def _violin(runs: Sequence[float]) -> tuple[list[float], list[float]]:
    """A smooth density of the runs between the lowest and the highest (Gaussian kernel, Scott's rule): where,
    and how wide, 0.4 at most."""
    width = max(0.5, stdev(runs) * len(runs) ** -0.2)
    low, high = min(runs), max(runs)
    xs = [low + (high - low) * step / 99 for step in range(100)]
    dense = [sum(exp(-0.5 * ((x - run) / width) ** 2) for run in runs) for x in xs]
    return xs, [0.4 * each / max(dense) for each in dense]


def _failures(scores: Sequence[ModelScore], named: dict[int, str], canvas: Any, ink: Ink) -> None:
    axes = canvas.subplots()
    rates = [100 * score.failure_rate for score in scores]
    _bars(axes, ink, [named[id(score)] for score in scores], rates, [not score.complete for score in scores])
    for row, rate in enumerate(rates):
        axes.annotate(f"{rate:.2f}", (1.01, row), xycoords=("axes fraction", "data"), va="center",
                      fontsize="small", color=ink.ink)  # fmt: skip
    _task_markers(axes, ink, scores, _failure_rate)
    _percent_axis(axes, "failed submissions in percent")
    _legend_below(canvas, axes)


def _failure_rate(task: TaskScore) -> float:
    made = [one for run in task.runs for one in submissions(run)]
    return mean(bool(one["kind"]) for one in made) if made else 0.0


def _cost(scores: Sequence[ModelScore], named: dict[int, str], canvas: Any, ink: Ink) -> None:
    axes = canvas.subplots()
    known = [(score, score.cost_of_a_run) for score in scores if score.cost_of_a_run is not None]
    for number, (score, cost) in enumerate(known):
        ends = score.bounds and [
            [100 * (score.mean - score.bounds[0])],
            [100 * (score.bounds[1] - score.mean)],
        ]
        colour = ink.cycle[number % len(ink.cycle)]
        axes.errorbar([cost], [100 * score.mean], yerr=ends,
                      fmt=MARKERS[number % len(MARKERS)], color=colour, markersize=8, capsize=3, linewidth=1.2,
                      markerfacecolor=colour if score.complete else ink.ground,
                      label=named[id(score)] + ("" if score.complete else f" ({score.coverage})"))  # fmt: skip
    costs = [cost for _, cost in known]
    if min(costs) > 0 and max(costs) / min(costs) > 5:
        axes.set_xscale("log", subs=(2, 5))
        axes.set_xlim(min(costs) / 1.6, max(costs) * 1.6)
        axes.xaxis.set_major_formatter(lambda value, _: f"${value:g}")
        axes.xaxis.set_minor_formatter(lambda value, _: f"${value:g}")
        axes.tick_params(axis="x", which="minor", labelsize="small")
    else:
        axes.set_xlim(left=0)
        axes.xaxis.set_major_formatter(lambda value, _: f"${value:g}")
    axes.set(ylim=(0, 103), xlabel="cost of a run", ylabel="mean accuracy in percent")
    canvas.legend(loc="outside right upper", fontsize="small")


def _curves(scores: Sequence[ModelScore], named: dict[int, str], canvas: Any, ink: Ink) -> None:
    axes = canvas.subplots()
    longest = 1
    for number, score in enumerate(scores):
        curves = [task.curve for task in score.tasks.values() if task.curve]
        turns = min(map(len, curves), default=0)
        longest = max(longest, turns)
        reached = [100 * mean(curve[turn] for curve in curves) for turn in range(turns)]
        axes.plot(range(1, turns + 1), reached, marker=MARKERS[number % len(MARKERS)], markersize=6, linewidth=1.6,
                  linestyle="-" if score.complete else ":", color=ink.cycle[number % len(ink.cycle)],
                  label=named[id(score)] + ("" if score.complete else f" ({score.coverage})"))  # fmt: skip
    axes.set_xticks(range(1, longest + 1))
    axes.set(ylim=(0, 103), xlabel="submission", ylabel="best accuracy so far, percent")
    canvas.legend(loc="outside right upper", fontsize="small")
