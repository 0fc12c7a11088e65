"""What the report shows beside the tables: accuracy by digits, two models side by side, mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from assay.records import VERDICTS, Cell, Outcome, Table, TrialRecord, Value
from assay.suites.exhibits import Figure, Item, Page, Versus

from .pairs import pairs_table
from .problems import MINUS, SYMBOLS, VARIANTS
from .tables import cells_map, percent, symbol_of
from .tally import CellKey, Tally, by_cell, by_model, cell_of, tally

Models = Mapping[str, Sequence[TrialRecord]]
LINES = 8  # models in one picture: as many as there are colours
MISTAKES = 300  # rows of a page


def figures(records: Sequence[TrialRecord]) -> Iterator[Figure]:
    """Small multiples: a panel for each variant, a line for each model."""
    from assay.report.plot import plotted

    models = _answered(records)
    if not models:
        return
    best = sorted(models, key=lambda model: -(tally(models[model]).accuracy or 0))
    shown = {model: by_cell(models[model]) for model in best[:LINES]}
    left_out = f" The best {LINES} of {len(models)} models." if len(models) > LINES else ""
    yield plotted(
        "Correct by digits",
        "Share of right answers by the digits of the operands, a line for each model: whole numbers above, "
        f"decimals below.{left_out}",
        partial(_panels, shown),
        width=9.5,
        height=5.2,
    )


def _panels(models: Mapping[str, Mapping[CellKey, Tally]], canvas: Any, ink: Any) -> None:
    from assay.report.plot import label

    grid = canvas.subplots(2, 4, sharex=True, sharey=True).flat
    lines: list[Any] = []
    for at, (axes, variant) in enumerate(zip(grid, VARIANTS, strict=True)):
        lines.clear()
        for cells in models.values():
            found = sorted((d, its) for (v, d), its in cells.items() if v == variant and its.counted)
            shares = [its.correct / its.counted for _, its in found]
            lines += axes.plot([depth for depth, _ in found], shares, marker="o", markersize=3, linewidth=1.6)
        axes.set_xlabel("digits" if at >= len(VARIANTS) // 2 else "")
        axes.set_title(symbol_of(variant), fontsize=11)
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
        axes.xaxis.get_major_locator().set_params(integer=True)
    names = [label(model) for model in models]
    canvas.legend(lines, names, loc="outside lower center", ncols=min(3, len(names)), frameon=False)


def pages(records: Sequence[TrialRecord]) -> Iterator[Page]:
    """Two models side by side where there are two; the mistakes of each."""
    models = _answered(records)
    if len(models) > 1:
        yield Page("Two models, cell by cell", "two-models", partial(_two_models, models))
    for at, (model, its) in enumerate(models.items(), 1):
        yield Page(f"Mistakes of {model}", f"mistakes-{at}", partial(_mistakes, its))


def _answered(records: Sequence[TrialRecord]) -> dict[str, list[TrialRecord]]:
    return by_model([record for record in records if record.outcome in VERDICTS])


def _two_models(models: Models) -> Iterator[Item]:
    yield (
        "Percent of right answers in each cell of **two models**, and the difference between them. "
        "The paired test below counts the problems that both were asked."
    )
    cells = {cell_of(record) for its in models.values() for record in its}
    depths = sorted({depth for _, depth in cells})
    variants = [variant for variant in VARIANTS if any(variant == each for each, _ in cells)]
    maps = tuple((model, cells_map("", its, variants, depths)) for model, its in models.items())
    yield Versus("Cell by cell", maps, "Differences in percentage points.", times=100, full=0.5)
    yield pairs_table(models)


def _mistakes(records: Sequence[TrialRecord]) -> Iterator[Item]:
    wrong = [record for record in records if record.outcome is Outcome.FAIL]
    wrong.sort(
        key=lambda record: (VARIANTS.index(record.extra["variant"]), record.extra["depth"], record.epoch)
    )
    if not wrong:
        yield "There are none."
        return
    yield "Off by: the distance from the right answer as a share of it. A problem leads to its trials."
    rows = tuple(_mistake(record) for record in wrong[:MISTAKES])
    note = f"The first {MISTAKES} of {len(wrong)}." if len(wrong) > MISTAKES else ""
    columns = ("problem", "right", "read", "off by", "the reply ends in")
    align: tuple[Literal["left", "right"], ...] = ("left", "right", "right", "right", "left")
    yield Table("Replies that are not right", columns, rows, note, align)


def _mistake(record: TrialRecord) -> tuple[Value | Cell, ...]:
    facts = record.extra
    left, right = facts["operands"]
    sign = SYMBOLS[facts["variant"].partition("_")[2]].replace("-", MINUS)
    relative = facts["relative_error"]
    reply = " ".join(str(facts["raw_response"])[-200:].split())
    return (
        Cell(f"{left} {sign} {right}", link=(record.test, record.model)),
        str(facts["correct"]),
        None if facts["parsed"]["lenient"] is None else _cut(str(facts["parsed"]["lenient"])),
        Cell(relative, percent(relative), hover=str(facts["error"] or "")),
        reply if len(reply) <= 60 else "..." + reply[-57:],
    )


def _cut(number: str) -> str:
    return number if len(number) <= 40 else number[:37] + "..."
