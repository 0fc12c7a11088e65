"""Reading a reply: drop the model's thinking, find the fenced code blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TAGS = "think|thinking|thought|thoughts|reasoning"
TAG = re.compile(rf"</?(?:{TAGS})>", re.IGNORECASE)
OPENING_TAG = re.compile(rf"[ \t]*<({TAGS})>", re.IGNORECASE)
CLOSING_TAG = re.compile(rf"</({TAGS})>", re.IGNORECASE)
UNSEEN = "\ufeff\u200b"  # a byte order mark, a space of no width
LABEL = re.compile(r"[A-Za-z][\w+#.-]{0,30}")
MAX_GLUED = 20  # blocks of a reply whose end is looked for in the middle of a line
FENCE = re.compile(r"(?P<indent>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(?P<run>`{3,}|~{3,})(?P<info>.*)")


@dataclass(frozen=True)
class Fence:
    """A fenced block. `label`: the info string's first word in lower case, '' if there is none."""

    label: str
    code: str


@dataclass(frozen=True)
class _Opening:
    """A line that opens a block. `columns`: how far it is indented, a list's marker included."""

    columns: int
    run: str
    info: str


def drop_thinking(text: str) -> str:
    """The reply without its thinking: <think> blocks, an unclosed one to the end, and whatever stands
    before a lone closing tag. A tag in the middle of a line, or inside a fence, is part of the answer.

    >>> drop_thinking("<think>2+2 is 5</think>4"), drop_thinking("hmm\\n</think>\\n4")
    ('4', '4')
    """
    text = text.lstrip(UNSEEN)  # else the fence behind them would be none
    kept: list[str] = []
    fence: _Opening | None = None
    at = 0
    while at < len(text):
        if fence is None and (tag := OPENING_TAG.match(text, at)):
            closing = CLOSING_TAG.search(text, tag.end())
            if closing is None:
                break
            at = closing.end()
            while at < len(text) and text[at].isspace():
                at += 1
            continue
        end = text.find("\n", at) + 1 or len(text)
        line = text[at:end]
        fence = _after(line, fence)
        kept.append(line)
        at = end
    return _after_lone_closing_tag("".join(kept))


def _after_lone_closing_tag(text: str) -> str:
    """Some servers swallow the opening tag. The closing one then starts or ends a line."""
    tag = re.search(rf"^[ \t]*</({TAGS})>|</({TAGS})>[ \t]*$", text, re.IGNORECASE | re.MULTILINE)
    if tag is None or _inside_fence(text, tag.start()):
        return text
    return text[tag.end() :].lstrip()


def _inside_fence(text: str, position: int) -> bool:
    """Whether `position` lies in a fenced block. Thinking often ends in the middle of one, so the next
    fence must close it: one with a label opens another."""
    fence = None
    for line in text[:position].splitlines():
        fence = _after(line, fence)
    if fence is None:
        return False
    for line in text[position:].splitlines()[1:]:
        if _closes(line, fence):
            return True
        if (other := _opening(line)) and other.info.strip():
            return False
    return False


def _after(line: str, fence: _Opening | None) -> _Opening | None:
    """The fence that is open behind a line, where `fence` is before it."""
    if fence is None:
        return _opening(line)
    return None if _closes(line, fence) else fence


def _opening(line: str) -> _Opening | None:
    line = line.rstrip("\r\n")
    found = FENCE.match(line)
    if found is None:
        return _opening_behind_text(line)
    if found["run"][0] == "`" and "`" in found["info"]:
        return None  # CommonMark: three backticks with another one behind them are inline code
    return _Opening(_width(re.sub(r"[^\t]", " ", found["indent"])), found["run"], found["info"])


def _opening_behind_text(line: str) -> _Opening | None:
    """CommonMark knows no fence behind text, but models write "Here it is: ```python". By its rule the fence
    that closes the block would open one, and the prose below it would be the code."""
    head = line.rstrip()
    ticks = head.rfind("`") + 1
    text, info = head[:ticks].rstrip("`"), head[ticks:]
    labelled = LABEL.fullmatch(info) is not None or (not info and text.rstrip(" \t*_").endswith(":"))
    if not text.strip(" \t>"):
        return None  # a quotation
    if ticks - len(text) < 3 or "```" in text or not labelled:
        return None
    return _Opening(_width(line[: len(line) - len(line.lstrip())]), head[len(text) : ticks], info)


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))


def _closes(line: str, fence: _Opening) -> bool:
    """CommonMark: the same character, at least as long, nothing behind it, at most 3 columns deeper."""
    stripped = line.strip()
    if len(stripped) < len(fence.run) or set(stripped) != {fence.run[0]}:
        return False
    return _width(line[: len(line) - len(line.lstrip())]) <= fence.columns + 3


def _dedented(line: str, columns: int) -> str:
    """`line` without up to `columns` columns of leading white space.

    >>> _dedented("\\t  x", 3), _dedented("\\t  x", 5), _dedented("  x", 4)
    ('\\t  x', ' x', 'x')
    """
    width = 0
    for taken, character in enumerate(line):
        if character not in " \t":
            return line[taken:]
        width = width + 1 if character == " " else width + 4 - width % 4
        if width > columns:
            return line[taken:]
    return ""


def _label(info: str) -> str:
    """The language in an info string: its first word, without Pandoc's braces or a file name.

    >>> _label(" {.python .numbered}"), _label("c++ title=x"), _label("python:main.py")
    ('python', 'c++', 'python')
    """
    words = info.strip().strip("{}").split()
    return words[0].lstrip(".").split(":")[0].split(",")[0].lower() if words else ""


def fenced_blocks(text: str) -> Iterator[Fence]:
    """The fenced blocks of a reply in order, by CommonMark's rules; an unclosed one runs to the end, or to a
    fence that stands in a line with code or prose.

    A block in a list item, or indented as a whole, is dedented. Line ends become \\n.
    """
    fence: _Opening | None = None
    body: list[str] = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    start = at = glued = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if fence is None:
            fence, body, start = _opening(line), [], at
        elif _closes(line, fence):
            yield Fence(_label(fence.info), "".join(f"{each}\n" for each in body))
            fence = None
        else:
            body.append(_dedented(line, fence.columns))
        if fence is None or at < len(lines):
            continue
        rows, before = _glued_end(body, fence) if glued < MAX_GLUED else (len(body), "")
        ended = [*body[:rows], *([before] if before else [])]
        if any(each.strip() for each in ended):
            yield Fence(_label(fence.info), "\n".join(ended).rstrip("\n") + "\n")
        fence, at, glued = None, start + rows + 1, glued + 1


def _glued_end(body: list[str], fence: _Opening) -> tuple[int, str]:
    """The end of a block that no separate line closes: the number of its whole lines, and what stands before
    the fence in the next one. `x = 1```` ends it, and so does "``` That is all."."""
    for number, line in enumerate(body):
        stripped = line.strip()
        if stripped.startswith(fence.run) and " " in stripped.lstrip(fence.run[0]):
            return number, ""
        if stripped.endswith(fence.run) and stripped.count(fence.run) == 1:
            return number, line.rstrip().rstrip(fence.run[0])
    return len(body), ""


def fences_in(text: str) -> list[Fence]:
    """`fenced_blocks` as a list, which a worker process can return (apart.read)."""
    return list(fenced_blocks(text))
