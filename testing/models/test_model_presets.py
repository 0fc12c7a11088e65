"""One model under several settings, each a name of its own: +PARAMETER=VALUE, +PRESET."""

from __future__ import annotations

import asyncio
import json

import pytest

from assay.errors import ConfigError
from assay.models.model_registry import ModelRegistry
from assay.records import EVAL_LLM, Message, TrialKey, Usage
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer
from testing.models.asking import KEY, NAMES, QUICK, SDKS, ask, llms_for

PRESETS = {"terse": {"system_prompt": "Be brief."}, "hot": {"temperature": 1.5, "top_p": 0.9}}
HPARAMS = {"temperature": 0.0, "presets": PRESETS, "models": {"my-server/m": {"seed": 3}}}


def body_of(server, name, **settings):
    ask(server, name, hparams=HPARAMS, **settings)
    return server.asked[-1].body


def test_parameters_in_the_name_stand_over_all_others(server):
    body = body_of(server, "my-server/m+hot+top_p=0.5+min_p=0.1", given={"temperature": 0.7})
    assert body["model"] == "m" and "presets" not in body
    assert {name: body[name] for name in ("temperature", "top_p", "min_p", "seed")} == {
        "temperature": 1.5, "top_p": 0.5, "min_p": 0.1, "seed": 3,
    }  # fmt: skip
    assert "seed" not in body_of(server, "my-server/m+seed=null")
    body = body_of(server, "my-server/m+terse")
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    body = body_of(server, "my-server/m+system_prompt=Be brief, Ada")
    assert body["messages"][0]["content"] == "Be brief, Ada"


@pytest.mark.parametrize("sdk", SDKS)
def test_every_sdk_is_asked_for_the_model_itself(server, sdk):
    asked = body_of(server, NAMES[sdk] + "+max_tokens=77")
    assert asked["model"] == NAMES[sdk].partition("/")[2]
    assert 77 in (*asked.values(), *asked.get("options", {}).values())


def test_a_judge_may_have_them_too(server):
    async def run():
        async with ModelRegistry(
            llms_for(server.url), HPARAMS, cache=None, retry=QUICK, given={"seed": 1}
        ) as models:
            judge = models.load("my-server/m+hot", EVAL_LLM).for_trial(TrialKey("t.T"))
            assert (judge.name, judge.called) == ("my-server/m+hot", "m")
            await judge.complete((Message("user", "hi"),))

    asyncio.run(run())
    assert server.asked[-1].body["temperature"] == 1.5 and server.asked[-1].body["seed"] == 3


def test_the_same_parameters_are_the_same_call_whatever_the_name(server, tmp_path):
    cache = tmp_path / "replies.sqlite"
    for name in ("my-server/m", "my-server/m+temperature=0.0", "my-server/m+hot", "my-server/m+hot+seed=3"):
        ask(server, name, hparams=HPARAMS, cache=cache)
    assert server.stats()["requests"] == 2


def test_prices_sizes_and_keys_are_those_of_the_model(server, tmp_path):
    path = tmp_path / "endpoint.json"
    said = {"name": "mine", "model": "m", "key": KEY, "endpoint": server.url + "/v1", "_parameter_size": "8B"}
    path.write_text(json.dumps(said))

    async def run():
        llms = llms_for(server.url, prices={"m": {"input": 1, "output": 2}})
        async with ModelRegistry(llms, HPARAMS, cache=None, retry=QUICK, max_cost=9.0) as models:
            million = Usage(1_000_000, 1_000_000)
            assert models.price("my-server/m+hot", million) == models.price("my-server/m", million) == 3.0
            assert models.load("my-server/m+hot").name == "my-server/m+hot"
            await models.learn(["ollama/llama3.1:8b+hot"])
            about = models.load("ollama/llama3.1:8b+hot").about
            assert about["parameter_size"] and about == await told(models, "ollama/llama3.1:8b")
            assert models.add_endpoint(path) == "mine"
        async with ModelRegistry(llms, HPARAMS, cache=None, retry=QUICK) as models:
            models.add_endpoint(path)
            model = models.load("mine+hot")
            assert (model.name, model.called, model.parameters["temperature"]) == ("mine+hot", "m", 1.5)
            assert (await models.describe("mine+hot")).parameter_size == "8B"

    asyncio.run(run())


async def told(models, name):
    await models.learn([name])
    return models.load(name).about


@pytest.mark.parametrize("name", ["my-server/command-r+", "my-server/a+b", "my-server/c++"])
def test_a_plus_of_the_model_itself_stays(server, name):
    ask(server, name)
    assert server.asked[-1].body["model"] == name.partition("/")[2], "where there are no presets"
    hparams = {**HPARAMS, "models": {name: {}}}
    ask(server, name + "+hot", hparams=hparams)
    body = server.asked[-1].body
    assert body["model"] == name.partition("/")[2] and body["temperature"] == 1.5


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "my-server/m+tersee",
            "unknown preset 'tersee'. Did you mean terse\\? Presets in config.json: terse, hot",
        ),
        ("my-server/m+cold+seed=1", "unknown preset 'cold'. Presets in config.json: terse, hot. If the \\+"),
        ("my-server/m+model=other", "hparams may not set model"),
        ("my-server/m+temprature=1", "unknown parameter temprature. Did you mean temperature?"),
        ("my-server/m+=1", "'' is not the name of a parameter"),
        ("my-server/m+system_prompt=a+b", "'b' is not a preset; put a value that contains \\+"),
        ("my-server/m+temperature=hot", "temperature must be a number, not 'hot'"),
        ("replay/my-server/m+hot", "replay/my-server/m returns the newest cached reply"),
        ("oracle+hot", "oracle takes no parameters; leave out \\+hot"),
        ("+hot", "the provider of model '\\+hot' is unknown"),
    ],
)
def test_slips_of_the_pen(name, said):
    async def run():
        async with ModelRegistry(
            {"my-server": {"base_url": "http://localhost:9/v1"}}, HPARAMS, cache=None
        ) as models:
            models.load(name)

    with pytest.raises(ConfigError, match=said):
        asyncio.run(run())


@pytest.mark.slow(2)
def test_two_settings_of_one_model_are_two_columns(tmp_path):
    """Run, resumed, compared, shown: as if they were two models."""
    with ModelServer(
        reply=lambda asked: "answer" if asked.body.get("temperature") == 1.5 else "no"
    ) as server:
        work = Workspace(tmp_path, server, hparams={"presets": PRESETS})
        work.many_tests(8)
        names = ("local/m+temperature=0", "local/m+hot")
        flags = ("--run-tests", "--generate-report", *(f"--model={name}" for name in names))
        out, _ = work.main(*flags)
        assert "0/8" in out and "8/8" in out and all(name in out for name in names)
        work.main(*flags, "--resume", "--no-cache")
        assert server.stats()["requests"] == 16
        out, _ = work.main("--compare", *names)
        assert "local/m+temperature=0 is worse than local/m+hot: -100.0 points" in out
    page = next((work.folder / "report").glob("*.html")).read_text()
    assert "m+hot" in page and "m+temperature=0" in page
