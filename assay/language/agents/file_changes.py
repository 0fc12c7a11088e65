"""What an agent changed in its work directory, file by file, as the record tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from assay.errors import ModelFault
from assay.language.apart import apart
from assay.language.values import on_one_line, sized
from assay.records import Block
from assay.sandboxes.agent.trees import entries

MOST_FILES = 40  # with their lines; of the next ones the names
NAMED = 100
SHOWN = 7_500  # characters of one file's lines; a report colours no more than 8,000
MOST_CHARS = 100_000  # of all
WIDEST = 400  # characters of a line
LARGEST = 1 << 20  # bytes of a file whose lines are compared
MOST_LINES = 20_000
FEW_LINES = 200  # of each side, beside what both begin and end with: compared in place
LIMIT_S = 5.0  # for one file with more
CONTEXT = 3
# What tools make for themselves is told as one: a folder and a number.
_BY_TOOLS = re.compile(
    r"(?:.*/)?(?:\.git/(?:objects|logs)|__pycache__|node_modules|\.(?:pytest|mypy|ruff)_cache)(?=/)"
)

File = tuple[int, bytes]  # mode and content
Lines = Sequence[str]


@dataclass
class _Change:
    """One file. `facts`: what is told of it after its name; `lines`: how they differ; `signs`: how many lines
    came and went."""

    name: str
    facts: str
    lines: Lines = ()
    signs: tuple[int, int] = (0, 0)


async def changes(before: bytes, after: bytes) -> Block | None:
    """What became of the files of the work directory, both sides as `work_files` gives them; None if there
    was and is nothing."""
    if not before and not after:
        return None
    found, by_tools = [], dict[str, int]()
    old, new = _files(before), _files(after)
    for name, was, is_, gone in _pairs(old, new):
        if folder := _BY_TOOLS.match(name):
            by_tools[folder[0]] = by_tools.get(folder[0], 0) + 1
        else:
            found.append(await _change(name, was, is_, gone))
    if not found and not by_tools:
        return Block("group", "No file was changed", role="changes")
    return _told(found, by_tools)


def _files(packed: bytes) -> dict[str, File]:
    parts = ((kind, mode, names, content) for kind, mode, _, names, content, _ in entries(packed))
    return {"/".join(names[1:]): (mode, content) for kind, mode, names, content in parts if kind == b"f"}


def _pairs(old: dict[str, File], new: dict[str, File]) -> Iterator[tuple[str, File | None, File | None, str]]:
    """Name, file before and after of each that differs; the last is the name before of one that was only
    moved."""
    gone = {content: name for name, (_, content) in old.items() if content and name not in new}
    moved = {gone[content]: name for name, (_, content) in new.items() if name not in old and content in gone}
    came = {name: was for was, name in moved.items()}
    for name in sorted({*old, *new} - set(moved)):
        was = old.get(came.get(name, name))
        if was != new.get(name) or name in came:
            yield name, was, new.get(name), came.get(name, "")


async def _change(name: str, was: File | None, is_: File | None, before: str) -> _Change:
    facts = [f"renamed from {on_one_line(before, 200)}"] if before else []
    if was is None or is_ is None:
        facts.append("new" if was is None else "deleted")
    elif was[0] != is_[0]:
        facts.append(f"mode {was[0]:o} → {is_[0]:o}")
    one, other = (b"" if file is None else file[1] for file in (was, is_))
    if one == other:
        return _Change(name, ", ".join([*facts, *([] if one else ["empty"])]))
    sizes = " → ".join(sized(len(file[1])) for file in (was, is_) if file is not None)
    texts = [_text(content) for content in (one, other)]
    if any(text is None for text in texts):
        return _Change(name, ", ".join([*facts, "binary", sizes]))
    counts = [content.count(b"\n") for content in (one, other)]
    if max(len(one), len(other)) > LARGEST or max(counts) > MOST_LINES:
        long = " → ".join(f"{n:,}" for n, file in zip(counts, (was, is_), strict=True) if file) + " lines"
        return _Change(name, ", ".join([*facts, long, sizes, "too large to be compared"]))
    sides = [_lines(text or "") for text in texts]
    try:
        _, *middles = _apart_from_common(*sides)
        if len(middles[0]) * len(middles[1]) > FEW_LINES**2:
            lines = await apart(differing, *sides, limit_s=LIMIT_S)
        else:
            lines = differing(*sides)
    except ModelFault:
        return _Change(name, ", ".join([*facts, sizes, "too much has changed to be compared"]))
    signs = (sum(line[0] == "+" for line in lines), sum(line[0] == "-" for line in lines))
    return _Change(name, ", ".join([*facts, _signed(signs)]), lines, signs)


def _text(content: bytes) -> str | None:
    """None for what is no text."""
    try:
        return None if b"\0" in content else content.decode()
    except UnicodeDecodeError:
        return None


def _lines(text: str) -> list[str]:
    """Without their ends, but for a last one that has none, which says so."""
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines


def _apart_from_common(one: Lines, other: Lines) -> tuple[int, Lines, Lines]:
    """The lines between those that both begin and end with, and CONTEXT lines around; and the number of the
    first one, from 0."""
    start, end = 0, 0
    most = min(len(one), len(other))
    while start < most and one[start] == other[start]:
        start += 1
    while end < most - start and one[-1 - end] == other[-1 - end]:
        end += 1
    start, end = max(0, start - CONTEXT), max(0, end - CONTEXT)
    return start, one[start : len(one) - end], other[start : len(other) - end]


def differing(one: Lines, other: Lines) -> list[str]:
    """The lines of a unified diff, without the names of the files. The time may be quadratic."""
    start, left, right = _apart_from_common(one, other)
    out: list[str] = []
    for group in SequenceMatcher(None, left, right).get_grouped_opcodes(CONTEXT):
        _, i, _, j, _ = group[0]
        _, _, i_end, _, j_end = group[-1]
        out.append(f"@@ -{_place(start + i, i_end - i)} +{_place(start + j, j_end - j)} @@")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                out += [f" {line}" for line in left[i1:i2]]
                continue
            out += [f"-{line}" for line in left[i1:i2]]
            out += [f"+{line}" for line in right[j1:j2]]
    return out


def _place(first: int, count: int) -> str:
    """Where a part of a file begins, and its lines, as diff writes it."""
    return f"{first + (count > 0)},{count}"


def _signed(signs: tuple[int, int]) -> str:
    return " ".join(f"{sign}{number:,}" for sign, number in zip("+\u2212", signs, strict=True) if number)


def _told(found: Sequence[_Change], by_tools: dict[str, int]) -> Block:
    """One line for each file, and its lines below it, within what a record has room for."""
    shown: list[Block] = []
    left = MOST_CHARS
    for change in found[:MOST_FILES]:
        title = f"{on_one_line(change.name, 200)}: {change.facts}"
        body = _cut(change.lines, min(SHOWN, left))
        left -= len(body)
        inside = (Block("code", "", body, language="diff"),) if body else ()
        shown.append(Block("group", title, children=inside, folded=True))
    rest = [f"{on_one_line(change.name, 200)}: {change.facts}" for change in found[MOST_FILES:]]
    more = rest[:NAMED] + [f"and {len(rest) - NAMED:,} more files"] * (len(rest) > NAMED)
    tools = [f"{on_one_line(name, 200)}/: {number:,} files" for name, number in by_tools.items()]
    more += tools[:NAMED]
    if more:
        shown.append(Block("text", "", "\n".join(more)))
    count = f"{len(found):,} file{'s'[: len(found) != 1]} changed"
    signs = _signed((sum(each.signs[0] for each in found), sum(each.signs[1] for each in found)))
    title = ", ".join(filter(None, (count, signs)))
    return Block("group", title, role="changes", children=tuple(shown))


def _cut(lines: Lines, room: int) -> str:
    out: list[str] = []
    for number, line in enumerate(lines):
        short = line if len(line) <= WIDEST else f"{line[:WIDEST]} [... {len(line) - WIDEST:,} characters]"
        room -= len(short) + 1
        if room < 0:
            return "\n".join([*out, f"[... {len(lines) - number:,} more lines]"])
        out.append(short)
    return "\n".join(out)
