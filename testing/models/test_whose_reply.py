"""A cached reply answers the same question at the same place, once; it holds no key, and is its owner's."""

import asyncio
import base64
import contextlib
import json
import stat
from urllib.parse import quote, quote_plus

import pytest

from assay.errors import BudgetExceeded, NobodyThere, Refused, Rejected
from assay.models.cache import Cache, key_of, prompt_hash
from assay.models.model_registry import ModelRegistry
from assay.models.secrets import Scrubber
from assay.records import EVAL_LLM, LLM, Completion, Message, TrialKey
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import KEY, QUICK, ask, llms_for

COIN = (Message("user", "Toss a coin."),)


def run(llms, body, path=None, **settings):
    async def main():
        async with ModelRegistry(llms, {}, cache=path, retry=QUICK, **settings) as models:
            return await body(models)

    return asyncio.run(main())


def test_two_tosses_in_a_trial_are_two_calls_and_found_again(server, tmp_path):
    async def tosses(models):
        model = models.load("openai/m").for_trial(TrialKey("t"))
        return [(await model.complete(COIN)).cached for _ in range(2)]

    path = tmp_path / "c.sqlite"
    assert run(llms_for(server.url), tosses, path) == [False, False]
    assert run(llms_for(server.url), tosses, path) == [True, True]
    assert server.stats()["requests"] == 2


def test_the_first_toss_of_two_trials_is_one_call(server, tmp_path):
    async def both(models):
        for test in "ab":
            await models.load("openai/m").for_trial(TrialKey(test)).complete(COIN)

    run(llms_for(server.url), both, tmp_path / "c.sqlite")
    assert server.stats()["requests"] == 1


def test_a_reply_that_was_forgotten_is_asked_for_again(server, tmp_path):
    async def forgets(models):
        model = models.load("openai/m").for_trial(TrialKey("t"))
        await model.complete(COIN)
        model.forget(COIN)

    path = tmp_path / "c.sqlite"
    run(llms_for(server.url), forgets, path)
    run(llms_for(server.url), forgets, path)
    assert server.stats()["requests"] == 2


@pytest.mark.parametrize(
    "change",
    [
        {"headers": {"x-version": "2"}},
        {"json_mode": "prompt"},
        {"base_url": None},  # another path to the same server
    ],
)
def test_what_reaches_another_model_is_another_question(server, change, tmp_path):
    path, llms = tmp_path / "c.sqlite", llms_for(server.url)
    ask(server, "my-server/m", cache=path, llms=llms)
    change = {name: value or server.url + "//v1" for name, value in change.items()}
    other = {**llms, "my-server": {**llms["my-server"], **change}}
    assert not ask(server, "my-server/m", cache=path, llms=other).cached
    assert ask(server, "my-server/m", cache=path, llms=other).cached


@pytest.mark.slow(1)
@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("mistral/m", "MISTRAL_API_BASE"),
        ("groq/m", "GROQ_API_BASE"),
        ("deepseek/m", "DEEPSEEK_API_BASE"),
        ("litellm/groq/m", "GROQ_API_BASE"),
        ("litellm/together_ai/m", "TOGETHER_AI_API_BASE"),
        ("litellm/hosted_vllm/m", "HOSTED_VLLM_API_BASE"),
        ("litellm/openai/m", "OPENAI_BASE_URL"),
        ("litellm/gpt-4o", "OPENAI_API_BASE"),
    ],
)
def test_a_server_that_an_environment_variable_names_is_another_one(name, variable, tmp_path, monkeypatch):
    provider = name.partition("/")[0]
    llms, path, said = {provider: {"api_key": "some-long-key"}}, tmp_path / "c.sqlite", []
    for word in ("old", "new"):
        with ModelServer(reply=lambda asked, word=word: Reply(word)) as server:
            monkeypatch.setenv(variable, server.url + "/v1")
            said.append(ask(server, name, cache=path, llms=llms).text)
    assert said == ["old", "new"]


def test_a_new_key_is_the_same_question(server, tmp_path):
    path = tmp_path / "c.sqlite"
    for key in ("sk-the-first-one", "sk-the-second-one"):
        llms = {"my-server": {"base_url": server.url + "/v1", "api_key": key, "headers": {"X-Auth": key}}}
        reply = ask(server, "my-server/m", cache=path, llms=llms)
    assert reply.cached


def test_replies_of_older_versions_are_found_where_a_hosted_provider_is_reached_as_usual(tmp_path):
    """They were kept without an address: they serve nobody who has given one."""
    path, prompt = tmp_path / "c.sqlite", prompt_hash(COIN, False)

    async def put():
        cache = Cache(path)
        for provider in ("openai", "vllm"):
            await cache.put(key_of(provider, "m", {}, prompt, 1), provider, "m", prompt, 1, Completion("old"))
        cache.close()

    asyncio.run(put())
    key = TrialKey("t")
    for name, llms, found in (
        ("openai/m", {}, True),
        ("openai/m", {"openai": {"base_url": "http://localhost:1/v1"}}, False),
        ("openai/m", {"openai": {"headers": {"x-version": "2"}}}, False),
        ("vllm/m", {}, False),  # what runs on one's own machine may be another model today
    ):

        async def look(models, name=name):
            return models.cached(name, COIN, False, key)

        assert run(llms, look, path) is found, (name, llms)


def test_a_reply_that_repeats_the_key_leaves_it_in_no_file(tmp_path):
    path = tmp_path / "cache" / "c.sqlite"
    with ModelServer(reply=lambda asked: f"your key is {KEY}; api_key = 'abc12345'") as server:
        reply = ask(server, "openai/m", cache=path)
        assert reply.text == "your key is [key]; api_key = 'abc12345'"  # what is no key of ours stays
        assert ask(server, "openai/m").text == reply.text
        assert ask(server, "openai/m", cache=path).text == reply.text
    assert all(KEY.encode() not in each.read_bytes() for each in path.parent.iterdir())


@pytest.mark.parametrize(
    "form",
    [
        lambda key: key,
        lambda key: json.dumps(key)[1:-1],
        lambda key: quote(key, safe=""),
        quote_plus,
        lambda key: repr(key)[1:-1],
        lambda key: base64.b64encode(key.encode()).decode().rstrip("="),
    ],
)
def test_a_key_is_taken_out_in_the_forms_that_programs_write(form):
    key = 'Az+9/of "a cloud"\\==1'
    scrub = Scrubber()
    scrub.learn([key])
    assert scrub.values_out(f"<{form(key)}>") == scrub(f"<{form(key)}>") == "<[key]>"


def test_the_name_that_a_server_gives_its_model_is_without_the_key(server):
    assert ask(server, f"openai/{KEY}").model == "[key]-local"  # it says what was asked for


def test_the_cache_is_its_owners_alone(server, tmp_path):
    path = tmp_path / "c.sqlite"
    path.touch(0o644)

    async def modes(models):
        await models.load("openai/m").complete(COIN)
        return {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("c.sqlite*")}

    assert run(llms_for(server.url), modes, path) == {0o600}


# ---------------------------------------------------------------- budgets


@pytest.mark.parametrize("order", ["stall s=5", "half-json", "reset-body", "truncated", "504"])
def test_calls_without_a_readable_reply_count_in_the_budget(order):
    """Twelve requests of $2 under a budget of $3: the provider may charge each."""
    with ModelServer() as server:
        prices = {
            "m": {"input": 0, "output": 2000}
        }  # $2 for the 1000 tokens that a first reply is taken to have
        llms = {"my-server": {"base_url": server.url + "/v1", "prices": prices, "timeout_s": 0.3}}

        async def ask_all(models):
            model = models.load("my-server/m")
            calls = (model.complete((Message("user", f"[[{order}]] {n}"),)) for n in range(12))
            return await asyncio.gather(*calls, return_exceptions=True), models.spent, models.unread

        outcomes, spent, unread = run(llms, ask_all, max_cost=3.0)
        assert server.stats()["requests"] <= 2
    assert any(isinstance(each, BudgetExceeded) for each in outcomes)
    assert "estimated for calls of unknown cost" in str(outcomes[-1])
    assert spent[1] == 0.0  # of what was seen
    assert unread[1] >= 3.0


def test_a_cost_below_nothing_does_not_lengthen_the_budget():

    usage = {"prompt_tokens": 10, "completion_tokens": 1000, "cost": -5}
    with ModelServer(reply=lambda asked: Reply("hi", extra={"usage": usage})) as server:
        llms = {"my-server": {"base_url": server.url + "/v1", "prices": {"m": {"input": 0, "output": 1000}}}}

        async def ask_all(models):
            model = models.load("my-server/m")
            for n in range(5):
                await model.complete((Message("user", str(n)),))

        with pytest.raises(BudgetExceeded, match=r"\$3\.00 spent"):
            run(llms, ask_all, max_cost=2.5)


# ---------------------------------------------------------------- a server that is not there


def test_a_server_that_is_not_there_ends_the_run_after_a_few_calls():
    async def ask_all(models):
        model = models.load("my-server/m")
        calls = (model.complete((Message("user", str(n)),)) for n in range(165))
        return await asyncio.gather(*calls, return_exceptions=True)

    llms = {"my-server": {"base_url": "http://127.0.0.1:9/v1"}}
    attempts = []

    async def counted(models):
        client = models._client("my-server")
        ask = client.provider.ask

        async def asks(call):
            attempts.append(call)
            return await ask(call)

        client.provider.ask = asks
        return await ask_all(models)

    outcomes = run(llms, counted)
    assert all(isinstance(each, NobodyThere) for each in outcomes)
    assert len(attempts) <= 20 + 10  # and what was in flight


def test_a_server_that_was_there_is_given_more_time():
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(ModelServer())
        llms = {"my-server": {"base_url": server.url + "/v1"}}

        async def ask_one_by_one(models):
            model = models.load("my-server/m")
            await model.complete(COIN)
            stack.close()
            kinds = []
            for n in range(4):
                try:
                    await model.complete((Message("user", str(n)),))
                except Exception as error:  # noqa: BLE001
                    kinds.append(type(error).__name__)
            return kinds

        assert run(llms, ask_one_by_one) == ["ProviderError", "ProviderError", "NobodyThere", "NobodyThere"]


def test_a_model_that_is_refused_for_its_name_or_key_soon_ends_the_run(server):
    async def outcomes(models, name, *said):
        told = []
        for n, words in enumerate(said):
            try:
                told.append((await models.load(name).complete((Message("user", f"{n} {words}"),))).text)
            except (Refused, Rejected) as error:
                told.append(f"{type(error).__name__}: {error}")
        return told

    async def all_of_them(models):
        unknown = await outcomes(models, "my-server/unknown", *["[[404]]"] * 10)
        count = server.stats()["requests"]
        other = await outcomes(models, "my-server/m", "[[404]]", "[[404]]", "2+2?", *["[[401]]"] * 30)
        prompts = await outcomes(models, "my-server/careful", *["[[400]]", "[[403]]"] * 5)
        count += 3 + 20 + len(prompts)
        forbidden = await outcomes(models, "my-server/forbidden", *["[[403]]"] * 21)
        return unknown, count + 20, other, prompts, forbidden

    unknown, count, other, prompts, forbidden = run(llms_for(server.url), all_of_them)
    assert [each.partition(":")[0] for each in unknown] == ["Refused"] * 3 + ["Rejected"] * 7
    assert all("HTTP 404" in each and "with all calls of this model" in each for each in unknown[3:])
    assert server.stats()["requests"] == count, "one that has answered is given longer"
    assert "with the last 20 calls" in other[-1] and all(each.startswith("Refused") for each in prompts)
    assert "with all calls" in forbidden[-1], "a 403 may be about one prompt, but not twenty times"


def test_a_judge_that_is_refused_for_its_name_ends_the_run_at_once(server):
    """Its first trials, not three of them as an ERROR of the model, which was asked and paid."""

    async def asked(models, name, role, said):
        try:
            return (await models.load(name, role).complete((Message("user", said),))).text
        except (Refused, Rejected) as error:
            return f"{type(error).__name__}: {error}"

    async def all_of_them(models):
        lost = await asked(models, "my-server/juge", EVAL_LLM, "1 [[404]]")
        prompt = await asked(models, "my-server/careful", EVAL_LLM, "[[400]]")
        await asked(models, "my-server/judge", LLM, "2+2?")
        return lost, prompt, await asked(models, "my-server/judge", EVAL_LLM, "2 [[404]]")

    lost, prompt, worked = run(llms_for(server.url), all_of_them)
    assert (
        lost.startswith("Rejected: the judge my-server/juge: HTTP 404") and "continue with --resume" in lost
    )
    assert prompt.startswith("Refused") and worked.startswith("Refused"), "it answered before"
