"""What a suite can show besides tables: figures and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from assay.records import Block, Table

Format = Literal["svg", "png"]


@dataclass(frozen=True)
class Figure:
    """A picture made by the suite's own code, never by a model's.

    `draw(format, dark)` returns the bytes of an SVG or PNG file for a light or a dark page, b"" for a
    kind that it does not make. It is called when a file must be made, not before; the same bytes for
    both kinds of page stand on a white card. `assay.report.plot.plotted` makes one with matplotlib.
    `caption` stands below, and is what a reader who cannot see the picture is told.
    """

    title: str
    caption: str
    draw: Callable[[Format, bool], bytes]


@dataclass(frozen=True)
class Columns:
    """Things beside each other, each column under its heading; below each other on a narrow screen."""

    columns: tuple[tuple[str, tuple[Item, ...]], ...]


@dataclass(frozen=True)
class Versus:
    """Tables of one shape, one for each model: the reader chooses two, and sees both and, cell by cell,
    the first one's number less the second one's.

    `times`: what a difference is multiplied by before it is shown, 100 where the cells show percent.
    `full`: the difference, before that, whose colour is the strongest.
    """

    title: str
    tables: tuple[tuple[str, Table], ...]
    note: str = ""
    times: float = 1.0
    full: float = 1.0


Item = str | Table | Figure | Block | Columns | Versus
"""A string is Markdown; a Block is what an explanation is made of: text, highlighted code, a picture."""


@dataclass(frozen=True)
class Page:
    """A page of a suite, linked from the suite's head.

    `name`: of its file, small letters, digits and hyphens. `items()` makes what it shows; it is called
    only if the page must be written. `tests`: the tests whose records it shows, so that it is left
    alone while these are the same; () for all. A page of one test is linked from the test's row and
    from its trials' pages instead; so is one of several tests that is not `listed`.
    """

    title: str
    name: str
    items: Callable[[], Iterable[Item]]
    tests: tuple[str, ...] = ()
    listed: bool = True
