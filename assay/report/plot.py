"""Pictures drawn with matplotlib: one look, for light and dark pages, the same bytes for the same data."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.extras import need
from assay.report.sanitise import one_line
from assay.suites.exhibits import Figure, Format

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PNG_DPI = 160

# The colours of a series in turn: Okabe and Ito's, told apart with any kind of colour blindness; each
# stands out against its ground by 3 to 1 or more (https://jfly.uni-koeln.de/color/).
_LIGHT_CYCLE = ("#0072b2", "#d55e00", "#008f68", "#b3568d", "#8a6d00", "#3a87b7", "#6b6b6b", "#7a4fb0")
_DARK_CYCLE = ("#56b4e9", "#e69f00", "#2bbd92", "#de9bc2", "#f0e442", "#f2805a", "#b8b8b8", "#b79be8")


@dataclass(frozen=True)
class Ink:
    """The colours of a picture on a light or a dark page, for what matplotlib does not colour itself."""

    ground: str
    ink: str
    soft: str
    line: str
    cycle: tuple[str, ...]
    dark: bool


LIGHT = Ink("#ffffff", "#1f2326", "#5d646a", "#e0dcd5", _LIGHT_CYCLE, False)
DARK = Ink("#1e2023", "#e6e4df", "#a2a8ad", "#3d4248", _DARK_CYCLE, True)


def plotted(
    title: str,
    caption: str,
    draw: Callable[[Canvas, Ink], Any],
    *,
    width: float = 7.0,
    height: float = 4.0,
) -> Figure:
    """A Figure that `draw(figure, ink)` fills: a matplotlib figure of `width` x `height` inches.

    It is called once for each file, inside a style of the report's, so it sets no colours for text,
    axes and series; `ink` has them for everything else. Strings of models go through `label`.
    """

    def render(format: Format, dark: bool) -> bytes:
        return _render(draw, DARK if dark else LIGHT, format, (width, height))

    return Figure(title, caption, render)


def label(text: str, width: int = 40) -> str:
    """A name for a plot, whoever chose it: one line, no control characters, not too long."""
    return one_line(text, width)


def _render(draw: Callable[[Canvas, Ink], Any], ink: Ink, format: Format, size: tuple[float, float]) -> bytes:
    need("plots", "this figure")
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    out = io.BytesIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()  # whatever the user's own style is, a report looks the same
        settings: Any = matplotlib.rcParams  # typed by each name; ours come as a mapping
        settings.update(_style(ink))
        # A letter that the font lacks is drawn as a box: a model's name may hold any.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure = Canvas(figsize=size, layout="constrained")
        draw(figure, ink)
        metadata = {"Date": None, "Creator": None} if format == "svg" else {"Software": None}
        figure.savefig(out, format=format, dpi=PNG_DPI, metadata=metadata)  # None: left out
    return out.getvalue()


def _style(ink: Ink) -> Mapping[str, Any]:
    from matplotlib.rcsetup import cycler

    return {
        "figure.facecolor": ink.ground,
        "savefig.facecolor": ink.ground,
        "axes.facecolor": ink.ground,
        "axes.edgecolor": ink.soft,
        "axes.labelcolor": ink.ink,
        "axes.titlecolor": ink.ink,
        "axes.titlesize": "medium",
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.8,
        "axes.axisbelow": True,
        "axes.prop_cycle": cycler(color=ink.cycle),
        "axes.grid": True,
        "grid.color": ink.line,
        "grid.linewidth": 0.6,
        "text.color": ink.ink,
        "text.parse_math": False,  # a model's name may hold dollars
        "xtick.color": ink.soft,
        "ytick.color": ink.soft,
        "xtick.labelcolor": ink.ink,
        "ytick.labelcolor": ink.ink,
        "legend.frameon": False,
        "figure.constrained_layout.w_pad": 0.1,  # inches
        "figure.constrained_layout.h_pad": 0.1,
        "font.size": 9.5,
        "font.family": "DejaVu Sans",  # comes with matplotlib: the same picture on every machine
        "boxplot.boxprops.color": ink.ink,
        "boxplot.whiskerprops.color": ink.ink,
        "boxplot.capprops.color": ink.ink,
        "boxplot.flierprops.markeredgecolor": ink.soft,
        "image.cmap": "cividis",
        "svg.hashsalt": "assay",
        "svg.fonttype": "path",
    }
