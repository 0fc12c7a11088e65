"""A full comparison of two sides: overall, by suite, by tag, and test by test."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.records import Cell, Table, TrialRecord, suite_title
from assay.report import versus, wording
from assay.report.aggregate import Grid, Row, make_grid
from assay.report.repeated import tries, tries_table
from assay.report.same_questions import rechecked
from assay.report.tally import Tally
from assay.report.terminal import cell_text, models_table, tally_data
from assay.report.versus import Pair, compare_rows, corrected, pair_data
from assay.results.natural_order import alphabetical, natural
from assay.results.paired import LEVEL

FEW, FEW_PARTS, MANY = 10, 6, 1 << 30  # rows of a short table, and of a full one
Pages = Callable[[Row, str], str]  # (row, label) -> address of the page of these trials, '' for none


@dataclass(frozen=True)
class Part:
    """Some of the tests. `first`, `second`: the mean of each side over the tests that both finished."""

    pair: Pair
    first: float
    second: float


@dataclass(frozen=True)
class Compared:
    """`whole`: all tests. `suites`, `tags`: parts of them by name, with p-values corrected together. `gaps`:
    the tests that both finished, the largest gain first. `alone`: the tests that only one finished."""

    grid: Grid
    first: str
    second: str
    whole: Pair
    suites: dict[str, Part]
    tags: dict[str, Part]
    gaps: list[tuple[Row, float]]
    alone: list[Row]


def compare_sides(
    records: Sequence[TrialRecord], first: str, second: str, confidence: float = LEVEL
) -> Compared:
    """Compare the models `first` and `second` of `records`."""
    grid = make_grid(records)
    apart = grid.apart(first, second)
    tests = [row for row in grid.tests if row.suite not in apart]
    found, gaps = compare_rows(tests, first, second, confidence)
    both = [row for row, _ in gaps]

    def parts(names: Sequence[str], has: Callable[[Row, str], bool]) -> dict[str, Part]:
        some = [[row for row in both if has(row, name)] for name in names]
        pairs = corrected(
            [(first, second, compare_rows(rows, first, second, confidence)[0]) for rows in some], confidence
        )
        return {
            name: Part(pair, _mean(rows, first), _mean(rows, second))
            for name, pair, rows in zip(names, pairs, some, strict=True)
        }

    suites = list(dict.fromkeys(map(suite_title, both)))
    tags = sorted({tag for row in both for tag in row.tags}, key=alphabetical)
    known = {(row.suite, row.test) for row in both}
    alone = [
        row
        for row in tests
        if (row.suite, row.test) not in known
        and any(row.cells[side].counted for side in (first, second) if side in row.cells)
    ]
    return Compared(
        grid, first, second, corrected([(first, second, found)], confidence)[0],
        parts(suites, lambda row, name: suite_title(row) == name) if len(suites) > 1 else {},
        parts(tags, lambda row, name: name in row.tags),
        sorted(gaps, key=lambda each: (-each[1], each[0].suite, natural(each[0].test))), alone,
    )  # fmt: skip


def _mean(rows: Sequence[Row], side: str) -> float:
    return math.fsum(row.cells[side].ratio or 0.0 for row in rows) / len(rows)


def compared_tables(found: Compared, pages: Pages, *, in_full: bool = True) -> list[Table]:
    """The comparison as tables. Unless `in_full`, only the tags that tell the two apart and the tests that
    differ the most; notes say how many are left out."""
    most, few = (MANY, MANY) if in_full else (FEW, FEW_PARTS)
    note, parts = f"{versus.sentence(found.whole)}\n{versus.explain([found.whole])}\n", []
    note += _corrected_for(found.whole)
    for kind, its in (("suite", found.suites), ("tag", found.tags)):
        if len(its) > few and not any(map(_tells, its.values())):
            note += (
                f"\nBy {kind}: no difference is shown in any of the {len(its)} {kind}s; --in-full shows them."
            )
        elif its:
            parts.append(_parts(f"By {kind}", (kind, found.first, found.second), its, few))
    rows = ((found.first, found.second, *versus.numbers(found.whole)),)
    several = tries(found.grid)
    tables = [models_table(found.grid), *([tries_table(several)] if several else [])]
    tables += [Table("Difference", versus.columns([found.whole]), rows, note), *parts]
    if differ := [(row, gap) for row, gap in found.gaps if gap]:
        some = _most(differ, most)
        note = f"{len(differ)} of the {wording.count(len(found.gaps), 'test')} that both finished."
        note += _rest(len(differ) - len(some), "the largest gains and losses")
        tables.append(_tests(found, "Tests that differ", some, pages, note))
    if alone := [(row, None) for row in found.alone]:
        note = f"Not compared: {_alone(found)}." + _rest(len(alone) - most, "the first of them")
        tables.append(_tests(found, "Finished by only one of them", alone[:most], pages, note))
    return tables


def _corrected_for(whole: versus.Pair) -> str:
    """Why p (Holm) of two models may be another one than in another place."""
    if whole.of > 1:
        return f"p (Holm) is for the {whole.of} pairs of the models that were compared together."
    return (
        "p (Holm) is for this one pair, so it equals p; a table of more models corrects it for all its pairs."
    )


def _only(found: Compared, side: str) -> list[str]:
    """The tests that only this side finished."""
    return [row.test for row in found.alone if (cell := row.cells.get(side)) and cell.counted]


def _alone(found: Compared) -> str:
    """How many tests only one side finished: '3 tests finished by large only'."""
    sides = [(side, tests) for side in (found.first, found.second) if (tests := len(_only(found, side)))]
    return ", ".join(f"{wording.count(tests, 'test')} finished by {side} only" for side, tests in sides)


def _most(differ: list[tuple[Row, float]], most: int) -> list[tuple[Row, float]]:
    """At most `most` of the tests that differ, the largest gain first, taken evenly from both ends."""
    gains = sum(gap > 0 for _, gap in differ)
    losses = len(differ) - gains
    first = min(gains, max(most // 2, most - losses))
    last = min(losses, most - first)
    return [*differ[:first], *differ[len(differ) - last :]]


def _tells(part: Part) -> bool:
    """Whether this part shows that one side is better."""
    return part.pair.verdict in ("better", "worse")


def _rest(left_out: int, shown: str) -> str:
    """The note about lines that are left out; '' if there are none."""
    return f" Only {shown} are shown; --in-full shows {left_out:,} more." if left_out > 0 else ""


def _tests(
    found: Compared, title: str, rows: Sequence[tuple[Row, float | None]], pages: Pages, note: str
) -> Table:
    """One row for each test, with its gap if it has one."""
    lines = []
    for row, gap in rows:
        cells = (_cell(row.cells.get(side), pages(row, side)) for side in (found.first, found.second))
        points = () if gap is None else (Cell(gap * 100, versus.points(gap), shade=gap, scale="gap"),)
        lines.append((suite_title(row), row.test, *cells, *points))
    heads = ("suite", "test", found.first, found.second, "points")[: len(lines[0])]
    without = len(found.grid.suites) < 2  # a single suite's name says nothing
    return Table(title, heads[without:], tuple(line[without:] for line in lines), note)


def _cell(tally: Tally | None, link: str) -> Cell | None:
    text = cell_text(tally)
    return Cell(text, shade=tally.ratio if tally else None, link=link) if text else None


def _parts(title: str, heads: tuple[str, str, str], parts: dict[str, Part], most: int) -> Table:
    some = [part.pair for part in parts.values()]
    shown = parts
    if len(parts) > most:  # only parts that show a difference
        shown = {name: part for name, part in parts.items() if _tells(part)}
    rows = tuple(
        (
            name,
            *(Cell(value, wording.percent(value), shade=value) for value in (part.first, part.second)),
            *versus.numbers(part.pair),
        )
        for name, part in shown.items()
    )
    note = "Mean of the tests' pass rates or scores. "
    note += f"Holm's correction is for all {some[0].of} {heads[0]}s." if some[0].of > 1 else ""
    if left_out := len(parts) - len(shown):
        note += f" The {left_out} in which no difference is shown are left out; --in-full shows them."
    return Table(title, (*heads, *versus.columns(some)[2:]), rows, note)


def compared_data(found: Compared, pages: Pages) -> dict[str, Any]:
    """The comparison as numbers."""

    def facts(row: Row, gap: float | None) -> dict[str, Any]:
        sides = {}
        for name, side in (("first", found.first), ("second", found.second)):
            cell = row.cells.get(side)
            page = pages(row, side)
            sides[name] = {**tally_data(cell), "page": page or None} if cell else None
        return {
            "test": row.test, "suite": suite_title(row), "tags": list(row.tags), **sides, "difference": gap
        }  # fmt: skip

    totals = found.grid.totals
    return {
        "first": {"model": found.first, **tally_data(totals[found.first])},
        "second": {"model": found.second, **tally_data(totals[found.second])},
        "difference": pair_data(found.whole),
        "sentence": versus.sentence(found.whole),
        "suites": [_part_data("suite", name, part) for name, part in found.suites.items()],
        "tags": [_part_data("tag", name, part) for name, part in found.tags.items()],
        "tests": [facts(row, gap) for row, gap in found.gaps],
        "only_first": _only(found, found.first),
        "only_second": _only(found, found.second),
        "same_tests": found.grid.same.names,
        "same_questions": [[row.test for row in rows] for rows in rechecked(found.grid)],
    }


def _part_data(kind: str, name: str, part: Part) -> dict[str, Any]:
    return {kind: name, "first": part.first, "second": part.second, **pair_data(part.pair)}
