"""Tables for a terminal: as wide as it is, with colours; cells that have a colour keep their number."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from assay.records import Cell, Table, Value
from assay.report.cells import alignment, ground, text_of
from assay.report.plain_table import draw_plain
from assay.report.sanitise import one_line

if TYPE_CHECKING:
    from rich.style import Style


def draw(tables: Sequence[Table], out: TextIO, width: int | None = None) -> None:
    """Draw `tables` for the terminal that `out` is, or `width` columns wide; in a file without colours."""
    if width is None and not out.isatty() and not os.environ.get("FORCE_COLOR"):
        for table in tables:
            draw_plain(table, out)
        return
    from rich.console import Console

    screen = width or (Console(file=out).width if out.isatty() else None)
    for table in tables:
        _draw_one(table, out, screen)


def _draw_one(table: Table, out: TextIO, screen: int | None) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    names = [one_line(column) for column in table.columns]
    pad = " " if table.compact else ""
    body = [[text_of(cell) for cell in row] for row in table.rows]
    legend: list[str] = []
    if screen and _width(names, body) > screen and not table.compact:
        names, legend = _numbered(names, body)
        if not legend:
            names = [name.replace(" ", "\n") for name in names]
    # A file has no width, so nothing is folded or cut there.
    console = Console(file=out, width=screen or max(80, _width(names, body)), highlight=False)
    title, aligned = one_line(table.title), alignment(table)
    split = bool(legend) or table.compact
    for part in _parts(names, body, console.width) if split else [range(len(names))]:
        drawn = Drawn(
            title=Text(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD,
            pad_edge=False, padding=(0, 0 if table.compact else 1, 0, 0), collapse_padding=True,
        )  # fmt: skip
        for at in part:
            fold = aligned[at] == "left" and not table.compact
            kind = {"overflow": "fold"} if fold else {"justify": aligned[at], "no_wrap": True}
            drawn.add_column(Text(f"{pad}{names[at]}{pad}"), **kind)
        for cells, row in zip(body, table.rows, strict=True):
            drawn.add_row(*(Text(f"{pad}{cells[at]}{pad}", style=_style(row[at], cells[at])) for at in part))
        console.print(drawn)
    for note in [*legend, *table.note.splitlines()]:
        if note.strip():
            console.print(Text(one_line(note), style="dim"), soft_wrap=screen is None)
    console.print()


def _widths(names: Sequence[str], body: Sequence[Sequence[str]]) -> list[int]:
    """Columns of the screen that each column takes, with the gap to the next."""
    from rich.cells import cell_len

    return [max(map(cell_len, column)) + 2 for column in zip(names, *body, strict=True)]


def _width(names: Sequence[str], body: Sequence[Sequence[str]]) -> int:
    return sum(_widths(names, body)) + 2


def _numbered(names: list[str], body: Sequence[Sequence[str]]) -> tuple[list[str], list[str]]:
    """Headings as numbers with a legend, where it is long headings (model names) that make a table wide."""
    numbers = [names[0], *map(str, range(1, len(names)))]
    if _width(numbers, body) > 0.7 * _width(names, body):
        return names, []
    legend = [f"{number}: {name}" for number, name in zip(numbers[1:], names[1:], strict=True)]
    return numbers, legend


def _parts(names: list[str], body: Sequence[Sequence[str]], width: int) -> list[list[int]]:
    """Columns dealt out to tables that fit the screen; the first column leads each of them."""
    widths = _widths(names, body)
    head = min(widths[0], max(20, width // 3))
    parts: list[list[int]] = [[0]]
    room = width - head
    for at in range(1, len(names)):
        if widths[at] > room and len(parts[-1]) > 1:
            parts.append([0])
            room = width - head
        parts[-1].append(at)
        room -= widths[at]
    return parts


def _style(cell: Value | Cell, text: str) -> str | Style:
    """A cell's own colour behind it; else red, yellow, green for a ratio, which says the same in words."""
    if (behind := ground(cell)) is not None:
        from rich.color import Color
        from rich.style import Style

        return Style(color="black", bgcolor=Color.from_rgb(*behind))
    ratio = re.match(r"(\d+)/(\d+)", text)
    if ratio is None:
        return {"error": "red", "skipped": "dim", "-": "dim"}.get(text, "")
    passed, counted = int(ratio[1]), int(ratio[2])
    return "" if not counted else "green" if passed == counted else "yellow" if passed else "red"
