"""How a reply ended, and replies that are none: by each SDK, over real HTTP."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assay.errors import ConfigError, ProviderError, Refused, Transient
from assay.models import prices
from assay.models.failures import StatusError, error_from_status
from assay.models.openai_chat import read_completion
from assay.models.provider import ProviderSettings
from assay.records import Usage
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import NAMES, ask, llms_for

ANTHROPIC = ("anthropic/claude-m", "anthropic/claude-opus-4-5")  # one that is not in the table, one that is


# ---------------------------------------------------------------- cut off, and how much there may be


def test_a_cut_off_reply_says_so(server, sdk):
    assert ask(server, NAMES[sdk], "[[cut half of]]").finish_reason == "length"


@pytest.mark.parametrize("name", ANTHROPIC)
def test_the_end_of_the_context_is_cut_off(server, name):
    assert ask(server, name, "[[context half of]]").finish_reason == "model_context_window_exceeded"


def test_anthropics_limit_is_what_the_model_can_give(server):
    for name in ("claude-opus-4-5", "claude-sonnet-4-6", "claude-sonnet-4-6-20260101"):
        ask(server, f"anthropic/{name}", "hi")
    sent = [body["max_tokens"] for body in server.bodies()]
    assert sent == [64_000, 128_000, 128_000]
    assert prices.facts("anthropic", "claude-sonnet-4-6")["max_output"] == 128_000


def test_a_limit_given_by_hand_is_kept_and_a_short_reply_needs_no_stream(server):
    ask(server, "anthropic/claude-opus-4-5", "hi", hparams={"max_tokens": 500})
    (body,) = server.bodies()
    assert body["max_tokens"] == 500 and "stream" not in body


def test_a_model_that_is_not_in_the_table_gets_the_limit_that_its_server_names():
    def reply(asked):
        given = asked.body["max_tokens"]
        too_many = (
            f"max_tokens: {given} > 4096, which is the maximum allowed number of output tokens for claude-m"
        )
        return Reply(too_many, status=400) if given > 4096 else None

    with ModelServer(reply=reply) as server:
        assert ask(server, "anthropic/claude-m", "hi").attempts == 1
        assert [body["max_tokens"] for body in server.bodies()] == [64_000, 4096]
        with pytest.raises(Refused, match="4096"):  # a limit given by hand is not ours to change
            ask(server, "anthropic/claude-m", "hi", hparams={"max_tokens": 5000})


@pytest.mark.parametrize("name", ANTHROPIC)
def test_a_stream_says_the_same_as_a_whole_message(server, name):
    """Beyond 21,333 tokens of room a reply comes as a stream, which changes nothing of it."""
    streamed = ask(server, name, "long \u00e9 text " * 50)
    whole = ask(server, name, "long \u00e9 text " * 50, hparams={"max_tokens": 20_000})
    first, second = server.bodies()
    assert first["stream"] is True and "stream" not in second
    assert (
        streamed.text[16:] == whole.text[16:] and streamed.model == whole.model
    )  # a hash of the body before
    assert (streamed.usage, streamed.finish_reason) == (whole.usage, "stop")


def test_thinking_in_a_stream_is_left_out_of_the_text(server):
    reply = ask(server, "anthropic/claude-opus-4-5", "hi", hparams={"think": True})
    assert reply.text.startswith("Answer ") and server.bodies()[0]["stream"] is True


@pytest.mark.parametrize("order", ["stream-error", "truncated", "reset-body", "half-json", "empty"])
def test_a_broken_stream_is_tried_again_and_never_an_answer(server, order):
    reply = ask(server, "anthropic/claude-opus-4-5", f"[[{order} x2]] hi")
    assert reply.attempts == 3 and reply.text.startswith("Answer ")


# ---------------------------------------------------------------- refused, filtered, tools, nothing


def test_a_reply_that_only_calls_a_tool_is_named(server, sdk):
    reply = ask(server, NAMES[sdk], "[[tool]]")
    assert (reply.text, reply.finish_reason) == ("", "tool_calls")


@pytest.mark.parametrize("name", ANTHROPIC)
def test_anthropics_empty_turn_is_an_answer(server, name):
    reply = ask(server, name, "[[nothing]]")
    assert (reply.text, reply.finish_reason, reply.attempts) == ("", "stop", 1)


@pytest.mark.parametrize("name", [*ANTHROPIC, "openai/m", "my-server/m"])
def test_refusals_are_named(server, name):
    assert ask(server, name, "[[refusal]]").finish_reason == "refusal"


def test_an_error_inside_the_choice_is_tried_again_and_never_cached(server, tmp_path):
    llms = {
        **llms_for(server.url),
        "openrouter": {"api_key": "sk-or-123456789", "base_url": server.url + "/v1"},
    }
    path = tmp_path / "c.sqlite"
    for name in ("openrouter/x/m", "my-server/m"):
        assert ask(server, name, "[[upstream x2]] hi", llms=llms, cache=path).attempts == 3
        with pytest.raises(ProviderError, match="the upstream failed"):
            ask(server, name, "[[upstream]] hi", llms=llms, cache=path)
    before = server.stats()["requests"]
    with pytest.raises(ProviderError):
        ask(server, "openrouter/x/m", "[[upstream]] hi", llms=llms, cache=path)
    assert server.stats()["requests"] > before


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("MAX_TOKENS", "length"),
        ("model_length", "length"),
        ("SAFETY", "content_filter"),
        ("sensitive", "content_filter"),
        ("eos", "eos"),
    ],
)
def test_servers_words_for_how_a_reply_ends_are_known(word, known):
    choice = {"message": {"content": "It is 4"}, "finish_reason": word}
    assert read_completion({"choices": [choice]}).finish_reason == known


@pytest.mark.parametrize("word", ["abort", "insufficient_system_resource"])
def test_a_reply_that_the_server_broke_off_is_no_answer(word):
    choice = {"message": {"content": "It is"}, "finish_reason": word}
    with pytest.raises(StatusError, match="the upstream failed") as caught:
        read_completion({"choices": [choice]})
    assert type(error_from_status(ProviderSettings("my-server"), "m", caught.value)) is Transient


# ---------------------------------------------------------------- what a refusal says

FASTAPI = {"detail": [{"loc": ["body", "model"], "msg": "field required", "type": "missing"}]}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "no such model", "code": "gone"}}, "no such model"),
        ([{"error": {"message": "no such model", "code": 404}}], "no such model"),
        ({"error": "model not found"}, "model not found"),
        ({"detail": "Not Found"}, "Not Found"),
        (FASTAPI, "body.model: field required"),
        ({"errors": [{"code": 7003, "message": "no route"}], "success": False}, "no route"),
        ({"message": "no Route matched with those values"}, "no Route matched with those values"),
        ({"fault": {"faultstring": "x", "detail": {"reason": "expired"}}}, "expired"),
        ({"type": "about:blank", "title": "Gone", "status": 404}, "Gone"),
        ({"success": False, "code": 7}, 'Error code: 404: {"success": false, "code": 7}'),
        ("upstream\n  refused", "upstream refused"),
        ("<!DOCTYPE html><html><style>a{}</style><h1>404</h1><p>No &lt;route&gt; here</html>", "404"),
        ("<html><body><p>No &lt;route&gt; here</html>", "No <route> here"),
        ("", "Error code: 404"),
        ("[" * 100_000, "..."),
    ],
)
def test_a_refusal_of_any_shape_says_its_gist(body, said):
    content = body if isinstance(body, str) else json.dumps(body)
    refused = StatusError.of(404, content.encode(), {})
    assert refused.message == said
    failure = str(error_from_status(ProviderSettings("my-server"), "m", refused))
    assert failure.startswith(f"my-server/m: HTTP 404: {said}")


@pytest.mark.parametrize("shape", ['{{"detail": "{}"}}', "{}", "<html><title>{}</title></html>"])
def test_a_long_refusal_is_cut_between_words_so_that_no_half_of_a_key_is_left(shape):
    for before in range(900, 1000):
        said = shape.format("x" * before + " my-long-secret-key " + "y " * 5000)
        message = StatusError.of(404, said.encode(), {}).message
        assert len(message) <= 1004 and ("my-long-secret-key" in message or "my-" not in message)


# ---------------------------------------------------------------- numbers that cannot be


@pytest.mark.parametrize("cost", [-5, float("nan"), float("inf"), 10**400, "1", True])
def test_a_cost_that_cannot_be_is_none(cost):
    usage = {"prompt_tokens": 5, "completion_tokens": 5, "cost": cost}
    with ModelServer(reply=lambda asked: Reply("hi", extra={"usage": usage})) as server:
        assert ask(server, "my-server/m").cost is None


@pytest.mark.parametrize("tokens", [-1, 10**400, True, "7", [1], None])
@pytest.mark.parametrize("name", ["my-server/m", "anthropic/claude-m", "ollama/llama3.1:8b"])
def test_tokens_that_cannot_be_are_none(tokens, name):
    usage = {
        "prompt_tokens": tokens,
        "completion_tokens": tokens,
        "input_tokens": tokens,
        "output_tokens": tokens,
    }
    extra = {"usage": usage, "prompt_eval_count": tokens, "eval_count": tokens}
    with ModelServer(reply=lambda asked: Reply("hi", extra=extra)) as server:
        assert ask(server, name, hparams={"max_tokens": 100}).usage == Usage()


# ---------------------------------------------------------------- what is sent


SEVEN = ["mistral/mistral-large-latest", "cohere/command-a-03-2025", "perplexity/sonar"]


@pytest.mark.slow(1)
@pytest.mark.parametrize("name", SEVEN)
def test_what_litellm_cannot_send_is_an_error_that_says_how_to_leave_it_out(server, name):
    provider = name.partition("/")[0]
    llms = {**llms_for(server.url), provider: {"api_key": "some-long-key", "base_url": server.url + "/v1"}}
    with pytest.raises(ConfigError, match="takes no reasoning_effort") as caught:
        ask(server, name, llms=llms, hparams={"reasoning_effort": "high"})
    assert server.stats()["requests"] == 0
    advice = json.loads(
        "{" + str(caught.value).partition("write ")[2].partition(" into config.json")[0] + "}"
    )
    hparams = {"reasoning_effort": "high", **advice["hparams"]}
    if provider == "mistral":
        assert ask(server, name, llms=llms, hparams=hparams).text
        assert "reasoning_effort" not in server.bodies()[0]


@pytest.mark.slow(1)
@pytest.mark.parametrize(
    ("name", "hparams", "said"),
    [
        ("mistral/magistral-medium-latest", {"think": False}, "litellm cannot tell .* not to think"),
        ("mistral/magistral-medium-latest", {"thinking_budget": 1000}, "does not send a thinking_budget"),
        ("mistral/mistral-medium-3", {"reasoning_effort": "low"}, "does not send reasoning_effort 'low'"),
        ("deepseek/deepseek-chat", {"thinking_budget": 2000}, "does not send a thinking_budget"),
        ("gemini/gemini-3-pro-preview", {"think": False}, "litellm cannot tell .* not to think"),
        ("gemini/gemini-3-pro-preview", {"frequency_penalty": 0.3}, "does not send frequency_penalty 0.3"),
        ("moonshot/kimi-latest", {"temperature": 1.7}, "does not send temperature 1.7"),
    ],
)
def test_what_litellm_says_that_it_sends_and_does_not_is_an_error(server, name, hparams, said):
    llms = {name.partition("/")[0]: {"api_key": "some-long-key", "base_url": server.url + "/v1"}}
    with pytest.raises(ConfigError, match=said):
        ask(server, name, llms=llms, hparams=hparams)
    assert server.stats()["requests"] == 0


@pytest.mark.slow(1)
@pytest.mark.parametrize(
    ("name", "hparams", "sent"),
    [
        ("mistral/mistral-medium-3", {"reasoning_effort": "high"}, {"reasoning_effort": "high"}),
        ("deepseek/deepseek-chat", {"think": False}, {"thinking": {"type": "disabled"}}),
        ("deepseek/deepseek-chat", {"think": True}, {"thinking": {"type": "enabled"}}),
        ("moonshot/kimi-latest", {"temperature": 0.2, "seed": 3}, {"temperature": 0.2, "seed": 3}),
        ("groq/m", {"temperature": 0, "stop": ["x"]}, {"temperature": 0, "stop": ["x"]}),
    ],
)
def test_what_litellm_can_send_is_sent(server, name, hparams, sent):
    llms = {name.partition("/")[0]: {"api_key": "some-long-key", "base_url": server.url + "/v1"}}
    ask(server, name, llms=llms, hparams=hparams)
    body = server.bodies()[0]
    assert {key: body.get(key) for key in sent} == sent


@pytest.mark.slow(1)
def test_gemini_is_told_not_to_think():
    bodies = []

    class Gemini(BaseHTTPRequestHandler):
        def do_POST(self):
            bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_error(400)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Gemini) as server:
        threading.Thread(target=server.serve_forever).start()
        url = f"http://127.0.0.1:{server.server_port}"
        llms = {"gemini": {"api_key": "some-long-key", "base_url": url}}
        with pytest.raises(ProviderError):
            ask(None, "gemini/gemini-2.5-flash", llms=llms, hparams={"think": False})
        server.shutdown()
    assert bodies[0]["generationConfig"]["thinkingConfig"] == {"thinkingBudget": 0}


# ---------------------------------------------------------------- Ollama's context


def test_ollamas_context_is_as_large_as_the_prompt_needs(server):
    ask(server, "ollama/llama3.1:8b", "short")
    ask(server, "ollama/llama3.1:8b", "x" * 100_000)
    ask(server, "ollama/qwen3:8b", "x" * 1000, hparams={"max_tokens": 100})
    ask(server, "ollama/llama3.1:8b", "short", hparams={"num_ctx": 2048})
    sizes = [body["options"]["num_ctx"] for body in server.bodies()]
    assert sizes == [16_384, 65_536, 512, 2048]


def test_a_prompt_that_cannot_fit_is_refused_before_it_is_sent(server):
    with pytest.raises(Refused, match="about 150,000 tokens, and the model's context is 131072"):
        ask(server, "ollama/llama3.1:8b", "x" * 600_000)
    with pytest.raises(Refused, match="num_ctx in hparams is 2048: raise it"):
        ask(server, "ollama/llama3.1:8b", "x" * 10_000, hparams={"num_ctx": 2048})
    assert server.stats()["requests"] == 0


def test_the_servers_are_told_not_to_cut_and_what_newer_ones_refuse_gets_all_that_the_model_has():
    def reply(asked):
        if asked.body["options"]["num_ctx"] < 100_000:
            return Reply("the input length exceeds the context length", status=400)
        return Reply("all read")

    with ModelServer(reply=reply) as server:
        assert ask(server, "ollama/llama3.1:8b", "x" * 1000).text == "all read"
        assert [body["options"]["num_ctx"] for body in server.bodies()] == [16_384, 131_072]
        assert all(body["truncate"] is body["shift"] is False for body in server.bodies())
        with pytest.raises(Refused, match="exceeds the context length"):
            ask(server, "ollama/llama3.1:8b", "x" * 1000, hparams={"num_ctx": 2048})
        assert len(server.bodies()) == 3


def test_a_prompt_that_an_older_server_cut_is_no_answer():
    reply = Reply("of the rest", extra={"prompt_eval_count": 2048})
    with (
        ModelServer(reply=lambda asked: reply) as server,
        pytest.raises(Refused, match=r"filled the whole context of 2,048 tokens"),
    ):
        ask(server, "ollama/llama3.1:8b", "x" * 8000, hparams={"num_ctx": 2048})


@pytest.mark.parametrize("text", ["\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 60_000, "7" * 60_000])
def test_other_scripts_and_digits_have_more_tokens(server, text):
    ask(server, "ollama/llama3.1:8b", text)
    assert server.bodies()[0]["options"]["num_ctx"] == 131_072


@pytest.mark.parametrize("size", ["8192", 8192.5, True, 0])
def test_a_context_that_is_no_number_is_an_error(server, size):
    with pytest.raises(ConfigError, match="num_ctx must be a whole number"):
        ask(server, "ollama/llama3.1:8b", hparams={"num_ctx": size})


def test_the_context_is_no_larger_than_the_models(server):
    ask(server, "ollama/llama3.1:8b", "x" * 500_000)
    assert server.bodies()[0]["options"]["num_ctx"] == 131_072
