"""A server that cuts off every twentieth reply at random: the report names exactly those trials."""

import asyncio
import random
import re

import pytest

from assay.models.model_registry import ModelRegistry
from assay.records import Cause, Outcome
from assay.report.aggregate import make_grid
from assay.report.failures import failures
from assay.report.html import write_report
from assay.running.trial import run_trial
from assay.suites.suite import Sample
from evaluator import ExtractCode, LLMRun, PythonRun, SubstringEvaluator
from testing.language.pipeline import open_pool
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import QUICK, llms_for
from testing.report.written import cells_of

TRIALS = 100


class Server:
    """Answers "What is n + 1?": rightly, wrongly every seventh time, and cut off at random every twentieth.
    What is asked again out of a cut-off reply it answers in full."""

    def __init__(self):
        self.random = random.Random(5)
        self.cut = set()

    def reply(self, asked):
        if "proposes and nothing else" in asked.prompt:
            return Reply("```python\nprint(-1)\n```")
        number = int(re.search(r"What is (\d+) \+ 1", asked.prompt)[1])
        if self.random.random() < 0.05:
            self.cut.add(number)
            return Reply("Let me think about that. Adding one", finish="length")
        right = number + 1 if number % 7 else number
        return Reply(f"```python\nprint({right})\n```")


@pytest.mark.parametrize("name", ["openai/m", "anthropic/claude-opus-4-5"])
def test_exactly_the_trials_with_a_cut_off_reply_are_named(name, tmp_path):
    truth = Server()

    async def run(url):
        judge_less = {"cache": None, "retry": QUICK}
        async with (
            ModelRegistry(llms_for(url), {}, **judge_less) as models,
            open_pool("bubblewrap", ahead=0) as pool,
        ):
            model = models.load(name)

            async def one(n):
                question = f"What is {n} + 1? Reply with a python program that prints it."
                # a program for a few: the second call of ExtractCode must not hide what the first came to
                steps = ExtractCode() >> PythonRun() if n % 25 == 0 else ExtractCode()
                test = question >> LLMRun() >> steps >> SubstringEvaluator(str(n + 1))
                return await run_trial(Sample(f"t.T{n}", test), model, model, model, pool)

            return [await one(n) for n in range(TRIALS)]

    with ModelServer(reply=truth.reply) as server:
        records = asyncio.run(run(server.url))
    assert 2 <= len(truth.cut) <= 12
    failed = [record for record in records if record.outcome is Outcome.FAIL]
    assert all(record.cause and record.why for record in failed)
    named = {int(record.test[3:]) for record in records if record.cause == Cause.CUT_OFF}
    assert named == truth.cut
    assert all("the reply was cut off after" in r.why for r in records if r.cause == Cause.CUT_OFF)
    (total,) = make_grid(records).totals.values()
    assert f"{len(truth.cut)} cut off" in failures(total)
    write_report(records, tmp_path, images=tmp_path / "none", root=tmp_path)
    cells = cells_of(tmp_path).values()
    shown = {int(cell["test"][3:]) for cell in cells if cell["trials"][0]["cause"] == Cause.CUT_OFF}
    assert shown == truth.cut
