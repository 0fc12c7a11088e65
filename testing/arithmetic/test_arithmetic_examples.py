"""The examples in the docstrings of the suite hold, the reader's above all."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_examples_in_docstrings() -> None:
    tried = {}
    for file in sorted((ROOT / "tests" / "arithmetic").glob("*.py")):
        result = doctest.testmod(importlib.import_module(f"tests.arithmetic.{file.stem}"))
        assert result.failed == 0, file
        tried[file.stem] = result.attempted
    assert tried["reader"] >= 9 and sum(tried.values()) >= 18
