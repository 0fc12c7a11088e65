"""A suite's pictures as files beside its pages: SVG for light and dark pages, PNG for everything else.

They come from the suite's own code. Still, a click opens the SVG itself, so one that could run a script or
use the network is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from msgspec import Struct

from assay.errors import AssayError
from assay.report.explanation import picture_suffix
from assay.report.folder import unique, write_if_other
from assay.report.sanitise import one_line
from assay.suites.exhibits import Figure

_LOCAL = re.compile(r"#|data:image/(?:png|jpeg);base64,")
_STYLE_ASKS = re.compile(r"@import|url\(\s*['\"]?(?!#)|expression\(|javascript:", re.IGNORECASE)
_ACTIVE = {"script", "foreignobject", "iframe", "object", "embed", "a", "animate", "set", "handler"}


class FigureView(Struct, frozen=True, array_like=True):
    """A picture as a page shows it: file names, '' for a missing one. `fault`: why it is missing."""

    title: str
    caption: str
    light: str = ""
    dark: str = ""
    png: str = ""
    fault: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.light, self.dark, self.png)))


def svg_fault(data: bytes) -> str:
    """What makes an SVG file unsafe as a picture; '' if nothing does.

    >>> svg_fault(b"<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>")
    ''
    >>> svg_fault(b"<svg onload='x()'/>")
    'an attribute onload'
    """
    found: list[str] = []
    inside: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2].lower()
        inside.append(tag)
        if tag in _ACTIVE:
            found.append(f"an element {tag}")
        for key, value in attributes.items():
            local = key.rpartition(":")[2].lower()
            if local.startswith("on"):
                found.append(f"an attribute {local}")
            elif (local in ("href", "src") and not _LOCAL.match(value)) or _STYLE_ASKS.search(value):
                found.append(f"an address in {local}")

    def text(said: str) -> None:
        if "style" in inside and _STYLE_ASKS.search(said):
            found.append("an address in its style")

    def end(name: str) -> None:
        inside.pop()

    def entity(*about: Any) -> None:
        found.append("an entity")

    def instruction(target: str, said: str) -> None:
        found.append("a processing instruction")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = text, entity
    parser.ProcessingInstructionHandler = instruction
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        return f"not XML: {error}"
    return found[0] if found else ""


@dataclass
class Drawings:
    """The pictures of a page or section that is being made. `prefix`: of their names, unique to the page."""

    prefix: str
    problems: list[str]
    files: dict[str, bytes] = field(default_factory=dict)

    def add(self, figure: Figure) -> FigureView:
        """Draw `figure`; `save` writes its files.

        If it cannot be drawn, only the picture is lost: its place and `problems` say why.
        """
        title, caption = one_line(figure.title), one_line(figure.caption)
        try:
            drawn = _drawn(figure)
        except Exception as error:  # noqa: BLE001 - a mistake in a suite's plot must not lose the report
            why = str(error) if isinstance(error, AssayError) else f"{type(error).__name__}: {error}"
            self.problems.append(f"figure {title!r} could not be drawn: {why}")
            return FigureView(title, caption, fault=one_line(why, 300))
        base, names = self._name(figure.title), {}
        for kind, data in drawn.items():
            suffix = "png" if picture_suffix(data) == "png" else "svg"
            names[kind] = f"{base}{'.dark' if kind == 'dark' else ''}.{suffix}"
            self.files[names[kind]] = data
        return FigureView(title, caption, **names)

    def save(self, folder: Path) -> int:
        """Write the files that are missing or differ. Returns the number of pictures that they are of."""
        written = [name for name, data in self.files.items() if write_if_other(folder / name, data)]
        return len({name.partition(".")[0] for name in written})

    def _name(self, title: str) -> str:
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].strip("-") or "figure"
        return unique(f"{self.prefix}--{slug}", {name.partition(".")[0] for name in self.files})


def _drawn(figure: Figure) -> dict[str, bytes]:
    """The files of a picture: light, dark if it differs, and png. Raises ValueError for unfit ones."""
    light, dark = figure.draw("svg", False), figure.draw("svg", True)
    png = figure.draw("png", False)
    if not light and not png:
        raise ValueError("draw() returned nothing for either format")
    if not light:
        light, dark = png, figure.draw("png", True)
    files = {"light": light, "dark": dark if dark != light else b"", "png": png}
    for data in filter(None, files.values()):
        if picture_suffix(data) != "png" and (fault := svg_fault(data)):
            raise ValueError(f"a file of it is neither a PNG nor an SVG without scripts and links: {fault}")
    if png and picture_suffix(png) != "png":
        raise ValueError("its PNG file is not a PNG")
    return {kind: data for kind, data in files.items() if data}
