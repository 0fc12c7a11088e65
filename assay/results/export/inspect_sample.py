"""One trial as a sample of an inspect_ai log: its messages, events, scores and usage."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from assay.records import IMAGE_TYPES, Block, Outcome, TrialRecord, image_suffix
from assay.report.reasons import gist
from assay.report.sanitise import one_line
from assay.results.causes import of_record
from assay.results.export.dialogue import Turn, dialogue, leaves, turns, why
from assay.results.export.rows import number, started
from assay.results.serialize import plain
from assay.results.untrusted_files import picture

PASSED, SCORE, METRICS = "passed", "score", "metrics"  # the scorers of every exported log
MARKUP = re.compile(r"[*_`<>\[\]\\!#|~&]")
LARGEST = 2**31 - 1
THIN = 1000  # characters of a text in a summary
MIME = {**IMAGE_TYPES, "bmp": "image/bmp"}
EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")  # for a record without a start time

Json = dict[str, Any]


def short_hash(*parts: object) -> str:
    """A hash of `parts` in 22 characters, like inspect_ai's own ids."""
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "replace")).hexdigest()[:22]


def sample_id(test: str) -> str:
    """A test's id, safe as part of a name inside the zip file: results files are untrusted."""
    name = re.sub(r"[^\w.+@=,-]", "_", test)[:200]
    return name if name == test and name.strip(".") else f"{name.strip('.')}-{short_hash(test)[:8]}"


def epoch_of(record: TrialRecord) -> int:
    """The epoch within the range of inspect_ai's tables."""
    return max(-LARGEST, min(record.epoch, LARGEST))


def begin_of(record: TrialRecord) -> datetime:
    return started(record) or EPOCH


def end_of(record: TrialRecord) -> datetime:
    return begin_of(record) + timedelta(seconds=min(max(number(record.seconds) or 0.0, 0.0), 1e9))


def usage_of(record: TrialRecord) -> Json:
    """Tokens and price of the trial with its judges: a record has only their sum. inspect_ai counts cached
    tokens beside the input, not within it."""
    usage = record.usage
    return {
        record.model: {
            "input_tokens": max(0, usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens),
            "input_tokens_cache_read": usage.cached_tokens or None,
            "input_tokens_cache_write": usage.cache_write_tokens or None,
            "output_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
            "reasoning_tokens": usage.reasoning_tokens or None,
            "total_cost": number(record.cost),
        }
    }


def scores_of(record: TrialRecord) -> Json | None:
    """Scorer -> score. A trial that ended in an ERROR has none; the value of a SKIPPED one is NaN,
    inspect_ai's mark for "not scored", which no metric counts."""
    if record.outcome is Outcome.ERROR:
        return None
    if record.outcome is Outcome.SKIPPED:
        return {PASSED: {"value": math.nan, "reason": "skipped", "explanation": record.error}}
    metadata = {"outcome": record.outcome.value}
    metadata |= {"cause": cause} if (cause := of_record(record).cause) else {}
    passed = "C" if record.outcome is Outcome.PASS else "I"
    said = [turn.text for turn in dialogue(record) if turn.role == "assistant"]
    found: Json = {
        PASSED: {
            "value": passed, "answer": said[-1] if said else None, "explanation": why(record),
            "metadata": metadata,
        }
    }  # fmt: skip
    if (score := number(record.score)) is not None:
        found[SCORE] = {"value": score, "explanation": why(record), "metadata": metadata}
    if metrics := {name: value for name, value in record.metrics.items() if math.isfinite(value)}:
        found[METRICS] = {"value": metrics}
    return found


def _picture(file: str, images: Path) -> Json:
    """A picture as content of a message; a line of text if its file is missing."""
    data = picture(images, file)
    if data is None:
        return {"type": "text", "text": f"[picture {file}: not in the results' images folder]"}
    mime = MIME.get(image_suffix(data), "application/octet-stream")
    address = f"data:{mime};base64,{base64.b64encode(data).decode()}"
    return {"type": "image", "image": address, "detail": "auto"}


def _message(turn: Turn, id: str, images: Path) -> Json:
    content: Any = turn.text
    if turn.images:
        content = [{"type": "text", "text": turn.text}, *(_picture(file, images) for file in turn.images)]
    message: Json = {"id": id, "role": turn.role, "content": content}
    if turn.role == "assistant":
        return {**message, "source": "generate", "model": turn.by}
    return {**message, "source": "input"} if turn.role == "user" else message


def _output(message: Json | None, model: str) -> Json:
    if message is None:
        return {"model": model, "choices": [], "completion": ""}
    choice = {"message": message, "stop_reason": "stop"}
    return {"model": model, "choices": [choice], "completion": message["content"]}


def _fenced(text: str, language: str = "") -> str:
    """Markdown that shows `text` unchanged, whatever fences it contains."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{re.sub('[^a-z0-9+#-]', '', language.lower())}\n{text}\n{fence}"


def _info(block: Block, images: Path) -> str:
    """A step that is not a message, as Markdown, which inspect_ai's viewer renders."""
    words = MARKUP.sub(" ", one_line(block.title, 200)).strip()
    title = f"**{words}**\n\n" if words else ""
    if block.kind == "image":
        picture = _picture(block.file, images)
        return title + (f"![]({picture['image']})" if "image" in picture else str(picture["text"]))
    if block.kind == "verdict":
        mark = {True: "passed", False: "failed", None: "not needed"}[block.passed]
        return f"{title}{mark}\n\n{_fenced(block.body)}" if block.body else f"{title}{mark}"
    return title + _fenced(block.body, block.language)


def _events(record: TrialRecord, messages: Mapping[int, Json], images: Path) -> list[Json]:
    """The trial's steps in order: model calls, everything else as information, and the scores at the end. A
    record does not keep the time of each step, so all of them carry the time of the trial."""
    base = {"timestamp": begin_of(record).isoformat(), "working_start": 0.0}
    said = turns(record)
    events: list[Json] = []
    asked: list[Json] = []
    number = 0
    for step, block in leaves(record.reason):
        if block.kind == "chat":
            turn, message = said[number], messages[number]
            number += 1
            if turn.role != "assistant":
                asked.append(message)
                continue
            event = {
                "event": "model", "model": turn.by, "input": asked, "tools": [], "tool_choice": "auto",
                "config": {}, "output": _output(message, turn.by),
            }  # fmt: skip
            if turn.by != record.model and (role := _role(turn.by, record)):
                event["role"] = role
            events.append(event)
            asked = []
        elif block.kind != "image" or block.title != "picture sent":
            events.append({"event": "info", "source": step or None, "data": _info(block, images)})
    for scorer, score in (scores_of(record) or {}).items():
        events.append({"event": "score", "score": score, "scorer": scorer})
    return [
        {"uuid": short_hash(record.test, record.epoch, record.started_at, place), **base, **event}
        for place, event in enumerate(events)
    ]


def _role(model: str, record: TrialRecord) -> str:
    return next((role for role, name in record.judges.items() if name == model), "")


FACTS = (
    "outcome", "test", "description", "tags", "source", "fingerprint", "sandbox", "limits", "calls",
    "cached_calls", "attempts", "model_seconds", "sandbox_seconds", "queue_seconds", "waited_seconds",
    "about", "extra", "later",
)  # fmt: skip
THIN_FACTS = (
    "id", "epoch", "target", "model_usage", "started_at", "completed_at", "total_time", "working_time",
    "uuid",
)  # fmt: skip


def _metadata(record: TrialRecord) -> Json:
    facts = {name: getattr(record, name) for name in FACTS} | {"outcome": record.outcome.value}
    return {name: plain(value) for name, value in facts.items() if value not in ("", None, {}, ())}


def sample_of(record: TrialRecord, images: Path) -> Json:
    """The sample, as in samples/<id>_epoch_<n>.json of a log."""
    id = sample_id(record.test)
    uuid = short_hash(record.suite, record.test, record.model, record.epoch, record.started_at)
    messages = {
        place: _message(turn, f"{uuid[:16]}-{place}", images) for place, turn in enumerate(turns(record))
    }
    kept = dialogue(record)
    its_own = [messages[place] for place, turn in enumerate(turns(record)) if turn in kept]
    question = next((each for each in its_own if each["role"] == "user"), None)
    replies = [each for each in its_own if each["role"] == "assistant"]
    sample: Json = {
        "id": id,
        "epoch": epoch_of(record),
        "input": [question] if question is not None else record.description,
        "target": "",
        "messages": its_own,
        "output": _output(replies[-1] if replies else None, record.model),
        "scores": scores_of(record),
        "metadata": _metadata(record),
        "events": _events(record, messages, images),
        "model_usage": usage_of(record),
        "started_at": begin_of(record).isoformat(),
        "completed_at": end_of(record).isoformat(),
        "total_time": number(record.seconds),
        "working_time": number(min(record.seconds, record.model_seconds + record.sandbox_seconds)),
        "uuid": uuid,
    }
    if record.outcome is Outcome.ERROR:
        words = record.error
        sample["error"] = {"message": gist(words), "traceback": words, "traceback_ansi": words}
    return sample


def summary_of(sample: Json) -> Json:
    """What lists show of a sample: neither events nor long texts."""
    question = sample["input"]
    if isinstance(question, list):
        content = question[0]["content"]
        text = content if isinstance(content, str) else content[0]["text"]
        question = [{**question[0], "content": text[:THIN]}]
    scores = {
        name: {key: value[:THIN] if isinstance(value, str) else value for key, value in score.items()}
        for name, score in (sample["scores"] or {}).items()
    }
    return {
        **{name: sample[name] for name in THIN_FACTS},
        "input": question,
        "scores": scores or None,
        "metadata": {
            name: value[:THIN] if isinstance(value, str) else value
            for name, value in sample["metadata"].items()
            if isinstance(value, (str, int, float, bool))
        },
        "error": sample["error"]["message"] if "error" in sample else None,
        "completed": True,
        "message_count": len(sample["messages"]),
        "retries": 0,
    }
