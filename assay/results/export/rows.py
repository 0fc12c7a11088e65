"""A trial as one row of a table, with the columns of CSV and Parquet files (docs/exporting.md)."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from operator import attrgetter
from typing import Any, Literal

from assay.records import Outcome, TrialRecord, suite_title
from assay.results.causes import cause_of
from assay.results.export.dialogue import answer, question, why
from assay.results.export.source import Trial
from assay.results.serialize import clean

EMPTY = (None, "")  # cells
NUMERIC = frozenset("-0123456789")  # how a number begins that Python wrote
TOGETHER = 64  # trials whose explanations are in memory at the same time
PASSED = {Outcome.PASS: True, Outcome.FAIL: False}
EXACT = 2**53  # whole numbers below it are exact as floats
Kind = Literal["text", "word", "number", "count", "flag", "time", "words", "json"]


@dataclass(frozen=True)
class Column:
    """`kind`: word, a text from a small set; number, a float; words, a list of texts; json, a mapping, which
    files hold as JSON. `field`: the field of records that has the value, where it may be no finite number."""

    name: str
    kind: Kind
    value: Callable[[Trial], Any]
    field: str = ""


def number(value: float | None) -> float | None:
    """`value`, or None if it is not a finite number."""
    return None if value is None or not math.isfinite(value) else float(value)


def started(record: TrialRecord) -> datetime | None:
    """When the trial began, in UTC; None if the record does not say so."""
    try:
        time = datetime.fromisoformat(record.started_at)
        if time.tzinfo is UTC:  # as records have it
            return time
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, default=str).encode


def as_json(value: Mapping[str, Any]) -> str:
    return _encode(dict(value)) if value else "{}"


def _without_row(extra: Mapping[str, Any]) -> Mapping[str, Any]:
    """A suite's own fields without what has columns of its own."""
    if "row" not in extra:
        return extra
    others = dict(extra)
    del others["row"]
    return others


def _facts(kind: Kind, names: str) -> tuple[Column, ...]:
    """Columns for record fields, under the same names."""
    readers: dict[Kind, Callable[[Any], Any]] = {"number": number, "words": list}
    reader = readers.get(kind)

    def column(name: str) -> Column:
        fact = attrgetter(f"record.{name}")
        value: Callable[[Trial], Any] = fact if reader is None else lambda trial: reader(fact(trial))
        return Column(name.rpartition(".")[2], kind, value, name)

    return tuple(map(column, names.split()))


COLUMNS: tuple[Column, ...] = (
    Column("suite", "word", lambda trial: suite_title(trial.record)),
    *_facts("word", "test model"),
    *_facts("count", "epoch"),
    Column("run", "word", lambda trial: trial.run),
    Column("outcome", "word", lambda trial: trial.record.outcome.value),
    Column("passed", "flag", lambda trial: PASSED.get(trial.record.outcome)),
    *_facts("number", "score"),
    Column("cause", "word", lambda trial: cause_of(trial.record)),
    Column("why", "text", lambda trial: why(trial.record, trial.leaves)),
    Column("question", "text", lambda trial: question(trial.said)),
    Column("answer", "text", lambda trial: answer(trial.said)),
    *_facts("count", "usage.input_tokens usage.cached_tokens usage.cache_write_tokens"),
    *_facts("count", "usage.output_tokens usage.reasoning_tokens"),
    *_facts("number", "cost"),
    *_facts("count", "calls cached_calls attempts"),
    *_facts("number", "seconds model_seconds sandbox_seconds queue_seconds waited_seconds"),
    *_facts("word", "sandbox limits"),
    Column("started_at", "time", lambda trial: started(trial.record)),
    *_facts("word", "commit fingerprint description"),
    *_facts("words", "tags"),
    *_facts("word", "source"),
    *_facts("json", "parameters conditions judges about versions"),
    Column("extra", "json", lambda trial: _without_row(trial.record.extra)),
    *_facts("text", "error later"),
)


def in_columns(
    columns: Iterable[Column], trials: Iterable[Trial], at_once: int = TOGETHER
) -> Iterator[tuple[list[Trial], list[tuple[Column, Sequence[Any]]]]]:
    """So many trials at a time, with their values in each column; of a `field`, as records have them."""
    columns, left = list(columns), iter(trials)
    fields = attrgetter(*[each.field for each in columns if each.field])
    while some := list(islice(left, at_once)):
        known = zip(*[fields(trial.record) for trial in some], strict=True)
        yield some, [(each, next(known) if each.field else [*map(each.value, some)]) for each in columns]


def row_of(record: TrialRecord) -> Mapping[str, Any]:
    """The values by columns of the row of data whose test it is; {} if it is not a row's."""
    row = record.extra.get("row") if isinstance(record.extra, Mapping) else None
    return row if isinstance(row, dict) else {}


def row_value(value: Any) -> str | int | float | bool | None:
    """A value of a row, as a table shows it."""
    return value if isinstance(value, (str, int, float)) or value is None else str(value)


def as_number(value: Any) -> int | float | None:
    """A finite number, or that of a text that is written as Python writes it; None of anything else. 007,
    1e5, 3.10 and 20 digits are codes, not numbers."""
    if isinstance(value, str):
        if value[:1] not in NUMERIC:  # most texts; the rest is slower
            return None
        written = value
        try:
            value = int(written)
        except ValueError:
            try:
                value = float(written)
            except ValueError:
                return None
        if str(value) != written:
            return None
    if isinstance(value, float):
        return number(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < EXACT else None


def numbers(values: Sequence[Any]) -> Sequence[Any]:
    """The values of a column as numbers, missing where they are empty, if all others are numbers."""
    for kind in (int, float):  # all alike, which is the usual, is found much faster
        with contextlib.suppress(ValueError, TypeError, OverflowError):
            alike = [*map(kind, values)]
            if [*map(str, alike)] == values and all(abs(each) < EXACT for each in alike):
                return alike
    found: list[int | float | None] = []
    for value in values:
        found.append(number := as_number(value))
        if number is None and value not in EMPTY:
            return values
    return found if any(number is not None for number in found) else values


def columns_for(records: Iterable[TrialRecord]) -> tuple[Column, ...]:
    """COLUMNS, followed by one for each metric that a record has, metric_<name>, and one for each column of
    rows of data, row_<name>."""
    metrics, rows = set[str](), dict[str, bool | None]()  # whether the column has numbers only
    for record in records:
        metrics.update(record.metrics)
        for name, value in row_of(record).items():
            known = rows.setdefault(name)
            if known is not False and value not in EMPTY:
                rows[name] = as_number(value) is not None

    def metric(name: str) -> Column:
        return Column(
            f"metric_{clean(name, 200)}", "number", lambda trial: number(trial.record.metrics.get(name))
        )

    def column(name: str, numeric: bool | None) -> Column:
        if numeric:
            get = lambda trial: as_number(row_of(trial.record).get(name))  # noqa: E731
            return Column(f"row_{clean(name, 200)}", "number", get)

        def value(trial: Trial) -> str | None:
            found = row_value(row_of(trial.record).get(name))
            return None if found is None else str(found)

        return Column(f"row_{clean(name, 200)}", "text", value)

    return (*COLUMNS, *map(metric, sorted(metrics)), *map(column, rows, rows.values()))
