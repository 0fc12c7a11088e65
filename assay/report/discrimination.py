"""A page of the report: which tests tell models apart, and how models stand on each tier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import mean

from assay.home import docs_page
from assay.records import VERDICTS, Cell, Outcome, Table, TrialRecord
from assay.report.aggregate import Grid, Row
from assay.report.tally import counts_by_score
from assay.results.discrimination import FEWEST_MODELS, Discrimination, Verdict, discriminations
from assay.suites.exhibits import Item
from assay.suites.tiers import TIERS

TITLE = "Which tests tell models apart"
FILE = "all--discrimination.html"
MOST_MODELS = 12  # columns
WORDS: Mapping[Verdict, str] = {
    "tells apart": "the best and the worst model differ by at least a quarter of the score",
    "little": "models differ, but by less than that",
    "unclear": "models differ as much, but not as they do elsewhere",
    "noisy": "trials of one and the same model differ as much as models do: run more of them (--times)",
    "against the trend": "models that are better elsewhere do worse here: is the verdict right?",
    "all pass": "every model does it, so it says nothing about which is better",
    "none passes": "no model does it yet",
}


@dataclass(frozen=True)
class Judged:
    """A test and how it discriminates."""

    row: Row
    found: Discrimination


def _models(grid: Grid) -> list[str]:
    return [model for model in grid.models if model not in grid.self_judged]


def _value(trial: TrialRecord, by_score: bool) -> float:
    if by_score and trial.score is not None:
        return trial.score
    return float(trial.outcome is Outcome.PASS)


def _trials(row: Row, models: list[str]) -> dict[str, list[float]]:
    """The results of a test's trials by model, in the unit by which the test counts."""
    by_score = counts_by_score(row.cells.values())
    found = {}
    for model in models:
        ended = [t for t in row.trials.get(model, ()) if t.outcome in VERDICTS]
        if ended:
            found[model] = [_value(trial, by_score) for trial in ended]
    return found


def judged_tests(grid: Grid) -> list[Judged]:
    """The tests that at least two models have been asked, the hardest first. Oracle and saboteur do not
    count."""
    models = _models(grid)
    if len(models) < 2:
        return []
    found = discriminations([_trials(row, models) for row in grid.tests])
    pairs = [Judged(row, each) for row, each in zip(grid.tests, found, strict=True) if each is not None]
    return sorted(pairs, key=lambda each: (-each.found.difficulty, each.row.test))


def tier_of(row: Row) -> str:
    """The tier that a test's tags name, '' if none does."""
    return next((tier for tier in TIERS if tier in row.tags), "")


def standings(grid: Grid) -> Table | None:
    """How each model stands on each tier; None if no test names its tier."""
    rows, models = [row for row in grid.tests if tier_of(row)], _models(grid)
    tiers = [tier for tier in TIERS if any(tier_of(row) == tier for row in rows)]
    lines: list[tuple[str | Cell, ...]] = []
    for model in models:
        cells: list[Cell] = []
        for tier in tiers:
            its = [row.cells[model] for row in rows if tier_of(row) == tier and model in row.cells]
            ratios = [cell.ratio for cell in its if cell.ratio is not None]
            if ratios:
                passed, counted = sum(cell.passed for cell in its), sum(cell.counted for cell in its)
                value = mean(ratios)
                cells.append(Cell(value, f"{value:.0%} ({passed}/{counted})", shade=value))
            else:
                cells.append(Cell(None))
        if any(cell.value is not None for cell in cells):
            lines.append((model, *cells))
    if not lines:
        return None
    note = "The mean result over the tests of a tier (and trials passed). A tier is measured by replies of "
    note += f"strong models, or until then what the test's author expects: {docs_page('hard')}."
    align = ("left", *("right" for _ in tiers))
    return Table("Models by tier", ("model", *tiers), tuple(lines), note, align=align)  # type: ignore[arg-type]


def page(grid: Grid) -> Iterator[Item]:
    """The items of the page; none if fewer than two models were asked the same test."""
    tests = judged_tests(grid)
    if not tests:
        return
    yield from _summary(tests, _models(grid))
    if (table := standings(grid)) is not None:
        yield table
    yield _table(tests, _models(grid)[:MOST_MODELS])


def _summary(tests: list[Judged], models: list[str]) -> Iterator[Item]:
    third = " With a third model the table also says how each test agrees with all others."
    yield (
        f"{len(tests)} tests were asked of at least two of {len(models)} models. A test is worth its money "
        f"if better models do better in it.{third if len(models) < FEWEST_MODELS else ''}"
    )
    counts = Counter(each.found.verdict for each in tests)
    rows = tuple((each, counts[each], WORDS[each]) for each in WORDS if counts[each])
    yield Table("Verdicts", ("verdict", "tests", "meaning"), rows, sortable=False)


def _table(tests: list[Judged], models: list[str]) -> Table:
    rows: list[tuple[str | Cell, ...]] = []
    tiers = any(tier_of(each.row) for each in tests)
    for row, found in ((each.row, each.found) for each in tests):
        r = found.correlation
        agrees = Cell(None) if r is None else Cell(r, f"{r:+.2f}", shade=r, scale="gap")
        rows.append((
            Cell(row.test, hover=row.description),
            *((tier_of(row),) if tiers else ()),
            Cell(found.verdict, hover=WORDS[found.verdict]),
            Cell(found.difficulty, f"{found.difficulty:.2f}", shade=found.difficulty, scale="heat"),
            Cell(found.spread, f"{found.spread:.2f}", shade=found.spread, scale="heat"),
            agrees,
            *(_result(row, model, found) for model in models),
        ))  # fmt: skip
    note = (
        "Difficulty: 1 less the mean over models. Spread: the best model's result less the worst one's. "
        "Agrees: the correlation of a test with the mean of all others, over models (item-total "
        "correlation); with few models it is rough. Click a heading to sort."
    )
    tier = ("tier",) if tiers else ()
    columns = ("test", *tier, "verdict", "difficulty", "spread", "agrees", *models)
    return Table("Tests, the hardest first", columns, tuple(rows), note)


def _result(row: Row, model: str, found: Discrimination) -> Cell:
    value = found.means.get(model)
    if value is None:
        return Cell(None)
    return Cell(value, f"{value:.2f}", shade=value, link=(row.test, model))
