"""A cell as a sample of the suite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.suites.suite import Sample

from .ask import LLMArithmetic
from .grade import ArithmeticEvaluator
from .problems import Cell

NAME = "arithmetic"
SOURCE = "tests/arithmetic/suite.py"
WORDS = {"add": "sums", "sub": "differences", "mul": "products", "div": "quotients"}


def sample_of(cell: Cell, times: int, context: str = "", extra: Mapping[str, Any] | None = None) -> Sample:
    """`context`: small talk before each question. `extra`: facts for every record of the cell."""
    kind, _, operation = cell.variant.partition("_")
    numbers = "whole numbers" if kind == "int" else "numbers with two decimals"
    return Sample(
        id=f"{NAME}.{cell.variant}_{cell.depth:02}",
        test=LLMArithmetic(cell, context) >> ArithmeticEvaluator(cell),
        suite=NAME,
        source=SOURCE,
        description=f"{WORDS[operation].capitalize()} of {numbers}, {cell.depth} digits",
        tags=(kind, operation, f"{cell.depth} digits"),
        extra={"variant": cell.variant, "depth": cell.depth, **(extra or {})},
        times=times,
    )
