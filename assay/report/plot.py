"""Pictures drawn with matplotlib in one style, for light and dark pages; equal data give equal bytes."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.extras import need
from assay.report.sanitise import one_line
from assay.suites.exhibits import Figure, Format

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

STYLES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Ink:
    """The colours of a picture on a light or dark page, for what matplotlib does not colour itself."""

    ground: str
    ink: str
    soft: str
    line: str
    cycle: tuple[str, ...]
    dark: bool


def plotted(
    title: str,
    caption: str,
    draw: Callable[[Canvas, Ink], Any],
    *,
    width: float = 7.0,
    height: float = 4.0,
) -> Figure:
    """A Figure that `draw(figure, ink)` fills: a matplotlib figure of `width` x `height` inches.

    It is called once for each file, with the report's style set, so it chooses no colours for text, axes and
    series; `ink` has colours for everything else. Pass strings of models through `label`.
    """

    def render(format: Format, dark: bool) -> bytes:
        return _render(draw, dark, format, (width, height))

    return Figure(title, caption, render)


def label(text: str, width: int = 40) -> str:
    """A name for a plot: one line, no control characters, not too long, whoever chose it."""
    return one_line(text, width)


def _render(
    draw: Callable[[Canvas, Ink], Any], dark: bool, format: Format, size: tuple[float, float]
) -> bytes:
    need("plots", "this figure")
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    out = io.BytesIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()  # a report ignores the user's own style
        for name in ("figures", "dark" if dark else "light"):
            matplotlib.rc_file(STYLES / f"{name}.mplstyle", use_default_template=False)
        # A character that the font lacks is drawn as a box; a model's name may contain any.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure = Canvas(figsize=size, layout="constrained")
        draw(figure, _ink(matplotlib.rcParams, dark))
        metadata = {"Date": None, "Creator": None} if format == "svg" else {"Software": None}
        figure.savefig(out, format=format, metadata=metadata)  # None: left out
    return out.getvalue()


def _ink(style: Any, dark: bool) -> Ink:
    names = ("figure.facecolor", "text.color", "axes.edgecolor", "grid.color")
    ground, ink, soft, line = map(style.get, names)
    return Ink(ground, ink, soft, line, tuple(style["axes.prop_cycle"].by_key()["color"]), dark)
