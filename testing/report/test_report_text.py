"""Hostile text: control characters, markdown, code. What comes out is text and nothing else."""

from __future__ import annotations

import html
import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.report import markup
from assay.report.markup import LEXERS, as_html, highlight, markdown
from assay.report.sanitise import one_line, strip_terminal, visible
from testing.report.injections import INJECTIONS

PLAIN = re.findall(r"\S+", "p code em strong s ul li blockquote hr br table thead tbody tr h1 h2 h3 h4 h5 h6")
ALLOWED: dict[str, set[str]] = {tag: set() for tag in PLAIN} | {
    "pre": {"class"}, "i": {"class"}, "span": {"class"}, "a": {"href", "title", "rel", "target"},
    "ol": {"start"}, "th": {"style"}, "td": {"style"},
}  # fmt: skip


class Checker(HTMLParser):
    """Collects what a page may not hold."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[object] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name not in ALLOWED.get(tag, set()):
                self.wrong.append((tag, name, value))
            if name == "href" and not (value or "").lower().startswith(("http://", "https://", "mailto:")):
                self.wrong.append((tag, name, value))
        if tag not in ALLOWED:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def check(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.wrong == []
    return checker


nasty = st.lists(
    st.one_of(
        st.sampled_from(INJECTIONS),
        st.sampled_from(
            ["[a](", "![", "](", ")", "<", ">", '"', "'", "`", "```", "\n", "    ", "&", "|", "javascript:"]
        ),
        st.text(max_size=20),
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize("text", INJECTIONS)
def test_markdown_of_injections_is_harmless(text: str) -> None:
    check(as_html(markdown(text)))


@given(nasty)
@settings(max_examples=300, deadline=None)
def test_markdown_is_harmless(text: str) -> None:
    check(as_html(markdown(text)))


@given(st.text("aZ9 .,;:?'\"()%$/=+-", max_size=30))
def test_a_plain_line_is_what_the_parser_makes_of_it(text: str) -> None:
    parsed: list[object] = ["", ""]
    markup._grow(parsed, markup._parser().parse(text))
    assert markdown(text) == parsed[2:]


@given(nasty, st.sampled_from([*sorted(LEXERS), "", "brainfuck", "<x>"]))
@settings(max_examples=300, deadline=None)
def test_highlighting_changes_no_character(code: str, language: str) -> None:
    page = as_html(highlight(code, language))
    assert "".join(check(page).text) == visible(code).replace("\r\n", "\n").replace("\r", "\n") or (
        html.unescape(re.sub(r"</?i[^>]*>", "", page)) == visible(code)
    )


def test_highlighting_marks_what_a_reader_looks_for() -> None:
    page = as_html(highlight("def f(x):\n    return 'a' + str(1)  # note", "python"))
    for kind, text in (("k", "def "), ("f", "f"), ("s", "'a' "), ("n", "1"), ("c", "# note")):
        assert f'<i class="{kind}">{text}</i>' in page
    assert highlight("def f", "no such language") == ["def f"]


@pytest.mark.parametrize("seed", ["a ", " \n", "(", "<!--", "x\n\n", "![", '"', "> "])
def test_hostile_text_is_not_slow(seed: str) -> None:
    began = time.process_time()
    markdown((seed * 60_000)[:49_000])
    for language in set(LEXERS.values()):
        highlight((seed * 60_000)[:8_000], language)
    assert time.process_time() - began < 10  # one such page; an honest one takes milliseconds


def test_links_and_pictures() -> None:
    tree = markdown(
        '[a](https://ok.example/?q="x) ![p](http://evil.example/p.png) [b](javascript:x) [c](../up)'
    )
    page = as_html(tree)
    assert page.count("<a ") == 1 and 'rel="noopener' in page and "<img" not in page
    assert "[picture: p http://evil.example/p.png]" in page and "[b](javascript:x)" in page


@given(st.text())
def test_visible_leaves_no_character_that_acts(text: str) -> None:
    shown = visible(text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    shown.encode("utf-8")
    assert visible(shown) == shown


def test_visible_keeps_honest_text() -> None:
    honest = "tabs\tand lines\n, ümläuts, 漢字, العربية, 👩‍👩‍👧 and नमस्ते"
    assert visible(honest) == honest
    assert visible("a\r\nb\rc") == "a\nb␍c"


def test_terminal_sequences_are_stripped() -> None:
    text = "\x1b]0;title\x07\x1b[1;31mred\x1b[0m "
    text += "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b(B\x1bM\x9b2Jend \x1bPq#1\x1b\\"
    assert strip_terminal(text) == "red link end "
    assert strip_terminal("a[31m b") == "a[31m b"
    assert visible(strip_terminal("\x1b")) == "␛"


@given(st.text(), st.integers(1, 30))
def test_one_line_is_one_line(text: str, width: int) -> None:
    line = one_line(text, width)
    assert len(line) <= width and len(line.splitlines()) <= 1 and (line.isprintable() or not line.isascii())
