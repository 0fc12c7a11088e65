"""Parameters given by flags: for the model under test alone, over config.json's, and the system prompt."""

from __future__ import annotations

import asyncio

import pytest

from assay.errors import ConfigError
from assay.models.model_registry import ModelRegistry
from assay.models.resolver import samples
from assay.records import EVAL_LLM, Message, TrialKey
from testing.models.asking import NAMES, QUICK, SDKS, ask, llms_for

SYSTEM = {"system_prompt": "Be brief."}


def system_of(server):
    """The system messages of the last request, wherever its API puts them."""
    return [text for role, text in server.asked[-1].messages if role == "system"]


@pytest.mark.parametrize("sdk", SDKS)
def test_a_system_prompt_stands_before_the_dialogue(server, sdk):
    ask(server, NAMES[sdk], "2+2?", hparams=SYSTEM)
    assert system_of(server) == ["Be brief."]
    assert "system_prompt" not in server.asked[-1].body
    dialogue = (Message("system", "You are Ada."), Message("user", "hi"))
    ask(server, NAMES[sdk], messages=dialogue, hparams=SYSTEM)
    assert system_of(server) == ["Be brief.\n\nYou are Ada."], "many servers take only one"
    ask(server, NAMES[sdk], "2+2?", given={"system_prompt": None}, hparams=SYSTEM)
    assert system_of(server) == []


def test_flags_are_for_the_model_under_test_and_over_config_json(server):
    hparams = {"temperature": 0.1, "models": {"m": {"top_p": 0.5}}}
    given = {"temperature": 0.9, "top_p": 0.8, "min_p": 0.05, **SYSTEM}

    async def run():
        async with ModelRegistry(
            llms_for(server.url), hparams, cache=None, retry=QUICK, given=given
        ) as models:
            for role in ("llm", EVAL_LLM):
                model = models.load("my-server/m", role).for_trial(TrialKey("t.T"))
                await model.complete((Message("user", "hi"),))

    asyncio.run(run())
    tried, judge = (request.body for request in server.asked[-2:])
    assert (tried["temperature"], tried["top_p"], tried["min_p"]) == (0.9, 0.8, 0.05)
    assert tried["messages"][0] == {"role": "system", "content": "Be brief."}
    assert (judge["temperature"], judge["top_p"], judge["messages"][0]["role"]) == (0.1, 0.5, "user")
    assert "min_p" not in judge


def test_another_system_prompt_is_another_call(server, tmp_path):
    cache = tmp_path / "replies.sqlite"
    for prompt in ("Be brief.", "Be brief.", "Be long.", None):
        ask(server, "openai/m", "hi", cache=cache, given={"system_prompt": prompt})
    assert server.stats()["requests"] == 3


def test_what_no_system_prompt_can_be():
    with pytest.raises(ConfigError, match="system_prompt must be a text, not 7"):
        asyncio.run(load({"system_prompt": 7}))


async def load(given):
    llms = {"my-server": {"base_url": "http://localhost:9/v1"}}
    async with ModelRegistry(llms, {}, cache=None, given=given) as models:
        models.load("my-server/m")


@pytest.mark.parametrize(
    ("provider", "model", "takes"),
    [
        ("openai", "o3", False),
        ("openai", "ft:o4-mini-2025-04-16:us::a1", False),
        ("openai", "gpt-4o", True),
        ("azure", "o3", False),
        ("azure", "gpt-5-mini", False),
        ("azure", "my-deployment", True),
        ("openrouter", "openai/o3", True),  # it leaves out what a model does not take
    ],
)
def test_models_with_fixed_sampling_get_no_temperature_of_all_models(provider, model, takes):
    assert samples(provider, model) is takes
