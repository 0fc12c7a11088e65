"""
The parameters of a model's calls, out of config.json's `hparams`.

Names that every provider module translates: temperature, top_p, max_tokens (of the reply), seed,
stop (list of strings), reasoning_effort ("low", "medium", "high", ...), think (true or false) and
thinking_budget (tokens). system_prompt is no parameter of any provider: models.py puts it before the
dialogue. Any other name is sent as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assay.errors import ConfigError
from assay.records import LLM

SYSTEM_PROMPT = "system_prompt"
SECTIONS = ("providers", "roles", "models")  # of `hparams`; and presets, for presets.py
PRESETS = "presets"
SAMPLING = ("temperature", "top_p", "top_k")

# They sample in one way only and answer 400 when told otherwise.
FIXED_SAMPLING = re.compile(r"o\d|gpt-([5-9]|\d\d)(?!.*chat)")


def parameters_for(
    hparams: Mapping[str, Any],
    provider: str,
    model: str,
    role: str,
    names: tuple[str, ...],
    *,
    samples: bool = True,
    given: Mapping[str, Any] = {},
    preset: Mapping[str, Any] = {},
) -> dict[str, Any]:
    """`hparams` for one model in one role; sections override each other in the order of SECTIONS.

    `names`: how the `models` section may call this model. `samples=False`: the model takes no
    temperature and the like, so those that were meant for all models are left out; one written for
    this very model is kept. `given`: by flags, over all of these, for the model under test alone. `preset`:
    what the model's name says (presets.py), over everything.
    """
    found = {name: value for name, value in hparams.items() if name not in (*SECTIONS, PRESETS)}
    found |= _section(hparams, "providers", provider)
    found |= _section(hparams, "roles", role)
    if not samples:
        for name in SAMPLING:
            found.pop(name, None)
    for name in names:
        found |= _section(hparams, "models", name)
    if role == LLM:
        found |= given
    found |= preset
    return check_parameters(found)


def unsent(provider: str, parameters: Mapping[str, Any]) -> frozenset[str]:
    """Those that a provider does not take and that change nothing by being left out, or that stand back
    behind another one. (What would change something is an error, told by the provider's module.)

    >>> sorted(unsent("anthropic", {"seed": 1, "temperature": 0, "think": True}))
    ['seed', 'temperature']
    """
    if provider != "anthropic":
        return frozenset()
    thinks = parameters.get("think") or parameters.get("thinking_budget") is not None
    left_out = (
        ("seed", "temperature", "top_k") if thinks and parameters.get("think") is not False else ("seed",)
    )
    return frozenset(name for name in left_out if name in parameters)


def _section(hparams: Mapping[str, Any], section: str, name: str) -> Mapping[str, Any]:
    group = hparams.get(section, {})
    found = group.get(name, {}) if isinstance(group, Mapping) else None
    if not isinstance(found, Mapping):
        raise ConfigError(f"hparams.{section} in config.json must map names to objects of parameters")
    return found


KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "temperature": ((int, float), "a number"),
    "top_p": ((int, float), "a number"),
    "max_tokens": ((int,), "a whole number of tokens"),
    "seed": ((int,), "a whole number"),
    "stop": ((list, str), "a list of strings"),
    "reasoning_effort": ((str,), 'a word, e.g. "low"'),
    "think": ((bool,), "true or false"),
    "thinking_budget": ((int,), "a whole number of tokens"),
    "system_prompt": ((str,), "a text"),
}


OURS = ("model", "messages", "stream")  # what a call is made of


def check_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Without those that are None. Raises ConfigError for a value that makes no sense."""
    for name in OURS:
        if name in parameters:
            raise ConfigError(f"hparams may not set {name}: Assay sets it for each call")
    for name, (kinds, wanted) in KINDS.items():
        value = parameters.get(name)
        wrong_bool = isinstance(value, bool) and bool not in kinds
        if value is not None and (wrong_bool or not isinstance(value, kinds)):
            raise ConfigError(f"parameter {name} must be {wanted}, not {value!r}")
    return {name: value for name, value in parameters.items() if value is not None}
