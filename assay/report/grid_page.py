"""index.html: the ranking of models, tests x models, two models compared, the suites' tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.records import Cause, suite_title
from assay.report import versus, wording
from assay.report.aggregate import CellKey, Grid, Row
from assay.report.cells import step
from assay.report.discrimination import standings
from assay.report.environment import embedded, render, script
from assay.report.failures import causes_table, not_passed, told
from assay.report.figures import FigureView
from assay.report.html_table import TableView
from assay.report.repeated import tries, tries_table
from assay.report.same_questions import about_rechecked
from assay.report.sanitise import one_line
from assay.report.tally import Tally
from assay.report.versus import Pair, explain, for_table, of_models, pairs, test_name, why_tie
from assay.results.natural_order import alphabetical

MAX_ABOUT = 4  # models; with more there is no room for the tests' descriptions
CAUSES = list(Cause)
MAX_HOVERS = 6000  # cells; a larger grid leaves the hover texts to the cells' pages


@dataclass(frozen=True)
class CellView:
    """One cell as printed: q0..q10 colour it, and `mark` counts what the ratio leaves out."""

    text: str
    css: str
    mark: str
    hover: str
    href: str


@dataclass(frozen=True)
class SectionView:
    """A suite's own part of the page; without a name, a table that belongs to no suite. `pages`: title,
    link."""

    name: str
    description: str = ""
    pages: Sequence[tuple[str, str]] = ()
    tables: Sequence[TableView] = ()
    figures: Sequence[FigureView] = ()


@dataclass(frozen=True)
class LiveState:
    """How far a live page has read when it is made, and its rows and columns."""

    version: int
    shape: int


def render_models(grid: Grid) -> str:
    """The rows of the table of models."""
    return render("models", grid=grid)


def render_sections(exhibits: Sequence[SectionView]) -> str:
    """The suites' own parts of the page."""
    return render("sections", exhibits=exhibits)


def cell_view(row: Row, model: str, href: str, hover: bool) -> CellView | None:
    """The look of the cell of a test and a model; None if it has no trial."""
    cell = row.cells.get(model)
    if cell is None:
        return None
    text = wording.cell(cell)
    css = f"q{step(cell.ratio)}" if cell.ratio is not None else text[0]
    marks = [f"!{cell.errors}"] if cell.errors and cell.counted else []
    marks += [f"–{cell.skipped}"] if cell.skipped and (cell.counted or cell.errors) else []  # noqa: RUF001
    marks += [f"(!{cell.later})"] if cell.later else []
    return CellView(text, css, " ".join(marks), _hover(row, model, cell) if hover else "", href)


def _hover(row: Row, model: str, cell: Tally) -> str:
    said = []
    if cell.counted:
        said.append(f"{cell.passed} of {cell.counted} passed (95% interval {wording.interval(cell)})")
    said += not_passed(cell)
    if cell.cost:
        said.append(f"{wording.money(cell.cost / cell.trials)} a trial")
    if cell.seconds:
        said.append(f"{wording.duration(cell.seconds / cell.trials)} a trial")
    if why := next((why for trial in row.trials.get(model, ()) if (why := told(trial) or trial.later)), ""):
        said.append(one_line(why, 200))
    return "; ".join(said)


def _pair_data(pair: Pair) -> list[Any]:
    """[tests, difference, low, high, better, worse, p, p after correction (both as in a sentence), verdict,
    test, why it is a tie, for how many pairs p is corrected, whether there are too few tests]"""
    found = pair.found
    if not found.tests:
        return [0]
    ends = [round(each, 7) for each in (found.mean, found.low, found.high)]
    ps = map(wording.p_sign, (found.p, pair.adjusted))
    why = why_tie(pair) if pair.verdict == "tie" else ""
    test = test_name(found)
    verdict = (pair.verdict, test, why, pair.of, int(pair.too_few))
    return [found.tests, *ends, found.wins, found.losses, *ps, *verdict]


def _width(found: Sequence[Pair]) -> float:
    """The largest distance from 0 that the pictures of the intervals show."""
    farthest = max((max(-each.found.low, each.found.high) for each in found if each.found.tests), default=1.0)
    return next((width for width in (0.1, 0.25, 0.5) if farthest <= width), 1.0)


def _statistics(grid: Grid) -> tuple[dict[str, Any], dict[str, Any]]:
    """Everything computed over all tests: values for the templates; and for the page's script `_pair_data` of
    every two models, the range of the pictures, the rows that are one test, and by suite the conditions."""
    found, several = pairs(grid), tries(grid)
    causes, tiers = causes_table(grid), standings(grid)
    views = {
        "tiers": TableView(tiers) if tiers else None,
        "causes": TableView(causes) if causes else None,
        "tries": TableView(tries_table(several)) if several else None,
        "differences": for_table(found, grid) if len(of_models(found, grid)) > 1 else [],
        "width": _width(found),
        "explanation": explain(of_models(found, grid)),
        "words": versus,
        "coverage": wording.coverage((row.cells for row in grid.tests), grid.models),
        "same": grid.about_same,
        "rechecked": about_rechecked(grid),
    }
    data = {"pairs": [_pair_data(pair) for pair in found], "width": _width(found), "once": _once(grid)}
    return views, {**data, "kinds": [_kinds(grid, suite) for suite in grid.suites]}


def render_statistics(grid: Grid) -> dict[str, Any]:
    """The parts of the page that are computed over all tests: `parts` by element id, and the data of every
    two models for the page's script."""
    views, data = _statistics(grid)
    names = ("coverage", "tiers", "tries", "causes", "differences")
    return {**data, "parts": {name: render(name, **views) for name in names}}


def numbers(cell: Tally | None) -> Any:
    """A cell for the page's script: [passed, counted, errors, skipped], the causes of its failures as places
    in CAUSES, if any, and its mean score, if any; 0 if it has no trial."""
    if cell is None:
        return 0
    found: list[Any] = [cell.passed, cell.counted, cell.errors, cell.skipped]
    causes = [CAUSES.index(Cause(cause)) for cause, _ in (*cell.causes, *cell.breaks)]
    score = [] if cell.score is None else [round(cell.score, 6)]
    return [*found, causes, *score] if causes or score else found


def _numbers(row: Row, models: Sequence[str]) -> list[Any]:
    return [numbers(row.cells.get(model)) for model in models]


def _kinds(grid: Grid, suite: str) -> list[int]:
    """The conditions of each model's trials of a suite, as a number; 0 if there are none."""
    its = grid.kinds.get(suite, {})
    numbers = {kind: number for number, kind in enumerate(sorted(set(its.values())), 1)}
    return [numbers[its[model]] if model in its else 0 for model in grid.models]


def _once(grid: Grid) -> dict[int, list[Any]]:
    """The cells that count of rows that are one test under several names, by their place; [] for one that
    counts elsewhere."""
    cells = {(row.suite, row.test): _numbers(row, grid.models) for row in grid.tests} if grid.same else {}
    places = {at: (row.suite, row.test) for at, row in enumerate(grid.rows)} if grid.same else {}
    return {at: cells.get(key, []) for at, key in places.items() if key in grid.same.others}


def total_text(total: Tally) -> str:
    """A test's trials by all models, as text."""
    return wording.cell(total) if total.trials else "–"  # noqa: RUF001


def suite_total(total: Tally | None) -> tuple[str, str]:
    """A model's trials in a suite: as printed, and as the hover text."""
    if total is None or not total.counted:
        return "–", ""  # noqa: RUF001
    passed = f"{total.passed} of {total.counted} trials passed (95% interval {wording.interval(total)})"
    text = wording.score(total.score) if total.score is not None else f"{total.rate or 0:.0%}"
    return text, "; ".join([passed, *not_passed(total)])


def headline(grid: Grid) -> str:
    """For example '12 tests · 2 models · 24 trials'."""
    counts = ((len(grid.rows), "test"), (len(grid.models), "model"), (grid.trials, "trial"))
    return " · ".join(wording.count(number, name) for number, name in counts)


def _common(rows: Sequence[Row]) -> Row | None:
    """Any one of a suite's tests, if there are several that all ask alike; their description is then shown
    once."""
    alike = {(row.description, row.tags) for row in rows}
    return rows[0] if len(alike) == 1 and len(rows) > 1 else None


def render_grid(
    grid: Grid,
    exhibits: Sequence[SectionView],
    pages: Mapping[CellKey, str],
    sources: Mapping[str, str],
    about: Mapping[tuple[str, str], tuple[str, str]],
    warnings: Sequence[str] = (),
    changes: TableView | None = None,
    live: LiveState | None = None,
    searched: Sequence[str] = (),
    which: str = "",
) -> str:
    """The index page. `exhibits`: the suites' own parts. `pages`: cell -> link. `sources`: test file -> link,
    '' for none. `about`: (suite, test) -> title of and link to a page about the test. `warnings`: what a
    reader must know before comparing. `changes`: verdicts that changed in rescoring. `live`: for a page that
    follows a run: it runs one more script, which may ask its own server only. `searched`: names of the data
    files that the page's search reads. `which`: the address of the page about the tests."""
    names = ("theme.js", "grid.js", "tables.js")
    if live:
        code, policy = script(*names, "live.js", live=True)
    else:
        code, policy = script(*names, "search.js", loads=True)
    newest = max(
        (trial.started_at for row in grid.rows for t in row.trials.values() for trial in t), default=""
    )
    shown = [each for each in exhibits if each.pages or each.tables or each.figures or each.description]
    views, data = _statistics(grid)
    suites = [(suite, [row for row in grid.rows if row.suite == suite]) for suite in grid.suites]
    rows = [_numbers(row, grid.models) for row in grid.rows]
    return render(
        "index",
        grid=grid,
        **views,
        suites=suites,
        titles={suite: ", ".join(sorted(set(map(suite_title, its)))) or suite for suite, its in suites},
        pages=pages,
        sources=sources,
        about=about,
        hovers=len(grid.rows) * len(grid.models) <= MAX_HOVERS,
        cell_view=cell_view,
        suite_total=suite_total,
        total_text=total_text,
        common=_common,
        exhibits=shown,
        own={each.name for each in shown},
        tags=sorted({tag for row in grid.rows for tag in row.tags}, key=alphabetical),
        warnings=warnings,
        later=any(total.later for total in grid.totals.values()) or live is not None,
        changes=changes,
        newest=newest[:16].replace("T", " "),
        headline=headline(grid),
        clustered=wording.CLUSTERED,
        by_score=wording.SCORED,
        time_a_trial=wording.TIME_A_TRIAL,
        live=live,
        searched=searched,
        which=which,
        with_about=len(grid.models) <= MAX_ABOUT and any(row.description or row.tags for row in grid.rows),
        names=[_split(model) for model in grid.models],
        data=embedded(
            {"models": grid.models, "causes": CAUSES, "rows": rows, "live": live is not None, **data}
        ),
        script=code,
        policy=policy,
    )


def _split(model: str) -> tuple[str, str, list[str]]:
    """('openai/', 'gpt-5', ['+seed=7']): provider, name, and settings, which may contain slashes."""
    base, *settings = re.split(r"(?=\+[^+])", model)
    provider, slash, name = base.rpartition("/")
    return provider + slash, name, settings
