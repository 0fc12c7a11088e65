"""Results as tables for people (rich), for a README (Markdown) and for programs (JSON).

Every table, including a suite's own, is a records.Table. Strings from models and tests lose their control
characters on the way, so that a model's name or reply cannot control the reader's terminal.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, TextIO

from assay.records import Cell, Table, TrialRecord, Value, suite_title
from assay.report import wording
from assay.report.aggregate import Grid, make_grid
from assay.report.cells import Align, address_of, alignment, data_of, text_of
from assay.report.failures import causes_table
from assay.report.messages import say
from assay.report.repeated import tries, tries_data, tries_table
from assay.report.same_questions import about_rechecked
from assay.report.sanitise import one_line
from assay.report.screen_table import draw
from assay.report.tally import Tally
from assay.stdout import stdout

Format = Literal["table", "markdown", "json"]


def show_results(
    records: Sequence[TrialRecord] | Grid,
    *,
    tables: Sequence[Table] = (),
    unfinished: Sequence[str] = (),
    more: Mapping[str, Any] = MappingProxyType({}),
    format: Format = "table",
    file: TextIO | None = None,
    width: int | None = None,
) -> None:
    """Print the results: what is said of `unfinished` runs, models, tests, models against each other, then
    the suites' `tables`. `more`: what JSON alone has besides."""
    grid, out = _grid(records), file or stdout()
    if format == "json":
        data = {**results_data(grid, tables), "unfinished": [*unfinished], **more}
        _write_json(data, _tests_data(grid), out)
        return
    if format == "markdown":
        out.write("".join(f"{_escape(one_line(each))}\n\n" for each in unfinished))
    elif unfinished:
        say("\n".join([*unfinished, ""]), out)
    show_tables([*result_tables(grid), *tables], format=format, file=out, width=width)


def _grid(records: Sequence[TrialRecord] | Grid) -> Grid:
    return records if isinstance(records, Grid) else make_grid(records)


def show_tables(
    tables: Sequence[Table],
    *,
    format: Format = "table",
    file: TextIO | None = None,
    width: int | None = None,
) -> None:
    """Print `tables`: drawn, as Markdown, or as a JSON list. `width`: of the screen, by default its own."""
    out = file or stdout()
    if format == "json":
        json.dump([table_data(table) for table in tables], out, indent=2)
        out.write("\n")
    elif format == "markdown":
        out.write("\n".join(map(markdown_table, tables)))
    else:
        draw(tables, out, width)


# ---------------------------------------------------------------- what the tables hold


def result_tables(records: Sequence[TrialRecord] | Grid) -> list[Table]:
    """The tables of any run: models, why trials failed, tests, and the differences of two models or more."""
    grid = _grid(records)
    found = [models_table(grid)]
    if several := tries(grid):
        found.append(tries_table(several))
    if causes := causes_table(grid):
        found.append(causes)
    found.append(tests_table(grid))
    if len(grid.models) > 1:
        from assay.report.versus import compared_models, comparison_table

        if len(compared_models(grid)) > 1:
            found.append(_without_one_first(comparison_table(grid)))
    return found


def models_table(grid: Grid) -> Table:
    """One row for each model. The rate's denominator is the trials that ended in a verdict."""
    rows: list[tuple[Value, ...]] = []
    scored = grid.scored
    for model, total in grid.totals.items():
        score = wording.score(total.score) if total.score is not None else None
        rows.append(
            (
                model,
                f"{total.passed}/{total.counted}",
                wording.percent(total.rate) if total.rate is not None else None,
                wording.interval(total) or None,
                *((score,) if scored else ()),
                total.errors,
                total.skipped,
                wording.cost(total),
                f"{total.input_tokens + total.output_tokens:,}",
                wording.duration(total.seconds / total.trials),
            )
        )
    columns = ("model", "passed", "pass rate", "95% interval", *(("mean score",) if scored else ()))
    columns += ("errors", "skipped", "cost", "tokens", "time a trial")
    notes = wording.of_models(grid.totals.values())
    said = [f"{note[0].upper()}{note[1:]}." for note in notes]
    said += [grid.about_same, wording.coverage((row.cells for row in grid.tests), grid.models)]
    said += [about_rechecked(grid), wording.all_later(grid.totals)]
    return Table("Models", columns, tuple(rows), "\n".join(filter(None, said)))


def tests_table(grid: Grid) -> Table:
    """One row for each test, one column for each model: passed/counted, the mean score, or why there is
    none."""
    rows = ((row.test, *(cell_text(row.cells.get(model)) for model in grid.models)) for row in grid.rows)
    return Table("Tests", ("test", *grid.models), tuple(rows), note="\n".join(grid.reasons.lines()))


def cell_text(cell: Tally | None) -> str | None:
    """A cell in one word or two: '4/5', '0.83', '4/5 (1 error, 1 broke later)', 'error', 'skipped'."""
    if cell is None:
        return None
    text = wording.cell(cell)
    if not cell.counted:
        return text
    left_out = [wording.count(cell.errors, "error")] if cell.errors else []
    left_out += [f"{cell.skipped} skipped"] if cell.skipped else []
    left_out += [f"{cell.later} broke later"] if cell.later else []
    # interned, because thousands of tests share a few such texts
    return sys.intern(f"{text} ({', '.join(left_out)})" if left_out else text)


def _without_one_first(table: Table) -> Table:
    """If every row compares the same model, move its name to the title."""
    first = {row[0] for row in table.rows}
    if len(first) != 1 or len(table.rows) == 1:
        return table
    rows = tuple(row[1:] for row in table.rows)
    return Table(f"{first.pop()} against the others", table.columns[1:], rows, table.note)


# ---------------------------------------------------------------- JSON


def results_data(records: Sequence[TrialRecord] | Grid, tables: Sequence[Table] = ()) -> dict[str, Any]:
    """Everything the tables show except the tests, as numbers: {models, differences, tables, same_tests}."""
    from assay.report.versus import for_table, pair_data, pairs

    grid = _grid(records)
    several = tries(grid)
    return {
        "models": [
            {"model": model, **tally_data(total), "tries": tries_data(several.get(model, []))}
            for model, total in grid.totals.items()
        ],
        "differences": [pair_data(pair) for pair in for_table(pairs(grid), grid)],
        "tables": [table_data(table) for table in tables],
        "same_tests": grid.same.names,
    }


def _tests_data(grid: Grid) -> Iterator[dict[str, Any]]:
    for row in grid.rows:
        yield {
            "test": row.test,
            "suite": suite_title(row),
            "tags": list(row.tags),
            "models": {model: tally_data(row.cells[model]) for model in grid.models if model in row.cells},
        }


def _write_json(data: Mapping[str, Any], tests: Iterable[Mapping[str, Any]], out: TextIO) -> None:
    """Write {**data, "tests": [...]} test by test, because there may be many."""
    out.write('{\n  "tests": [')
    comma = ""
    for each in tests:
        out.write(f"{comma}\n    " + json.dumps(each, indent=2).replace("\n", "\n    "))
        comma = ","
    out.write("\n  ]" if comma else "]")
    for name, value in data.items():
        out.write(f",\n  {json.dumps(name)}: " + json.dumps(value, indent=2).replace("\n", "\n  "))
    out.write("\n}\n")


def tally_data(total: Tally) -> dict[str, Any]:
    """A tally as numbers."""
    low, high = total.interval
    return {
        "passed": total.passed,
        "counted": total.counted,
        "rate": total.rate,
        "interval": [low, high] if total.counted else None,
        "score": total.score,
        "errors": total.errors,
        "skipped": total.skipped,
        "causes": dict(total.causes),
        "causes_of_errors": dict(total.breaks),
        "rate_without_excused": total.rate_without_excused,
        "broke_later": total.later,
        "cost": total.cost if not total.cost_unknown else None,
        "known_cost": total.cost,
        "trials_of_unknown_cost": total.cost_unknown,
        "seconds": round(total.seconds, 4),
        "input_tokens": total.input_tokens,
        "output_tokens": total.output_tokens,
    }


def table_data(table: Table) -> dict[str, Any]:
    """A table as {title, columns, rows: [{column: value}], note}."""
    rows = [dict(zip(table.columns, map(data_of, row), strict=True)) for row in table.rows]
    return {"title": table.title, "columns": list(table.columns), "rows": rows, "note": table.note}


# ---------------------------------------------------------------- Markdown


def markdown_table(table: Table) -> str:
    """A GitHub-flavoured table; characters with a meaning in Markdown or HTML are escaped."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    parts = [
        f"### {_escape(one_line(table.title))}\n",
        line([_escape(one_line(column)) for column in table.columns]),
        line([_RULES[align] for align in alignment(table)]),
        *(line([_linked(value) for value in row]) for row in table.rows),
    ]
    parts += [f"\n{_escape(one_line(each))}" for each in table.note.splitlines() if each.strip()]
    return "\n".join(parts) + "\n"


_RULES: dict[Align, str] = {"left": "---", "right": "---:", "center": ":---:"}


def _linked(cell: Value | Cell) -> str:
    text = _escape(text_of(cell))
    return f"[{text}]({address})" if (address := address_of(cell)) else text


def _escape(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*\[\]|])", r"\\\1", text)
