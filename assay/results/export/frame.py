"""Records as a pandas DataFrame with the columns of the exported tables, one row per trial. Needs pandas."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.extras import need
from assay.gc_pause import gc_paused
from assay.results.export.rows import COLUMNS, in_columns, number, numbers, row_of, row_value
from assay.results.export.source import Trial
from assay.results.natural_order import in_order
from assay.results.saved_runs import lines_that_count
from assay.results.schema import TableLine
from assay.results.serialize import clean

if TYPE_CHECKING:
    import pandas

HASHES = ("commit", "fingerprint")  # whose order says nothing
NAMES = {"question": "prompt", "answer": "reply"}
SHARED = 1_000  # distinct values of a column that are kept only once


class _Values:
    """The values of one column, in as little memory as its kind allows."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._kept: Any = array({"number": "d", "count": "q", "word": "i", "time": "q"}.get(kind, "b"))
        self._known: defaultdict[Any, Any] = defaultdict()
        if kind in ("text", "flag", "words", "json"):
            self._kept = []
        self.add: Callable[[Iterable[Any]], None] = getattr(self, f"_add_{kind}", self._kept.extend)
        if kind == "word":
            self._known.default_factory = self._known.__len__

    def _add_word(self, values: Iterable[str]) -> None:
        known = self._known
        self._kept.extend([known[value] for value in values])

    def _add_number(self, values: Iterable[float | None]) -> None:
        nan, finite = math.nan, math.isfinite
        self._kept.extend([value if value is not None and finite(value) else nan for value in values])

    def _add_count(self, values: Iterable[int]) -> None:
        values = list(values)
        try:
            self._kept.extend(array("q", values))
        except OverflowError:  # an epoch from an untrusted file
            self._kept = [*self._kept, *values]

    def _add_time(self, values: Iterable[datetime | None]) -> None:
        self._kept.extend([-(2**63) if each is None else round(each.timestamp() * 1000) for each in values])

    def _add_words(self, values: Iterable[Iterable[str]]) -> None:
        self._add_json(map(list, values))

    def _add_json(self, values: Iterable[Any]) -> None:
        """Add mappings. Hundreds of thousands of rows have the same few, so they share their contents."""
        for value in values:
            key = msgspec.json.encode(value)
            self._kept.append(self._known.setdefault(key, value) if len(self._known) < SHARED else value)

    def series(self, order: Callable[[Iterable[str]], list[str]]) -> Any:
        """The column. The added values are used up. `order`: puts words in order."""
        import numpy
        import pandas as pd

        if self._kind == "word":
            words = order(self._known)
            place = dict(zip(words, range(len(words)), strict=True))
            places = numpy.array([place[word] for word in self._known], dtype="int32")
            return pd.Series(pd.Categorical.from_codes(places[self._array()], categories=words))
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
    metrics: dict[str, array[float]] = {}
    rows_of: dict[str, list[Any]] = {}
    rows = 0
    for trials, known in in_columns(columns, map(Trial, records)):
        for column, its in known:
            values[column.name].add(its)
        for record in (trial.record for trial in trials):
            for name, figure in record.metrics.items():
                figures = metrics.setdefault(name, array("d"))
                figures.extend([math.nan] * (rows - len(figures)))
                if (finite := number(figure)) is not None:
                    figures.append(finite)
            for name, said in row_of(record).items():
                cells = rows_of.setdefault(name, [])
                cells.extend([None] * (rows - len(cells)))
                cells.append(row_value(said))
            rows += 1
    found = {}
    for name, each in values.items():
        order = sorted if name in HASHES else partial(in_order, given=orders.get(name, ()))
        found[NAMES.get(name, name)] = each.series(order)
    found["tokens"] = found["input_tokens"] + found["output_tokens"]
    for name in sorted(metrics):
        metrics[name].extend([math.nan] * (rows - len(metrics[name])))
        found[f"metric_{clean(name, 200)}"] = pd.Series(metrics[name].tolist(), dtype="float64")
    for name, cells in rows_of.items():
        cells.extend([None] * (rows - len(cells)))
        found[f"row_{clean(name, 200)}"] = pd.Series(numbers(cells)).infer_objects()
    return pd.DataFrame(found).sort_values(["model", "test", "epoch"], ignore_index=True)
