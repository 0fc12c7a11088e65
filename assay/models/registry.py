"""The provider that a model name means. A new provider is one file and one row here, or the entry point
`assay.providers` of another package: a module like ours, with its row as ROW."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assay.errors import ConfigError
from assay.extensions import Extension, extensions, misplaced, usable
from assay.models import mistakes
from assay.models.provider import Provider, ProviderSettings
from assay.records import Traits


@dataclass(frozen=True)
class Row:
    """One provider.

    `module` has `connect(settings) -> provider.Provider`. `key_env`: environment variables that may
    hold the key, `needs_key`: whether a key is required. `options`: facts that the
    module asks for, e.g. the prefix that litellm gives the provider. `also_env`: further settings
    (our name -> environment variable), e.g. a cloud project. `says_cost`: whether replies say what they
    cost. `free_but`: its models cost nothing, except those whose names end with this. `single`: it is one
    model, called as it is. `batch`: calls can go by batch; the module then has
    `batches(provider) -> batches.BatchAPI`.
    """

    module: str
    key_env: tuple[str, ...] = ()
    base_url: str = ""
    base_url_env: str = ""
    needs_key: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    also_env: Mapping[str, str] = field(default_factory=dict)
    says_cost: bool = False
    free_but: tuple[str, ...] | None = None
    single: bool = False
    batch: bool = False
    traits: Traits = field(default_factory=Traits)

    def connect(self, settings: ProviderSettings) -> Provider:
        """The provider's module is imported now. Raises ConfigError for what is not a provider."""
        connected: Provider = mistakes.connected(importlib.import_module(self.module), settings)
        return connected

    def costs_nothing(self, model: str) -> bool:
        return self.traits.free or (self.free_but is not None and not model.endswith(self.free_but))


OPENAI, LITELLM = "assay.models.openai_provider", "assay.models.litellm_provider"


def _compatible(base_url: str, key_env: str, *, needs_key: bool = False, **options: Any) -> Row:
    """A server that speaks OpenAI's chat completions; a hosted one `needs_key`."""
    return Row(OPENAI, (key_env,), base_url, needs_key=needs_key, options=options)


def _litellm(prefix: str, *key_env: str, at: str = "", also_env: Mapping[str, str] = {}) -> Row:
    """A provider that litellm knows. Without `key_env` it finds its credentials in its own ways. `at`: the
    environment variable by which litellm finds another server. Read here, the cache knows it."""
    also_env = {**also_env, "api_base": at} if at else also_env
    return Row(LITELLM, key_env, needs_key=bool(key_env), options={"prefix": prefix}, also_env=also_env)


AWS = {
    "aws_access_key_id": "AWS_ACCESS_KEY_ID",
    "aws_secret_access_key": "AWS_SECRET_ACCESS_KEY",
    "aws_session_token": "AWS_SESSION_TOKEN",
    "aws_region_name": "AWS_REGION",
    "aws_bedrock_runtime_endpoint": "AWS_BEDROCK_RUNTIME_ENDPOINT",
}
VERTEX = {
    "vertex_project": "VERTEXAI_PROJECT",
    "vertex_location": "VERTEXAI_LOCATION",
    "vertex_credentials": "GOOGLE_APPLICATION_CREDENTIALS",
}
AZURE = {"api_base": "AZURE_API_BASE", "api_version": "AZURE_API_VERSION"}

# Those whose name is also litellm's, and begins the names of their environment variables
NAMED_ALIKE = ["mistral", "groq", "moonshot", "deepseek", "xai", "perplexity", "cerebras", "dashscope"]

PROVIDERS: Mapping[str, Row] = MappingProxyType(
    {
        "openai": Row(
            OPENAI,
            ("OPENAI_API_KEY",),
            "https://api.openai.com/v1",
            "OPENAI_BASE_URL",
            options={"dialect": "openai"},
            batch=True,
        ),
        "anthropic": Row(
            "assay.models.anthropic_provider",
            ("ANTHROPIC_API_KEY",),
            "https://api.anthropic.com",
            "ANTHROPIC_BASE_URL",
            batch=True,
        ),
        "ollama": Row(
            "assay.models.ollama",
            ("OLLAMA_API_KEY",),
            "http://localhost:11434",
            "OLLAMA_HOST",
            needs_key=False,
            says_cost=True,
            free_but=(":cloud", "-cloud"),
        ),
        "openrouter": Row(
            OPENAI,
            ("OPENROUTER_API_KEY",),
            "https://openrouter.ai/api/v1",
            options={"dialect": "openrouter"},
            says_cost=True,
        ),
        "lm_studio": _compatible("http://localhost:1234/v1", "LM_STUDIO_API_KEY", json_mode="prompt"),
        "vllm": _compatible("http://localhost:8000/v1", "VLLM_API_KEY"),
        "llamacpp": _compatible("http://localhost:8080/v1", "LLAMACPP_API_KEY"),
        "human": Row(
            "assay.models.human",
            needs_key=False,
            single=True,
            traits=Traits(free=True, interactive=True),
        ),
        **{
            name: _litellm(name, f"{name.upper()}_API_KEY", at=f"{name.upper()}_API_BASE")
            for name in NAMED_ALIKE
        },
        "cohere": _litellm("cohere_chat", "COHERE_API_KEY", "CO_API_KEY", at="COHERE_API_BASE"),
        "gemini": _litellm("gemini", "GEMINI_API_KEY", "GOOGLE_API_KEY", at="GEMINI_API_BASE"),
        "vertexai": _litellm("vertex_ai", at="VERTEXAI_API_BASE", also_env=VERTEX),
        "bedrock": _litellm("bedrock", also_env=AWS),
        "azure": _litellm("azure", "AZURE_API_KEY", also_env=AZURE),
        "azure_ai": _litellm("azure_ai", "AZURE_AI_API_KEY", also_env={"api_base": "AZURE_AI_API_BASE"}),
        "together": _litellm(
            "together_ai", "TOGETHER_API_KEY", "TOGETHERAI_API_KEY", at="TOGETHER_AI_API_BASE"
        ),
        "fireworks": _litellm(
            "fireworks_ai", "FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY", at="FIREWORKS_API_BASE"
        ),
        "nvidia": _litellm("nvidia_nim", "NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY", at="NVIDIA_NIM_API_BASE"),
        "huggingface": _litellm("huggingface", "HF_TOKEN", "HUGGINGFACE_API_KEY", at="HF_API_BASE"),
        "litellm": _litellm(""),  # litellm/<any name litellm knows>
    }
)

ALIASES = {
    "claude": "anthropic",
    "google": "gemini",
    "lmstudio": "lm_studio",
    "lm-studio": "lm_studio",
    "llama.cpp": "llamacpp",
    "vertex": "vertexai",
    "vertex_ai": "vertexai",
    "together_ai": "together",
    "fireworks_ai": "fireworks",
    "nvidia_nim": "nvidia",
    "grok": "xai",
}

# Models with no slash in their name; the original accepted these.
FAMILIES = (
    (re.compile(r"(gpt|chatgpt|codex)-|o\d"), "openai"),
    (re.compile(r"claude-"), "anthropic"),
    (re.compile(r"gemini-"), "gemini"),
    (re.compile(r"(mistral|magistral|ministral|codestral|devstral|pixtral|open-mi[sx]tral)-"), "mistral"),
    (re.compile(r"command"), "cohere"),
    (re.compile(r"deepseek-"), "deepseek"),
    (re.compile(r"grok-"), "xai"),
    (re.compile(r"(moonshot|kimi)-"), "moonshot"),
)

GROUP = "assay.providers"  # of entry points
REPLAY = "replay/"
OWN = {  # models that no provider answers for -> what they do
    "oracle": "replays right references",
    "saboteur": "replays wrong ones",
    "human": "you answer",
}


def split_name(name: str, own: Iterable[str] = (), configured: Iterable[str] = ()) -> tuple[str, str]:
    """The provider and the model that `name` means; `own` are the providers of config.json, of all that
    are `configured` there those that have an address.

    >>> split_name("openai/gpt-4o"), split_name("claude-opus-4-5"), split_name("groq/openai/gpt-oss-20b")
    (('openai', 'gpt-4o'), ('anthropic', 'claude-opus-4-5'), ('groq', 'openai/gpt-oss-20b'))
    """
    names = [each.strip() for each in name.split(",")]
    if len(names) > 1 and all("/" in each for each in names):
        flags = " ".join(f"--model {each}" for each in names)
        raise ConfigError(f"{name!r} is not the name of one model; for several write {flags}")
    provider, slash, model = name.partition("/")
    if slash and model:
        if provider in own:
            return provider, model
        if provider in ALIASES and provider in extensions(GROUP):
            row_of(provider)  # a package's provider of that name is an error
        provider = ALIASES.get(provider, provider)
        if (provider in PROVIDERS and not PROVIDERS[provider].single) or provider in extensions(GROUP):
            return provider, model
    elif not slash:
        if name in PROVIDERS and PROVIDERS[name].single:
            return name, name
        for family, provider in FAMILIES:
            if family.match(name):
                return provider, name
    raise ConfigError(_unknown(name, own, configured))


SERVER_NAMES = ("API_BASE", "BASE_URL", "API_URL", "URL", "ENDPOINT")


def servers_of(model: str) -> dict[str, str]:
    """Environment variables by which litellm may find the server of a model that it has the name for, and
    those of that provider's rows here (our name -> variable).

    >>> servers_of("groq/m")["api_base"], servers_of("gpt-4o")["base_url"]
    ('GROQ_API_BASE', 'OPENAI_BASE_URL')
    """
    prefix, slash, _ = model.partition("/")
    if not slash:
        prefix = next((provider for family, provider in FAMILIES if family.match(model)), "openai")
    found = {name.lower(): f"{re.sub(r'[^A-Z0-9]', '_', prefix.upper())}_{name}" for name in SERVER_NAMES}
    for name, row in PROVIDERS.items():
        if prefix in (name, row.options.get("prefix")):
            found |= row.also_env
    return found


def row_of(provider: str) -> Row:
    """Ours, else that of another package, else that of a server in config.json. Raises ConfigError for a
    package that is broken."""
    if (row := PROVIDERS.get(provider)) is not None:
        return row
    found = extensions(GROUP).get(provider)
    return Row(OPENAI, needs_key=False) if found is None else _their_row(found)


@functools.cache
def _their_row(found: Extension) -> Row:
    if found.name in (taken := {*OWN, REPLAY.rstrip("/"), *ALIASES}):
        others = ", ".join(sorted(taken - {found.name}))
        raise found.broken(f"{found.name!r} means a model or a provider of Assay's, as do {others}")
    module = found.load()
    row = getattr(module, "ROW", Row("", needs_key=False))
    if not callable(getattr(module, "connect", None)):
        raise found.broken(f"{_file_of(module)} must define connect(settings), which returns the provider")
    if not isinstance(row, Row):
        raise found.broken(
            f"ROW in {_file_of(module)} must be a Row of assay.models.registry, such as "
            f'Row("", base_url="https://acme.example"), not {row!r:.60}'
        )
    return dataclasses.replace(row, module=module.__name__)


def _file_of(module: Any) -> str:
    return Path(str(getattr(module, "__file__", None) or module)).name


def key_variables(provider: str) -> tuple[str, ...]:
    """The environment variables that may hold a provider's key.

    >>> key_variables("openai"), key_variables("my-server")
    (('OPENAI_API_KEY',), ('MY_SERVER_API_KEY',))
    """
    usual = () if provider in PROVIDERS else (re.sub(r"\W", "_", provider).upper() + "_API_KEY",)
    return row_of(provider).key_env or usual


def _unknown(name: str, own: Iterable[str], configured: Iterable[str]) -> str:
    known = sorted({*(each for each, row in PROVIDERS.items() if not row.single), *usable(GROUP), *own})
    provider, slash, model = name.partition("/")
    if slash and not model:
        return f"{name!r} does not name a model; write {provider}/MODEL"
    near = difflib.get_close_matches(provider.lower(), [*known, *ALIASES, *OWN], n=1, cutoff=0.7)
    if slash and provider in configured:
        return (
            f"llms.{provider} in config.json has no base_url (http://HOST:PORT/v1), so {name} cannot be "
            "reached"
        )
    if slash:
        meant = f" Did you mean {near[0]}/{model}?" if near else ""
        return (
            f"unknown provider {provider!r} in model {name!r}.{meant} Write provider/model with one of "
            f"{', '.join(known)}; or add your own server to config.json: "
            f'"llms": {{"{provider}": {{"base_url": "http://HOST:PORT/v1"}}}}{misplaced(GROUP, provider)}'
        )
    if near and near[0] in OWN:
        return f"unknown model {name!r}; did you mean {near[0]}?"
    example = _near_model(name)
    its = " or ".join(f"{each}/{name}" for each in [*own, "openai", "ollama"][:3])
    return (
        f"the provider of model {name!r} is unknown; {example}write it as provider/model, e.g. "
        f"{its}. Providers: {', '.join(known)}; without one: {', '.join(OWN)}"
    )


def _near_model(name: str) -> str:
    from assay.models import prices

    near = difflib.get_close_matches(
        name.lower(), [key.partition("/")[2] for key in prices.table()], n=1, cutoff=0.7
    )
    return f"did you mean {near[0]}? Otherwise " if near else ""
