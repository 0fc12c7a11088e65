"""The leaderboard of the published series: weighted mean, memory, Eco-Score, best model for its size.

The formulas reproduce the published table (testing/euler/test_leaderboard.py has rows of it).
"""

from __future__ import annotations

import difflib
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import ConfigError

from .languages import PUBLISHED

WEIGHTS: Mapping[str, int] = {"python": 2, "java": 2, "rust": 1, "clojure": 1}
NEWER_WEIGHTS: Mapping[str, int] = {"python": 4, "java": 3, "rust": 2, "clojure": 1}
NEWER_BYTES = {4: 0.75, 8: 1.1}  # a parameter's, by its bits
NEWER_BYTES_OTHERWISE = 2.0
COLUMNS = (  # what a row may hold: what is read, and what is computed anew
    "model", "params", "bits", "context", *PUBLISHED,
    "W", "memory", "eco", "best", "newer_score", "newer_memory", "newer_eco",
)  # fmt: skip
PREFIXES = {"": 1e-9, "K": 1e-6, "M": 1e-3, "B": 1.0, "T": 1e3}


@dataclass(frozen=True)
class Row:
    """One model. `parameters` in 10^9, `bits` of one, `context` in 1024 tokens; None where unknown.
    `scores`: language -> PE-Bench score, None or absent where there is none."""

    model: str
    parameters: float | None = None
    bits: float | None = None
    context: float | None = None
    scores: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def mean(self) -> float | None:
        """W: weighted mean of the scores; a language without one drops out of both sums."""
        known = [(w, s) for lang, w in WEIGHTS.items() if (s := self.scores.get(lang)) is not None]
        return sum(w * s for w, s in known) / sum(w for w, _ in known) if known else None

    @property
    def memory(self) -> float | None:
        """GB: parameters * bits / 8."""
        return None if not self.parameters or not self.bits else self.parameters * self.bits / 8

    @property
    def eco(self) -> float | None:
        """Eco-Score: 100 * W / memory."""
        return None if self.mean is None or not self.memory else 100 * self.mean / self.memory

    @property
    def newer_score(self) -> float:
        """Of the newer series: fixed weights, a missing language counts as 0; two decimals."""
        return round(sum(w * (self.scores.get(lang) or 0.0) for lang, w in NEWER_WEIGHTS.items()) / 10, 2)

    @property
    def newer_memory(self) -> float | None:
        """GB, of the newer series: parameters times bytes by bits (0.75 for 4, 1.1 for 8, else 2)."""
        if not self.parameters:
            return None
        return self.parameters * NEWER_BYTES.get(int(self.bits or 0), NEWER_BYTES_OTHERWISE)

    @property
    def newer_eco(self) -> float | None:
        """Mem-Score: 100 * Score / memory."""
        return None if not self.newer_memory else 100 * self.newer_score / self.newer_memory


@dataclass(frozen=True)
class Ranked:
    """A row in its place. `best`: its memory, if no row above needs less; else None."""

    row: Row
    best: float | None

    @property
    def printed_best(self) -> str:
        return "" if self.best is None else f"{self.best:.2f}"

    @property
    def printed_eco(self) -> str:
        return "" if self.row.eco is None else f"{self.row.eco:.0f}"


def ranked(rows: Iterable[Row]) -> list[Ranked]:
    """The rows by W, the best first; of equals the one that came first."""
    found: list[Ranked] = []
    smallest = float("inf")
    for row in sorted(rows, key=lambda row: -1.0 if row.mean is None else row.mean, reverse=True):
        best = row.memory if row.memory is not None and row.memory <= smallest else None
        smallest = min(smallest, row.memory if row.memory is not None else smallest)
        found.append(Ranked(row, best))
    return found


def billions(size: str) -> float | None:
    """10^9 parameters in what a server calls a model's size.

    >>> billions("72.7B"), billions("494.03M"), billions("8x7B"), billions("")
    (72.7, 0.49403, 56.0, None)
    """
    found = re.fullmatch(r"(?:(\d+)\s*x\s*)?(\d+(?:\.\d+)?)\s*([KMBT]?)", size.strip(), re.IGNORECASE)
    if found is None:
        return None
    return round(int(found[1] or 1) * float(found[2]) * PREFIXES[found[3].upper()], 9)


def bits_of(quantization: str) -> float | None:
    """Bits of a parameter in what a server calls a quantisation.

    >>> bits_of("Q4_K_M"), bits_of("IQ3_XS"), bits_of("BF16"), bits_of("FP8"), bits_of("4"), bits_of("unknown")
    (4.0, 3.0, 16.0, 8.0, 4.0, None)
    """
    found = re.fullmatch(
        r"(?:I?Q|TQ|B?F|(?:MX|NV)?FP|INT|W)?(\d{1,2})(?:[_-].*|bits?)?", quantization.strip(), re.I
    )
    return float(found[1]) if found else None


def read_rows(path: Path) -> list[Row]:
    """The rows of a JSON file: a list of objects with model, params, bits, context and a score for each
    language; null where unknown. Raises ConfigError naming what is wrong."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"--leaderboard {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise ConfigError(f"--leaderboard {path}: not JSON ({error})") from None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ConfigError(f"--leaderboard {path}: must hold a list of objects, one for each model")
    return [_row(each, f"--leaderboard {path}: row {number}") for number, each in enumerate(found, 1)]


def _row(values: Mapping[str, Any], where: str) -> Row:
    if not isinstance(values.get("model"), str):
        raise ConfigError(f"{where}: needs a model, a string")

    def number(name: str) -> float | None:
        value = values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
            raise ConfigError(f"{where}: {name} must be a number of 0 or more, or null")
        return float(value)

    for name in values:
        if name not in COLUMNS:
            near = difflib.get_close_matches(name, COLUMNS, 1, 0.5)
            meant = f" Did you mean {near[0]}?" if near else ""
            sys.stderr.write(f"{where}: {name} is left out; it is not a column of the leaderboard.{meant}\n")
    scores = {language: number(language) for language in PUBLISHED}
    return Row(values["model"], number("params"), number("bits"), number("context"), scores)


def as_json(rows: Sequence[Ranked]) -> list[dict[str, Any]]:
    """What --format json prints of each row: what it was made of, eco and best as printed, W in full."""
    return [
        {
            "model": each.row.model, "params": each.row.parameters, "bits": each.row.bits,
            "context": each.row.context, **{name: each.row.scores.get(name) for name in PUBLISHED},
            "W": each.row.mean, "memory": each.row.memory, "eco": each.printed_eco, "best": each.printed_best,
            "newer_score": each.row.newer_score, "newer_memory": each.row.newer_memory,
            "newer_eco": each.row.newer_eco,
        }
        for each in rows
    ]  # fmt: skip
