"""Arithmetic: sums, differences, products and quotients of whole numbers and decimals, by digits.

A sample is a cell (variant, depth); its epochs are different problems, the same for every model.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.records import Table, TrialKey, TrialRecord
from assay.suites.exhibits import Figure, Page
from assay.suites.suite import Sample, Stored, Suite

from .dialogue import MESSAGES
from .exhibits import figures, pages
from .pipeline import NAME, drawn
from .problems import DEEPEST, SEED, VARIANTS, Cell, cells, depths_of
from .records import stored
from .references import references
from .tables import aggregate, summary, tables


def _depths(text: str) -> tuple[int, ...]:
    try:
        return depths_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _trials(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


class Arithmetic(Suite):
    """Its samples are the cells of the flags, variant by variant."""

    name = NAME
    description = "Arithmetic with numbers of 2 to 10 digits, read leniently and strictly."
    conditions = ("seed", "extra_context", "system_prompt")
    figure_extras = ("plots",)

    def samples(self, options: Any) -> Iterator[Sample]:
        """Every cell of the flags, variant by variant."""
        for cell in cells(options.depths, options.seed):
            yield drawn(cell, options.trials, options.extra_context)

    def sample_for(self, record: TrialRecord, options: Any) -> Sample | None:
        """The cell of a saved trial, of whatever depth."""
        variant, depth = record.extra.get("variant"), record.extra.get("depth")
        if variant not in VARIANTS or not isinstance(depth, int) or not 1 <= depth <= DEEPEST:
            return None
        return drawn(Cell(str(variant), depth, options.seed), options.trials, options.extra_context or "")

    def flags(self, parser: Any) -> None:
        """The suite's flags."""
        add = parser.add_argument
        # fmt: off
        # --times, by its old name
        add("--trials", type=_trials, default=10, metavar="N", help=argparse.SUPPRESS)
        add("--depths", type=_depths, default=depths_of("2-10"), metavar="LIST",
            help="digits of the operands, e.g. 2-10 or 3,5,8 (default 2-10)")
        add("--seed", type=int, default=SEED, metavar="N",
            help=f"seed of the problems; models with the same seed get the same ones (default {SEED})")
        add("--extra-context", choices=[size for size in MESSAGES if size], default="",
            help="put about this many tokens of small talk before each question")
        # fmt: on
        parser.set_defaults(retries=3)

    def tables(self, records: Sequence[TrialRecord]) -> Iterable[Table]:
        return tables(records)

    def figures(self, records: Sequence[TrialRecord]) -> Iterable[Figure]:
        return figures(records)

    def pages(self, records: Sequence[TrialRecord]) -> Iterable[Page]:
        return pages(records)

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any]:
        return references(trial, right)

    def stored(self, path: Path, options: Any) -> Iterable[Stored] | None:
        return stored(path, options)

    def summary(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        return summary(records)

    def aggregate(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        return aggregate(records)


SUITE = Arithmetic
