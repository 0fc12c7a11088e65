"""
The parameters of a model's calls, from config.json's `hparams`.

Names that every provider module translates: temperature, top_p, max_tokens (of the reply), seed,
stop (list of strings), reasoning_effort ("low", "medium", "high", ...), think (true or false) and
thinking_budget (tokens). system_prompt is no parameter of any provider: models.py puts it before the
dialogue. Any other name is sent as it is.

Parameters may stand in a model's name, so that one model under two settings is two models of a report:

    openai/gpt-5+reasoning_effort=high      a parameter as it is
    openai/gpt-5+terse                      a preset of config.json's hparams.presets
    openai/gpt-5+terse+seed=7               both; the later wins
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from assay.errors import ConfigError
from assay.records import LLM

SYSTEM_PROMPT = "system_prompt"
SECTIONS = ("providers", "roles", "models")  # of `hparams`; and presets
PRESETS = "presets"
SAMPLING = ("temperature", "top_p", "top_k")

# Models with fixed sampling, which answer 400 to these parameters.
FIXED_SAMPLING = re.compile(r"(?:ft:)?(?:o\d|gpt-([5-9]|\d\d)(?!.*chat))")


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
    what the model's name says, over everything.
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
    """The parameters that are not None. Raises ConfigError for a value that makes no sense."""
    for name in OURS:
        if name in parameters:
            raise ConfigError(f"hparams may not set {name}: Assay sets it for each call")
    for name, (kinds, wanted) in KINDS.items():
        value = parameters.get(name)
        wrong_bool = isinstance(value, bool) and bool not in kinds
        if value is not None and (wrong_bool or not isinstance(value, kinds)):
            raise ConfigError(f"parameter {name} must be {wanted}, not {value!r}")
    return {name: value for name, value in parameters.items() if value is not None}


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
