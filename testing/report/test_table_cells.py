"""Cells with colour, words and links: the same table on a terminal, in a file, as Markdown and as JSON."""

from __future__ import annotations

import io
import json
import math
import re

import pytest

from assay.records import Cell, Table
from assay.report.cells import alignment, ground, shade_class, text_of
from assay.report.terminal import show_tables

TABLE = Table(
    "Heat",
    ("digits", "1", "2", "model"),
    (
        ("1", Cell(0.981, "98", shade=0.981), Cell(0.5, "50", shade=0.5), "a"),
        ("2", Cell(0.0, "0", shade=0.0, hover="none of 40", link=("t.T", "m")), Cell(None), "b"),
    ),
    note="in percent",
    align=("", "center", "", "right"),
    compact=True,
)


def printed(table: Table, format: str = "table", width: int | None = None) -> str:
    out = io.StringIO()
    show_tables([table], format=format, file=out, width=width)  # type: ignore[arg-type]
    return out.getvalue()


def test_json_holds_values_and_the_others_words() -> None:
    (data,) = json.loads(printed(TABLE, "json"))
    assert data["rows"] == [
        {"digits": "1", "1": 0.981, "2": 0.5, "model": "a"},
        {"digits": "2", "1": 0.0, "2": None, "model": "b"},
    ]
    for text in (printed(TABLE), printed(TABLE, "markdown"), printed(TABLE, width=60)):
        assert re.search(r"\b98\b", text) and "0.981" not in text and "none of 40" not in text


def test_no_number_is_printed_that_json_forbids() -> None:
    table = Table("t", ("a", "b"), ((math.nan, Cell(math.inf, shade=math.nan)),))
    assert json.loads(printed(table, "json"))[0]["rows"] == [{"a": None, "b": None}]
    assert shade_class(table.rows[0][1]) == "" and text_of(math.nan) == "-"


def test_columns_stand_as_the_table_says_else_by_what_they_hold() -> None:
    assert alignment(TABLE) == ["right", "center", "right", "right"]
    assert "| ---: | :---: | ---: | ---: |" in printed(TABLE, "markdown")
    assert alignment(Table("t", ("a", "b", "c"), (("x", 1, None), (1, Cell(0.5, "1/2"), None)))) == [
        "left", "right", "left",
    ]  # fmt: skip


def test_a_short_or_foreign_alignment_does_no_harm() -> None:
    rows = (("x", 1), ("y", 2))
    for align in ((), ("center",), ("justify", "left", "right", "left")):
        assert len(alignment(Table("t", ("a", "b"), rows, align=align))) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shade", "scale", "css"),
    [
        (0.0, "rate", "q0"), (0.001, "rate", "q1"), (0.999, "rate", "q9"), (1.0, "rate", "q10"),
        (7.0, "rate", "q10"), (0.5, "heat", "h5"), (-3.0, "heat", "h0"), (0.0, "gap", "g5"),
        (0.01, "gap", "g6"), (-0.01, "gap", "g4"),
        (1.0, "gap", "g10"), (-1.0, "gap", "g0"), (None, "rate", ""), (math.nan, "heat", ""),
    ],
)  # fmt: skip
def test_a_shade_has_a_name(shade: float | None, scale: str, css: str) -> None:
    assert shade_class(Cell(1, shade=shade, scale=scale)) == css  # type: ignore[arg-type]


def luminance(rgb: tuple[int, int, int]) -> float:
    parts = [each / 255 for each in rgb]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scale", ["rate", "heat", "gap"])
def test_black_is_read_easily_on_every_colour(scale: str) -> None:
    for part in range(-20, 21):
        behind = ground(Cell(1, shade=part / 20, scale=scale))  # type: ignore[arg-type]
        assert behind is not None and (luminance(behind) + 0.05) / 0.05 >= 7  # WCAG AAA


def test_colours_reach_the_terminal_with_the_number_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = printed(TABLE, width=60)
    good, bad = ("48;2;" + ";".join(map(str, ground(Cell(1, shade=at)) or ())) for at in (0.981, 0.0))
    assert re.search(rf"\x1b\[30;{good}m *98 *\x1b", text)
    assert re.search(rf"\x1b\[30;{bad}m *0 *\x1b", text)  # the colour fills the cell, not the digit alone
    assert "\x1b[1mHeat" in text
    assert "\x1b[48" not in printed(Table("t", ("a",), ((Cell(0.5),),)), width=60)


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_wide_heat_map_is_dealt_out_to_the_screen(width: int) -> None:
    columns = ("digits", *map(str, range(1, 21)))
    rows = tuple(
        (str(y), *(Cell(x * y / 400, str(x * y), shade=x * y / 400) for x in range(1, 21))) for y in (1, 20)
    )
    lines = printed(Table("Heat", columns, rows, compact=True), width=width).splitlines()
    assert max(map(len, lines)) <= width
    numbers = re.findall(r"\d+", " ".join(line for line in lines if line.split()[:1] == ["20"]))
    assert [n for n in numbers if n != "20" or numbers.count("20") == 1][-1] == "400"
    assert {str(20 * x) for x in range(1, 21)} <= set(numbers)  # none is left out


def test_a_cells_words_cannot_drive_the_terminal() -> None:
    table = Table("t", ("a",), ((Cell(1, "\x1b[2Jx\x07", hover="\x1b]0;x\x07", link="https://x"),),))
    for format in ("table", "markdown"):
        assert not set(printed(table, format)) & {"\x1b", "\x07"}
