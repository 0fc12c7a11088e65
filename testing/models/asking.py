"""One call to the local server by each SDK."""

from __future__ import annotations

import asyncio
from json import loads

import pytest

from assay.models.model_registry import ModelRegistry
from assay.models.retry import Retry
from assay.records import Message, Tool, TrialKey

KEY = "sk-very-secret-1234567890"
QUICK = Retry(attempts=3, base_delay_s=0.01, max_retry_after_s=2.0)

SHELL = Tool("shell", "Runs a command.", '{"type": "object", "properties": {"command": {"type": "string"}}}')
OFFERED = {  # as OpenAI and others are told of it
    "type": "function",
    "function": {
        "name": SHELL.name, "description": SHELL.description, "parameters": loads(SHELL.parameters)
    },
}  # fmt: skip

# One model of each SDK (litellm by a provider of its own), and where that SDK finds the server.
NAMES = {
    "openai": "openai/m",
    "anthropic": "anthropic/claude-m",
    "ollama": "ollama/llama3.1:8b",
    "litellm": "mistral/m",
    "compatible": "my-server/m",
}
# For tests by every SDK. To import litellm takes longer than all other tests of models, so it is not quick.
SDKS = [pytest.param(each, marks=[pytest.mark.slow(1)] * (each == "litellm")) for each in NAMES]


def llms_for(url: str, **more: object) -> dict[str, dict[str, object]]:
    common = {"api_key": KEY, "timeout_s": 20, **more}
    return {
        "openai": {**common, "base_url": url + "/v1"},
        "anthropic": {**common, "base_url": url},
        "ollama": {**common, "base_url": url},
        "mistral": {**common, "base_url": url + "/v1"},
        "my-server": {**common, "base_url": url + "/v1"},
    }


def renamed(sdk: str, model: str) -> str:
    """`model` as a name of that SDK's provider."""
    return f"{NAMES[sdk].partition('/')[0]}/{model}"


def ask(
    server,
    name,
    prompt="2+2?",
    *,
    llms=None,
    hparams={},
    json=False,
    images=(),
    messages=None,
    tools=(),
    **settings,
):
    """One call in a run of its own: the completion, or the error that it raised."""

    async def run():
        options = {"cache": None, "retry": QUICK, **settings}
        async with ModelRegistry(llms or llms_for(server.url), hparams, **options) as models:
            model = models.load(name).for_trial(TrialKey("t.T"))
            return await model.complete(
                messages or (Message("user", prompt, images),), json=json, tools=tools
            )

    return asyncio.run(run())
