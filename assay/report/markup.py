"""Model-written Markdown and code as trees of a few harmless elements.

A node is a text; or [kind, text] for a piece of code (kind: its index in KINDS); or [tag, value, *children],
where `value` is the address of an "a", the first number of an "ol", and the class of any other. The reader's
browser makes elements of them (templates/steps.js); for suites' texts as_html does. Raw HTML is off, links
keep only http, https and mailto addresses and open with rel="noopener", pictures are named and never loaded.
Above a certain size both renderers show plain text: they are the main cost of a report, and hostile input can
slow them down.
"""

from __future__ import annotations

import functools
import html
import re
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from assay.language.languages import LANGUAGES, all_languages
from assay.report.sanitise import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

Tree = list[Any]
KINDS = "csknfd"  # comment, string, keyword, number, name, deleted line: classes of the style sheet

MAX_HIGHLIGHT = 8_000  # characters
HIGHLIGHT_SECONDS = 0.25  # of CPU time; a usual program takes a hundredth of it
MAX_MARKDOWN = 50_000
SHORT = 500  # characters; not worth reading the clock
RECORD_SECONDS = 2.0  # of CPU time for all texts of a trial
RECORD_CHARACTERS = 500_000
# Long runs of blank lines and very long lines make several lexers quadratic; real programs have neither.
_SLOW = re.compile(r"(?:[ \t]*\n){80}|[^\n]{3000}")
# One line without Markdown's marks is always a paragraph.
_PLAIN = re.compile(r"[A-Za-z](?:[^\W_]|[ ,.;:?'\"()%$/=+-])*(?<! )", re.ASCII)
_SAFE_LINK = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)

# Pygments' lexers by the names that models and nodes write. A lexer is a heap of regular expressions run over
# hostile text, so beside these only those are used that a package names for its language.
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


def lexer_of(word: str) -> Lexer | None:
    """What colours a language, ours or a package's, by its name or an alias; None if nothing does."""
    word = word.strip().lower()
    name = LEXERS.get(word)
    if name is None:
        theirs = all_languages().items()
        name = next((row.lexer or name for name, row in theirs if word in (name, *row.aliases)), "")
    return _lexer(name) if name else None


@functools.cache
def _lexer(name: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    try:
        return get_lexer_by_name(name, stripnl=False)
    except ClassNotFound:
        return None


@functools.cache
def _style(token: Any) -> str:
    """The one-letter class of a token type; '' for most of a program, which needs no colour."""
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
def highlight(code: str, language: str) -> Tree:
    """`code` with its keywords, strings, numbers, comments and names marked; plain if that is not possible.

    Consecutive equal tokens share one element, and plain text has none.
    """
    code = visible(code)
    if len(code) > MAX_HIGHLIGHT or _SLOW.search(code) or (lexer := lexer_of(language)) is None:
        return [code]
    out: Tree = []
    run: list[str] = []
    current = ""
    end = time.process_time() + HIGHLIGHT_SECONDS
    for number, (token, text) in enumerate(lexer.get_tokens(code)):
        if number % 64 == 0 and time.process_time() > end:
            return [code]
        style = _style(token)
        if style != current and not text.isspace():
            _flush(out, run, current)
            current = style
        run.append(text)
    if run and run[-1].endswith("\n") and not code.endswith("\n"):
        run[-1] = run[-1][:-1]  # lexers add a final newline
    _flush(out, run, current)
    return out


def _flush(out: Tree, run: list[str], style: str) -> None:
    if text := "".join(run):
        out.append([KINDS.index(style), text] if style else text)
    run.clear()


@functools.lru_cache(maxsize=4096)
def markdown(text: str) -> Tree:
    """A model's reply, rendered; plain if it is too long or too deeply nested."""
    text = visible(text)
    if _PLAIN.fullmatch(text):
        return [["p", "", text], "\n"]
    if len(text) <= MAX_MARKDOWN:
        try:
            root: Tree = ["", ""]
            _grow(root, _parser().parse(text))
            return root[2:]
        except RecursionError:
            pass
    return [["pre", "", text]]


def _grow(root: Tree, tokens: Sequence[Token]) -> None:
    """Append the tokens to the node `root`, with the newlines between blocks that copying needs."""
    open_now = [root]
    for at, token in enumerate(tokens):
        place, begins = open_now[-1], token.nesting == 1
        if token.hidden:  # the paragraph of a tight list
            continue
        if token.type == "inline":
            _grow(place, token.children or ())
            continue
        if token.block and token.nesting != -1 and at and tokens[at - 1].hidden:
            _append(place, "\n")
        if begins:
            node = [token.tag, _value(token)]
            place.append(node)
            open_now.append(node)
        elif token.nesting == -1:
            open_now.pop()
        elif token.type in ("fence", "code_block"):
            words = token.info.split()
            place.append(["pre", "code", *highlight(token.content.rstrip("\n"), words[0] if words else "")])
        elif token.type == "image":
            place.append(["span", "ext", f"[picture: {token.content} {token.attrs.get('src', '')}]"])
        elif token.tag and token.type != "softbreak":  # code, br, hr
            place.append([token.tag, "", token.content] if token.content else [token.tag, ""])
        else:
            _append(place, token.content)
        is_break = token.type in ("softbreak", "hardbreak")
        if is_break or (token.block and _breaks(token, tokens[at + 1 : at + 2])):
            _append(open_now[-1], "\n")


def _value(token: Token) -> str:
    if token.tag == "a":
        return str(token.attrs.get("href", ""))
    return str(token.attrs.get("start", "")) if token.tag == "ol" else ""


def _breaks(token: Token, following: Sequence[Token]) -> bool:
    """Whether a line ends after a block's beginning or end."""
    if token.type in ("fence", "code_block"):
        return False
    if token.nesting != 1 or not following:
        return True
    other = following[0]
    return not (other.type == "inline" or other.hidden or (other.nesting == -1 and other.tag == token.tag))


def _append(node: Tree, text: str) -> None:
    """Append a text, joining it with a preceding text."""
    if len(node) > 2 and isinstance(node[-1], str):
        node[-1] += text
    elif text:
        node.append(text)


def as_html(tree: Tree) -> Markup:
    """The tree as HTML, for a page written as a whole."""
    return Markup("".join(map(_html, tree)))  # each text and value is escaped in _html


def _html(node: Any) -> str:
    if isinstance(node, str):
        return html.escape(node, quote=False)
    tag, value, *children = node
    if isinstance(tag, int):
        return f'<i class="{KINDS[tag]}">{html.escape(value, quote=False)}</i>'
    within = "".join(map(_html, children))
    said = html.escape(value)
    if tag == "a" and value:
        said = f' href="{said}" title="{said}" rel="noopener noreferrer nofollow" target="_blank"'
    elif value:
        said = f' {"start" if tag == "ol" else "class"}="{said}"'
    return f"<{tag}{said}>" if tag in ("br", "hr") else f"<{tag}{said}>{within}</{tag}>"


class Rendering:
    """The budget of CPU time and size for one trial's texts, so that no record can stall a report.

    `spent`: whether it ran out and something was shown plain.
    """

    def __init__(self, seconds: float = RECORD_SECONDS, characters: int = RECORD_CHARACTERS) -> None:
        self._seconds, self._characters = seconds, characters
        self.spent = False

    def highlight(self, code: str, language: str) -> Tree:
        found = self._within(len(code), lambda: highlight(code, language))
        return [visible(code)] if found is None else found

    def markdown(self, text: str) -> Tree:
        found = self._within(len(text), lambda: markdown(text))
        return [["pre", "", visible(text)]] if found is None else found

    def _within(self, length: int, render: Callable[[], Tree]) -> Tree | None:
        """The rendered text; None if the budget is spent."""
        self._characters -= length
        if self._seconds <= 0 or self._characters < 0:
            self.spent = True
            return None
        if length <= SHORT:
            return render()
        begin = time.process_time()
        try:
            return render()
        finally:
            self._seconds -= time.process_time() - begin


@functools.cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    # Refused links and pictures stay as written.
    parser.validateLink = lambda url: _SAFE_LINK.match(url.strip()) is not None  # type: ignore[method-assign]
    return parser
