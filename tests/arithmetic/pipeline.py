"""A cell as a sample of the suite."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from assay.suites.suite import Sample

from .ask import LLMArithmetic
from .grade import ArithmeticEvaluator
from .problems import DEEPEST, VARIANTS, Cell

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


@functools.lru_cache(len(VARIANTS) * DEEPEST)
def drawn(cell: Cell, times: int, context: str = "") -> Sample:
    """The sample of a cell of a run, with its version. Made once: every trial asks for it anew, and the
    version alone takes longer than to draw and grade a problem."""
    sample = sample_of(cell, times, context)
    return sample.but(fingerprint=sample.version)
