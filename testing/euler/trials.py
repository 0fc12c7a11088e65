"""Trials of the suite in a real sandbox, several at once."""

import asyncio

from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from testing.language.pipeline import ScriptedModel
from tests.euler.nodes import ExtractProgram, LastLineEvaluator, RunProgram


def pipeline(language, answer="42", time_limit_s=10.0, files=None):
    run = RunProgram(language, files or {}, time_limit_s)
    return ExtractProgram(language) >> run >> LastLineEvaluator(answer, 2.5)


def judge(*tasks, limits=None):
    """The record of each (language, program, options of `pipeline`), in order."""

    async def one(pool, language, program, options):
        test = f"````{language}\n{program}\n````" >> pipeline(language, **options)
        model = ScriptedModel()
        return await run_trial(Sample("euler.t", test), model, model, model, pool)

    async def work():
        more = {"limits": limits} if limits is not None else {}
        async with open_pool("bubblewrap", **more) as pool:
            return await asyncio.gather(*(one(pool, *task) for task in tasks))

    return asyncio.run(work())
