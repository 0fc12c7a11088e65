"""A small suite with everything that a suite can show: heat maps, plots, code side by side, two of several.

Models and outcomes are invented. A copy of this file is tests/demo/suite.py in our tests.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from assay.records import Block, Cell, Outcome, Table, TrialRecord
from assay.report.plot import Ink, label, plotted
from assay.suites.exhibits import Columns, Figure, Item, Page, Versus
from assay.suites.suite import Suite

SIZE = 6
MODELS = ("aurora/heron-4-large", "fjord/petrel-9", "cinder/kestrel-6-pro")
PROGRAM = """\
def multiply(a: str, b: str) -> str:
    \"\"\"Long multiplication, digit by digit.\"\"\"
    digits = [0] * (len(a) + len(b))
    for i, x in enumerate(reversed(a)):
        for j, y in enumerate(reversed(b)):
            digits[i + j] += int(x) * int(y)  # attempt {attempt}
    for place in range(len(digits) - 1):
        digits[place + 1] += digits[place] // 10
        digits[place] %= 10
    return "".join(map(str, reversed(digits))).lstrip("0") or "0"
"""


def demo_records(models: Sequence[str] = MODELS, size: int = SIZE) -> list[TrialRecord]:
    """One trial for each model and pair of lengths."""
    found = []
    for m, model in enumerate(models):
        for x in range(1, size + 1):
            for y in range(1, size + 1):
                draw = random.Random(f"{model}/{x}/{y}")
                score = min(1.0, max(0.0, round(1.25 - 0.03 * x * y - 0.12 * m + draw.gauss(0, 0.06), 3)))
                code = PROGRAM.format(attempt=m + 1)
                found.append(
                    TrialRecord(
                        test=f"product.D{x}x{y}", model=model, epoch=1, suite="demo", score=score,
                        outcome=Outcome.PASS if score > 0.5 else Outcome.FAIL, calls=4, cost=0.002 * (3 - m),
                        seconds=3 + x * y / 9, started_at=f"2026-11-20T10:{x:02}:{y:02}Z",
                        description=f"Products of numbers with {x} and {y} digits",
                        tags=("arithmetic", f"{x} digits"),
                        reason=Block("group", children=(
                            Block("code", "program", code, "python"),
                            Block("verdict", "accuracy", f"{score:.1%} of 40 products", passed=score > 0.5),
                        )),
                    )
                )  # fmt: skip
    return found


def by_model(records: Sequence[TrialRecord]) -> dict[str, list[TrialRecord]]:
    found: dict[str, list[TrialRecord]] = {}
    for record in records:
        found.setdefault(record.model, []).append(record)
    return found


def heat_map(title: str, records: Sequence[TrialRecord]) -> Table:
    """Share of right products: lengths of one factor down, of the other across."""
    cells = {record.test: record for record in records}
    rows: list[tuple[Any, ...]] = []
    for y in range(1, SIZE + 1):
        row: list[Any] = [str(y)]
        for x in range(1, SIZE + 1):
            record = cells.get(f"product.D{x}x{y}")
            if record is None or record.score is None:
                row.append(None)
                continue
            said = f"{x} by {y} digits: {record.score:.1%} of 40"
            to = (record.test, record.model)
            row.append(
                Cell(record.score, f"{record.score * 100:.0f}", record.score, "heat", link=to, hover=said)
            )
        rows.append(tuple(row))
    columns = ("digits", *map(str, range(1, SIZE + 1)))
    return Table(title, columns, tuple(rows), note="percent of products that are right", compact=True)


def tables(records: Sequence[TrialRecord]) -> Iterable[Table]:
    rows = []
    for at, (model, its) in enumerate(by_model(records).items(), 1):
        mean = sum(record.score or 0 for record in its) / len(its)
        best = max(its, key=lambda record: record.score or 0)
        perfect = sum(record.score == 1 for record in its)
        rows.append(
            (Cell(model, link=f"model-{at}"), Cell(mean, f"{mean:.3f}", mean), perfect, len(its),
             Cell(best.test, link=(best.test, model)))
        )  # fmt: skip
    yield Table(
        "Products", ("model", "mean", "perfect", "cells", "best"), tuple(rows), "Mean over all cells."
    )


def _curves(records: Sequence[TrialRecord], canvas: Any, ink: Ink) -> None:
    axes = canvas.subplots()
    for model, its in by_model(records).items():
        means = []
        for n in range(1, SIZE + 1):
            scores = [record.score or 0 for record in its if record.test.endswith(f"x{n}")]
            means.append(sum(scores) / max(1, len(scores)))
        axes.plot(range(1, SIZE + 1), means, marker="o", label=label(model))
    axes.set(
        ylim=(0, 1.03), xlabel="digits of the second factor", ylabel="accuracy", title="Longer is harder"
    )
    axes.legend(loc="lower left")


def _violins(records: Sequence[TrialRecord], canvas: Any, ink: Ink) -> None:
    axes = canvas.subplots()
    names = list(by_model(records))
    values = [[record.score or 0 for record in by_model(records)[name]] for name in names]
    violins = axes.violinplot(values, showmedians=True)
    for name in ("cbars", "cmins", "cmaxes", "cmedians"):
        violins[name].set(color=ink.soft, linewidth=1)
    for at, parts in enumerate(violins["bodies"]):
        parts.set_facecolor(ink.cycle[at % len(ink.cycle)])
        parts.set_alpha(0.75)
    axes.set_xticks(range(1, len(names) + 1), [label(name, 24) for name in names], rotation=15)
    axes.set(ylabel="accuracy", title="Scores of all cells")


def figures(records: Sequence[TrialRecord]) -> Iterable[Figure]:
    yield plotted("Accuracy by length", "Mean accuracy falls with the digits of a factor, for every model.",
                  partial(_curves, records))  # fmt: skip
    yield plotted("Spread of scores", "How the scores of the cells are spread, for each model.",
                  partial(_violins, records))  # fmt: skip


def _one_model(model: str, records: Sequence[TrialRecord]) -> Iterable[Item]:
    yield f"All products that **{label(model)}** was asked for. A cell leads to its *trials*."
    yield heat_map("Accuracy", records)
    yield plotted("Accuracy by length", f"{model} alone.", partial(_curves, records), width=6, height=3)


def _two_models(records: Sequence[TrialRecord]) -> Iterable[Item]:
    maps = tuple((model, heat_map("", its)) for model, its in by_model(records).items())
    yield Versus("Cell by cell", maps, "Differences in percentage points.", times=100, full=0.5)


def _one_test(records: Sequence[TrialRecord]) -> Iterable[Item]:
    yield "The programs as the models wrote them."
    yield Columns(tuple((record.model, (record.reason or Block("text"),)) for record in records))


def pages(records: Sequence[TrialRecord]) -> Iterable[Page]:
    yield Page("Two models, cell by cell", "two-models", partial(_two_models, records))
    for at, (model, its) in enumerate(by_model(records).items(), 1):
        yield Page(f"All of {model}", f"model-{at}", partial(_one_model, model, its))
    tests = sorted({record.test for record in records})
    for test in tests[:3]:
        its = [record for record in records if record.test == test]
        yield Page(f"Programs of {test}", test.lower().replace(".", "-"), partial(_one_test, its), (test,))


class Demo(Suite):
    name = "demo"
    description = "Products of two numbers, by their lengths."

    def tables(self, records: Sequence[TrialRecord]) -> Iterable[Table]:
        return tables(records)

    def figures(self, records: Sequence[TrialRecord]) -> Iterable[Figure]:
        return figures(records)

    def pages(self, records: Sequence[TrialRecord]) -> Iterable[Page]:
        return pages(records)


SUITE = Demo()


def with_parts(suite: Suite, **parts: Any) -> Suite:
    """A copy with other parts: functions of the records, or its code's hash."""
    made = copy.copy(suite)
    vars(made).update(parts)
    return made
