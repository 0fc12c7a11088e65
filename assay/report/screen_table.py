"""Tables for a terminal, as wide as it is, with colours; coloured cells keep their number."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from assay.records import Cell, Table, Value
from assay.report.cells import address_of, alignment, ground, text_of
from assay.report.sanitise import one_line
from assay.stdout import columns

if TYPE_CHECKING:
    from rich.console import Console
    from rich.style import Style
    from rich.table import Table as Drawn

GAP, RULE = "  ", "\u2500"  # of tables in files
LABEL, WORDS = 28, 12  # least width of a row's name, and of any other text


def draw(tables: Sequence[Table], out: TextIO, width: int | None = None) -> None:
    """Draw `tables` for the terminal `out`, or `width` columns wide; without colours in a file."""
    if width is None and not out.isatty() and not os.environ.get("FORCE_COLOR"):
        for table in tables:
            draw_plain(table, out)
        return
    screen = width or (columns(out) if out.isatty() else None)
    for table in tables:
        _draw_one(table, out, screen)


def _draw_one(table: Table, out: TextIO, screen: int | None) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    pad = " " if table.compact else ""
    names = [one_line(column) for column in table.columns]
    rows = table.rows
    body = [[text_of(cell) for cell in row] for row in rows]
    aligned = alignment(table)
    labels = 1 + (aligned[:2] == ["left", "left"])  # columns that name the row, in each part
    legend: list[str] = []
    above: list[str] = []  # each row's names, on a separate line
    split = table.compact
    if screen and _width(names, body) > screen and not table.compact:
        whole, names = names, [_in_two_lines(name) for name in names]
        short, legend = _numbered(names[1:])
        if _width(names, body) <= screen:
            legend = []
        elif _width([names[0], *short], body) <= 0.7 * _width(whole, body):  # because of headings
            split, names = True, [names[0], *short]
        else:
            legend, split = [], _squeezed(names, body, aligned, screen)
            names_only = labels == 2 and all(" " not in word for row in body for word in row[:2])
            if split and names_only and max(_widths(names, body)[2:], default=0) <= screen:
                above = [(" against " if names[1] == "against" else "  ").join(row[:2]) for row in body]
                names, aligned, labels = names[2:], aligned[2:], 0
                rows, body = tuple(row[2:] for row in rows), [row[2:] for row in body]
    # A file has no width, so nothing is folded or cut.
    console = Console(
        file=out, width=screen or max(80, _width(names, body)), highlight=False, force_jupyter=False
    )
    title = one_line(table.title)
    parts = _parts(names, body, console.width, labels) if split and screen else [list(range(len(names)))]
    for place, part in enumerate(parts):
        heading = Text(f"{title}, continued" if place else title, style="bold")
        drawn = Drawn(
            box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 0 if table.compact else 1, 0, 0),
            collapse_padding=True,
        )  # fmt: skip
        for at in part:
            fold = aligned[at] == "left" and not table.compact
            kind = {"overflow": "fold"} if fold else {"justify": aligned[at], "no_wrap": True}
            drawn.add_column(Text(f"{pad}{names[at]}{pad}"), **kind)
        for cells, row in zip(body, rows, strict=True):
            drawn.add_row(*(Text(f"{pad}{cells[at]}{pad}", style=_style(row[at], cells[at])) for at in part))
        console.print(heading)
        _print(drawn, above, console)
    for note in [*legend, *table.note.splitlines()]:
        if note.strip():
            console.print(Text(one_line(note), style="dim"), soft_wrap=screen is None)
    console.print()


def _print(drawn: Drawn, above: Sequence[str], console: Console) -> None:
    """Print the table, with one line of `above` over each row; without any, rows may be folded."""
    from rich.segment import Segment, Segments
    from rich.text import Text

    if not above:
        console.print(drawn)
        return
    lines = console.render_lines(drawn, pad=False)
    first = len(lines) - 1 - len(above)  # an empty line follows the last row
    for at, line in enumerate(lines, -first):
        if 0 <= at < len(above):
            console.print(Text(f" {above[at]}"))
        console.print(Segments([*line, Segment.line()]))


def _in_two_lines(name: str) -> str:
    """
    >>> _in_two_lines("time a trial"), _in_two_lines("cost")
    ('time a\\ntrial', 'cost')
    """
    spaces = [at for at, character in enumerate(name) if character == " "]
    middle = min(spaces, key=lambda at: abs(at - len(name) / 2), default=None)
    return name if middle is None else f"{name[:middle]}\n{name[middle + 1 :]}"


def _widths(names: Sequence[str], body: Sequence[Sequence[str]]) -> list[int]:
    """The screen columns that each table column takes, with the gap to the next."""
    from rich.cells import cell_len

    heads = [max(map(cell_len, name.split("\n"))) for name in names]
    if not body:
        return [head + 2 for head in heads]
    below = [max(map(cell_len, column)) for column in zip(*body, strict=True)]
    return [max(each) + 2 for each in zip(heads, below, strict=True)]


def _width(names: Sequence[str], body: Sequence[Sequence[str]]) -> int:
    return sum(_widths(names, body)) + 2


def _numbered(headings: Sequence[str]) -> tuple[list[str], list[str]]:
    """Numbers in place of headings wider than WORDS, and their legend."""
    wide = [each for each in dict.fromkeys(headings) if _width([each], ()) - 4 > WORDS]
    numbers = {heading: str(number) for number, heading in enumerate(wide, 1)}
    legend = [f"{number}: {heading}".replace("\n", " ") for heading, number in numbers.items()]
    return [numbers.get(each, each) for each in headings], legend


def _squeezed(
    names: Sequence[str], body: Sequence[Sequence[str]], aligned: Sequence[str], screen: int
) -> bool:
    """Whether text columns would be folded too narrow to be read."""
    least = 2
    for at, width in enumerate(_widths(names, body)):
        least += width if aligned[at] != "left" else min(width, LABEL if at == 0 else WORDS)
    return least > screen


def _parts(names: list[str], body: Sequence[Sequence[str]], width: int, lead: int) -> list[list[int]]:
    """The columns distributed over tables that fit the screen; each begins with the first `lead` columns."""
    widths, heads = _widths(names, body), list(range(lead))
    head = min(sum(widths[:lead]), max(20, width * 9 // 20))
    parts: list[list[int]] = []
    room = 0
    for at in range(lead, len(names)):
        if not parts or (widths[at] > room and len(parts[-1]) > lead):
            parts.append(list(heads))
            room = width - head
        parts[-1].append(at)
        room -= widths[at]
    return parts or [heads]


def _style(cell: Value | Cell, text: str) -> str | Style:
    """A cell's own background; else red, yellow or green for a ratio, which says the same in numbers."""
    behind, address = ground(cell), address_of(cell)
    if behind is not None or address:
        from rich.color import Color
        from rich.style import Style

        if behind is None:
            return Style(link=address)  # on terminals that support links
        return Style(color="black", bgcolor=Color.from_rgb(*behind), link=address or None)
    ratio = re.match(r"(\d+)/(\d+)", text)
    if ratio is None:
        return {"error": "red", "skipped": "dim", "-": "dim"}.get(text, "")
    passed, counted = int(ratio[1]), int(ratio[2])
    return "" if not counted else "green" if passed == counted else "yellow" if passed else "red"


# ---------------------------------------------------------------- in files and pipes


def draw_plain(table: Table, out: TextIO) -> None:
    """Write `table` to `out` with whole names, nothing folded and no colours."""
    from rich.cells import cell_len

    names = [one_line(column) for column in table.columns]
    widths = [cell_len(name) for name in names]
    aligned = alignment(table)
    rows = [[text_of(value) for value in row] for row in table.rows]
    for row in rows:
        for at, text in enumerate(row):
            widths[at] = max(widths[at], cell_len(text))

    def line(cells: Sequence[str]) -> str:
        placed = []
        for cell, width, align in zip(cells, widths, aligned, strict=True):
            room = width - cell_len(cell)
            left = 0 if align == "left" else room if align == "right" else room // 2
            placed.append(" " * left + cell + " " * (room - left))
        return f" {GAP.join(placed)}".rstrip() + "\n"

    out.write(f"{one_line(table.title)}\n\n{line(names)}")
    out.write(f" {RULE * (sum(widths) + len(GAP) * (len(widths) - 1))}".rstrip() + "\n")
    for row in rows:
        out.write(line(row))
    notes = [one_line(note) for note in table.note.splitlines() if note.strip()]
    out.write("".join(f"\n{note}" for note in notes) + ("\n\n" if notes else "\n"))
