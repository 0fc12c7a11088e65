"""Several trials of each test: the probability that one of k tries passes, and that all of k do."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

from assay.records import Table, Value
from assay.report import wording
from assay.report.aggregate import Grid
from assay.results.stats import pass_at_k, pass_hat_k

TITLE = "Several trials of a test"
NOTE = (
    "pass@k: the probability that at least one of k trials passes; pass^k: that all k pass. Unbiased "
    "estimates from the trials with a verdict, averaged over "
)


@dataclass(frozen=True)
class Tries:
    """Means over the `tests` with at least `k` trials that have a verdict."""

    k: int
    tests: int
    at: float
    hat: float


def tries(grid: Grid) -> dict[str, list[Tries]]:
    """Model -> its numbers for each k of `steps`; without models that have no second trial of any test."""
    sums: dict[str, dict[tuple[int, int], int]] = {}  # model -> (counted, passed) -> tests
    for row in grid.tests:
        for model, cell in row.cells.items():
            if cell.counted and model not in grid.self_judged:  # their answers differ by design
                its = sums.setdefault(model, {})
                its[cell.counted, cell.passed] = its.get((cell.counted, cell.passed), 0) + 1
    most = max((n for its in sums.values() for n, _ in its), default=0)
    if most < 2:
        return {}
    return {
        model: [found for k in steps(most) if (found := _tries(sums[model], k)) is not None]
        for model in grid.models
        if model in sums
    }


def _tries(its: dict[tuple[int, int], int], k: int) -> Tries | None:
    enough = {key: tests for key, tests in its.items() if key[0] >= k}
    tests = sum(enough.values())
    if not tests:
        return None
    at = math.fsum(_at(n, c, k) * count for (n, c), count in enough.items()) / tests
    hat = math.fsum(_hat(n, c, k) * count for (n, c), count in enough.items()) / tests
    return Tries(k, tests, at, hat)


_at = functools.lru_cache(maxsize=4096)(pass_at_k)
_hat = functools.lru_cache(maxsize=4096)(pass_hat_k)


def steps(most: int) -> list[int]:
    """
    >>> steps(4), steps(12)
    ([1, 2, 3, 4], [1, 2, 3, 5, 10, 12])
    """
    usual = [1, 2, 3, 4] if most <= 4 else [1, 2, 3]
    usual += [k * 10**power for power in range(len(str(most))) for k in (5, 10, 20)]
    return sorted({k for k in usual if k < most} | {most})


def tries_table(found: dict[str, list[Tries]]) -> Table:
    """One row for each model, two columns for each k above 1. The number of tests stands in the note, and
    beside the numbers that are of fewer."""
    ks = sorted({each.k for its in found.values() for each in its})
    numbers = {each.tests for its in found.values() for each in its}
    most = max(numbers, default=0)
    rows = []
    for model, its in found.items():
        by_k = {each.k: each for each in its}
        row: list[Value] = [model]
        for k in ks:
            each = by_k.get(k)
            row += [_text(each.at, each.tests, most) if each else None]
            row += [_text(each.hat, each.tests, most) if each else None] * (k > 1)
        rows.append(tuple(row))
    heads = [name for k in ks for name in (f"pass@{k}", f"pass^{k}")[: 1 + (k > 1)]]
    fewer = ', or those with at least k of them ("of": their number)' if len(numbers) > 1 else ""
    return Table(TITLE, ("model", *heads), tuple(rows), f"{NOTE}{wording.count(most, 'test')}{fewer}.")


def _text(share: float, tests: int, most: int) -> str:
    return wording.percent(share) if tests == most else f"{wording.percent(share)} of {tests}"


def tries_data(its: list[Tries]) -> list[dict[str, Any]]:
    return [{"k": each.k, "tests": each.tests, "pass_at_k": each.at, "pass_hat_k": each.hat} for each in its]
