"""The templates, and what all pages share: style sheet, scripts, content security policy."""

from __future__ import annotations

import base64
import functools
import re
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from assay.report import wording
from assay.report.messages import command
from assay.report.packs import packed
from assay.report.sanitise import visible

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
STYLE_SHEET = "report.css"
DRAWS = "cell.js"  # draws a cell's page; made of the templates steps.js, turns.js and cell.js


@functools.cache
def environment() -> Environment:
    """Jinja with autoescaping; every printed string also has its control characters made visible."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    made.globals.update(
        count=wording.count,
        duration=wording.duration,
        interval=wording.interval,
        money=wording.money,
        p_value=wording.p_value,
        percent=wording.percent,
        score=wording.score,
        tally_cost=wording.cost,
        style_sheet=f"{STYLE_SHEET}?{version()[:8]}",
    )
    made.filters["breaks"] = breaks
    made.filters["copied"] = copied
    return made


def breaks(name: str) -> Markup:
    """A name that a narrow page may break behind a sign.

    >>> str(breaks("ollama/qwen<3>:8b"))
    'ollama/<wbr>qwen&lt;3&gt;:8b'
    """
    return Markup("<wbr>").join(re.split(r"(?<=[/@+])(?=[^\W\d])", visible(name)))


def copied(message: str) -> Markup:
    """A message whose commands can be copied in one piece: they are not broken into lines."""
    found, at = Markup(), 0
    message = visible(message)
    for each in command().finditer(message):
        found += message[at : each.start()] + Markup("<code>{}</code>").format(each[0].strip("`"))
        at = each.end()
    return found + message[at:]


def render(template: str, **values: Any) -> str:
    """A page, or a part of one."""
    return environment().get_template(f"{template}.html.j2").render(**values)


def embedded(data: Any) -> Markup:
    """JSON inside a script element, which only "<" can end."""
    return Markup(packed(data).replace("<", "\\u003c"))  # ASCII


def drawing() -> bytes:
    """The script of every cell's page."""
    return b"".join((TEMPLATES / name).read_bytes() for name in ("steps.js", "turns.js", "cell.js"))


@functools.cache
def version() -> str:
    """A hash of the templates and of the code that fills them; pages of another version are rewritten."""
    digest = blake2b(digest_size=16)
    for path in sorted([*HERE.glob("*.py"), *TEMPLATES.iterdir()]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@functools.cache
def script(*names: str, live: bool = False, frames: bool = False, loads: bool = False) -> tuple[Markup, str]:
    """Our own scripts, joined for one inline element, and the policy that allows a page nothing else.

    Scripts are allowed by hash only. `file:` is listed beside 'self' because some browsers do not count a
    file's neighbours as its own; it admits local style sheets and pictures, never scripts. `live`: the page
    comes from a server, and may ask that server for more. `frames`: it shows pages of the same folder.
    `loads`: our script, and nothing else, may load further scripts ('strict-dynamic').
    """
    text = "\n".join((TEMPLATES / name).read_text(encoding="utf-8").strip() for name in names)
    digest = base64.b64encode(sha256(text.encode()).digest()).decode()
    where = "'self'" if live else "'self' file:"
    policy = {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest}'" + (" 'strict-dynamic'" if loads else ""),
        "style-src": where,
        "img-src": where,
        "base-uri": "'none'",
        "form-action": "'none'",
        **({"connect-src": "'self'"} if live else {}),
        **({"frame-src": where} if frames else {}),
    }
    return Markup(text), "; ".join(map(" ".join, policy.items()))  # our own file, not data
