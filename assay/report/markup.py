"""Model-written Markdown and code as harmless HTML.

Raw HTML is off, links keep their address only where it is http, https or mailto and open with
rel="noopener", pictures are named and never loaded. Both renderers have a size above which text is
shown plain: they are the cost of a report, and hostile input can make them slow.
"""

from __future__ import annotations

import contextlib
import functools
import html
import re
import time
from collections.abc import Iterator, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from assay.languages import LANGUAGES
from assay.report.sanitise import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

MAX_HIGHLIGHT = 8_000  # characters
HIGHLIGHT_SECONDS = 0.25  # of processor time; a program takes a hundredth of it
MAX_MARKDOWN = 50_000
RECORD_SECONDS = 2.0  # of processor time for all texts of a trial
RECORD_CHARACTERS = 500_000
# Long runs of blank lines and very long lines make several lexers quadratic; no honest program has them.
_SLOW = re.compile(r"(?:[ \t]*\n){80}|[^\n]{3000}")
_SAFE_LINK = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)

# Pygments' lexers by the names that models and nodes write. Others are shown plain: a lexer is a
# heap of regular expressions run over hostile text, so only well-trodden ones are used.
LEXERS = {
    word: language.lexer or name for name, language in LANGUAGES.items() for word in (name, *language.aliases)
} | {
    "json": "json",
    "html": "html",
    "css": "css",
    "diff": "diff",
    "yaml": "yaml",
    "xml": "xml",
}


@functools.cache
def _lexer(name: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]

    return get_lexer_by_name(name, stripnl=False)


@functools.cache
def _style(token: Any) -> str:
    """The one-letter class of a token type; '' for what needs no colour (most of a program)."""
    from pygments import token as t  # type: ignore[import-untyped]

    if token in t.Name.Builtin.Pseudo:
        return "k"
    for kind, letter in (
        (t.Comment, "c"), (t.String, "s"), (t.Number, "n"), (t.Keyword, "k"), (t.Operator.Word, "k"),
        (t.Name.Tag, "k"), (t.Name.Function, "f"), (t.Name.Class, "f"), (t.Name.Decorator, "f"),
        (t.Name.Builtin, "f"), (t.Name.Attribute, "f"), (t.Generic.Inserted, "s"), (t.Generic.Deleted, "d"),
        (t.Generic.Heading, "f"), (t.Generic.Subheading, "f"),
    ):  # fmt: skip
        if token in kind:
            return letter
    return ""


@functools.lru_cache(maxsize=4096)
def highlight(code: str, language: str) -> Markup:
    """`code` with its keywords, strings, numbers, comments and names marked; plain if that is not possible.

    One short element for a run of equal tokens and none for plain text: a third of the size that
    Pygments' own formatter writes.
    """
    code = visible(code)
    name = LEXERS.get(language.strip().lower())
    if name is None or len(code) > MAX_HIGHLIGHT or _SLOW.search(code):
        return Markup(html.escape(code, quote=False))
    out: list[str] = []
    run: list[str] = []
    current = ""
    end = time.process_time() + HIGHLIGHT_SECONDS
    for number, (token, text) in enumerate(_lexer(name).get_tokens(code)):
        if number % 64 == 0 and time.process_time() > end:
            return Markup(html.escape(code, quote=False))
        style = _style(token)
        if style != current and not text.isspace():
            _flush(out, run, current)
            current = style
        run.append(text)
    if run and run[-1].endswith("\n") and not code.endswith("\n"):
        run[-1] = run[-1][:-1]  # lexers want a last line end and add it
    _flush(out, run, current)
    return Markup("".join(out))  # every piece was escaped in _flush


def _flush(out: list[str], run: list[str], style: str) -> None:
    if not run:
        return
    text = html.escape("".join(run), quote=False)  # element text, never an attribute
    run.clear()
    out.append(f"<i class={style}>{text}</i>" if style else text)


@functools.lru_cache(maxsize=4096)
def markdown(text: str) -> Markup:
    """A model's reply, rendered. Too long or too deeply nested a text is shown as it is."""
    text = visible(text)
    if len(text) <= MAX_MARKDOWN:
        try:
            return Markup(_parser().render(text))  # raw HTML off, links and pictures by our own rules
        except RecursionError:
            pass
    return Markup("<pre>\n{}</pre>").format(text)


class Rendering:
    """The budget of one trial's texts: of processor time and size, so that no record can keep a report busy.

    `spent`: whether something had to be shown plain for it.
    """

    def __init__(self, seconds: float = RECORD_SECONDS, characters: int = RECORD_CHARACTERS) -> None:
        self._seconds, self._characters = seconds, characters
        self.spent = False

    def highlight(self, code: str, language: str) -> Markup:
        if self._has(len(code)):
            with self._counted():
                return highlight(code, language)
        return Markup(html.escape(visible(code), quote=False))

    def markdown(self, text: str) -> Markup:
        if self._has(len(text)):
            with self._counted():
                return markdown(text)
        return Markup("<pre>\n{}</pre>").format(visible(text))

    def _has(self, length: int) -> bool:
        self._characters -= length
        has = self._seconds > 0 and self._characters >= 0
        self.spent = self.spent or not has
        return has

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        begin = time.process_time()
        try:
            yield
        finally:
            self._seconds -= time.process_time() - begin


@functools.cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    # Refused links and pictures stay as the text that was written.
    parser.validateLink = lambda url: _SAFE_LINK.match(url.strip()) is not None  # type: ignore[method-assign]
    parser.add_render_rule("image", _image)
    parser.add_render_rule("link_open", _link)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    return parser


def _image(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    token = tokens[at]
    return Markup("<span class=ext>[picture: {} {}]</span>").format(token.content, token.attrs.get("src", ""))


def _link(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    url = str(tokens[at].attrs.get("href", ""))
    if not url:
        return "<a>"
    return Markup('<a href="{}" title="{}" rel="noopener noreferrer nofollow" target="_blank">').format(
        url, url
    )


def _fence(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    token = tokens[at]
    words = token.info.split()
    return Markup("<pre class=code>\n{}</pre>").format(
        highlight(token.content.rstrip("\n"), words[0] if words else "")
    )
