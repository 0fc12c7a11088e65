"""Settings of one step, and a picture file that a pipeline begins with: over real HTTP."""

from __future__ import annotations

import asyncio
import re

import pytest

from assay.errors import NodeError
from assay.models.model_registry import ModelRegistry
from assay.records import LLM, TrialKey
from assay.running.trial import run_trial
from assay.running.trial_retry import RememberingModel
from assay.suites.suite import Sample
from evaluator import Image, LLMConversation, LLMRun, LLMVisionRun, SubstringEvaluator
from testing.language.test_model_nodes import picture
from testing.model_server import ModelServer


def asked(tmp_path, *tests, name="my-server/m", hparams=None, cache=None):
    """The records of the tests, and the bodies of the requests that reached the server."""

    async def work(url):
        section = {"base_url": f"{url}/v1", "api_key": "k"}
        llms = {"my-server": section, "openai": section}
        async with ModelRegistry(llms=llms, hparams=hparams or {}, cache=cache) as models:
            model = models.load(name)
            return [
                await run_trial(Sample(f"t.T{n}", each), model, model, model, None)
                for n, each in enumerate(tests)
            ]

    with ModelServer() as server:
        records = asyncio.run(work(server.url))
        return records, server.bodies()


def test_a_step_has_settings_of_its_own(tmp_path):
    step = LLMRun(system="Be brief.", temperature=0.25, max_tokens=7)
    test = (
        "one" >> step >> LLMRun("two") >> LLMConversation("three", temperature=0.5) >> SubstringEvaluator("")
    )
    (record,), bodies = asked(tmp_path, test, hparams={"temperature": 1.0, "system_prompt": "Think."})
    assert record.outcome.value == "pass", record.reason
    first, second, third = bodies
    assert (first["temperature"], second["temperature"], third["temperature"]) == (0.25, 1.0, 0.5)
    assert 7 in (first.get("max_tokens"), first.get("max_completion_tokens"))
    assert not {"max_tokens", "max_completion_tokens"} & set(second)
    systems = [[each["content"] for each in body["messages"] if each["role"] == "system"] for body in bodies]
    assert systems == [["Be brief."], ["Think."], ["Think."]]
    assert len(record.replies) == 3 and record.calls == 3, "each is counted"


def test_they_are_part_of_the_caches_key(tmp_path):
    cold, warm = ("q" >> LLMRun(temperature=t) >> SubstringEvaluator("") for t in (0.0, 0.9))
    _, bodies = asked(tmp_path, cold, warm, cold, warm, "q" >> LLMRun(), cache=tmp_path / "cache.sqlite")
    assert [body.get("temperature") for body in bodies] == [0.0, 0.9, None]


def test_a_model_that_takes_no_temperature_goes_without(tmp_path):
    _, bodies = asked(tmp_path, "q" >> LLMRun(temperature=0.5, max_tokens=9), name="openai/o3")
    assert "temperature" not in bodies[0] and bodies[0]["max_completion_tokens"] == 9


def test_one_that_makes_no_sense_is_refused_where_it_is_written():
    with pytest.raises(NodeError, match="max_tokens must be a whole number, not 'many'"):
        LLMRun(max_tokens="many")


def test_a_model_that_replies_the_same_with_any_is_asked_as_it_is():
    class Plain:
        name = "plain"

        def __init__(self):
            self.asked = 0

        def for_trial(self, trial):
            return self

        async def complete(self, messages, *, json=False):
            from assay.records import Completion

            self.asked += 1
            return Completion("yes")

    plain = Plain()
    remembering = RememberingModel(plain)
    test = Sample("t.T", "q" >> LLMRun(temperature=0.5) >> LLMRun("q") >> SubstringEvaluator("yes"))

    async def work():
        for _ in range(2):
            record = await run_trial(test, remembering, remembering, remembering, None)
            assert record.outcome.value == "pass"
            remembering.again()

    asyncio.run(work())
    assert plain.asked == 2, "a second try asks nobody again"
    assert remembering.for_trial(TrialKey("t.T")).with_parameters({"a": 1}) is not remembering


def test_a_picture_file_is_shown_to_the_model_under_test(tmp_path):
    (tmp_path / "chart.png").write_bytes(picture())
    source = (
        'from evaluator import *\nTestChart = Image("chart.png") >> LLMVisionRun("What is it?", llm=LLM)\n'
    )
    (tmp_path / "mine.py").write_text(source)
    space = {"__file__": str(tmp_path / "mine.py"), "__name__": "mine"}
    exec(compile(source, "mine.py", "exec"), space)
    (record,), bodies = asked(tmp_path, space["TestChart"])
    assert record.outcome.value == "pass", (record.error, record.reason)
    (content,) = [each["content"] for each in bodies[0]["messages"] if each["role"] == "user"]
    assert {part["type"] for part in content} == {"text", "image_url"}
    assert space["TestChart"].left.in_short == '"chart.png"', "explain shows no folders"
    assert space["TestChart"].asks == () and space["TestChart"].right.asks == (LLM,)


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "cannot be read: No such file"), (b"hello", "is not a PNG, JPEG, GIF, WebP or BMP")],
)
def test_a_file_that_is_no_picture_is_said_when_the_test_is_loaded(tmp_path, content, why):
    path = tmp_path / "chart.png"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(NodeError, match=re.escape(f"{path} {why}")):
        Image(path)


def test_a_picture_made_by_a_function_is_shown_as_a_file_is(tmp_path):
    (record,), bodies = asked(tmp_path, Image(picture) >> LLMVisionRun("What is it?", llm=LLM))
    assert record.outcome.value == "pass", (record.error, record.reason)
    (content,) = [each["content"] for each in bodies[0]["messages"] if each["role"] == "user"]
    assert {part["type"] for part in content} == {"text", "image_url"}


@pytest.mark.parametrize("made", [b"hello", None])
def test_a_function_that_makes_no_picture_is_the_tests_mistake(tmp_path, made):
    (record,), bodies = asked(tmp_path, Image(lambda: made) >> LLMVisionRun("What is it?", llm=LLM))
    assert record.outcome.value == "error" and "the function returned no bytes of a PNG" in record.error
    assert bodies == []
