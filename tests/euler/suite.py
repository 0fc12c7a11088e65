"""Project Euler: one problem, one language, one program; the last line it prints is the answer or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from assay.harness.suite import Sample, Suite
from assay.nodes.dsl import Node, StringNode
from assay.nodes.models import LLMRun
from assay.records import TrialKey

from .facts import Problem, problems
from .flags import add_options, chosen
from .languages import title_of
from .nodes import ExtractProgram, LastLineEvaluator, RunProgram, Unavailable
from .prompt import prompt_for
from .replies import references_of
from .statements import data_files, statement_of, what_is_missing

NAME = "euler"
SOURCE = "tests/euler/suite.py"


def test_of(problem: Problem, language: str, time_limit_s: float) -> Node:
    """The pipeline of one trial."""
    if missing := what_is_missing(problem):
        return Unavailable(missing)
    question = StringNode(prompt_for(language, statement_of(problem.number), time_limit_s))
    run = RunProgram(language, data_files(problem), time_limit_s)
    return (
        question
        >> LLMRun()
        >> ExtractProgram(language)
        >> run
        >> LastLineEvaluator(problem.answer, problem.points)
    )


def id_of(number: int, language: str) -> str:
    """euler012.java: --test takes the whole, euler012 or java."""
    return f"euler{number:03}.{language}"


def sample_of(problem: Problem, language: str, time_limit_s: float) -> Sample:
    """One problem in one language."""
    return Sample(
        id_of(problem.number, language),
        test_of(problem, language, time_limit_s),
        NAME,
        SOURCE,
        f"{problem.number}. {problem.title}, in {title_of(language)}",
        (language,),
        extra={"problem": problem.number, "language": language},
    )


def samples(options: Any) -> Iterable[Sample]:
    """Problem by problem, each in every language asked for."""
    known = problems()
    for number in chosen(options):
        problem = known.get(number) or Problem(number, f"Problem {number}", "", 0)
        for language in options.language:
            yield sample_of(problem, language, options.time_limit)


def references(trial: TrialKey, right: bool) -> Sequence[Any]:
    """The oracle's and the saboteur's replies."""
    stem, _, language = trial.test.partition(".")
    return references_of(int(stem.removeprefix("euler")), language, right)


SUITE = Suite(
    NAME,
    "Project Euler: programs that print the answer, scored by how few people solved the problem.",
    samples,
    add_options=add_options,
    references=references,
    conditions=("time_limit",),
)
