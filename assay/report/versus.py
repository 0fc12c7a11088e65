"""Models against each other: every two models of a grid, in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from assay.home import program
from assay.records import Cell, Table, Value
from assay.report import wording
from assay.report.aggregate import Grid, Row
from assay.report.tally import Tally
from assay.results.paired import LEVEL, NOTHING, Comparison, compare, fewest
from assay.results.stats import holm

Verdict = Literal["better", "worse", "tie", ""]  # of the first against the second; "": no test in common
ALL_PAIRS = 6  # up to this many models, tables show every pair; with more, the best against each other


@dataclass(frozen=True)
class Pair:
    """A comparison of two models. `adjusted`: p after Holm's correction for all `of` comparisons made."""

    first: str
    second: str
    found: Comparison
    adjusted: float
    of: int = 1
    confidence: float = LEVEL

    @property
    def verdict(self) -> Verdict:
        """A difference counts if the test finds it after correction and the interval excludes 0."""
        found = self.found
        if not found.tests:
            return ""
        if not self.unlikely or found.low <= 0 <= found.high:
            return "tie"
        return "better" if found.mean > 0 else "worse"

    @property
    def unlikely(self) -> bool:
        """Whether chance alone would seldom show such a difference."""
        return self.adjusted <= 1 - self.confidence + 1e-12

    @property
    def too_few(self) -> bool:
        """Whether there are too few tests for any verdict but a tie."""
        return 0 < self.found.tests < fewest(self.confidence)

    @property
    def said(self) -> str:
        """The verdict as tables show it."""
        return "too few tests" if self.too_few else self.verdict


Mean = tuple[float, bool] | None
"""A test's value, and whether it is one trial that passed or failed; None if nothing was counted."""


def _mean(cell: Tally | None) -> Mean:
    if cell is None or cell.ratio is None:
        return None
    return cell.ratio, cell.counted == 1 and cell.ratio in (0.0, 1.0)


def gap(first: float, second: float) -> float:
    """How much better `first` is; 0 if only the last bits of two means differ.

    >>> gap((0.2 + 0.4) / 2, (0.3 + 0.3) / 2)
    0.0
    """
    found = first - second
    return 0.0 if abs(found) < NOTHING else found


def _compared(
    first: Iterable[Mean], second: Iterable[Mean], confidence: float = LEVEL
) -> tuple[Comparison, dict[int, float]]:
    """Two models compared on some tests; and index -> gap of the tests that both finished."""
    gaps: dict[int, float] = {}
    single = True
    for place, (a, b) in enumerate(zip(first, second, strict=True)):
        if a is not None and b is not None:
            gaps[place] = gap(a[0], b[0])
            single = single and a[1] and b[1]
    return compare([*gaps.values()], single=single, confidence=confidence), gaps


def compare_rows(
    rows: Iterable[Row], first: str, second: str, confidence: float = LEVEL
) -> tuple[Comparison, list[tuple[Row, float]]]:
    """Two models compared on some tests; and the tests that both finished, each with its gap."""
    rows = list(rows)
    a, b = ([_mean(row.cells.get(model)) for row in rows] for model in (first, second))
    found, gaps = _compared(a, b, confidence)
    return found, [(rows[place], each) for place, each in gaps.items()]


def corrected(compared: Sequence[tuple[str, str, Comparison]], confidence: float = LEVEL) -> list[Pair]:
    """Pairs with p-values corrected for the number of comparisons."""
    known = [place for place, (_, _, found) in enumerate(compared) if found.tests]
    adjusted = dict(zip(known, holm([compared[place][2].p for place in known]), strict=True))
    return [
        Pair(first, second, found, adjusted.get(place, 1.0), len(known), confidence)
        for place, (first, second, found) in enumerate(compared)
    ]


def compared_models(grid: Grid) -> tuple[str, ...]:
    """The models that tables compare: the oracle and the saboteur, which prove tests, only if there are no
    others."""
    return tuple(model for model in grid.models if model not in grid.self_judged) or grid.models


def pairs(grid: Grid) -> list[Pair]:
    """Every two models of the grid, in its order. Holm's correction is for those that tables compare."""
    means: dict[str, list[Mean]] = {model: [] for model in grid.models}
    suites: list[str] = []
    for row in grid.tests:
        suites.append(row.suite)
        for model, its in means.items():
            its.append(_mean(row.cells.get(model)))

    def compared(a: str, b: str) -> Comparison:
        if not (apart := grid.apart(a, b)):
            return _compared(means[a], means[b])[0]
        together = [place for place, suite in enumerate(suites) if suite not in apart]
        first, second = ([means[model][place] for place in together] for model in (a, b))
        return _compared(first, second)[0]

    every = [(a, b, compared(a, b)) for a, b in combinations(grid.models, 2)]
    models = frozenset(compared_models(grid))
    together = iter(corrected([each for each in every if models.issuperset(each[:2])]))
    return [next(together) if models.issuperset(each[:2]) else corrected([each])[0] for each in every]


def of_models(found: Sequence[Pair], grid: Grid) -> list[Pair]:
    """The pairs of the models that tables compare."""
    models = compared_models(grid)
    return [pair for pair in found if pair.first in models and pair.second in models]


def for_table(found: Sequence[Pair], grid: Grid) -> list[Pair]:
    """The pairs that fit into a table."""
    models, shown = compared_models(grid), of_models(found, grid)
    return shown if len(models) <= ALL_PAIRS else [pair for pair in shown if pair.first == models[0]]


# ---------------------------------------------------------------- words


def points(share: float, digits: int = 1) -> str:
    """
    >>> points(0.0312), points(-1), points(0)
    ('+3.1', '-100.0', '0.0')
    """
    text = f"{share * 100:+.{digits}f}"
    return text[1:] if float(text) == 0 else text


def interval(found: Comparison) -> str:
    return f"{points(found.low)} to {points(found.high)}"


def smallest(found: Comparison) -> str | None:
    """The difference that could about be seen: '±12'."""
    if found.smallest is None:
        return None
    return f"±{found.smallest * 100:.{1 if found.smallest < 0.1 else 0}f}"


def test_name(found: Comparison) -> str:
    return "exact McNemar test" if found.single else "paired permutation test"


def too_few(tests: int, confidence: float = LEVEL, comparisons: int = 1) -> str:
    """What so few tests can show.

    >>> too_few(3)
    '3 tests cannot show a difference, whatever the models do: that takes at least 6'
    """
    among = f" among {comparisons} comparisons" * (comparisons > 1)
    return (
        f"{wording.count(tests, 'test')} cannot show a difference{among}, whatever the models do: that takes "
        f"at least {fewest(confidence, comparisons)}"
    )


def reach(pair: Pair) -> str:
    """What this number of tests can show at all."""
    found = pair.found
    if found.tests < fewest(pair.confidence):
        return too_few(found.tests, pair.confidence)
    tests = wording.count(found.tests, "test")
    if (least := smallest(found)) is None:
        return f"{tests} could hardly show a difference"
    return f"{tests} could show a difference of about {least} points"


def why_tie(pair: Pair) -> str:
    """Why a pair's verdict is a tie, and what so many tests can show."""
    return reach(pair) if pair.too_few else f"{_no_difference(pair)}; {reach(pair)}"


def _no_difference(pair: Pair) -> str:
    found = pair.found
    if not found.wins + found.losses:
        return "the same on every test"
    if found.low > 0 or found.high < 0:
        return f"because one such difference among {pair.of} comparisons may be chance"
    if pair.unlikely:
        return "because the interval contains 0, although p alone would show a difference"
    return "no difference shown"


def sentence(pair: Pair) -> str:
    """The whole comparison in words."""
    found = pair.found
    if not found.tests:
        return f"{pair.first} and {pair.second}: they have no finished test in common that can be compared."
    said = (
        f"{points(found.mean)} points ({pair.confidence * 100:g}% interval {interval(found)}) over "
        f"{wording.count(found.tests, 'test')}; {test_name(found)}: p {wording.p_sign(found.p)}"
    )
    if pair.of > 1:
        said += f", {wording.p_value(pair.adjusted)} after Holm's correction for {pair.of} comparisons"
    if pair.verdict == "tie":
        kind = "too few tests to tell;" if pair.too_few else "a tie,"
        return f"{pair.first} and {pair.second}: {kind} {why_tie(pair)}. {said}."
    return f"{pair.first} is {pair.verdict} than {pair.second}: {said}."


# ---------------------------------------------------------------- tables and numbers


def comparison_table(grid: Grid) -> Table:
    """Pairs of models on the tests that both finished: difference, interval, test, verdict, reach."""
    every = of_models(pairs(grid), grid)
    some = for_table(every, grid)
    note = [sentence(some[0])] if len(some) == 1 else []
    note.append(explain(some))
    if len(some) < len(every):
        note.append(
            f"To compare any two models: {program()} compare MODEL MODEL, "
            'or "Side by side" in the HTML report.'
        )
    rows = tuple((pair.first, pair.second, *numbers(pair)) for pair in some)
    return Table("Differences", columns(some), rows, "\n".join(note))


def columns(some: Sequence[Pair]) -> tuple[str, ...]:
    level = f"{(some[0].confidence if some else LEVEL) * 100:g}% interval"
    return (
        "model", "against", "tests", "points", level, "better", "worse", "same", "p", "p (Holm)", "verdict",
        "could show",
    )  # fmt: skip


def numbers(pair: Pair) -> tuple[Value | Cell, ...]:
    """The columns of a comparison after the two names."""
    found = pair.found
    if not found.tests:
        return (0, None, None, 0, 0, 0, None, None, None, None)
    return (
        found.tests, points(found.mean), interval(found), found.wins, found.losses, found.ties,
        wording.p_value(found.p), wording.p_value(pair.adjusted),
        Cell(pair.verdict, pair.said), smallest(found),
    )  # fmt: skip


def explain(some: Sequence[Pair]) -> str:
    """The meaning of the columns."""
    kinds = {pair.found.single for pair in some if pair.found.tests}
    test = "exact McNemar test where each test has one trial, else paired permutation test"
    if len(kinds) == 1:
        test = (
            "exact McNemar test (one trial a test)"
            if kinds.pop()
            else "paired permutation test (several trials a test, or scores)"
        )
    said = "points: mean over tests of the pass rate (or mean score) less the other's, times 100; "
    said += f"better, worse, same: tests; p: {test}"
    if some and some[0].of > 1:
        said += f", then by Holm's correction for {some[0].of} pairs"
    if any(pair.unlikely and pair.verdict == "tie" for pair in some):
        said += (
            "; a tie beside a small p (Holm): the interval contains 0, because it allows for rare large "
            "differences that these tests happened not to show"
        )
    return said + "; could show: the difference that this many tests detect four times out of five."


def pair_data(pair: Pair) -> dict[str, Any]:
    """A comparison as numbers; shares, not points."""
    found = pair.found
    known = found.tests > 0
    return {
        "model": pair.first,
        "against": pair.second,
        "tests": found.tests,
        "difference": found.mean if known else None,
        "interval": [found.low, found.high] if known else None,
        "confidence": pair.confidence,
        "better": found.wins,
        "worse": found.losses,
        "same": found.ties,
        "test": ("mcnemar" if found.single else "permutation") if known else None,
        "p": found.p if known else None,
        "p_holm": pair.adjusted if known else None,
        "comparisons": pair.of,
        "verdict": pair.verdict or None,
        "smallest_difference": found.smallest,
    }
