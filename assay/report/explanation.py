"""An explanation tree (records.Block) as the flat list of pieces that templates/steps.js shows.

It is flat because a tree may be deeper than a program can recurse or a browser can nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from assay.language.judge import ALL_PRINTED, IT_WAS
from assay.language.values import excerpt
from assay.records import IMAGE_TYPES, Block, TurnCost, image_suffix
from assay.report.markup import Rendering, Tree
from assay.report.sanitise import strip_terminal

MAX_DEPTH = 8  # deeper groups are shown at this depth
MAX_BODY = 100_000  # characters of one block that a page shows
PLAIN = "This trial's texts are too long, or too slow, to render in full: later ones are plain text."
REPEAT_CHARACTERS = 120  # a text this long is shown once in a trial; later pieces point to it
FOLD_LINES = 24
FOLD_CHARACTERS = 2_500

FEWEST_ROUNDS = 3  # a shorter dialogue is not folded

_ROUND = re.compile(r"turn (\d+) of the conversation")
_IMAGE_NAME = re.compile(r"[0-9A-Za-z_-]{1,128}\.(?:png|jpe?g|gif|webp)")


@dataclass
class Piece:
    """One thing to print. `kind` is a Block's; 'open', 'close' or 'label' for a group; 'source' for code in a
    known language; 'remark' for a line of text without a title; 'round' and 'rest' for the beginning and end
    of a turn of a dialogue."""

    kind: str
    title: str = ""
    text: str = ""
    tree: Tree | None = None  # from markup.py, instead of `text`
    role: str = ""
    language: str = ""
    passed: bool | None = None
    image: str = ""
    lines: int = 0
    fold: bool | None = None  # True: at first only a part is shown
    spent: TurnCost | None = None  # of a turn of an agent
    body: str = ""  # as recorded, to find repeats
    same_as: int | None = None  # id of an earlier piece with the same text


@dataclass
class Pictures:
    """The pictures that a page shows: names in use, and the bytes of those without a file yet."""

    names: list[str] = field(default_factory=list)
    data: dict[str, bytes] = field(default_factory=dict)

    def name(self, block: Block) -> str:
        """A safe file name for an image block, '' if it is not a picture that a page may show."""
        name = block.file
        if not name and (suffix := picture_suffix(block.data)):
            name = f"{sha256(block.data).hexdigest()}.{suffix}"
            self.data[name] = block.data
        if not _IMAGE_NAME.fullmatch(name):
            return ""
        if name not in self.names:
            self.names.append(name)
        return name


def picture_suffix(data: bytes) -> str:
    """The suffix for a picture's first bytes, '' for anything else (SVG may hold scripts)."""
    suffix = image_suffix(data)
    return suffix if suffix in IMAGE_TYPES else ""


def walk(block: Block) -> Iterator[tuple[int, Block]]:
    """Every block with its depth, parents before children, without recursion."""
    stack = [(0, block)]
    while stack:
        depth, each = stack.pop()
        yield depth, each
        if each.children:
            stack += [(depth + 1, child) for child in reversed(each.children)]


def pieces(root: Block, pictures: Pictures) -> list[Piece]:
    """The pieces to print for `root`, in order; every 'open' has its 'close'."""
    out: list[Piece] = []
    rendering = Rendering()
    opened: list[int] = []  # depths of the open groups
    for depth, block in walk(root):
        while opened and opened[-1] >= depth:
            opened.pop()
            out.append(Piece("close"))
        if block.kind == "group":
            if block.folded and block.title and len(opened) < MAX_DEPTH:
                opened.append(depth)
                head, _, rest = block.title.partition(": ")
                failed = "failed" if block.passed is False else ""
                out.append(Piece("round", head, rest, role=failed, spent=block.spent))
            elif block.title and len(opened) < MAX_DEPTH:
                opened.append(depth)
                out.append(Piece("open", block.title, role=block.role))
            elif block.title:
                out.append(Piece("label", block.title))
        else:
            out.append(_leaf(block, pictures, rendering))
    out.extend(Piece("close") for _ in opened)
    if rendering.spent:
        out.insert(0, Piece("remark", text=PLAIN))
    return _point_to_repeats(_fold_rounds(_brief_verdicts(_without_repeated_question(out))))


def _fold_rounds(found: list[Piece]) -> list[Piece]:
    """Fold each turn of a longer dialogue, with everything done until the next turn, into one part headed by
    the beginning of the model's text. Only the last one is open (`passed` is True)."""
    starts = [at for at, piece in enumerate(found) if piece.kind == "remark" and _ROUND.fullmatch(piece.text)]
    if len(starts) < FEWEST_ROUNDS:
        return found
    out = found[: starts[0]]
    for start, end in zip(starts, [*starts[1:], len(found)], strict=True):
        end = _end_of_level(found, start, end)
        said = next((each.body for each in found[start:end] if each.role == "assistant"), "")
        title = found[start].text.removesuffix(" of the conversation").capitalize()
        words = " ".join(line for line in said[:400].splitlines() if not line.startswith("```")).split()
        out.append(Piece("round", title, " ".join(words)[:120], passed=start == starts[-1]))
        out += [*found[start + 1 : end], Piece("rest")]
        following = next((each for each in starts if each > start), len(found))
        out += found[end:following]
    return out


def _end_of_level(found: list[Piece], start: int, end: int) -> int:
    """The end, before `end`, of the group that contains `start`: a part may not reach beyond its group."""
    depth = 0
    for at in range(start, end):
        depth += {"open": 1, "close": -1}.get(found[at].kind, 0)
        if depth < 0:
            return at
    while depth > 0:  # nor may it end inside a later group
        end -= 1
        depth -= {"open": 1, "close": -1}.get(found[end].kind, 0)
    return end


def _without_repeated_question(found: list[Piece]) -> list[Piece]:
    """Show a question that is repeated unchanged in the next step's prompt only there."""
    kept: list[Piece] = []
    for place, piece in enumerate(found):
        if piece.kind == "text":
            prompts = [each.body.strip() for each in found[place + 1 : place + 5] if each.kind == "chat"]
            if piece.body.strip() in prompts[:1]:
                continue
        kept.append(piece)
    return kept


def _brief_verdicts(found: list[Piece]) -> list[Piece]:
    """Leave out of a verdict what it quotes of a text that stands above it, and all if the verdict before it
    says the same of the same reply."""
    shown: set[str] = set()
    last = ""
    for piece in found:
        if piece.kind != "verdict":
            shown.add(excerpt(piece.body))
            last = "" if piece.kind == "chat" else last
            continue
        for words in (IT_WAS, ALL_PRINTED):
            said, _, quoted = piece.text.partition(f"; {words} ")
            if quoted in shown:
                piece.text = said
        piece.text, last = "" if piece.text == last and piece.title else piece.text, piece.text
    return found


def _point_to_repeats(found: list[Piece]) -> list[Piece]:
    """Show repeated code only once: it goes from the reply to the extractor to the program.

    The same holds for a picture, which goes from the program that drew it to the step that judges it.
    """
    first: dict[tuple[bool, str], int] = {}
    for place, piece in enumerate(found):
        text = piece.image or piece.body.strip("\n")
        long = len(text) >= REPEAT_CHARACTERS and piece.kind in ("text", "code", "source", "chat")
        if piece.image or long:
            seen = first.setdefault((bool(piece.image), text), place)
            if seen != place:
                piece.same_as = seen + 1  # ids count from 1
    return found


def _leaf(block: Block, pictures: Pictures, rendering: Rendering) -> Piece:
    piece = Piece(block.kind, block.title, role=block.role, language=block.language, passed=block.passed)
    piece.spent = block.spent
    if block.kind == "image":
        piece.image = pictures.name(block)
        piece.text = block.body
        return piece
    body = _clip(block.body)
    piece.body = block.body
    piece.lines = body.strip("\n").count("\n") + 1
    piece.fold = piece.lines > FOLD_LINES or len(body) > FOLD_CHARACTERS or None
    if block.kind == "chat" and block.role == "assistant":
        piece.tree = rendering.markdown(body)
    elif block.kind == "code" and block.language:
        piece.tree = rendering.highlight(body.strip("\n"), block.language)
        piece.kind = "source"
    else:
        if block.kind == "text" and not block.title and piece.lines == 1:
            piece.kind = "remark"
        piece.text = strip_terminal(body).rstrip("\n") if block.kind in ("text", "code") else body.strip("\n")
    return piece


def as_data(found: list[Piece]) -> list[dict[str, Any]]:
    """The fields that are shown and set."""
    return [_shown(piece) for piece in found]


def _shown(piece: Piece) -> dict[str, Any]:
    without = _REPEATED if piece.same_as is not None else ("body",) if piece.fold else ("body", "lines")
    data = vars(piece).items()
    return {name: value for name, value in data if (value or value is False) and name not in without}


_REPEATED = ("body", "tree", "text", "language")


def _clip(body: str) -> str:
    if len(body) <= MAX_BODY:
        return body
    head, tail = body[: MAX_BODY * 7 // 10], body[-MAX_BODY * 3 // 10 :]
    return f"{head}\n[{len(body) - len(head) - len(tail):,} characters not shown here]\n{tail}"
