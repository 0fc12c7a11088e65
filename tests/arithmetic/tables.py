"""The suite's tables: models, heat maps of their cells, and the summaries for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.records import Cell, Table, TrialRecord, Value
from assay.results.stats import wilson

from .grade import Class
from .problems import MINUS, SYMBOLS, VARIANTS
from .tally import Tally, by_cell, by_model, cell_of, tally

COLUMNS = (
    "model", "date", "trials", "correct %", "NaN %", "dev %", "strict %", "errors", "completion tokens",
    "cost", "avg error", "median rel. error",
)  # fmt: skip
NOTE = (
    "Correct: the number meant is right, with its 95% interval (Wilson's) for other problems of these kinds. NaN: no number. Dev: another number. "
    "Strict: right, and the reply ends in the bare number. Errors of the provider count in no rate. "
    "Avg error: mean distance of the numbers that deviate; median rel. error: the same as a share of the truth."
)


def tables(records: Sequence[TrialRecord]) -> Iterator[Table]:
    """The table of models, best first; a heat map for each, and one of models by variants."""
    models = by_model(records)
    totals = {model: tally(its) for model, its in models.items()}
    if not any(total.trials for total in totals.values()):
        return
    best_first = sorted(models, key=lambda model: -(totals[model].accuracy or 0.0))
    models = {model: models[model] for model in best_first}
    rows = tuple(model_row(model, totals[model]) for model in models)
    yield Table("Arithmetic", COLUMNS, rows, NOTE, align=("left", "right"))
    for model, its in models.items():
        yield cells_map(f"{model}: % correct by digits", its)
    if len(models) > 1:
        yield variants_map(models)


def model_row(model: str, its: Tally) -> tuple[Value | Cell, ...]:
    return (
        model,
        its.date[:10],
        its.trials,
        _rate(its),
        _percent(its.share(its.lenient[Class.NAN])),
        _percent(its.share(its.lenient[Class.DEVIATE])),
        _percent(its.share(its.strict[Class.CORRECT])),
        its.errors,
        Cell(its.usage.output_tokens, f"{its.usage.output_tokens:,}"),
        Cell(
            its.cost,
            "unknown" if its.cost is None else f"${its.cost:,.2f}" if its.cost >= 1 else f"${its.cost:.4f}",
        ),
        Cell(its.mean_error, "-" if its.mean_error is None else f"{its.mean_error:.3g}"),
        Cell(its.median_relative_error, percent(its.median_relative_error)),
    )


def _rate(its: Tally) -> Cell:
    share = its.accuracy
    if share is None:
        return Cell(None)
    low, high = (100 * end for end in wilson(its.correct, its.counted))
    return Cell(
        share, f"{100 * share:.1f} [{low:.1f}-{high:.1f}]", share, hover=f"{its.correct} of {its.counted}"
    )


def _percent(share: float | None) -> Cell:
    return Cell(share, "-" if share is None else f"{100 * share:.1f}")


def percent(share: float | None) -> str:
    """
    >>> percent(0.00031), percent(0.5), percent(12.0), percent(1e40)
    ('0.031%', '50%', '1200%', '1e+42%')
    """
    if share is None:
        return "-"
    return f"{100 * share:.0f}%" if 0.1 <= share < 1000 else f"{100 * share:.2g}%"


def symbol_of(variant: str) -> str:
    """
    >>> symbol_of("float_mul")
    'float ×'
    """
    kind, _, operation = variant.partition("_")
    return f"{kind} {SYMBOLS[operation].replace('-', MINUS)}"


def cells_map(
    title: str,
    records: Sequence[TrialRecord],
    variants: Sequence[str] = (),
    depths: Sequence[int] = (),
) -> Table:
    """Share of right answers of one model: variants down, digits across (those that it has, unless they are
    given); a cell leads to its trials."""
    found = by_cell(records)
    tests = {cell_of(record): (record.test, record.model) for record in records}
    depths = depths or sorted({depth for _, depth in found})
    rows = []
    for variant in variants or [each for each in VARIANTS if any(each == known for known, _ in found)]:
        row: list[Value | Cell] = [symbol_of(variant)]
        for depth in depths:
            its = found.get((variant, depth))
            row.append(_heat(its, f"{variant}, {depth} digits", tests.get((variant, depth), "")))
        rows.append(tuple(row))
    return Table(title, ("digits", *map(str, depths)), tuple(rows), compact=True, sortable=False)


def variants_map(models: Mapping[str, Sequence[TrialRecord]]) -> Table:
    """Share of right answers over all depths: models down, variants across."""
    rows = []
    for model, records in models.items():
        found = {variant: Tally() for variant in VARIANTS}
        for record in records:
            found[cell_of(record)[0]].add(record)
        cells = (_heat(found[variant], f"{model}: {variant}", "") for variant in VARIANTS)
        rows.append((model, *cells))
    columns = ("model", *map(symbol_of, VARIANTS))
    return Table("% correct by model and variant", columns, tuple(rows), align=("left",), compact=True)


def _heat(its: Tally | None, about: str, link: str | tuple[str, str]) -> Cell | None:
    share = its.accuracy if its is not None else None
    if its is None or share is None:
        return None
    said = f"{about}: {its.correct} of {its.counted}" + (f", {its.errors} errors" if its.errors else "")
    return Cell(share, f"{100 * share:.0f}", share, link=link, hover=said)


def _counts(found: Mapping[str, int]) -> dict[str, int]:
    return {str(kind): found.get(kind, 0) for kind in Class}


def summary(records: Sequence[TrialRecord]) -> dict[str, Any]:
    """The counts of both readings, for --rescore --format json."""
    total = tally(records)
    return {"lenient": _counts(total.lenient), "strict": _counts(total.strict)}


def aggregate(records: Sequence[TrialRecord]) -> dict[str, Any]:
    """A finished run in one line: counts overall and of each cell, rates, errors, tokens, cost."""
    total = tally(records)
    share = total.accuracy
    return {
        "trials": total.trials,
        **summary(records),
        "cells": {
            f"{variant}/{depth}": {
                "trials": its.trials,
                "lenient": _counts(its.lenient),
                "strict": _counts(its.strict),
            }
            for (variant, depth), its in by_cell(records).items()
        },
        "rates": {
            "correct": share,
            "correct_interval": list(wilson(total.correct, total.counted)) if total.counted else None,
            "nan": total.share(total.lenient[Class.NAN]),
            "deviate": total.share(total.lenient[Class.DEVIATE]),
            "strict": total.share(total.strict[Class.CORRECT]),
        },
        "mean_error": total.mean_error,
        "median_relative_error": total.median_relative_error,
        "tokens": {
            "prompt_tokens": total.usage.input_tokens,
            "completion_tokens": total.usage.output_tokens,
            "reasoning_tokens": total.usage.reasoning_tokens,
        },
        "cost": total.cost,
    }
