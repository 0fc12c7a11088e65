"""Where things lie, whether Assay runs from a checkout of its repository or was installed by pip."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
_above = PACKAGE.parent
CHECKOUT = _above if (_above / "main.py").is_file() and (_above / "pyproject.toml").is_file() else None


def home() -> Path:
    """The folder of config.json, .env and the cache for what names none (run_test): the working directory,
    unless Assay runs from a checkout and the working directory has no config.json."""
    here = Path.cwd()
    return here if CHECKOUT is None or (here / "config.json").is_file() else CHECKOUT
