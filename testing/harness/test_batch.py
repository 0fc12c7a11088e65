"""Runs by batch: waves, kills at every moment, errors of requests and of batches, what they cost."""

from __future__ import annotations

import signal

import pytest

from testing.harness.commanding import Workspace, wait_until
from testing.model_server import ModelServer

OPENAI, CLAUDE = "openai/gpt-4o", "anthropic/claude-haiku-4-5"
MODELS = pytest.mark.parametrize("model", [OPENAI, CLAUDE])


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
