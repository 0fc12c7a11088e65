"""Suites that saved results are of, for those who name one that is not here any more."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from assay.results.untrusted_files import run_file

BEGINNING = 1 << 20  # bytes of a run's file; its first trials say of which suites it is


def no_longer_here(name: str, results: Path) -> str:
    """What to say of a suite that nobody has, if saved results are of it; ''."""
    if not any(_is_of(path, name) for path in results.glob("*/*/run-*.jsonl")):
        return ""
    return (
        f"the suite {name!r}, of which results are saved in {results.name}/, is not installed; install the "
        "package that it came with, or name the folder that has it: --tests DIR"
    )


def _is_of(path: Path, suite: str) -> bool:
    wanted = f'"suite":{json.dumps(suite)}'.encode()
    with contextlib.suppress(OSError), run_file(path) as file:
        return wanted in file.read(BEGINNING)
    return False
