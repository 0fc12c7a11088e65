"""Trial records as JSON lines: bounded, always encodable, readable by older and newer versions."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import cache
from numbers import Integral, Real
from operator import attrgetter
from typing import Any, TypeVar, cast

import msgspec

from assay.records import LLM, Block, Reply, ToolCall, TrialRecord, Usage
from assay.results.schema import MOST, VERSION, Calling, Head, LightLine, Line, Said, Step, Tokens

BODY_CHARS = 100_000  # of one block; the head and the tail are kept
RECORD_CHARS = 1_000_000  # of all bodies of a record together
CHILDREN = 1_000  # blocks of one record
SHORT_CHARS = 20_000  # of an error, a title and the like
CAUSE_CHARS = 50
WHY_CHARS = 2_000
DEPTH = 50
KEY_CHARS = 500  # of a mapping's key
NAME_CHARS = 500  # of a suite, a test, a model
MAX_BITS = 10_000  # of an integer: Python writes and reads no longer ones
IMAGE_NAME = re.compile(r"[0-9a-f]{64}\.[a-z]{1,5}")
SURROGATES = re.compile("[\ud800-\udfff]")
WHERE = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)  # in msgspec's messages

NAMES = ("test", "model", "suite")
# The longest of each
TEXTS: Mapping[str, int] = {
    **dict.fromkeys(("error", "sandbox", "limits", "started_at", "commit"), SHORT_CHARS),
    **dict.fromkeys(("fingerprint", "expression", "description", "source"), SHORT_CHARS),
    "cause": CAUSE_CHARS,
    "why": WHY_CHARS,
}
COUNTS = ("calls", "cached_calls", "attempts")
SECONDS = ("seconds", "model_seconds", "sandbox_seconds", "queue_seconds", "waited_seconds")
LEFT_OUT = "[further steps left out]"
ANY = ("metrics", "versions", "judges", "extra", "conditions", "parameters", "about", "tags", "rescored")


def shorten(text: str, limit: int) -> str:
    """`text`, or its head and tail with a line between them that says how much is missing."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def clean(text: str, limit: int = SHORT_CHARS) -> str:
    """The text within `limit`, without lone surrogates, which no encoder accepts."""
    if type(text) is str and len(text) <= limit and text.isascii():
        return text
    text = shorten(str(text), limit)
    return text if text.isascii() else SURROGATES.sub("\ufffd", text)


@dataclass
class _Room:
    """What one record may still hold. `save_image` stores picture bytes and names their file. `spoken`: the
    bodies of the assistant's turns, in order."""

    save_image: Callable[[bytes], str]
    chars: int = RECORD_CHARS
    blocks: int = CHILDREN
    spoken: list[str] = field(default_factory=list)

    def step(self, block: Block, depth: int = 0) -> Step:
        """A block as a line has it."""
        self.blocks -= 1
        body = clean(block.body, min(BODY_CHARS, max(self.chars, 200)))
        self.chars -= len(body)
        if block.kind == "chat" and block.role == "assistant":
            self.spoken.append(body)
        children: list[Step] = []
        for child in block.children:
            if self.blocks <= 0 or depth >= DEPTH:
                children.append(Step("text", body=LEFT_OUT))
                break
            children.append(self.step(child, depth + 1))
        return Step(
            block.kind,
            block.title and clean(block.title, 500),
            body,
            block.language and clean(block.language, 50),
            block.role and clean(block.role, 50),
            None if block.passed is None else bool(block.passed),
            self.save_image(block.data) if block.data else block.file and clean(block.file, 100),
            children,
            block.cause and clean(str(block.cause), CAUSE_CHARS),
            bool(block.folded),
            block.spent,
        )


@dataclass
class _Left:
    """What may still be read of one record: twice what is ever written, because files are untrusted."""

    blocks: int = 2 * CHILDREN
    chars: int = 2 * RECORD_CHARS
    spoken: list[str] = field(default_factory=list)

    def block(self, step: Step, depth: int = 0) -> Block:
        """The block of a step. Blocks, text and depth beyond what is ever written are left out."""
        self.blocks -= 1
        body = step.body if len(step.body) <= self.chars else step.body[: max(self.chars, 0)]
        self.chars -= len(body)
        if step.kind == "chat" and step.role == "assistant":
            self.spoken.append(step.body)
        children: list[Block] = []
        for child in step.children:
            if self.blocks <= 0 or depth > DEPTH:
                children.append(Block("text", body=LEFT_OUT))
                break
            children.append(self.block(child, depth + 1))
        return Block(
            step.kind,
            step.title[:SHORT_CHARS],
            body,
            step.language[:100],
            step.role[:100],
            step.passed if isinstance(step.passed, bool) else None,
            b"",
            # a results file may come from a stranger: no name that leaves the images folder
            step.file if step.file and IMAGE_NAME.fullmatch(step.file) else "",
            tuple(children),
            step.cause[:CAUSE_CHARS],
            step.folded,
            step.spent,
        )


def _is_usual(root: Block) -> bool:
    """Whether an explanation is within the limits of what is written and names no file but pictures."""
    blocks, chars, level = 0, 0, [root]
    for _ in range(DEPTH):
        for each in level:
            chars += len(each.body)
            if (
                each.data
                or (each.file and not IMAGE_NAME.fullmatch(each.file))
                or len(each.title) > SHORT_CHARS
                or len(each.language) + len(each.role) + len(each.cause) > CAUSE_CHARS
            ):
                return False
        blocks += len(level)
        level = [child for each in level if each.children for child in each.children]
        if not level:
            return blocks <= CHILDREN and chars <= RECORD_CHARS
    return False


_FEW = 15 * CHILDREN  # bytes of a line with fewer steps than may be written: each has more than 15


def _spoken_of_short(root: Block, line: bytes) -> list[str] | None:
    """`_spoken` of an explanation that is usual; None for one that is not, or whose line is too long for the
    shorter check."""
    if len(line) > _FEW or line.count(b'"children"') > DEPTH or b"\\u" in line:
        return None
    spoken, left = [], [root]
    while left:
        each = left.pop()
        if each.data or each.file or len(each.language) + len(each.role) + len(each.cause) > CAUSE_CHARS:
            return None
        if each.kind == "chat" and each.role == "assistant":
            spoken.append(each.body)
        if each.children:
            left += reversed(each.children)
    return spoken


def _spoken(root: Block | None) -> list[str]:
    """The bodies of the assistant's turns, in order."""
    spoken, left = [], [root] if root else []
    while left:
        each = left.pop()
        if each.kind == "chat" and each.role == "assistant":
            spoken.append(each.body)
        left += reversed(each.children)
    return spoken


def _key(key: object) -> str:
    return clean(str(key), KEY_CHARS)


def plain(value: Any, depth: int = 0) -> Any:
    """Any value as JSON can hold it: text cleaned, numbers finite, everything else as text."""
    kind = type(value)
    if kind is str:
        return clean(value, BODY_CHARS)
    if value is None or kind is bool:
        return value
    if kind is dict and depth < DEPTH:  # the usual, so it need not be asked for what it may be besides
        return {
            key if type(key) is str and len(key) <= KEY_CHARS and key.isascii() else _key(key):
            each if each is None or type(each) is bool else plain(each, depth + 1)
            for key, each in value.items()
        }  # fmt: skip
    if isinstance(value, int):
        bits = value.bit_length()
        return int(value) if bits <= MAX_BITS else f"an integer of {bits} bits"  # no subclass
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return clean(value, BODY_CHARS)
    if depth < DEPTH:
        if isinstance(value, Mapping):
            return plain(dict(value.items()), depth)
        if isinstance(value, (list, tuple, set, frozenset)):
            return [plain(each, depth + 1) for each in value]
    if depth < DEPTH and (scalar := number_of(value)) is not value:
        return plain(scalar, depth + 1)
    return clean(repr(value), 2000)


def number_of(value: Any) -> Any:
    """Python's own number or bool for one of numpy or a Decimal; anything else as it is.

    >>> number_of(Decimal("1.50")), number_of("1.50")
    (1.5, '1.50')
    """
    with contextlib.suppress(
        Exception
    ):  # a signalling NaN, a huge Fraction, whatever a class of theirs raises
        if getattr(value, "shape", None) == ():
            value = value.item()  # numpy's bool is no number by its class
        if isinstance(value, bool):
            return value
        if isinstance(value, Integral):
            return int(value)
        if isinstance(value, (Real, Decimal)):
            return float(value)
    return value


_counts = attrgetter(*(each.name for each in fields(Usage)))


def _tokens(usage: Usage) -> Tokens:
    return Tokens(*_counts(usage))


def usage_of(tokens: Tokens) -> Usage:
    return Usage(*msgspec.structs.astuple(tokens))


def _said(replies: Sequence[Reply], spoken: Sequence[str]) -> list[Said]:
    """The replies of a record. One that a step shows is named by its index in `spoken`."""
    places: dict[str, int] = {}
    for place, body in enumerate(spoken):
        places.setdefault(body, place)
    left, out = RECORD_CHARS, []
    for reply in replies:
        finish = clean(reply.finish_reason, 100)
        one = Said(
            reply.role, reply.asked, _tokens(reply.usage), plain(reply.cost), finish, batch=reply.by_batch
        )
        text = None if reply.text is None else clean(reply.text, len(reply.text))
        if text is not None and text in places:
            one.at = places[text]
        elif text is not None and len(text) <= left:
            one.text = text
            left -= len(text)
        for call in reply.calls:
            left -= len(call.arguments)
            if left < 0:  # without them it is no longer what the model said
                one.text, one.at, one.calls = None, None, []
                break
            one.calls.append(
                Calling(clean(call.id, 500), clean(call.name, 500), clean(call.arguments, RECORD_CHARS))
            )
        out.append(one)
    return out


def _replies(said: Sequence[Said], spoken: Sequence[str]) -> Iterator[Reply]:
    """The inverse of `_said`."""
    for one in said:
        text = one.text
        if one.at is not None:
            text = spoken[one.at] if 0 <= one.at < len(spoken) else None
        calls = tuple(ToolCall(call.id, call.name, call.arguments) for call in one.calls)
        usage, cost = usage_of(one.usage), cost_from_json(one.cost)
        yield Reply(one.role, one.asked, text, usage, cost, one.finish, calls, one.batch)


def encode_line(record: TrialRecord, save_image: Callable[[bytes], str]) -> bytes:
    """The record's line with its newline; fields at their default are left out. `save_image` stores picture
    bytes and names their file."""
    room = _Room(save_image)
    reason = None if record.reason is None else room.step(record.reason)
    head: dict[str, Any] = {
        "v": VERSION,
        **{name: clean(getattr(record, name), NAME_CHARS) for name in NAMES},
        "epoch": record.epoch,
        "outcome": record.outcome,
        "usage": _tokens(record.usage),
        "cost": plain(record.cost),
    }
    if record.score is not None:
        head["score"] = plain(float(record.score))
    rest: dict[str, Any] = {
        "reason": reason,
        **{name: getattr(record, name) for name in COUNTS},
        **{name: round(spent, 4) for name in SECONDS if (spent := getattr(record, name))},
        **{name: clean(str(text), limit) for name, limit in TEXTS.items() if (text := getattr(record, name))},
        **{name: plain(value) for name in ANY if (value := getattr(record, name))},
        "replies": _said(record.replies, room.spoken),
    }
    return msgspec.json.encode(head | {name: value for name, value in rest.items() if value}) + b"\n"


def count_from_json(value: Any) -> int:
    """A count in a file. Raises ValueError for anything else, because files are untrusted.

    >>> count_from_json(3.0)
    3
    """
    try:
        found = int(value)
    except (OverflowError, TypeError) as error:
        raise ValueError(f"no count ({error})") from None
    if not 0 <= found <= MOST:
        raise ValueError("a count is below 0 or too large")
    return found


def cost_from_json(value: Any) -> float | None:
    """US dollars in a file; None for a value that cannot be a cost.

    >>> cost_from_json(0.5), cost_from_json(-5), cost_from_json(float("nan")), cost_from_json(10**400)
    (0.5, None, None, None)
    """
    try:
        found = None if value is None else float(value)
    except OverflowError:
        return None
    return found if found is not None and 0 <= found <= MOST else None


class _Usual(Line):
    """A line whose explanation is parsed in the same step. An unusual one is read as a Line."""

    reason: Block | None = None  # type: ignore[assignment]
    spoken: Any = None  # stands in no file: see `_spoken`


L = TypeVar("L", bound=Head)
_names = attrgetter(*NAMES)
SHORTER = [(name, limit) for name, limit in TEXTS.items() if limit < SHORT_CHARS]
_decoder = cache(msgspec.json.Decoder)


def read_line(line: bytes, kind: type[L]) -> L:
    """A line of a results file; unknown fields are ignored, and missing ones get their default. Raises
    ValueError or RecursionError, naming the field, if it cannot be a trial."""
    if kind is Line:
        with contextlib.suppress(msgspec.DecodeError):
            usual: Any = _decoder(_Usual).decode(line)
            root = usual.reason
            usual.spoken = _spoken_of_short(root, line) if root else []
            if usual.spoken is None and _is_usual(root):
                usual.spoken = _spoken(root)
            if usual.spoken is not None:
                return _checked(cast(L, usual), len(line))
    try:
        found: L = _decoder(kind).decode(line)
    except msgspec.DecodeError:
        found = _converted(_loaded(line), kind)
    return _checked(found, len(line))


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line)  # which accepts NaN and lone surrogates
    except ValueError as error:
        if b"\0" in line:
            raise ValueError("it has bytes that are 0, as after a power failure") from None
        if line.startswith(b"{") and not line.rstrip().endswith(b"}"):
            raise ValueError("it is cut off in the middle") from None
        if isinstance(error, json.JSONDecodeError):  # whose own line is always 1
            raise ValueError(f"not JSON: {error.msg} (column {error.colno})") from None
        raise ValueError("it is not UTF-8") from None


def _converted(value: Any, kind: type[L]) -> L:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        said, where = WHERE.fullmatch(str(error)).groups()  # type: ignore[union-attr]
        raise ValueError(f"field {where!r}: {said}" if where else said) from None


def _checked(line: L, size: int = SHORT_CHARS + 1) -> L:
    """The line with values that readers need not check again. Raises ValueError for invalid names."""
    if max(map(len, names := _names(line))) > 2 * NAME_CHARS:
        longest = max(zip(NAMES, names, strict=True), key=lambda each: len(each[1]))
        raise ValueError(f"field {longest[0]!r} is too long for a name")
    if line.cost is not None:
        line.cost = cost_from_json(line.cost)
    if line.metrics:
        line.metrics = {name: math.nan if each is None else each for name, each in line.metrics.items()}
    for name, limit in TEXTS.items() if size > SHORT_CHARS else SHORTER:
        if len(text := getattr(line, name)) > limit:
            setattr(line, name, text[: limit + 200])  # `clean` may lengthen it
    for its in (line.versions, line.judges):
        for name, each in its.items():
            if type(each) is not str:
                its[name] = str(each)
    if line.tags:
        line.tags = [*map(str, line.tags)]
    if isinstance(line, LightLine):
        line.later = ""
    return line


def decode_line(line: bytes, *, light: bool = False) -> TrialRecord:
    """The trial of a line. `light`: without its explanation and replies, and only with the judges that were
    asked. Raises like `read_line`."""
    return record_of(read_line(line, LightLine) if light else read_line(line, Line))


def record_from_json(value: Any) -> TrialRecord:
    """The trial of a line's parsed value."""
    return record_of(_checked(_converted(value, Line)))


def record_of(line: Line | LightLine) -> TrialRecord:
    """The trial of a line that was read."""
    given = msgspec.structs.asdict(line)
    del given["v"], given["replies"]
    if isinstance(line, Line):
        left = _Left()
        if isinstance(line, _Usual):
            given["reason"], left.spoken = line.reason, given.pop("spoken")
        else:
            given["reason"] = None if line.reason is None else left.block(line.reason)
        given["replies"] = tuple(_replies(line.replies, left.spoken))
    elif line.replies:
        asked = [each.role for each in line.replies]  # anything, in an untrusted file
        given["judges"] = {role: name for role, name in line.judges.items() if role in asked}
        question = next((each.asked for each in line.replies if each.role == LLM), None)
        given["first_asked"] = question if isinstance(question, str) else ""
    given["usage"], given["tags"] = usage_of(line.usage), tuple(line.tags)
    return TrialRecord(**given)
