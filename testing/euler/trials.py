"""Trials of the suite in a real sandbox, several at once."""

import asyncio

from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from testing.language.pipeline import ScriptedModel, has_what_it_needs
from tests.euler.nodes import ExtractProgram, LastLineEvaluator, RunProgram


def pipeline(language, answer="42", time_limit_s=10.0, files=None):
    run = RunProgram(language, files or {}, time_limit_s)
    return ExtractProgram(language) >> run >> LastLineEvaluator(answer, 2.5)


def has_languages(*languages):
    """Skip where the sandbox lacks what these languages need."""

    async def work():
        async with open_pool("bubblewrap", ahead=0) as pool:
            await has_what_it_needs(pool, *map(pipeline, languages))

    asyncio.run(work())


def judge(*tasks, limits=None):
    """The record of each (language, program, options of `pipeline`), in order."""

    tests = [
        f"````{language}\n{program}\n````" >> pipeline(language, **options)
        for language, program, options in tasks
    ]

    async def one(pool, test):
        model = ScriptedModel()
        return await run_trial(Sample("euler.t", test), model, model, model, pool)

    async def work():
        more = {"limits": limits} if limits is not None else {}
        async with open_pool("bubblewrap", **more) as pool:
            await has_what_it_needs(pool, *tests)
            return await asyncio.gather(*(one(pool, test) for test in tests))

    return asyncio.run(work())
