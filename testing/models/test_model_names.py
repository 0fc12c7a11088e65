"""What a model name means, and what an unknown one is told."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest

from assay.errors import ConfigError
from assay.models.endpoints import read_endpoint
from assay.models.model_registry import ModelRegistry
from assay.models.registry import ALIASES, FAMILIES, PROVIDERS, split_name
from assay.records import Message
from testing.models.asking import KEY, QUICK, ask, llms_for


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("openai/gpt-4o", ("openai", "gpt-4o")),
        ("gpt-4o", ("openai", "gpt-4o")),
        ("o1", ("openai", "o1")),
        ("o4-mini", ("openai", "o4-mini")),
        ("chatgpt-4o-latest", ("openai", "chatgpt-4o-latest")),
        ("claude-opus-4-5", ("anthropic", "claude-opus-4-5")),
        ("gemini-2.5-pro", ("gemini", "gemini-2.5-pro")),
        ("mistral-large-latest", ("mistral", "mistral-large-latest")),
        ("command-r-plus", ("cohere", "command-r-plus")),
        ("deepseek-chat", ("deepseek", "deepseek-chat")),
        ("grok-4.3", ("xai", "grok-4.3")),
        ("kimi-k2.5", ("moonshot", "kimi-k2.5")),
        ("google/gemini-2.5-pro", ("gemini", "gemini-2.5-pro")),
        ("lmstudio/x", ("lm_studio", "x")),
        ("openrouter/meta-llama/llama-3", ("openrouter", "meta-llama/llama-3")),
        ("ollama/llama3.1:8b", ("ollama", "llama3.1:8b")),
        ("human", ("human", "human")),
    ],
)
def test_names(name, meaning):
    assert split_name(name) == meaning


def test_a_server_of_ones_own_comes_first():
    assert split_name("mine/some/model", own=["mine"]) == ("mine", "some/model")


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("opnai/gpt-4o", "Did you mean openai/gpt-4o"),
        ("antropic/claude-x", "Did you mean anthropic/claude-x"),
        ("meta-llama/Llama-3", "base_url"),
        ("llama-3", "ollama/llama-3"),
        ("gtp-4o", "did you mean gpt-4o"),
        ("oracel", "did you mean oracle"),
        ("openai/", "write openai/MODEL"),
        ("", "provider/model"),
        ("human/x", "Write provider/model"),
    ],
)
def test_unknown_names_are_told_what_to_write(name, advice):
    with pytest.raises(ConfigError, match=advice.replace("/", "/")):
        split_name(name)


def test_rows_are_sound():
    assert set(ALIASES.values()) <= set(PROVIDERS)
    assert {provider for _, provider in FAMILIES} <= set(PROVIDERS)
    assert not set(ALIASES) & set(PROVIDERS)


def load(llms, name, root, **settings):
    async def run():
        async with ModelRegistry(llms, {}, cache=None, root=root, **settings) as models:
            return repr(models.load(name))

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY"), ("openrouter", "OPENROUTER_API_KEY"),
     pytest.param("mistral", "MISTRAL_API_KEY", marks=pytest.mark.slow(1)),
     pytest.param("groq", "GROQ_API_KEY", marks=pytest.mark.slow(1))],
)  # fmt: skip
def test_a_missing_key_names_its_variable_and_its_setting(provider, variable, monkeypatch, tmp_path):
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigError, match=rf"{variable} or llms\.{provider}\.api_key"):
        load({}, f"{provider}/m", tmp_path)
    with pytest.raises(ConfigError, match=variable):  # config.json.example has empty keys
        load({provider: {"api_key": ""}}, f"{provider}/m", tmp_path)
    (tmp_path / ".env").write_text(f"{variable}='{KEY}'\n")
    assert "m" in load({}, f"{provider}/m", tmp_path)


@pytest.mark.parametrize(
    ("section", "advice"),
    [
        ({"api_key": KEY, "organisation": "x"}, r"llms\.openai\.organisation"),
        ({"api_key": KEY, "timeout_s": "long"}, "timeout_s"),
        ({"api_key": KEY, "headers": []}, "headers"),
        ({"api_key": KEY, "json_mode": "yes"}, "json_mode"),
        ("sk-123", r"llms\.openai in config\.json must be an object"),
    ],
)
def test_wrong_settings_are_named(section, advice, tmp_path):
    with pytest.raises(ConfigError, match=advice) as caught:
        load({"openai": section}, "openai/m", tmp_path)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("hparams", "advice"),
    [
        ({"temperature": "hot"}, "temperature must be a number"),
        ({"max_tokens": 1.5}, "max_tokens must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
        ({"think": "yes"}, "think must be true or false"),
        ({"providers": {"openai": 3}}, "hparams.providers"),
        ({"models": []}, "hparams.models"),
        ({"think": True}, "reasoning_effort"),
    ],
)
def test_wrong_parameters_are_named(server, hparams, advice):
    with pytest.raises(ConfigError, match=advice):
        ask(server, "openai/m", hparams=hparams)
    assert server.stats()["requests"] == 0


def test_base_url_from_the_environment(server, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OLLAMA_HOST", server.url.removeprefix("http://"))
    assert ask(server, "gpt-4o", "[[say a]]", llms={"openai": {}}).text == "a"
    assert ask(server, "ollama/qwen3:8b", "[[say b]]", llms={"openai": {}}).text == "b"
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_extra_headers_are_sent(server, sdk):
    from testing.models.asking import NAMES

    ask(server, NAMES[sdk], llms=llms_for(server.url, headers={"x-team": "evals"}))
    assert server.asked[0].headers["x-team"] == "evals"


# ---------------------------------------------------------------- endpoint files


ENDPOINTS = {
    "short": {"name": "my-llama", "model": "llama-3", "key": KEY},
    "long": {"store_name": "my-llama", "model_name": "llama-3", "key": KEY, "_parameter_size": "8B",
             "_quantization_level": "Q8_0", "_context_size": 8192},
}  # fmt: skip


@pytest.mark.parametrize("kind", ENDPOINTS)
def test_an_endpoint_file_is_a_model(server, kind, tmp_path):
    path = tmp_path / "endpoint.json"
    where = (
        {"endpoint": server.url + "/v1/chat/completions"} if kind == "short" else {"url": server.url + "/v1/"}
    )
    path.write_text(json.dumps(ENDPOINTS[kind] | where))
    assert ask(server, f"endpoint:{path}", "[[say hello]]").text == "hello"
    assert server.asked[0].model == "llama-3"
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"

    async def run():
        async with ModelRegistry({}, {}, cache=tmp_path / "c.sqlite", retry=QUICK) as models:
            name = models.add_endpoint(path)
            model = models.load(name)
            again = await model.complete((Message("user", "[[say more]]"),))
            return model.name, again.text, await models.describe(name), repr(models.resolver.endpoints)

    name, text, info, shown = asyncio.run(run())
    assert (name, text) == ("my-llama", "more")
    if kind == "long":
        assert (info.parameter_size, info.quantization, info.context_length) == ("8B", "Q8_0", 8192)
    assert KEY not in shown


@pytest.mark.parametrize(
    ("content", "advice"),
    [("{", "not JSON"), ("[]", "one JSON object"), ('{"name": "x"}', "needs model"),
     ('{"name": "x", "model": "m"}', r"needs endpoint \(or url\)"),
     ('{"name": "x", "model": "m", "url": "127.0.0.1:1/v1"}', "must begin with http:// or https://"),
     ('{"name": "oracle", "model": "m", "url": "http://h/v1"}', "'oracle' is the name of a built-in model"),
     ('{"name": "x", "model": "m", "url": "http://h", "key": 3}', "key must be a string")],
)  # fmt: skip
def test_a_wrong_endpoint_file_says_what_it_lacks(content, advice, tmp_path):
    path = tmp_path / "endpoint.json"
    path.write_text(content)
    with pytest.raises(ConfigError, match=advice):
        read_endpoint(path)
    with pytest.raises(ConfigError, match="cannot read"):
        read_endpoint(tmp_path / "none.json")


# ---------------------------------------------------------------- lists of models


def with_models(server, body):
    async def run():
        async with ModelRegistry(llms_for(server.url), {}, cache=None, retry=QUICK) as models:
            return await body(models)

    return asyncio.run(run())


def test_ollama_lists_and_describes_its_models(server):
    async def body(models):
        return await models.available(), await models.describe("ollama/qwen3:8b")

    listed, described = with_models(server, body)
    assert [info.name for info in listed] == ["llama3.1:8b", "qwen3:8b"]
    assert listed[0].size == 4_900_000_000
    assert (described.parameter_size, described.quantization, described.context_length) == (
        "8.0B",
        "Q4_K_M",
        131072,
    )


@pytest.mark.slow(1)
def test_other_servers_list_their_models(server):
    async def body(models):
        found = [await models.available(name) for name in ("openai", "my-server", "anthropic")]
        with pytest.raises(ConfigError, match="does not list"):
            await models.available("mistral")
        return found

    for listed in with_models(server, body):
        assert [info.name for info in listed] == ["llama3.1:8b", "qwen3:8b"]


def test_an_absent_ollama_says_how_to_start_it(tmp_path):
    from assay.errors import ProviderError

    llms = {"ollama": {"base_url": "http://127.0.0.1:9"}}

    async def run():
        async with ModelRegistry(llms, {}, cache=None, retry=QUICK) as models:
            with pytest.raises(ProviderError, match=r"^ollama: nothing listens.*ollama serve"):
                await models.available()
            with pytest.raises(ProviderError, match=r"^ollama/x: nothing listens.*ollama serve"):
                await models.describe("ollama/x")

    asyncio.run(run())


def test_an_absent_ollama_model_says_how_to_get_it(server):
    from assay.errors import Refused

    with pytest.raises(Refused, match="ollama pull nothere"):
        ask(server, "ollama/nothere", "[[404]]")


def test_a_server_that_says_nothing_of_its_models_keeps_no_run_waiting(monkeypatch):
    monkeypatch.setattr("assay.models.model_registry.ABOUT_TIME_LIMIT_S", 0.2)

    async def main(url):
        async with ModelRegistry({"ollama": {"base_url": url}}, {}, cache=None) as models:
            await asyncio.wait_for(models.learn(["ollama/m"]), 20)
            assert models.load("ollama/m").about == {}

    with socket.create_server(("127.0.0.1", 0)) as silent:  # the system accepts, nobody answers
        asyncio.run(main("http://{}:{}".format(*silent.getsockname())))


def test_names_of_several_models_in_one_flag_are_told_apart():
    with pytest.raises(ConfigError, match=r"for several write --model mine/a --model mine/b"):
        split_name("mine/a, mine/b", ["mine"])
