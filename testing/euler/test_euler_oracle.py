"""The reference programs give the published answers, and those of small data files of our own making.

A tenth of the problems at a time. `make euler-oracle` runs all of them.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assay.records import Outcome
from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from testing.euler.trials import pipeline
from testing.language.pipeline import ScriptedModel, has_what_it_needs, text_of
from testing.running.slow import parts
from tests.euler.facts import problems
from tests.euler.languages import LANGUAGES, PUBLISHED
from tests.euler.replies import references_of
from tests.euler.statements import SHIPPED

DATA = Path(__file__).parent / "datafiles"
SERIES = range(1, 101)


def task(number, language):
    """The pipeline of a problem's reference; of one that needs a data file, on ours with its own answer."""
    problem, answer, files = problems()[number], problems()[number].answer, {}
    if problem.data_file:
        folder = DATA / f"{number:03}"
        answer = (folder / "answer.txt").read_text().strip()
        files = {problem.short_data_file: (folder / problem.short_data_file).read_bytes()}
    (reply,) = references_of(number, language, right=True)
    return reply >> pipeline(language, answer, 60.0, files)


@pytest.mark.parametrize("language", PUBLISHED)
@pytest.mark.parametrize("part", parts(5, 12))
def test_the_references_give_the_answers(language, part):
    samples = [Sample(f"euler{number:03}.{language}", task(number, language)) for number in SERIES[part]]

    async def one(pool, sample):
        model = ScriptedModel()
        return await run_trial(sample, model, model, model, pool)

    async def work():
        async with open_pool() as pool:
            await has_what_it_needs(pool, *(sample.test for sample in samples))
            return await asyncio.gather(*(one(pool, sample) for sample in samples))

    records = asyncio.run(work())
    assert len(records) == len(samples)
    wrong = [
        f"{r.test}: {r.error or text_of(r.reason)[-500:]}" for r in records if r.outcome is not Outcome.PASS
    ]
    assert not wrong, "\n\n".join(wrong)


def test_every_problem_has_a_statement_and_a_reference_in_every_published_language():
    for number in SERIES:
        text = (SHIPPED / f"{number:03}.md").read_text(encoding="utf-8")
        assert len(text) > 80, number
        answer = problems()[number].answer
        assert answer not in text.replace(",", "") or len(answer) < 6, f"{number}.md tells the answer"
        for language in PUBLISHED:
            assert len(references_of(number, language, right=True)) == 1, (number, language)


def test_the_saboteur_has_something_to_say_to_every_problem_in_every_language():
    for language in LANGUAGES:
        for number in SERIES:
            wrong = references_of(number, language, right=False)
            assert len(set(wrong)) == (13 if number == 1 else 2), (number, language)
    assert references_of(9999, "python", right=False) == references_of(1, "cobol", right=True) == []
