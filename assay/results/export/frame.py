"""Records as a pandas DataFrame with the columns of the exported tables, one row per trial. Needs pandas."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.extras import need
from assay.gc_pause import gc_paused
from assay.results.export.rows import COLUMNS, number, numbers, row_of, row_value
from assay.results.export.source import Trial
from assay.results.natural_order import in_order
from assay.results.saved_runs import lines_that_count
from assay.results.schema import TableLine
from assay.results.serialize import clean

if TYPE_CHECKING:
    import pandas

NAMES = {"question": "prompt", "answer": "reply"}
SHARED = 1_000  # distinct values of a column that are kept only once


class _Values:
    """The values of one column, added one by one, in as little memory as its kind allows."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._kept: Any = array({"number": "d", "count": "q", "word": "i", "time": "q"}.get(kind, "b"))
        self._known: defaultdict[Any, Any] = defaultdict()
        if kind in ("text", "flag", "words", "json"):
            self._kept = []
        self.add: Callable[[Any], None] = getattr(self, f"_add_{kind}", self._kept.append)
        if kind == "word":
            self._known.default_factory = self._known.__len__

    def _add_word(self, value: str) -> None:
        self._kept.append(self._known[value])

    def _add_number(self, value: float | None) -> None:
        self._kept.append(math.nan if value is None else value)

    def _add_count(self, value: int) -> None:
        try:
            self._kept.append(value)
        except OverflowError:  # an epoch from an untrusted file
            self._kept = [*self._kept, value]

    def _add_time(self, value: Any) -> None:
        self._kept.append(-(2**63) if value is None else round(value.timestamp() * 1000))  # NaT

    def _add_json(self, value: Any) -> None:
        """Add a mapping. Hundreds of thousands of rows have the same few, so they share their contents."""
        key = msgspec.json.encode(value)
        self._kept.append(self._known.setdefault(key, value) if len(self._known) < SHARED else value)

    _add_words = _add_json

    def series(self, given: Sequence[str] = ()) -> Any:
        """The column. The added values are used up. `given`: the order of words."""
        import pandas as pd

        if self._kind == "word":
            words = list(self._known)
            found = pd.Categorical.from_codes(self._array(), categories=words)
            return pd.Series(found.reorder_categories(in_order(words, given)))
        if self._kind == "time":
            return pd.Series(self._array().view("datetime64[ms]")).dt.tz_localize("UTC")
        if isinstance(self._kept, array):
            return pd.Series(self._array())
        return pd.Series(self._kept, dtype={"text": "str", "flag": "boolean"}.get(self._kind, "object"))

    def _array(self) -> Any:
        import numpy

        return numpy.array(self._kept)


Orders = Mapping[str, Sequence[str]]
"""The order of a column's words, where it is not that of their names."""


def frame_of(files: Sequence[Path], orders: Orders = {}) -> pandas.DataFrame:
    """The DataFrame of run files, with the try of each trial that counts."""
    return frame(lines_that_count(files, [], TableLine), orders)


@gc_paused()
def frame(records: Iterable[Any], orders: Orders = {}) -> pandas.DataFrame:
    """One row per trial, sorted by model, test and epoch: test, model, epoch, outcome, cause, score, cost (US
    dollars), tokens, seconds, prompt, reply ... (docs/exporting.md). `passed` is missing if a trial does not
    count. `records`: TrialRecords, or lines of a file as tables need them; only the row of each is kept.
    Raises ConfigError if pandas is not installed."""
    need("dataframe", "a DataFrame")
    import pandas as pd

    columns = [each for each in COLUMNS if each.name != "run"]
    values = {each.name: _Values(each.kind) for each in columns}
    adding = [(values[each.name].add, each.value) for each in columns]
    metrics: dict[str, array[float]] = {}
    rows_of: dict[str, list[Any]] = {}
    rows = 0
    for record in records:
        trial = Trial(record)
        for add, value in adding:
            add(value(trial))
        for name, figure in record.metrics.items():
            its = metrics.setdefault(name, array("d"))
            its.extend([math.nan] * (rows - len(its)))
            if (known := number(figure)) is not None:
                its.append(known)
        for name, said in row_of(record).items():
            column = rows_of.setdefault(name, [])
            column.extend([None] * (rows - len(column)))
            column.append(row_value(said))
        rows += 1
    found = {NAMES.get(name, name): each.series(orders.get(name, ())) for name, each in values.items()}
    found["tokens"] = found["input_tokens"] + found["output_tokens"]
    for name in sorted(metrics):
        metrics[name].extend([math.nan] * (rows - len(metrics[name])))
        found[f"metric_{clean(name, 200)}"] = pd.Series(metrics[name].tolist(), dtype="float64")
    for name, column in rows_of.items():
        column.extend([None] * (rows - len(column)))
        found[f"row_{clean(name, 200)}"] = pd.Series(numbers(column)).infer_objects()
    return pd.DataFrame(found).sort_values(["model", "test", "epoch"], ignore_index=True)
