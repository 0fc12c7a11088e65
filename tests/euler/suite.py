"""Project Euler: one problem, one language, one program; the last line it prints is the answer or not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.language.dsl import Node, StringNode
from assay.language.models import LLMRun
from assay.records import Table, TrialKey, TrialRecord
from assay.suites.exhibits import Page
from assay.suites.suite import Sample, Stored, Suite

from .execution import standby_for
from .facts import Problem, problems
from .flags import add_options, chosen
from .languages import LANGUAGES, title_of
from .nodes import ExtractProgram, LastLineEvaluator, RunProgram, Unavailable
from .pages import pages
from .prompt import prompt_for
from .replies import references_of
from .statements import data_files, statement_of, what_is_missing
from .stored import read_stored
from .tables import scored_series, tables

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
    """One problem in one language. Its fingerprint is of what the model is asked and what is right."""
    asked = prompt_for(language, statement_of(problem.number), time_limit_s) + problem.answer
    return Sample(
        id=id_of(problem.number, language),
        test=test_of(problem, language, time_limit_s),
        suite=NAME,
        source=SOURCE,
        description=f"{problem.number}. {problem.title}, in {title_of(language)}",
        tags=(language,),
        fingerprint=hashlib.sha256(asked.encode()).hexdigest()[:16],
        extra={"problem": problem.number, "language": language},
        standby=standby_for(language),
    )


class Euler(Suite):
    """Its samples are problem by problem, each in every language asked for."""

    name = NAME
    description = (
        "Project Euler: programs that print the answer, scored by how few people solved the problem."
    )
    conditions = ("run_limit",)

    def samples(self, options: Any) -> Iterable[Sample]:
        """Problem by problem, each in every language asked for."""
        known = problems()
        for number in chosen(options):
            problem = known.get(number) or Problem(number, f"Problem {number}", "", 0)
            for language in options.language:
                yield sample_of(problem, language, options.run_limit)

    def flags(self, parser: Any) -> None:
        add_options(parser)

    def tables(self, records: Sequence[TrialRecord]) -> Iterable[Table]:
        return tables(records)

    def pages(self, records: Sequence[TrialRecord]) -> Iterable[Page]:
        return pages(records)

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any]:
        """The oracle's and the saboteur's replies."""
        stem, _, language = trial.test.partition(".")
        return references_of(int(stem.removeprefix("euler")), language, right)

    def sample_for(self, record: TrialRecord, options: Any) -> Sample | None:
        """The sample of a saved trial, of whatever series and language; None if there is no such problem."""
        number, language = record.extra.get("problem"), record.extra.get("language")
        problem = problems().get(number) if isinstance(number, int) else None
        if problem is None or language not in LANGUAGES:
            return None
        return sample_of(problem, str(language), options.run_limit)

    def stored(self, path: Path, options: Any) -> Iterable[Stored] | None:
        """Replies that --rescore runs and judges again."""
        return read_stored(path, options, sample_of)

    def summary(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        """Language -> what was solved and the score."""
        known = problems()
        return {
            each.language: {
                "solved": each.count, "problems": len(each.solved), "of": each.size, "score": each.score(known)
            }
            for each in scored_series(records, known)
        }  # fmt: skip

    def aggregate(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        return self.summary(records)

    def command(self, options: Any) -> int | None:
        """What --leaderboard and --fetch-euler do instead of running tests."""
        if options.leaderboard is not None:
            from .commands import print_leaderboard

            return print_leaderboard(options)
        if options.fetch_euler:
            from .commands import fetch

            return fetch(options)
        return None


SUITE = Euler
