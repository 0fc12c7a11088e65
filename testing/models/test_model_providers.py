"""Each SDK for real against the local server: what is sent, what is read, and every misbehaviour."""

from __future__ import annotations

import asyncio
import base64
import json
import time
import traceback

import pytest

from assay.errors import NobodyThere, ProviderError, Refused
from assay.models.model_registry import ModelRegistry
from assay.models.registry import LITELLM, PROVIDERS
from assay.records import Message, Schema, Usage
from testing.models.asking import KEY, NAMES, QUICK, ask, llms_for, renamed

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


# ---------------------------------------------------------------- right answers


def test_an_answer_and_what_it_took(server, sdk):
    reply = ask(server, NAMES[sdk], "[[say four]]")
    assert reply.text == "four"
    assert reply.usage == Usage(input_tokens=3, output_tokens=1)
    assert reply.finish_reason == "stop"
    assert (reply.attempts, reply.cached) == (1, False)
    assert 0 < reply.seconds < 20
    assert server.stats()["requests"] == 1
    if sdk != "litellm":  # litellm reports the name that was asked for
        assert reply.model.startswith(NAMES[sdk].partition("/")[2])


def test_a_dialogue_keeps_roles_and_order(server, sdk):
    turns = (
        Message("system", "Be brief."),
        Message("user", "one"),
        Message("assistant", "two"),
        Message("user", "three"),
    )
    ask(server, NAMES[sdk], messages=turns)
    assert server.asked[0].messages == tuple((m.role, m.content) for m in turns)


def test_an_image_arrives_whole(server, sdk):
    ask(server, NAMES[sdk], "what is this?", images=(PNG,))
    (asked,) = server.asked
    assert asked.prompt == "what is this?"
    assert [image.removeprefix("data:image/png;base64,") for image in asked.images] == [
        base64.b64encode(PNG).decode()
    ]


def test_an_image_of_no_known_kind_is_refused_before_it_is_sent(server, sdk):
    with pytest.raises(Refused, match="not PNG, JPEG, GIF or WebP"):
        ask(server, NAMES[sdk], images=(b"<svg/>",))
    assert server.stats()["requests"] == 0


def test_json_mode(server, sdk):
    ask(server, NAMES[sdk], "a list of primes", json=True)
    (asked,) = server.asked
    if sdk == "anthropic":
        assert "JSON" in asked.body["system"]
    else:
        assert asked.json_mode
    if sdk in ("openai", "compatible"):  # OpenAI refuses JSON mode when no message says JSON
        assert any("json" in text.lower() for _, text in asked.messages)


SCHEMA = Schema("verdict", '{"type": "object", "properties": {"a": {"type": "string"}}}')


def test_a_schema_goes_where_the_provider_has_a_place_for_it(server, sdk, monkeypatch):
    name = "mistral/mistral-large-latest" if sdk == "litellm" else NAMES[sdk]
    ask(
        server, name, "a verdict", json=SCHEMA, hparams={"reasoning_effort": "low"} if sdk == "openai" else {}
    )
    (asked,) = server.asked
    assert asked.schema == json.loads(SCHEMA.text)
    if sdk == "openai":
        assert asked.body["response_format"]["json_schema"]["strict"] is True
    if sdk == "anthropic":
        assert "system" not in asked.body


def test_an_effort_and_a_schema_stand_side_by_side(server):
    ask(server, "anthropic/claude-m", json=SCHEMA, hparams={"reasoning_effort": "low"})
    assert server.asked[0].body["output_config"].keys() == {"effort", "format"}


def test_json_mode_adds_nothing_where_the_prompt_says_json(server):
    ask(server, "openai/m", "as JSON, please", json=True)
    assert server.asked[0].messages == (("user", "as JSON, please"),)


def test_reasoning_tokens_are_counted(server):
    reply = ask(server, "openai/o3", "[[say hmm]]", hparams={"reasoning_effort": "low"})
    assert reply.usage == Usage(input_tokens=3, output_tokens=1)  # ordered replies think not
    reply = ask(server, "openai/o3", "think", hparams={"reasoning_effort": "low"})
    assert reply.usage.reasoning_tokens == 16
    assert reply.usage.output_tokens > 16
    assert server.asked[-1].body["reasoning_effort"] == "low"


# ---------------------------------------------------------------- parameters


def test_parameters_by_provider_role_and_model(server):
    hparams = {
        "temperature": 0.0,
        "max_tokens": 100,
        "providers": {"openai": {"max_tokens": 200}, "anthropic": {"max_tokens": 300}},
        "roles": {"llm": {"seed": 7}},
        "models": {"openai/special": {"temperature": 1.0, "max_tokens": None}},
    }
    ask(server, "openai/gpt-4o", hparams=hparams)
    ask(server, "openai/special", hparams=hparams)
    first, second = (asked.body for asked in server.asked)
    assert (first["temperature"], first["max_tokens"], first["seed"]) == (0.0, 200, 7)
    assert second["temperature"] == 1.0
    assert "max_tokens" not in second


def test_reasoning_models_take_no_temperature_and_call_their_limit_otherwise(server):
    ask(server, "openai/o3", hparams={"temperature": 0.0, "max_tokens": 50})
    ask(server, "openai/o3", hparams={"models": {"o3": {"temperature": 1.0}}})
    first, second = (asked.body for asked in server.asked)
    assert "temperature" not in first
    assert "max_tokens" not in first
    assert first["max_completion_tokens"] == 50
    assert second["temperature"] == 1.0  # written for this very model


def test_anthropic_thinking_has_room_and_no_temperature(server):
    ask(
        server, "anthropic/claude-haiku-4-5", hparams={"temperature": 0.0, "thinking_budget": 2000, "seed": 1}
    )
    ask(server, "anthropic/claude-opus-4-6", hparams={"think": True})
    ask(server, "anthropic/claude-haiku-4-5", hparams={"temperature": 0.5, "stop": "END"})
    budget, adaptive, plain = (asked.body for asked in server.asked)
    assert budget["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    assert budget["max_tokens"] > 2000
    assert "temperature" not in budget
    assert "seed" not in budget
    assert adaptive["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert plain["temperature"] == 0.5
    assert plain["stop_sequences"] == ["END"]


def test_ollama_parameters_are_options(server):
    ask(
        server,
        "ollama/qwen3:8b",
        hparams={"temperature": 0.0, "max_tokens": 9, "num_ctx": 4096, "think": False},
    )
    body = server.asked[0].body
    assert body["options"] == {"temperature": 0.0, "num_predict": 9, "num_ctx": 4096}
    assert body["think"] is False
    assert body["stream"] is False


def test_thinking_switch_of_compatible_servers(server):
    ask(server, "my-server/m", hparams={"think": False})
    assert server.asked[0].body["chat_template_kwargs"] == {"enable_thinking": False}


def test_no_json_mode_where_the_server_has_none(server):
    llms = {"lm_studio": {"base_url": server.url + "/v1"}}
    ask(server, "lm_studio/m", "primes", json=True, llms=llms)
    assert "response_format" not in server.asked[0].body
    assert "JSON" in server.asked[0].messages[0][1]


# ---------------------------------------------------------------- misbehaviour that passes

PASSES = [
    *(
        "429 x2",
        "429 x1 retry-after=0.3",
        "429 x1 retry-after=date+1",
        "500 x2",
        "502 x2",
        "503 x2",
        "408 x1",
    ),
    *(
        "409 x1",
        "reset x2",
        "reset-body x2",
        "truncated x2",
        "half-json x2",
        "empty x2",
        "empty-choice x1",
    ),
]


@pytest.mark.parametrize("order", PASSES)
def test_a_passing_failure_is_tried_again_until_it_is_right(server, sdk, order, tmp_path):
    path = tmp_path / "c.sqlite"
    reply = ask(server, NAMES[sdk], f"hello [[{order}]]", cache=path)
    failures = int(order.partition("x")[2][:1])
    assert f"hello [[{order}" in reply.text
    assert reply.attempts == failures + 1
    assert server.stats()["requests"] == failures + 1
    again = ask(server, NAMES[sdk], f"hello [[{order}]]", cache=path)  # the answer is cached, not a failure
    assert (again.text, again.cached, again.attempts) == (reply.text, True, 0)
    assert server.stats()["requests"] == failures + 1


def test_retry_after_is_waited_for(server, sdk):
    began = time.monotonic()
    reply = ask(server, NAMES[sdk], "[[429 x1 retry-after=0.4]]")
    assert time.monotonic() - began > 0.4
    assert reply.seconds > 0.4


def test_a_slow_first_byte_is_waited_for(server, sdk):
    reply = ask(server, NAMES[sdk], "[[slow s=0.6]]")
    assert reply.attempts == 1
    assert reply.seconds > 0.6


@pytest.mark.parametrize("order", ["slow s=30", "stall"])
def test_a_silent_server_is_given_up_at_the_time_limit_and_asked_again(server, sdk, order):
    server.script([order])
    reply = ask(server, NAMES[sdk], llms=llms_for(server.url, timeout_s=0.7))
    assert reply.attempts == 2
    assert 0.7 < reply.seconds < 5
    assert server.stats()["requests"] == 2


# ---------------------------------------------------------------- misbehaviour that stays

STAYS = [
    "429",
    "500",
    "503",
    "529",
    "reset",
    "reset-body",
    "truncated",
    "half-json",
    "empty",
    "empty-choice",
]


@pytest.mark.parametrize("name", ["openai/o3-pro", "anthropic/claude-m", "ollama/llama3", "my-server/m"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_web_page_is_a_wrong_address_unless_the_server_has_answered(server, name, stream):
    llms = llms_for(server.url, stream=stream)
    with pytest.raises(Refused, match=r"answers with a web page: a proxy's page\. Check llms\.\S+\.base_url"):
        ask(server, name, "[[html]]", llms=llms)
    assert server.stats()["requests"] == 1

    async def run():
        async with ModelRegistry(llms, {}, cache=None, retry=QUICK) as models:
            model = models.load(name)
            return [await model.complete((Message("user", text),)) for text in ("hi", "[[html x1]] hi")]

    assert [reply.attempts for reply in asyncio.run(run())] == [1, 2]


def test_a_reply_that_is_not_json_is_shown(server):
    with pytest.raises(ProviderError, match=r"unreadable reply: not JSON \(.*\): '\{.id"):
        ask(server, "openai/m", "[[half-json]]")


@pytest.mark.parametrize("order", STAYS)
def test_a_lasting_failure_is_an_error_and_never_cached(server, sdk, order, tmp_path):
    path = tmp_path / "c.sqlite"
    for run in (1, 2):
        with pytest.raises(ProviderError, match="gave up after 3 attempts") as caught:
            ask(server, NAMES[sdk], f"[[{order}]]", cache=path)
        assert not isinstance(caught.value, Refused)
        assert server.stats()["requests"] == 3 * run
        no_key_in(caught)


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "check the model's name and hparams"),
        (401, "key"),
        (403, "is not allowed to use the model"),
        (404, "model was not found"),
    ],
)
def test_a_wrong_request_is_not_repeated_and_says_what_to_fix(server, sdk, status, advice, tmp_path):
    for run in (1, 2):
        with pytest.raises(Refused, match=advice) as caught:
            ask(server, NAMES[sdk], f"[[{status}]]", cache=tmp_path / "c.sqlite")
        assert server.stats()["requests"] == run
        no_key_in(caught)
    if status == 401:
        where = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "litellm": "MISTRAL_API_KEY"}
        assert where.get(sdk, "api_key in config.json") in str(caught.value)


def no_key_in(caught):
    """Neither in the message nor in what a traceback of it, with all its causes, would show."""
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert KEY not in shown
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_error_messages_do_not_steer_the_terminal(server):
    with pytest.raises(Refused) as caught:
        ask(server, "openai/m", "[[400 code=\x1b[31m]]")
    assert "\x1b" not in str(caught.value)


def test_no_credit_left_is_not_tried_again(server):
    with pytest.raises(Refused, match="out of credit"):
        ask(server, "openai/m", "[[429 code=insufficient_quota]]")
    assert server.stats()["requests"] == 1


def test_an_error_inside_status_200(server):
    reply = ask(server, "my-server/m", "[[error200 code=429 x2]]")
    assert reply.attempts == 3
    with pytest.raises(Refused, match="HTTP 401"):
        ask(server, "my-server/m", "[[error200 code=401]]")


def test_nothing_listens(sdk):
    class Nobody:
        url = "http://127.0.0.1:9"

    with pytest.raises(
        NobodyThere, match=r"The server cannot be reached.*continue it with --resume"
    ) as caught:
        ask(Nobody, NAMES[sdk])
    no_key_in(caught)


# ---------------------------------------------------------------- answers that are none the author wanted


def test_a_refusal_is_the_models_answer(server, sdk, tmp_path):
    reply = ask(server, NAMES[sdk], "[[refusal]]", cache=tmp_path / "c.sqlite")
    if sdk == "litellm":  # it drops the field; what is left is an empty answer
        assert reply.text in ("", "I cannot help with that.")
    else:
        assert reply.text == "I cannot help with that."
    assert server.stats()["requests"] == 1
    if sdk in ("openai", "compatible", "anthropic"):
        assert reply.finish_reason == "refusal"


def test_a_filtered_reply_is_the_models_answer(server, sdk):
    reply = ask(server, NAMES[sdk], "[[filter]]")
    assert reply.text == ""
    assert reply.finish_reason in ("content_filter", "refusal")
    assert server.stats()["requests"] == 1


def test_azures_content_filter_is_the_models_answer(server):
    reply = ask(server, "my-server/m", "[[400 code=content_filter]]")
    assert reply.finish_reason == "content_filter"


def test_empty_text_is_an_answer(server, sdk):
    reply = ask(server, NAMES[sdk], "[[nothing]]")
    assert reply.text == ""
    assert server.stats()["requests"] == 1


def test_odd_text_survives(server, sdk, tmp_path):
    text = "zero \\u0000 lone \ud800 \u202e \U0001f600"
    server.desk.replies["odd"] = text
    path = tmp_path / "c.sqlite"
    first = ask(server, NAMES[sdk], "odd", cache=path)
    again = ask(server, NAMES[sdk], "odd", cache=path)
    assert again.text == first.text
    assert json.dumps(first.text)
    if sdk != "litellm":
        assert first.text == text


def test_the_model_name_can_order_misbehaviour_too(server):
    with pytest.raises(Refused):
        ask(server, renamed("openai", "bad-401"))
    assert ask(server, renamed("openai", "bad-503-x1")).attempts == 2


# ---------------------------------------------------------------- the many providers behind litellm

LIKE_OPENAI = ("mistral", "groq", "moonshot", "deepseek", "xai", "azure", "together", "fireworks", "cerebras")


@pytest.mark.slow(1)
@pytest.mark.parametrize("provider", LIKE_OPENAI)
def test_litellms_providers_answer_and_take_their_keys(server, provider):
    llms = {provider: {"api_key": KEY, "base_url": server.url + "/v1", "timeout_s": 20}}
    if provider == "azure":
        llms[provider]["api_version"] = "2024-10-21"
    hparams = {"temperature": 0.0, "max_tokens": 50, "unheard_of": None}
    reply = ask(server, f"{provider}/m", "[[say hi]]", llms=llms, hparams=hparams)
    assert (reply.text, reply.usage) == ("hi", Usage(input_tokens=3, output_tokens=1))
    (asked,) = server.asked
    assert KEY in (asked.headers.get("authorization", "") + asked.headers.get("api-key", ""))
    assert asked.body["max_tokens"] == 50


@pytest.mark.slow(7)
def test_every_row_is_a_provider_that_litellm_knows():
    from assay.models.litellm_provider import load_litellm

    known = {getattr(name, "value", name) for name in load_litellm().provider_list}
    rows = {name: row.options["prefix"] for name, row in PROVIDERS.items() if row.module == LITELLM}
    assert {name: prefix for name, prefix in rows.items() if prefix and prefix not in known} == {}
