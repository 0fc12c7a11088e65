"""What is imported when, and that a model of one SDK does not load another's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "openai",
    "anthropic",
    "litellm",
    "httpx",
    "aiohttp",
    "pydantic",
    "numpy",
    "rich",
    "jinja2",
)


def imported_by(code):
    check = f"\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code + check],
        cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


ASK = """
import asyncio, sys
from pathlib import Path
from assay.records import Message
from assay.models.model_registry import ModelRegistry
async def main(provider, model, url, cache):
    llms = {{provider: {{"api_key": "a-long-key", "base_url": url}}}}
    async with ModelRegistry(llms, {{}}, cache=Path(cache)) as models:
        reply = await models.load(model).complete((Message("user", "[[say hi]]"),))
        assert reply.text == "hi"
asyncio.run(main({!r}, {!r}, {!r}, {!r}))
"""
SDKS = [
    ("openai", "openai/gpt-4o", "/v1", {"aiohttp"}, {"openai", "httpx", "anthropic", "litellm"}),
    ("anthropic", "anthropic/claude-opus-4-5", "", {"aiohttp"}, {"openai", "httpx", "anthropic", "litellm"}),
    ("ollama", "ollama/x", "", {"aiohttp"}, {"openai", "httpx", "anthropic", "litellm"}),
    pytest.param("mistral", "mistral/m", "/v1", {"litellm"}, set(), marks=pytest.mark.slow(7)),
]


@pytest.mark.parametrize(("provider", "path"), [("openai", "/v1"), ("anthropic", ""), ("ollama", "")])
def test_a_list_of_models_needs_no_sdk(server, provider, path):
    code = f"""
import asyncio
from assay.models.model_registry import ModelRegistry
async def main():
    llms = {{"{provider}": {{"api_key": "a-long-key", "base_url": "{server.url + path}"}}}}
    async with ModelRegistry(llms, {{}}, cache=None) as models:
        assert [each.name for each in await models.available("{provider}")] == ["llama3.1:8b", "qwen3:8b"]
asyncio.run(main())
"""
    assert imported_by(code) == {"aiohttp"}


def test_importing_llm_imports_no_sdk():
    assert imported_by("import llm, assay.running.wiring, assay.cli.main") == set()


@pytest.mark.parametrize(("provider", "model", "path", "wanted", "unwanted"), SDKS)
def test_an_sdk_is_imported_only_to_ask_its_own_models(
    server, tmp_path, provider, model, path, wanted, unwanted
):
    code = ASK.format(provider, model, server.url + path, str(tmp_path / "c.sqlite"))
    found = imported_by(code)
    assert wanted <= found
    assert not unwanted & found
    again = imported_by(code)  # everything is in the cache now
    assert not again & {"openai", "anthropic", "litellm", "aiohttp"}
    assert server.stats()["requests"] == 1


@pytest.mark.parametrize("name", ["oracle", "saboteur", "human"])
def test_models_without_a_provider_import_nothing(name):
    code = f"""
import asyncio
from assay.models.model_registry import ModelRegistry
async def main():
    async with ModelRegistry({{}}, {{}}, cache=None) as models:
        models.load({name!r})
asyncio.run(main())
"""
    assert imported_by(code) == set()
