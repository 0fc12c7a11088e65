"""config.json: what it may say, with defaults that work without one."""

from __future__ import annotations

import difflib
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.home import config_example
from assay.limits import Layer, Limits
from assay.model_roles import ROLES

BLIND_FAITH = (
    "I_HAVE_BLIND_FAITH_IN_LLMS_AND_AM_OKAY_WITH_THEM_BRICKING_MY_MACHINE_OR_MAKING_THEM_HALT_AND_CATCH_FIRE"
)
HPARAM_SECTIONS = ("providers", "roles", "models", "presets")
HPARAMS = (
    "temperature", "top_p", "top_k", "max_tokens", "seed", "stop", "reasoning_effort", "think",
    "thinking_budget", "system_prompt", "max_completion_tokens", "frequency_penalty", "presence_penalty",
    "min_p",
)  # fmt: skip
# What a section of llms may say to any provider; a provider may take more.
LLM_KEYS = (
    "api_key", "base_url", "headers", "timeout_s", "prices", "json_mode", "organization", "project",
    "api_version", "dialect", "prompt_caching", "total_timeout_s", "stream", "api", "tools",
)  # fmt: skip
ADDRESSES = ("url", "baseurl", "endpoint", "address")  # what a base_url is called by mistake
# What a row of prices may say; models/prices.py has the meaning of each.
PRICES = ("input", "output", "cached", "cache_write", "cache_write_1h", "reasoning")
SIZES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
SECRET_WORDS = re.compile(r"key|token|secret|salt|password|credential", re.IGNORECASE)


@dataclass(frozen=True)
class Config:
    """Every setting of a run that is not a flag. Times in seconds, sizes in bytes, money in US dollars.

    `model` is what run_test asks; `models` what --all-models runs. An empty `vision_judge` is the
    judge. `retries` of a failed call. `parameters`: of the models under test, by flags, over their
    hparams. `batch`: by a flag, ask by batch. `layers`: what tests may have in their sandboxes beside the
    image. `suites`: suite -> defaults of its own flags. `cache` is a folder for replies and memoised sandbox
    steps, relative to the repository.
    """

    sandbox: str = "auto"
    model: str = "oracle"
    models: tuple[str, ...] = ()
    judge: str = ""
    vision_judge: str = ""
    hparams: Mapping[str, Any] = field(default_factory=dict)
    llms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    layers: tuple[Layer, ...] = ()
    suites: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    max_connections: int = 10
    max_sandboxes: int | None = None
    retries: int = 4
    max_cost: float | None = None
    max_tokens: int | None = None
    trial_time_limit_s: float = 3600.0
    cache: str = ".cache"
    blind_faith: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    batch: bool = False
    path: str = ""  # the file this came from, "" for the defaults

    def secrets(self, environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
        """Keys and passwords known to this run, longest first: they must reach no file and no screen."""
        found = {
            value
            for section in (*self.llms.values(), *self.suites.values())
            for name, value in section.items()
            if isinstance(value, str) and SECRET_WORDS.search(name)
        }
        found |= {value for name, value in environ.items() if re.search(r"_(KEY|TOKEN|SECRET)$", name)}
        return tuple(sorted((each for each in found if len(each) >= 8), key=len, reverse=True))


Reader = Callable[[Any], Any]  # takes the JSON value, returns ours, raises ValueError(what is allowed)


def _is(kind: type | tuple[type, ...], wanted: str, fits: Callable[[Any], Any] = lambda _: True) -> Reader:
    """Reads a value of a type, which `fits`."""

    def read(value: Any) -> Any:
        if isinstance(value, bool) is not (kind is bool) or not isinstance(value, kind) or not fits(value):
            raise ValueError(f"must be {wanted}")
        return value

    return read


_text = _is(str, "a string")
_name = _is(str, "a string that is not empty", str.strip)
_flag = _is(bool, "true or false")
_count = _is(int, "a whole number, 1 or more", lambda number: number >= 1)
_count_or_zero = _is(int, "a whole number, 0 or more", lambda number: number >= 0)
_mapping = _is(dict, "an object {...}")
_number = _is((int, float), "a number above 0", lambda number: number > 0)


def _positive(value: Any) -> float:
    return float(_number(value))


def _size(value: Any) -> int:
    if isinstance(value, str):
        match = re.fullmatch(r"(\d+)\s*([kmg]?)i?b?", value.strip(), re.IGNORECASE)
        if match and int(match[1]) > 0:
            return int(match[1]) * SIZES[match[2].lower()]
    elif isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise ValueError('must be a number of bytes or a string such as "512m" or "2g"')


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
        raise ValueError("must be a list of strings")
    return tuple(value)


def _llms(value: Any) -> dict[str, dict[str, Any]]:
    sections = _mapping(value)
    if any(not isinstance(section, dict) for section in sections.values()):
        raise ValueError('must be an object of objects, e.g. {"openai": {"api_key": "..."}}')
    for name, section in sections.items():
        for key in section:
            if key.lower() in ADDRESSES:
                raise ValueError(f"unknown key llms.{name}.{key}. Did you mean base_url?")
            if key not in LLM_KEYS and (meant := difflib.get_close_matches(key.lower(), LLM_KEYS, 1, 0.8)):
                raise ValueError(f"unknown key llms.{name}.{key}. Did you mean {meant[0]}?")
        url = section.get("base_url") or "http://"
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            wanted = "must be a URL, e.g. http://localhost:8000/v1"
            raise ValueError(f"llms.{name}.base_url {wanted}, not {_shown(url)}")
        for model, row in _prices(section.get("prices", {}), f"llms.{name}.prices").items():
            _check_prices(row, f"llms.{name}.prices.{model}", ("input", "output"))
    # an empty key in the file means "take it from the environment"
    return {
        name: {key: each for key, each in section.items() if each != ""} for name, section in sections.items()
    }


def _prices(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        example = '{"input": 2.5, "output": 10}, in US dollars per million tokens'
        raise ValueError(f"{where} must be an object: a model's prices are {example}")
    return value


def _check_prices(row: Any, where: str, needed: Iterable[str] = ()) -> None:
    for name, value in _prices(row, where).items():
        its = f"{where}.{name}"
        if name == "batch":
            _check_prices(value, its)
        elif name == "above":
            for tokens, prices in _prices(value, its).items():
                if not tokens.isdecimal():
                    raise ValueError(f'{its} must have numbers of tokens, e.g. "200000", not {tokens!r}')
                _check_prices(prices, f"{its}.{tokens}")
        elif name not in PRICES:
            known = (*PRICES, "above", "batch")
            raise ValueError(f"unknown key {its}.{near(name, known)} Allowed here: {', '.join(known)}")
        elif value is not None:
            try:
                usable = 0 <= float(value) < math.inf
            except (TypeError, ValueError):
                usable = False
            if not usable:
                raise ValueError(f"{its} must be a number, 0 or more, not {_shown(value)}")
    if lacking := [name for name in needed if row.get(name) is None]:
        raise ValueError(f"{where} must say {' and '.join(lacking)} too, in US dollars per million tokens")


def _suites(value: Any) -> dict[str, Any]:
    if not all(isinstance(section, dict) for section in _mapping(value).values()):
        raise ValueError('must be an object of objects, e.g. {"weirdml": {"time_limit": 300}}')
    return dict(value)


def _hparams(value: Any) -> dict[str, Any]:
    given: dict[str, Any] = _mapping(value)
    for name, each in given.items():
        near = difflib.get_close_matches(name.lower(), HPARAM_SECTIONS, 1, 0.75)
        known = (*HPARAM_SECTIONS, "provider")  # that is a parameter of OpenRouter's
        if isinstance(each, dict) and near and name not in known:
            raise ValueError(f"unknown key hparams.{name}. Did you mean {near[0]}?")
    for section in HPARAM_SECTIONS:
        group = given.get(section, {})
        if not isinstance(group, dict) or not all(isinstance(each, dict) for each in group.values()):
            raise ValueError(
                f"hparams.{section} must map names to objects of parameters, not {_shown(group)}"
            )
        for name, each in group.items():
            if section == "roles" and name not in ROLES:
                raise ValueError(f"unknown role hparams.roles.{name}. There are: {', '.join(ROLES)}")
            if section == "presets" and not re.fullmatch(r"[\w. -]+", name):
                raise ValueError(
                    f"hparams.presets.{name}: a preset's name may contain letters, digits, spaces, - _ and ."
                )
            _check_names(each, f"hparams.{section}.{name}.")
    _check_names({name: each for name, each in given.items() if name not in HPARAM_SECTIONS}, "hparams.")
    return given


def check_parameters(given: Mapping[str, Any], prefix: str) -> None:
    """Raises ConfigError for a name that is a slip of the pen; `prefix` says where it stands."""
    try:
        _check_names(given, prefix)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _check_names(parameters: Mapping[str, Any], prefix: str) -> None:
    """Any name is passed on to the provider, but one that is nearly a common one is a slip of the pen."""
    for name in parameters:
        if name not in HPARAMS and (meant := difflib.get_close_matches(name.lower(), HPARAMS, 1, 0.85)):
            raise ValueError(f"unknown parameter {prefix}{name}. Did you mean {meant[0]}?")


def _optional(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)


LIMITS: Mapping[str, Reader] = {
    "profile": _name,
    "memory": _size,
    "processes": _count,
    "cpus": _positive,
    "disk": _size,
    "output": _size,
    "gpus": _text,
}


def _limits(value: Any) -> Limits:
    known = {each.name for each in fields(Limits)} - {"container", "layers"}
    readers = {name: LIMITS.get(name, _count) for name in known}
    usual = Limits()
    own = replace(usual, **_read(_mapping(value), readers, "limits."))
    return own.named_after(usual) if own.profile == usual.profile else own


LAYER: Mapping[str, Reader] = {"pip": _names, "npm": _names, "run": _names}


def _layers(value: Any) -> tuple[Layer, ...]:
    found = []
    for name, parts in _mapping(value).items():
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", name):
            raise ValueError(f"{name!r}: a layer's name may contain small letters, digits, - _ and .")
        if not isinstance(parts, dict) or not any(parts.values()):
            raise ValueError(f'{name} must say what to install, e.g. {{"pip": ["mini-swe-agent"]}}')
        found.append(Layer(name, **_read(parts, LAYER, f"layers.{name}.")))
    return tuple(found)


SETTINGS: Mapping[str, Reader] = {
    "sandbox": _name,
    "model": _name,
    "models": _names,
    "judge": _text,
    "vision_judge": _text,
    "hparams": _hparams,
    "llms": _llms,
    "limits": _limits,
    "layers": _layers,
    "suites": _suites,
    "max_connections": _count,
    "max_sandboxes": _optional(_count),
    "retries": _count_or_zero,
    "max_cost": _optional(_positive),
    "max_tokens": _optional(_count),
    "trial_time_limit_s": _positive,
    "cache": _name,
    BLIND_FAITH: _flag,
}


# What other tools call a thing, and our names of it
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("timeout", "time_out", "timeout_s", "max_time"), ("time_limit_s", "trial_time_limit_s")),
    **dict.fromkeys(("repeats", "repeat", "epochs", "runs", "trials", "samples", "n"), ("times",)),
    **dict.fromkeys(("concurrency", "workers", "max_workers", "parallel"), ("max_connections",)),
    **dict.fromkeys(("budget", "cost_limit"), ("max_cost",)),
    **dict.fromkeys(("providers", "servers", "endpoints", "apis"), ("llms",)),
    "llm": ("llms", "model"),
}


def near(name: str, known: Iterable[str], most: int = 3) -> str:
    """' Did you mean ...?' for a mistyped name or that of another tool, or ''. `most`: how many are named."""
    folded = {each.lower(): each for each in known}
    same = [each for each in SYNONYMS.get(name.lower(), ()) if each in folded][:most]
    close = same or difflib.get_close_matches(name.lower(), folded, n=most, cutoff=0.6)
    close += [each for each in folded if each.endswith(f"/{name.lower()}") and each not in close][:most]
    return f" Did you mean {' or '.join(folded[each] for each in close)}?" if close else ""


def _read(values: Mapping[str, Any], readers: Mapping[str, Reader], prefix: str = "") -> dict[str, Any]:
    """`values` checked by `readers`. Raises ValueError naming the key."""
    found = {}
    for key, value in values.items():
        if key.startswith(("//", "#")):
            continue  # JSON has no comments; this is how the example explains itself
        if key not in readers:
            names = ", ".join(sorted(readers))
            if not prefix and isinstance(value, dict) and {"base_url", *ADDRESSES} & value.keys():
                raise ValueError(
                    f'unknown key {key!r}. It is a server: put it under llms, "llms": {{"{key}": ...}}'
                )
            fits = [each for each in readers if _takes(readers[each], value)]
            meant = near(key, fits) or near(key, readers)
            raise ValueError(f"unknown key {prefix + key!r}.{meant} Allowed here: {names}")
        try:
            found[key] = readers[key](value)
        except ValueError as error:
            text = str(error)
            nested = text.startswith(("unknown ", f"{prefix}{key}."))
            got = "" if key == "llms" else f", not {_shown(value)}"  # a key may stand there
            raise ValueError(text if nested else f"{prefix}{key} {text}{got}") from None
    return found


def _takes(reader: Reader, value: Any) -> bool:
    try:
        reader(value)
    except ValueError:
        return False
    return True


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _without_comments(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_comments(v) for k, v in value.items() if not k.startswith(("//", "#"))}
    return value


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, whose last value of a key would count if it occurred twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs if not name.startswith(("//", "#"))]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ValueError(f"the key {twice!r} occurs twice in one object; keep one of them")
    return found


def load_config(path: Path | None) -> Config:
    """The settings in `path`; the defaults for None. Raises ConfigError naming file and key."""
    if path is None:
        return Config()
    try:
        values = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_once_each)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"{path}:{error.lineno}: not JSON: {error.msg} (column {error.colno}); see {config_example()}"
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text ({error}); save it as UTF-8") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: must hold one object {{...}}; see {config_example()}")
    try:
        settings = _read(_without_comments(values), SETTINGS)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    blind_faith = settings.pop(BLIND_FAITH, False)
    return Config(**settings, blind_faith=blind_faith, path=str(path))
