"""A trial as one row of a table, with the columns of CSV and Parquet files (docs/exporting.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, Literal

from assay.records import Outcome, TrialRecord, suite_title
from assay.results.causes import of_record
from assay.results.export.dialogue import answer, question, why
from assay.results.export.source import Trial
from assay.results.serialize import clean

Kind = Literal["text", "word", "number", "count", "flag", "time", "words", "json"]


@dataclass(frozen=True)
class Column:
    """`kind`: word, a text from a small set; number, a float; words, a list of texts; json, a mapping, which
    files hold as JSON."""

    name: str
    kind: Kind
    value: Callable[[Trial], Any]


def number(value: float | None) -> float | None:
    """`value`, or None if it is not a finite number."""
    return None if value is None or not math.isfinite(value) else float(value)


def started(record: TrialRecord) -> datetime | None:
    """When the trial began, in UTC; None if the record does not say so."""
    try:
        time = datetime.fromisoformat(record.started_at)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def as_json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, sort_keys=True, default=str)


def _counted(record: TrialRecord) -> bool | None:
    if record.outcome in (Outcome.ERROR, Outcome.SKIPPED):
        return None
    return record.outcome is Outcome.PASS


def _facts(kind: Kind, names: str) -> tuple[Column, ...]:
    """Columns for record fields, under the same names."""
    readers: dict[Kind, Callable[[Any], Any]] = {"number": number, "words": list}
    reader = readers.get(kind)

    def column(name: str) -> Column:
        fact = attrgetter(f"record.{name}")
        return Column(name, kind, fact if reader is None else lambda trial: reader(fact(trial)))

    return tuple(map(column, names.split()))


def _usage(name: str) -> Column:
    return Column(name, "count", attrgetter(f"record.usage.{name}"))


COLUMNS: tuple[Column, ...] = (
    Column("suite", "word", lambda trial: suite_title(trial.record)),
    *_facts("word", "test model"),
    *_facts("count", "epoch"),
    Column("run", "word", lambda trial: trial.run),
    Column("outcome", "word", lambda trial: trial.record.outcome.value),
    Column("passed", "flag", lambda trial: _counted(trial.record)),
    *_facts("number", "score"),
    Column("cause", "word", lambda trial: of_record(trial.record).cause),
    Column("why", "text", lambda trial: why(trial.record)),
    Column("question", "text", lambda trial: question(trial.said)),
    Column("answer", "text", lambda trial: answer(trial.said)),
    *map(
        _usage,
        ("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens"),
    ),
    *_facts("number", "cost"),
    *_facts("count", "calls cached_calls attempts"),
    *_facts("number", "seconds model_seconds sandbox_seconds queue_seconds waited_seconds"),
    *_facts("word", "sandbox limits"),
    Column("started_at", "time", lambda trial: started(trial.record)),
    *_facts("word", "commit fingerprint description"),
    *_facts("words", "tags"),
    *_facts("word", "source"),
    *_facts("json", "parameters conditions judges about versions extra"),
    *_facts("text", "error later"),
)


def columns_for(records: Iterable[TrialRecord]) -> tuple[Column, ...]:
    """COLUMNS, followed by one for each metric that a record has: metric_<name>."""
    names = sorted({name for record in records for name in record.metrics})

    def metric(name: str) -> Column:
        return Column(
            f"metric_{clean(name, 200)}", "number", lambda trial: number(trial.record.metrics.get(name))
        )

    return (*COLUMNS, *(metric(name) for name in names))
