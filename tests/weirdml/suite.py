"""WeirdML: machine learning on odd data, in small scripts, with feedback between five submissions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from assay.home import cache_folder
from assay.records import TrialRecord
from assay.suites.exhibits import Page
from assay.suites.suite import Sample, Suite

from .aggregate import summary
from .data.build import Recipe
from .examples import task_page
from .feedback import FeedbackLoop
from .figures import figures
from .options import CONDITIONS, add_options, limits_of, salt_behind, source_of
from .references import references
from .submission import SubmissionScorer
from .tables import tables
from .tasks import TASKS

NAME = "weirdml"
CACHE = cache_folder() / NAME
NEEDS = ("python:numpy", "python:torch")
# Each step of a trial has a limit of its own; waiting for a free core has none.
TRIAL_LIMIT_S = 30 * 86400.0


def samples(options: Any) -> Iterable[Sample]:
    """One sample a task, tried `--runs` times."""
    limits = limits_of(options)
    if options.gpus and getattr(options, "engine", "local") == "local":
        from assay.sandboxes.limits.gpus import chosen

        chosen(options.gpus)
    for name, task in TASKS.items():
        if options.task and name not in options.task:
            continue
        recipe = Recipe(name, options.data_seed, salt_behind(options.private_salt), source_of(options, name))
        scorer = SubmissionScorer(recipe, CACHE, options.time_limit, options.threads)
        yield Sample(
            f"{NAME}.{name}",
            FeedbackLoop(scorer, limits, options.iterations),
            NAME,
            "tests/weirdml/feedback.py",  # with all that it imports: what is asked, run, told and scored
            task.title,
            tags=("machine learning",),
            requires=NEEDS,
            extra={
                "source": recipe.source_name,
                "threads": options.threads,
                "iterations": options.iterations,
            },
            times=options.runs,
            limits=limits,
            time_limit_s=TRIAL_LIMIT_S,
        )


def pages(records: Sequence[TrialRecord]) -> Iterable[Page]:
    """What the tasks are, with examples of their data."""
    yield Page("The tasks and their data", "tasks", task_page)


SUITE = Suite(
    NAME,
    "Machine learning on odd data: five submissions a run, feedback after each.",
    samples,
    tables,
    add_options,
    figures,
    pages,
    references=references,
    aggregate=summary,
    conditions=CONDITIONS,
    scores=(0.0, 1.0),
    extras=("weirdml",),
    figure_extras=("plots",),
)
