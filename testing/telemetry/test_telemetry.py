"""Traces as a collector gets them, of real runs; and runs whose collector is dead."""

from __future__ import annotations

import json
import socket
import time

import pytest

from assay.plugins.otel.attributes import of_completion, of_input, of_output, of_record
from assay.records import Completion, Message, Outcome, ToolCall, TrialRecord, Usage
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer
from testing.telemetry.collector import Collector

TESTS = (
    "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n"
    "TestBlue = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n"
    "TestJudged = 'say red' >> LLMRun() >> LLMRun('Is this a colour? <A>', llm=EVAL_LLM, json=True) >> "
    "SubstringEvaluator('')\n"
    "TestRun = 'print(6 * 7)' >> PythonRun() >> ContainsIntEvaluator(42)\n"
)
RUN = ("--run-tests", "--model", "local/m", "--judge", "local/j", "--no-cache", "--otel")


@pytest.fixture
def server():
    with ModelServer() as made:
        yield made


@pytest.fixture
def work(tmp_path, server):
    made = Workspace(tmp_path, server, hparams={"temperature": 0.25})
    made.test_file("colours", TESTS)
    return made


def run(work, collector, *flags, code=0, **environ):
    import subprocess

    address = {"OTEL_EXPORTER_OTLP_ENDPOINT": getattr(collector, "url", collector)}
    return subprocess.run(
        work.command(*RUN, *flags), cwd=work.folder, env={**work.environment, **address, **environ},
        capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


@pytest.mark.slow(3)
def test_a_run_is_a_tree_of_spans(work):
    with Collector() as collector:
        done = run(work, collector, OTEL_EXPORTER_OTLP_HEADERS="x-tenant=a")
        assert done.returncode == 0 and "traces" not in done.stderr, done.stderr
        root = collector.tree()
    assert collector.resource["service.name"] == "assay" and collector.headers[0]["x-tenant"] == "a"
    assert root.name == "run" and root.attributes["assay.models"] == ["local/m"]
    trials = {span.attributes["assay.test"]: span for span in root.children}
    assert {name: span.attributes["assay.outcome"] for name, span in trials.items()} == {
        "colours.TestRed": "pass",
        "colours.TestBlue": "fail",
        "colours.TestJudged": "pass",
        "colours.TestRun": "pass",
    }
    red = trials["colours.TestRed"]
    assert red.name == "trial colours.TestRed" and red.attributes["assay.epoch"] == 1 and not red.error
    assert red.events == [
        (
            "gen_ai.evaluation.result",
            {
                "gen_ai.evaluation.name": "colours.TestRed",
                "gen_ai.evaluation.score.label": "pass",
                "gen_ai.evaluation.score.value": 1.0,
            },
        )
    ]
    (chat,) = red.children
    assert chat.name == "chat m" and chat.kind == 3  # CLIENT
    facts = chat.attributes
    assert facts["gen_ai.operation.name"] == "chat" and facts["gen_ai.provider.name"] == "local"
    assert facts["gen_ai.request.model"] == "m" and facts["gen_ai.request.temperature"] == 0.25
    assert facts["gen_ai.usage.input_tokens"] > 0 and facts["gen_ai.usage.output_tokens"] > 0
    assert facts["gen_ai.usage.input_tokens"] == red.attributes["gen_ai.usage.input_tokens"]
    assert facts["gen_ai.response.finish_reasons"] == ["stop"] and facts["gen_ai.response.model"]
    assert 0 < chat.seconds <= red.seconds <= root.seconds
    asked, judged = trials["colours.TestJudged"].children
    assert (asked.attributes["assay.role"], judged.attributes["assay.role"]) == ("llm", "eval_llm")
    assert (
        judged.attributes["gen_ai.request.model"] == "j" and judged.attributes["gen_ai.output.type"] == "json"
    )
    (command,) = trials["colours.TestRun"].children
    assert command.name == "sandbox command" and command.attributes["process.exit.code"] == 0
    assert command.attributes["assay.sandbox"] and "process.command_args" not in command.attributes


@pytest.mark.slow(3)
def test_no_word_of_a_message_is_told_unless_asked_for(work):
    with Collector() as collector:
        run(work, collector)
    assert b"say red" not in collector.raw and b"gen_ai.input.messages" not in collector.raw
    for asked in (
        {"flags": ["--otel-content"]},
        {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"},
    ):
        with Collector() as collector:
            run(work, collector, *asked.pop("flags", ()), "--test", "TestRed", **asked)
            (chat,) = collector.tree().children[0].children
        messages = json.loads(chat.attributes["gen_ai.input.messages"])
        assert messages == [{"role": "user", "parts": [{"type": "text", "content": "say red"}]}]
        (answer,) = json.loads(chat.attributes["gen_ai.output.messages"])
        assert answer["role"] == "assistant" and "red" in answer["parts"][0]["content"]
        assert answer["finish_reason"] == "stop"


def test_calls_of_tools_and_their_results_are_parts_of_messages():
    call = ToolCall("c1", "shell", '{"command": "ls"}')
    (said,) = json.loads(of_output(Completion("", calls=(call,)))["gen_ai.output.messages"])
    made = {"type": "tool_call", "id": "c1", "name": "shell", "arguments": '{"command": "ls"}'}
    assert said["parts"] == [made]
    turns = (Message("assistant", "I look.", calls=(call,)), Message("tool", "x.py", call_id="c1"))
    first, second = json.loads(of_input(turns)["gen_ai.input.messages"])
    assert first["parts"] == [{"type": "text", "content": "I look."}, made]
    assert second["parts"] == [{"type": "tool_call_response", "id": "c1", "response": "x.py"}]


def test_a_key_is_never_told(work):
    work.test_file("leak", "TestLeak = 'the key is sk-local-secret' >> LLMRun() >> SubstringEvaluator('x')\n")
    with Collector() as collector:
        run(work, collector, "--otel-content", "--test", "TestLeak")
    assert b"the key is [secret]" in collector.raw and b"sk-local-secret" not in collector.raw


def test_what_breaks_is_an_error_with_its_class_and_not_its_words(work, server):
    server.desk.key = "another"
    with Collector() as collector:
        assert run(work, collector, "--test", "TestRed").returncode == 2
        (trial,) = collector.tree().children
    (chat,) = trial.children
    assert trial.error and chat.error
    assert trial.attributes["error.type"] == chat.attributes["error.type"] == "Refused"
    assert trial.attributes["assay.outcome"] == "error"
    for words in (b"HTTP 401", b"was rejected"):
        assert words not in collector.raw
    assert "gen_ai.evaluation.score.value" not in trial.events[0][1]


def test_without_the_flag_nothing_is_sent(work):
    with Collector() as collector:
        work.main(*(flag for flag in RUN if flag != "--otel"), "--test", "TestRed")
    assert not collector.spans


@pytest.mark.slow(4)
@pytest.mark.parametrize("stuck", [False, True], ids=["nobody listens", "it never answers"])
def test_a_dead_collector_costs_a_message_and_nothing_else(work, stuck):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with Collector(stuck=True) as collector:
            address = collector.url if stuck else f"http://127.0.0.1:{unused.getsockname()[1]}"
            begin = time.monotonic()
            done = run(work, address, "--test", "TestRed", "--test", "TestBlue")
            took = time.monotonic() - begin
    assert done.returncode == 0 and "1/2" in done.stdout, done.stderr
    assert f"no collector took them at {address}" in done.stderr and "Traceback" not in done.stderr
    assert done.stderr.count("traces:") == 1 and "opentelemetry" not in done.stderr.lower()
    assert len(work.lines()) == 2 and took < 60


def test_what_is_wrong_is_said_first(work):
    assert "--otel goes with --run-tests" in work.main("--list", "--otel", code=1)[1]
    assert "goes with --otel" in work.main("--run-tests", "--model", "local/m", "--otel-content", code=1)[1]
    done = run(work, "http://127.0.0.1:1", OTEL_EXPORTER_OTLP_PROTOCOL="grpc")
    assert done.returncode == 1 and "speaks http/protobuf" in done.stderr and not work.lines()


def test_without_the_library_it_says_how_to_get_it(monkeypatch):
    import sys

    from assay.errors import ConfigError
    from assay.plugins.otel import OpenTelemetry

    for name in [name for name in sys.modules if name.startswith("opentelemetry")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(
        ConfigError, match=r"needs opentelemetry\.sdk and .*: make (-C \S+ )?setup EXTRAS=otel"
    ):
        OpenTelemetry(content=False)


def test_cached_tokens_are_told_where_there_are_any():
    usage, kinds = Usage(100, 20, 5, 60, 30), ("cache_read.input", "cache_creation.input", "reasoning.output")
    for facts in (
        of_completion(Completion("x", usage)),
        of_record(TrialRecord("t.T", "m", 1, Outcome.PASS, usage=usage)),
    ):
        assert [facts[f"gen_ai.usage.{kind}_tokens"] for kind in ("input", "output", *kinds)] == [
            100,
            20,
            60,
            30,
            5,
        ]
    plain = of_completion(Completion("x", Usage(100, 20)))
    assert [name for name in plain if name.startswith("gen_ai.usage.")] == [
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens",
    ]
