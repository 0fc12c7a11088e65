"""Runs by batch: waves, kills at every moment, errors of requests and of batches, what they cost."""

from __future__ import annotations

import json
import signal

import pytest

from assay.models import prices
from testing.harness.commanding import Workspace, wait_until
from testing.model_server import ModelServer
from testing.model_wire import Reply

OPENAI, CLAUDE = "openai/gpt-4o", "anthropic/claude-haiku-4-5"
MODELS = pytest.mark.parametrize("model", [OPENAI, CLAUDE])


@pytest.fixture
def server():
    with ModelServer(process=True) as server:
        yield server


def desk(server):
    return server.stats()["batches"]


def workspace(folder, server, poll_s=0.2, **config):
    common = {"api_key": "sk-very-secret-1234567890", "batch_poll_s": poll_s}
    llms = {
        "openai": {**common, "base_url": f"{server.url}/v1"},
        "anthropic": {**common, "base_url": server.url},
        "local": {"base_url": f"{server.url}/v1", "api_key": "x"},
    }
    return Workspace(folder, llms=llms, **config)


@MODELS
def test_tests_of_two_calls_need_two_waves(tmp_path, model):
    with ModelServer(process=True) as server:
        work = workspace(tmp_path, server)
        lines = [
            f"Test{at} = 'question {at}' >> LLMRun() >> LLMConversation() >> SubstringEvaluator('Answer')"
            for at in range(30)
        ]
        work.test_file("two", "\n".join(lines) + "\n")
        _, err = work.main("--run-tests", "--batch", "--model", model)
        stats = desk(server)
        assert stats["sizes"] == [30, 30] and stats["charged_twice"] == 0
        assert "batch_0001 with 30 requests is sent" in err
        records = work.lines()
        assert len(records) == 30 and {each["outcome"] for each in records} == {"pass"}
        assert all(reply["batch"] for each in records for reply in each["replies"])


ONE_CALL = "\n".join(
    f"Test{at} = 'question {at}' >> LLMRun() >> SubstringEvaluator('Answer')" for at in range(12)
)
MOMENTS = ["upload", "create", "wait", "results"]


@pytest.mark.slow(20)
@pytest.mark.parametrize(
    ("model", "moment"), [(OPENAI, each) for each in MOMENTS] + [(CLAUDE, each) for each in MOMENTS[1:]]
)
def test_a_kill_at_any_moment_costs_nothing_twice(tmp_path, model, moment):
    """After the upload, after the batch was made and before its id is known, while it waits, and while its
    results come."""
    seconds = 3.0 if moment == "wait" else 0.5
    with ModelServer(process=True, batch_s=seconds, batch_hold=[moment]) as server:
        work = workspace(tmp_path, server)
        work.test_file("one", ONE_CALL)
        child = work.start("--run-tests", "--batch", "--model", model)
        reached = {
            "upload": lambda: desk(server)["files"] == 1,
            "create": lambda: desk(server)["made"] == 1,
            "wait": lambda: any("GET" in each and "batch" in each for each in server.stats()["endpoints"]),
            "results": lambda: any(
                each.endswith(("/results", "/content")) for each in server.stats()["endpoints"]
            ),
        }[moment]
        wait_until(reached, timeout=60)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        assert not work.lines()
        server.hold()
        _, err = work.main("--resume", "--batch", "--run-tests", "--model", model, timeout=120)
        stats = desk(server)
        assert (stats["made"], stats["charged"], stats["charged_twice"]) == (1, 12, 0), err
        assert len(work.lines()) == 12 and "12 requests sent by an earlier command" in err
        spent = server.stats()["requests"]
        work.main("--run-tests", "--batch", "--model", model)  # all of it is in the cache now
        assert desk(server)["made"] == 1 and server.stats()["requests"] == spent == 0


def test_a_kill_before_anything_is_sent_costs_nothing(tmp_path):
    with ModelServer(process=True) as server:
        work = workspace(tmp_path, server, poll_s=30)  # it waits for a calm second
        work.test_file("one", ONE_CALL)
        child = work.start("--run-tests", "--batch", "--model", OPENAI)
        wait_until(lambda: list(work.results.glob("*/*/run-1.jsonl")), timeout=60)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        assert desk(server)["files"] == 0
        config = tmp_path / "config.json"
        config.write_text(config.read_text().replace('"batch_poll_s": 30', '"batch_poll_s": 0.2'))
        work.main("--resume", "--run-tests", "--batch", "--model", OPENAI)
        assert (desk(server)["made"], desk(server)["charged"]) == (1, 12)


@MODELS
def test_a_batch_that_was_made_though_the_server_said_500_is_found(tmp_path, model):
    with ModelServer(process=True, batch_hold=["error"]) as server:
        work = workspace(tmp_path, server)
        work.test_file("one", ONE_CALL)
        work.main("--run-tests", "--batch", "--model", model)
        assert (desk(server)["made"], desk(server)["charged"]) == (1, 12)
        assert {each["outcome"] for each in work.lines()} == {"pass"}


@pytest.mark.slow(10)
@MODELS
def test_a_run_that_was_stopped_goes_on(tmp_path, model):
    with ModelServer(process=True, batch_s=5.0) as server:
        work = workspace(tmp_path, server)
        work.test_file("one", ONE_CALL)
        child = work.start("--run-tests", "--batch", "--model", model)
        wait_until(lambda: any("GET" in each for each in server.stats()["endpoints"]), timeout=60)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate()
        assert (
            child.returncode == 130 and "1 batch goes on at the provider: --resume takes the replies" in err
        )
        _, err = work.main("--resume", "--batch", "--run-tests", "--model", model)
        assert (desk(server)["made"], desk(server)["charged"]) == (1, 12)


@MODELS
def test_each_error_of_a_request_has_its_outcome(tmp_path, model):
    """What may work in another wave is in the next one; the rest is an ERROR with its cause."""
    orders = {
        "Fine": "ok",
        "Overloaded": "529 x1",
        "Broke": "500 x1",
        "Expired": "expired x1",
        "Lost": "lost x1",
        "Torn": "broken x1",
        "Stranger": "stranger",
        "Refused": "400",
        "Canceled": "canceled",
        "Never": "503",
    }
    with ModelServer(process=True) as server:
        work = workspace(tmp_path, server, retries=2)
        lines = [
            f"Test{name} = '{name} [[{order}]]' >> LLMRun() >> SubstringEvaluator('Answer')"
            for name, order in orders.items()
        ]
        work.test_file("odd", "\n".join(lines) + "\n")
        _, err = work.main("--run-tests", "--batch", "--model", model, code=2)
        found = {each["test"].removeprefix("odd.Test"): each for each in work.lines()}
        wrong = {name: each["error"] for name, each in found.items() if each["outcome"] == "error"}
        assert set(wrong) == {"Refused", "Canceled", "Never"} and len(found) == len(orders)
        assert "HTTP 400: ordered to answer 400" in wrong["Refused"]
        assert "canceled at the provider" in wrong["Canceled"]
        assert "gave up after 3 batches" in wrong["Never"]
        assert {each["cause"] for each in found.values() if each["outcome"] == "error"} == {"provider"}
        assert desk(server)["sizes"] == [10, 6, 1]
        assert "1 of its results answer no request of ours" in err and "cannot be read" in err
        assert found["Overloaded"]["attempts"] == 2


@pytest.mark.parametrize(("model", "input_price", "output_price"), [(OPENAI, 2.5, 10.0), (CLAUDE, 1.0, 5.0)])
def test_replies_cost_half_also_from_the_cache(tmp_path, model, input_price, output_price):
    with ModelServer(process=True, replies={"long": "word " * 200}) as server:
        work = workspace(tmp_path, server)
        work.test_file("one", "TestLong = 'long ' * 400 >> LLMRun() >> SubstringEvaluator('word')\n")
        work.main("--run-tests", "--batch", "--model", model)
        # 2,000 characters and 1,000: 500 and 250 tokens, each at half its price
        bill = (500 * input_price + 250 * output_price) / 1e6 / 2
        work.main("--run-tests", "--batch", "--model", model)
        first, again = work.lines()
        assert first["cost"] == pytest.approx(bill) and again["cost"] == pytest.approx(bill)
        assert again["cached_calls"] == 1 and again["extra"]["by_batch"] == first["extra"]["by_batch"] == 1
        flags = ("--run-tests", "--no-cache", "--model", model)
        out, _ = work.main(*flags, "--dry-run", "--format", "json")
        (row,) = json.loads(out)[0]["rows"]
        assert row["cost (USD)"] == pytest.approx(2 * bill) and row["by batch (USD)"] == pytest.approx(bill)


def test_cached_input_costs_half_by_batch_too(tmp_path):
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 600},
    }

    def reply(asked):
        return Reply("Answer", extra={"usage": usage})

    with ModelServer(reply=reply) as server:
        work = workspace(tmp_path, server)
        work.test_file("one", "TestA = 'a' >> LLMRun() >> SubstringEvaluator('Answer')\n")
        work.main("--run-tests", "--batch", "--model", OPENAI)
        (line,) = work.lines()
        assert line["cost"] == pytest.approx((400 * 1.25 + 600 * 0.625 + 100 * 5.0) / 1e6)


def test_a_price_by_batch_can_be_given():
    row = {"input": 2.0, "output": 8.0, "cached": 1.0, "batch": {"input": 0.5}}
    price = prices.price_of("openai", "m", {"m": row}).by_batch()
    assert (price.input, price.output, price.cached) == (0.5, 4.0, 0.5)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--model", "oracle"], "oracle cannot be asked by batch; openai/... and anthropic/... can"),
        (["--model", "local/m"], "local/m cannot be asked by batch; openai/... and anthropic/... can"),
        (["--model", OPENAI, "--no-cache"], "leave out --no-cache"),
        (["--model", OPENAI, "--engine", "ray"], "--batch does not go with --engine ray"),
    ],
)
def test_what_cannot_go_by_batch_is_refused(tmp_path, server, flags, said):
    work = workspace(tmp_path, server)
    work.test_file("one", ONE_CALL)
    _, err = work.main("--run-tests", "--batch", *flags, code=1)
    assert said in err and not work.lines()


def test_an_agent_program_cannot_wait_for_a_batch(tmp_path, server):
    work = workspace(tmp_path, server)
    work.test_file("agent", "TestIt = 'x' >> AgentCommand('true') >> SubstringEvaluator('y')\n")
    _, err = work.main("--run-tests", "--batch", "--model", OPENAI, code=1)
    assert "agent.TestIt runs an agent program" in err


def test_a_refused_batch_is_an_error_of_the_line_at_fault_alone(tmp_path):
    with ModelServer(process=True) as server:
        work = workspace(tmp_path, server)
        work.test_file("odd", "TestA = '[[invalid]]' >> LLMRun()\nTestB = 'fine' >> LLMRun()\n")
        work.main("--run-tests", "--batch", "--model", OPENAI, code=2)
        found = {each["test"]: each for each in work.lines()}
        assert "the batch was refused: this line is wrong" in found["odd.TestA"]["error"]
        assert found["odd.TestB"]["outcome"] == "pass" and desk(server)["charged"] == 1


def test_a_provider_with_little_room_gets_smaller_batches(tmp_path):
    with ModelServer(process=True, batch_room=4) as server:
        work = workspace(tmp_path, server)
        work.test_file("one", ONE_CALL)
        _, err = work.main("--run-tests", "--batch", "--model", OPENAI, timeout=120)
        stats = desk(server)
        assert "no room for 12 requests at once; sending fewer" in err
        assert stats["charged"] == 12 and stats["sizes"][:3] == [12, 6, 3]


def test_models_of_the_responses_api_are_asked_there(tmp_path):
    with ModelServer() as server:
        work = workspace(tmp_path, server)
        work.test_file("one", ONE_CALL)
        work.main("--run-tests", "--batch", "--model", "openai/o3-pro")
        assert {each.api for each in server.asked} == {"responses"} and desk(server)["sizes"] == [12]
        assert {each["outcome"] for each in work.lines()} == {"pass"}


@MODELS
@pytest.mark.slow(3)
def test_the_budget_holds_though_a_wave_cannot_be_stopped(tmp_path, model):
    """Replies are longer than the 1,000 tokens that are expected of a model that has not replied yet, and
    there is no room for 60 of the longest."""
    with ModelServer(process=True, replies={"question": "Answer " * 2000}) as server:  # 3,500 tokens
        work = workspace(tmp_path, server)
        lines = [
            f"Test{at:02} = 'question {at}' >> LLMRun() >> SubstringEvaluator('Answer')" for at in range(60)
        ]
        work.test_file("long", "\n".join(lines) + "\n")
        flags = ("--run-tests", "--batch", "--model", model, "--max-tokens", "150000")
        _, err = work.main(*flags, code=2)
        used = sum(each["usage"][0] + each["usage"][1] for each in work.lines())
        assert 140_000 < used <= 150_000 and desk(server)["sizes"][0] <= 20
        assert "what is left of it is less than the next call is expected to need" in err
        work.main("--run-tests", "--batch", "--model", model, "--resume")
        assert len(work.lines()) == 60
        assert (desk(server)["charged"], desk(server)["charged_twice"]) == (60, 0)
