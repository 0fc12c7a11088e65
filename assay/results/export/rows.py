"""A trial as one row of a table: the columns of CSV and Parquet files (docs/exporting.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from assay.records import Outcome, TrialRecord
from assay.results.causes import of_record
from assay.results.export.dialogue import answer, question, why
from assay.results.export.source import Trial
from assay.results.serialize import clean

Kind = Literal["text", "word", "number", "count", "flag", "time", "words", "json"]


@dataclass(frozen=True)
class Column:
    """`kind`: word is a text out of few; number a float; words a list of texts; json a mapping, which files
    hold as JSON."""

    name: str
    kind: Kind
    value: Callable[[Trial], Any]


def number(value: float | None) -> float | None:
    """`value`, or None for what is no number."""
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


COLUMNS: tuple[Column, ...] = (
    Column("suite", "word", lambda trial: trial.record.suite),
    Column("test", "word", lambda trial: trial.record.test),
    Column("model", "word", lambda trial: trial.record.model),
    Column("epoch", "count", lambda trial: trial.record.epoch),
    Column("run", "word", lambda trial: trial.run),
    Column("outcome", "word", lambda trial: trial.record.outcome.value),
    Column("passed", "flag", lambda trial: _counted(trial.record)),
    Column("score", "number", lambda trial: number(trial.record.score)),
    Column("cause", "word", lambda trial: of_record(trial.record).cause),
    Column("why", "text", lambda trial: why(trial.record)),
    Column("question", "text", lambda trial: question(trial.said)),
    Column("answer", "text", lambda trial: answer(trial.said)),
    Column("input_tokens", "count", lambda trial: trial.record.usage.input_tokens),
    Column("output_tokens", "count", lambda trial: trial.record.usage.output_tokens),
    Column("reasoning_tokens", "count", lambda trial: trial.record.usage.reasoning_tokens),
    Column("cost", "number", lambda trial: number(trial.record.cost)),
    Column("calls", "count", lambda trial: trial.record.calls),
    Column("cached_calls", "count", lambda trial: trial.record.cached_calls),
    Column("attempts", "count", lambda trial: trial.record.attempts),
    Column("seconds", "number", lambda trial: number(trial.record.seconds)),
    Column("model_seconds", "number", lambda trial: number(trial.record.model_seconds)),
    Column("sandbox_seconds", "number", lambda trial: number(trial.record.sandbox_seconds)),
    Column("queue_seconds", "number", lambda trial: number(trial.record.queue_seconds)),
    Column("waited_seconds", "number", lambda trial: number(trial.record.waited_seconds)),
    Column("sandbox", "word", lambda trial: trial.record.sandbox),
    Column("limits", "word", lambda trial: trial.record.limits),
    Column("started_at", "time", lambda trial: started(trial.record)),
    Column("commit", "word", lambda trial: trial.record.commit),
    Column("fingerprint", "word", lambda trial: trial.record.fingerprint),
    Column("description", "word", lambda trial: trial.record.description),
    Column("tags", "words", lambda trial: list(trial.record.tags)),
    Column("source", "word", lambda trial: trial.record.source),
    Column("parameters", "json", lambda trial: trial.record.parameters),
    Column("conditions", "json", lambda trial: trial.record.conditions),
    Column("judges", "json", lambda trial: trial.record.judges),
    Column("about", "json", lambda trial: trial.record.about),
    Column("versions", "json", lambda trial: trial.record.versions),
    Column("extra", "json", lambda trial: trial.record.extra),
    Column("error", "text", lambda trial: trial.record.error),
    Column("later", "text", lambda trial: trial.record.later),
)


def columns_for(records: Iterable[TrialRecord]) -> tuple[Column, ...]:
    """COLUMNS, and behind them one for every metric that a record has: metric_<name>."""
    names = sorted({name for record in records for name in record.metrics})

    def metric(name: str) -> Column:
        return Column(
            f"metric_{clean(name, 200)}", "number", lambda trial: number(trial.record.metrics.get(name))
        )

    return (*COLUMNS, *(metric(name) for name in names))
