"""Trial records as JSON lines: bounded, always encodable, readable by older and newer versions."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from assay.records import Block, Outcome, Reply, TrialRecord, Usage

VERSION = 1
BODY_CHARS = 100_000  # of one block; the head and the tail are kept
RECORD_CHARS = 1_000_000  # of all bodies of a record together
CHILDREN = 1_000  # blocks of one record
SHORT_CHARS = 20_000  # of an error, a title and the like
CAUSE_CHARS = 50
WHY_CHARS = 2_000
DEPTH = 50
NAME_CHARS = 500  # of a suite, a test, a model
MOST = 10**15  # of anything that is counted
LONGEST_S = 1e10
MAX_BITS = 10_000  # of an integer: Python writes and reads no longer ones
IMAGE_NAME = re.compile(r"[0-9a-f]{64}\.[a-z]{1,5}")
SURROGATES = re.compile("[\ud800-\udfff]")
BLOCK_KINDS = ("text", "code", "chat", "image", "verdict", "group")


def shorten(text: str, limit: int) -> str:
    """`text`, or its head and tail with a line between them that says how much is missing."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def clean(text: str, limit: int = SHORT_CHARS) -> str:
    """Bounded, and without the lone surrogates that no encoder takes."""
    if type(text) is str and len(text) <= limit and text.isascii():
        return text
    text = shorten(str(text), limit)
    return text if text.isascii() else SURROGATES.sub("\ufffd", text)


class _Budget:
    """What one record may still hold."""

    def __init__(self) -> None:
        self.chars = RECORD_CHARS
        self.blocks = CHILDREN

    def body(self, text: str) -> str:
        text = clean(text, min(BODY_CHARS, max(self.chars, 200)))
        self.chars -= len(text)
        return text


def block_to_json(
    block: Block, save_image: Callable[[bytes], str], budget: _Budget | None = None, depth: int = 0
) -> dict[str, Any]:
    """A block as JSON, empty fields left out. `save_image` stores picture bytes and names their file."""
    budget = budget or _Budget()
    budget.blocks -= 1
    out: dict[str, Any] = {"kind": block.kind}
    if block.title:
        out["title"] = clean(block.title, 500)
    if block.body:
        out["body"] = budget.body(block.body)
    if block.language:
        out["language"] = clean(block.language, 50)
    if block.role:
        out["role"] = clean(block.role, 50)
    if block.passed is not None:
        out["passed"] = bool(block.passed)
    if block.cause:
        out["cause"] = clean(str(block.cause), CAUSE_CHARS)
    if block.data:
        out["file"] = save_image(block.data)
    elif block.file:
        out["file"] = clean(block.file, 100)
    if block.children:
        kept = []
        for child in block.children:
            if budget.blocks <= 0 or depth >= DEPTH:
                kept.append({"kind": "text", "body": "[further steps left out]"})
                break
            kept.append(block_to_json(child, save_image, budget, depth + 1))
        out["children"] = kept
    return out


@dataclass
class _Left:
    """What is still read of one record: twice what is ever written, for a file may be a stranger's."""

    blocks: int = 2 * CHILDREN
    chars: int = 2 * RECORD_CHARS


def block_from_json(value: Any, left: _Left | None = None, depth: int = 0) -> Block:
    """The block that `block_to_json` wrote; raises ValueError for anything else. Of more blocks, text or
    depth than it ever writes, the rest is left out."""
    if not isinstance(value, dict) or value.get("kind") not in BLOCK_KINDS:
        raise ValueError("not a block")
    left = left or _Left()
    left.blocks -= 1
    file = str(value.get("file", ""))
    body = str(value.get("body", ""))[: max(left.chars, 0)]
    left.chars -= len(body)
    children: list[Block] = []
    for child in value.get("children", ()):
        if left.blocks <= 0 or depth > DEPTH:
            children.append(Block("text", body="[further steps left out]"))
            break
        children.append(block_from_json(child, left, depth + 1))
    return Block(
        kind=value["kind"],
        title=str(value.get("title", ""))[:SHORT_CHARS],
        body=body,
        language=str(value.get("language", ""))[:100],
        role=str(value.get("role", ""))[:100],
        passed=passed if isinstance(passed := value.get("passed"), bool) else None,
        # a results file may come from a stranger: no name that leaves the images folder
        file=file if IMAGE_NAME.fullmatch(file) else "",
        children=tuple(children),
        cause=str(value.get("cause", ""))[:CAUSE_CHARS],
    )


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def plain(value: Any, depth: int = 0) -> Any:
    """Any value as JSON can hold it: text cleaned, numbers finite, the rest by its text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= MAX_BITS else f"an integer of {value.bit_length()} bits"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return clean(value, BODY_CHARS)
    if depth < DEPTH:
        if isinstance(value, Mapping):
            return {clean(str(key), 500): plain(each, depth + 1) for key, each in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [plain(each, depth + 1) for each in value]
    return clean(repr(value), 2000)


def _spoken(block: Any) -> Iterator[str]:
    """The bodies of the assistant's turns below a block in JSON, in order."""
    stack = [block]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            if each.get("kind") == "chat" and each.get("role") == "assistant":
                yield str(each.get("body", ""))
            children = each.get("children")
            stack.extend(reversed(children if isinstance(children, list) else ()))


def replies_to_json(replies: Sequence[Reply], reason: Any) -> list[dict[str, Any]]:
    """The replies of a record. One that a step of `reason` shows is named by its place there."""
    places: dict[str, int] = {}
    for place, body in enumerate(_spoken(reason)):
        places.setdefault(body, place)
    left, out = RECORD_CHARS, []
    for reply in replies:
        usage = reply.usage
        one: dict[str, Any] = {"role": reply.role, "asked": reply.asked}
        one["usage"] = [usage.input_tokens, usage.output_tokens, usage.reasoning_tokens]
        one["cost"] = _number(reply.cost)
        if reply.finish_reason:
            one["finish"] = clean(reply.finish_reason, 100)
        text = None if reply.text is None else clean(reply.text, len(reply.text))
        if text is not None and text in places:
            one["at"] = places[text]
        elif text is not None and len(text) <= left:
            one["text"] = text
            left -= len(text)
        out.append(one)
    return out


def replies_from_json(value: Any, reason: Any) -> tuple[Reply, ...]:
    """The inverse. Raises ValueError, KeyError or TypeError for what it never wrote."""
    spoken = list(_spoken(reason))
    found = []
    for one in value:
        at = one.get("at")
        text = one.get("text") if at is None else spoken[at] if 0 <= at < len(spoken) else None
        found.append(
            Reply(
                str(one["role"]),
                str(one["asked"]),
                None if text is None else str(text),
                Usage(*(count_from_json(each) for each in one["usage"][:3])),
                cost_from_json(one.get("cost")),
                str(one.get("finish", "")),
            )
        )
    return tuple(found)


def record_to_json(record: TrialRecord, save_image: Callable[[bytes], str]) -> dict[str, Any]:
    """One line of a results file, as a JSON object; fields at their default are left out."""
    usage = record.usage
    out: dict[str, Any] = {
        "v": VERSION,
        "test": clean(record.test, NAME_CHARS),
        "model": clean(record.model, NAME_CHARS),
        "epoch": record.epoch,
        "outcome": record.outcome.value,
        "suite": clean(record.suite, NAME_CHARS),
        "usage": [usage.input_tokens, usage.output_tokens, usage.reasoning_tokens],
        "cost": _number(record.cost),
    }
    if record.score is not None:
        out["score"] = _number(float(record.score))
    if record.reason is not None:
        out["reason"] = block_to_json(record.reason, save_image)
    for name in ("calls", "cached_calls", "attempts"):
        if value := getattr(record, name):
            out[name] = value
    for name in SECONDS:
        if value := getattr(record, name):
            out[name] = round(value, 4)
    for name in (
        "error",
        "sandbox",
        "limits",
        "started_at",
        "commit",
        "fingerprint",
        "description",
        "source",
    ):
        if value := getattr(record, name):
            out[name] = clean(value)
    for name, limit in (("cause", CAUSE_CHARS), ("why", WHY_CHARS)):
        if value := getattr(record, name):
            out[name] = clean(str(value), limit)
    for name in (
        "metrics", "versions", "judges", "extra", "conditions", "parameters", "about", "tags", "rescored",
    ):  # fmt: skip
        if value := getattr(record, name):
            out[name] = plain(value)
    if record.replies:
        out["replies"] = replies_to_json(record.replies, out.get("reason"))
    return out


KNOWN = {each.name for each in fields(TrialRecord)}
TEXTS = (
    "suite",
    "error",
    "sandbox",
    "limits",
    "started_at",
    "commit",
    "fingerprint",
    "description",
    "source",
)
COUNTS = ("calls", "cached_calls", "attempts")
SECONDS = ("seconds", "model_seconds", "sandbox_seconds", "queue_seconds", "waited_seconds")


def count_from_json(value: Any) -> int:
    """A count as a file has it. ValueError for what is none: files may be a stranger's.

    >>> count_from_json(3.0)
    3
    """
    try:
        found = int(value)
    except (OverflowError, TypeError) as error:
        raise ValueError(f"no count ({error})") from None
    if not 0 <= found <= MOST:
        raise ValueError("a count below 0 or beyond belief")
    return found


def cost_from_json(value: Any) -> float | None:
    """US dollars as a file has them; None for what cannot be a cost.

    >>> cost_from_json(0.5), cost_from_json(-5), cost_from_json(float("nan")), cost_from_json(10**400)
    (0.5, None, None, None)
    """
    try:
        found = None if value is None else float(value)
    except OverflowError:
        return None
    return found if found is not None and 0 <= found <= MOST else None


def record_from_json(value: Any) -> TrialRecord:
    """The record of a line. Unknown fields are ignored and missing ones get their default; raises
    ValueError, naming the field, where a line cannot be a trial."""
    if not isinstance(value, dict):
        raise ValueError("not an object")
    for name, kind in (("test", str), ("model", str), ("epoch", int), ("outcome", str)):
        if not isinstance(value.get(name), kind):
            raise ValueError(f"field {name!r} is missing or of the wrong type")
    for name in ("test", "model", "suite"):
        if len(str(value.get(name, ""))) > 2 * NAME_CHARS:
            raise ValueError(f"field {name!r} is too long for a name")
    if abs(value["epoch"]) > MOST:
        raise ValueError("field 'epoch' is beyond belief")
    given: dict[str, Any] = {}
    for name in TEXTS:
        if name in value:
            given[name] = str(value[name])[: SHORT_CHARS + 200]  # as `clean` may lengthen it
    for name, limit in (("cause", CAUSE_CHARS), ("why", WHY_CHARS)):
        if name in value:
            given[name] = str(value[name])[:limit]
    try:
        given |= {name: count_from_json(value[name]) for name in COUNTS if name in value}
        given |= {name: float(value[name]) for name in SECONDS if name in value}
        given["cost"] = cost_from_json(value.get("cost"))
        given["score"] = float(value["score"]) if value.get("score") is not None else None
        metrics = value.get("metrics", {})
        given["metrics"] = {str(k): math.nan if v is None else float(v) for k, v in metrics.items()}
        given["usage"] = Usage(*(count_from_json(each) for each in value.get("usage", ())[:3]))
        given["tags"] = tuple(str(each) for each in value.get("tags", ()))
        for name in ("versions", "judges"):
            given[name] = {str(k): str(v) for k, v in value.get(name, {}).items()}
        for name in ("extra", "conditions", "parameters", "about", "rescored"):
            given[name] = dict(value.get(name, {}))
        given["replies"] = replies_from_json(value.get("replies", ()), value.get("reason"))
        given["reason"] = block_from_json(value["reason"]) if value.get("reason") is not None else None
        outcome = Outcome(value["outcome"])
    except (TypeError, AttributeError, KeyError, OverflowError) as error:
        raise ValueError(f"a field of the wrong type ({error})") from None
    if not all(0 <= given.get(name, 0.0) <= LONGEST_S for name in SECONDS):
        raise ValueError("a field of the wrong type (seconds that are no number)")
    return TrialRecord(value["test"], value["model"], value["epoch"], outcome, **given)


def encode_line(record: TrialRecord, save_image: Callable[[bytes], str]) -> bytes:
    """The record's line, newline included."""
    text = json.dumps(record_to_json(record, save_image), ensure_ascii=False, allow_nan=False)
    return text.encode() + b"\n"
