"""WeirdML: machine learning on odd data, in small scripts, with feedback between five submissions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.home import cache_folder
from assay.records import Table, TrialKey, TrialRecord
from assay.suites.exhibits import Figure, Page
from assay.suites.suite import Sample, Suite

from .aggregate import summary
from .data.build import Recipe
from .examples import task_page
from .feedback import FeedbackLoop
from .figures import figures
from .learn_tasks import EVERY, LEARN
from .options import CONDITIONS, add_options, limits_of, salt_behind, source_of
from .references import references
from .submission import SubmissionScorer
from .tables import tables

NAME = "weirdml"
CACHE = cache_folder() / NAME
NEEDS = ("python:numpy", "python:torch")
# Each step of a trial has a limit of its own; waiting for a free core has none.
TRIAL_LIMIT_S = 30 * 86400.0


class WeirdML(Suite):
    """Its samples are its tasks, each tried `--runs` times."""

    name = NAME
    description = "Machine learning on odd data: five submissions a run, feedback after each."
    conditions = CONDITIONS
    scores = (0.0, 1.0)
    extras = ("weirdml",)
    figure_extras = ("plots",)

    def samples(self, options: Any) -> Iterable[Sample]:
        """One sample a task, tried `--runs` times."""
        limits = limits_of(options)
        if options.gpus and getattr(options, "engine", "local") == "local":
            from assay.sandboxes.limits.gpus import chosen

            chosen(options.gpus)
        for name, task in EVERY.items():
            if options.task and name not in options.task:
                continue
            recipe = Recipe(
                name, options.data_seed, salt_behind(options.private_salt), source_of(options, name)
            )
            scorer = SubmissionScorer(recipe, CACHE, options.time_limit, options.threads)
            yield Sample(
                id=f"{NAME}.{name}",
                test=FeedbackLoop(scorer, limits, options.iterations),
                suite=NAME,
                source="tests/weirdml/feedback.py",  # with all that it imports: what is asked, run, told and scored
                description=task.title,
                tags=("machine learning", *(("hard", "learn") if name in LEARN else ())),
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

    def flags(self, parser: Any) -> None:
        add_options(parser)

    def tables(self, records: Sequence[TrialRecord]) -> Iterable[Table]:
        return tables(records)

    def figures(self, records: Sequence[TrialRecord]) -> Iterable[Figure]:
        return figures(records)

    def pages(self, records: Sequence[TrialRecord]) -> Iterable[Page]:
        """What the tasks are, with examples of their data."""
        yield Page("The tasks and their data", "tasks", task_page)

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any]:
        return references(trial, right)

    def aggregate(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        return summary(records)


SUITE = WeirdML
