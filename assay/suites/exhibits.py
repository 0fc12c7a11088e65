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

    `draw(format, dark)` returns the bytes of an SVG or PNG file for a light or a dark page, b"" for a kind
    that it does not make. It is called only when a file must be made; if both kinds of page get the same
    bytes, the picture is shown on a white card. `assay.report.plot.plotted` makes one with matplotlib.
    `caption` is shown below, and read to people who cannot see the picture.
    """

    title: str
    caption: str
    draw: Callable[[Format, bool], bytes]


@dataclass(frozen=True)
class Columns:
    """Items side by side, each column under its heading; below each other on a narrow screen."""

    columns: tuple[tuple[str, tuple[Item, ...]], ...]


@dataclass(frozen=True)
class Versus:
    """Tables of the same shape, one for each model: the reader chooses two and sees both, and for each cell
    the first one's number minus the second one's.

    `times`: the factor for a shown difference, 100 if the cells show percent. `full`: the difference, before
    the factor, that has the strongest colour.
    """

    title: str
    tables: tuple[tuple[str, Table], ...]
    note: str = ""
    times: float = 1.0
    full: float = 1.0


Item = str | Table | Figure | Block | Columns | Versus
"""A string is Markdown; a Block is a part of an explanation: text, highlighted code, a picture."""


@dataclass(frozen=True)
class Page:
    """A page of a suite, linked from the suite's head.

    `name`: of its file, lower-case letters, digits and hyphens. `items()` makes its content; it is called
    only if the page must be written. `tests`: the tests whose records it shows, so that it is not written
    again while these are unchanged; () for all. A page of one test is linked from the test's row and from its
    trials' pages instead, and so is a page of several tests that is not `listed`.
    """

    title: str
    name: str
    items: Callable[[], Iterable[Item]]
    tests: tuple[str, ...] = ()
    listed: bool = True
