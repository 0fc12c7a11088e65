"""Libraries that only some runs need: the extras of pyproject.toml, and how to install a missing one."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import ConfigError
from assay.home import CHECKOUT


@dataclass(frozen=True)
class Extra:
    """`use`: its purpose. `modules`: the modules that it brings."""

    use: str
    modules: tuple[str, ...]


EXTRAS: Mapping[str, Extra] = {
    "litellm": Extra("models of mistral, gemini, groq, bedrock and others", ("litellm",)),
    "plots": Extra("figures in the reports of suites, and charts of a DataFrame", ("matplotlib",)),
    "weirdml": Extra("--suite weirdml", ("numpy", "matplotlib")),
    "parquet": Extra("--export parquet", ("pyarrow",)),
    "dataframe": Extra("results as a DataFrame", ("pandas",)),
    "otel": Extra("--otel", ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")),
    "mcp": Extra("the agents' tool Mcp", ("mcp", "anyio")),
    "ray": Extra("--engine ray", ("ray",)),
    "pytest": Extra("tests of models run by pytest", ("pytest",)),
}


def lacking(extra: str) -> list[str]:
    """Its modules that are not installed. Imports only the packages that contain them."""
    return [name for name in EXTRAS[extra].modules if not _here(name)]


def _here(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even its package
        return False


def need(extra: str, wanted_by: str) -> None:
    """Raises ConfigError, with the command that installs it, if a library of `extra` is missing."""
    if missing := what_lacks(extra):
        raise ConfigError(f"{wanted_by} needs {missing}")


def what_lacks(extra: str) -> str:
    """Its missing libraries, with the command that installs them; '' if all are there."""
    missing = lacking(extra)
    return f"{' and '.join(missing)}: {install(extra)}" if missing else ""


def install(extra: str) -> str:
    """The command that installs `extra` into the environment that runs this."""
    if CHECKOUT and Path(sys.prefix).resolve() == (CHECKOUT / ".venv").resolve():
        where = [] if Path.cwd() == CHECKOUT else ["-C", str(CHECKOUT)]
        return shlex.join(["make", *where, "setup", f"EXTRAS={extra}"])
    if _here("pip"):
        return shlex.join([sys.executable, "-m", "pip", "install", *_ranges(extra)])
    return shlex.join(["uv", "pip", "install", "--python", sys.executable, *_ranges(extra)])


def _ranges(extra: str) -> list[str]:
    """The requirements of `extra`, in the form that pip takes."""
    if CHECKOUT:
        import tomllib

        text = (CHECKOUT / "pyproject.toml").read_text("utf-8")
        found: list[str] = tomllib.loads(text)["project"]["optional-dependencies"][extra]
        return found
    import importlib.metadata  # whose import takes a twentieth of a short run

    marker = re.compile(rf" *; *extra *== *['\"]{extra}['\"]$")
    asked = importlib.metadata.requires("assay") or ()
    return [marker.sub("", each) for each in asked if marker.search(each)]
