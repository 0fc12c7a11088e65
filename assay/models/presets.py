"""
Parameters in a model's name, so that one model under two settings is two models of a report:

    openai/gpt-5+reasoning_effort=high      a parameter as it is
    openai/gpt-5+terse                      a preset of config.json's hparams.presets
    openai/gpt-5+terse+seed=7               both; the later wins
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Mapping
from typing import Any

from assay.errors import ConfigError
from assay.models.parameters import KINDS, SAMPLING

WITH = "+"


def split_presets(
    name: str, presets: Mapping[str, Mapping[str, Any]], own: Collection[str] = ()
) -> tuple[str, dict[str, Any]]:
    """The model's own name, and the parameters that follow it. Raises ConfigError for a + that neither a
    preset nor a parameter follows, unless there are no presets at all or the name is one of `own`, those that
    hparams.models knows: then the + is the model's.

    >>> split_presets("openai/gpt-5+terse+seed=7", {"terse": {"system_prompt": "Be brief."}})
    ('openai/gpt-5', {'system_prompt': 'Be brief.', 'seed': 7})
    >>> split_presets("openrouter/cohere/command-r+", {})
    ('openrouter/cohere/command-r+', {})
    """
    found: list[Mapping[str, Any]] = []
    model, plus, last = name.rpartition(WITH)
    while plus and model and name not in own and (last in presets or "=" in last):
        found.append(presets[last] if last in presets else _parameter(last, name))
        name = model
        model, plus, last = name.rpartition(WITH)
    if name not in own and any("=" in word for word in name.split(WITH)[1:]):
        raise ConfigError(
            f"{name}: {last!r} is not a preset; put a value that contains {WITH} into hparams.presets"
        )
    if plus and model and last and presets and name not in own:
        near = difflib.get_close_matches(last, presets, 1, 0.6)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise ConfigError(
            f"{name}: unknown preset {last!r}.{meant} Presets in config.json: {', '.join(presets)}. If the "
            f"{WITH} belongs to the model's name, add that name to hparams.models"
        )
    merged: dict[str, Any] = {}
    for each in reversed(found):
        merged |= each
    return name, merged


def _parameter(text: str, name: str) -> dict[str, Any]:
    """Its value as JSON if it is a word of that (a number, true, false, null), else the text itself."""
    parameter, _, value = text.partition("=")
    known = (*KINDS, *SAMPLING)
    if not parameter.isidentifier():
        raise ConfigError(f"{name}: {parameter!r} is not the name of a parameter")
    if parameter not in known and (near := difflib.get_close_matches(parameter.lower(), known, 1, 0.85)):
        raise ConfigError(f"{name}: unknown parameter {parameter}. Did you mean {near[0]}?")
    try:
        return {parameter: json.loads(value)}
    except ValueError:
        return {parameter: value}
