"""The files that a test puts into the sandbox, as the record tells them: a line each, with the text below."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from pathlib import PurePosixPath

from assay.language.values import on_one_line, sized
from assay.records import Block

MOST_FILES = 20  # with their text; of the next ones the names
NAMED = 200
SHOWN = 4_000  # characters of one file
MOST_CHARS = 40_000  # of all
FEW = 8  # more are folded into one line

File = tuple[str, int, bytes]  # name, mode and content


def given_files(folder: str, found: Sequence[File]) -> Block:
    """Their names and sizes, and what is text, within what a record has room for. `folder`: where they come
    from, '' for none."""
    blocks: list[Block] = []
    left = MOST_CHARS
    for file in found[:MOST_FILES]:
        name, _, content = file
        text = _text(content, max(0, min(SHOWN, left)))
        left -= len(text)
        code = Block("code", "", text, language=PurePosixPath(name).suffix.lstrip("."))
        blocks.append(Block("group", _line(file), children=(code,) if text else (), folded=True))
    rest = [_line(file) for file in found[MOST_FILES:]]
    if len(rest) > NAMED:
        rest = [*rest[:NAMED], f"and {len(rest) - NAMED:,} more files"]
    if rest:
        blocks.append(Block("text", "", "\n".join(rest)))
    count = f"{len(found):,} file{'s'[: len(found) != 1]}{f' of {folder}/' if folder else ''}"
    title = f"{count}: {sized(sum(len(content) for _, _, content in found))}"
    return Block("group", title, role="files", children=tuple(blocks), folded=len(found) > FEW)


def _line(file: File) -> str:
    name, mode, content = file
    binary = content and _head(content, SHOWN) is None
    facts = [*["binary"] * bool(binary), sized(len(content)), *["executable"] * bool(mode & 0o111)]
    return f"{on_one_line(name, 200)}: {', '.join(facts)}"


def _head(content: bytes, characters: int) -> str | None:
    """The beginning of a text; None for what is no text."""
    head = content[: 4 * characters]
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) == len(content))
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text[:characters]


def _text(content: bytes, room: int) -> str:
    text = _head(content, room) or ""
    more = len(content) - len(text.encode())
    return f"{text}\n[... {sized(more)} more]" if text and more else text
