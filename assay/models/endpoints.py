"""An endpoint file: one model on some OpenAI-compatible server, as a small JSON file.

    {"name": "my-llama", "model": "llama-3-8b", "key": "...", "endpoint": "http://host:8000/v1"}

`store_name`, `model_name` and `url` may stand for name, model and endpoint. Optional, for tables:
_parameter_size, _quantization_level, _context_size.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.models.provider import ModelInfo
from assay.models.registry import OWN, REPLAY

PREFIX = "endpoint:"
FIELDS = (("name", "store_name"), ("model", "model_name"), ("endpoint", "url"))


@dataclass(frozen=True)
class Endpoint:
    name: str
    model: str
    base_url: str
    key: str = field(repr=False)
    info: ModelInfo


def read_endpoint(path: Path) -> Endpoint:
    """Read it. Raises ConfigError with the file's name and what is wrong in it."""
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the endpoint file {path}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"endpoint file {path} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ConfigError(
            f"endpoint file {path} must hold one JSON object with name, model, key and endpoint"
        )
    values = []
    for names in FIELDS:
        value = next((found[name] for name in names if found.get(name)), None)
        if not isinstance(value, str):
            raise ConfigError(f"endpoint file {path} needs {' (or '.join(names)}), a string")
        values.append(value)
    key = found.get("key") or ""
    if not isinstance(key, str):
        raise ConfigError(f"endpoint file {path}: key must be a string")
    name, model, url = values
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"endpoint file {path}: endpoint must begin with http:// or https://, not {url!r}")
    if name in OWN or name.startswith(REPLAY):
        raise ConfigError(f"endpoint file {path}: {name!r} is the name of a built-in model; choose another")
    context = found.get("_context_size")
    info = ModelInfo(
        model,
        str(found.get("_parameter_size") or ""),
        str(found.get("_quantization_level") or ""),
        context if isinstance(context, int) else None,
    )
    return Endpoint(name, model, url.removesuffix("/").removesuffix("/chat/completions"), key, info)
