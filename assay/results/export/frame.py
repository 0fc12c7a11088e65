"""Records as a pandas DataFrame with the columns of the exported tables, one row per trial. Needs pandas."""

from __future__ import annotations

import contextlib
import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.extras import need
from assay.gc_pause import gc_paused
from assay.results.export.rows import COLUMNS, EMPTY, in_columns, numbers, row_of, row_value
from assay.results.export.source import Trial
from assay.results.natural_order import in_order
from assay.results.saved_runs import lines_that_count
from assay.results.schema import TableLine
from assay.results.serialize import clean

if TYPE_CHECKING:
    import pandas

SORTED = ("model", "test", "epoch")  # what the rows are sorted by
IN_ORDER = 10_000  # words of another column; more stay in the order of the file, as sorting them takes long
NAMES = {"question": "prompt", "answer": "reply"}
SHARED = 1_000  # distinct values of a column that are kept only once


class _Values:
    """The values of one column, in as little memory as its kind allows."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._kept: Any = array({"number": "d", "count": "q", "word": "i", "time": "q"}.get(kind, "b"))
        self._known: defaultdict[Any, Any] = defaultdict()
        if kind in ("text", "flag", "words", "json", "cell"):
            self._kept = []
        self.add: Callable[[Iterable[Any]], None] = getattr(self, f"_add_{kind}", self._kept.extend)
        if kind == "word":
            self._known.default_factory = self._known.__len__

    def _add_word(self, values: Iterable[str]) -> None:
        known = self._known
        self._kept.extend([known[value] for value in values])

    def _add_number(self, values: Sequence[float | None]) -> None:
        nan, finite = math.nan, math.isfinite
        with contextlib.suppress(TypeError):  # None
            if finite(sum(values)):  # type: ignore[arg-type] # all are: the usual, found fast
                self._kept.extend(values)
                return
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
        self._add_json([*map(list, values)])

    def _add_json(self, values: Sequence[Any]) -> None:
        """Add mappings. Hundreds of thousands of rows have the same few, so they share their contents."""
        if not any(values):
            self._kept.extend([values[0]] * len(values))
            return
        shared: Any = None
        last: Any = self  # no value
        for value in values:
            if value is not last:
                key = msgspec.json.encode(value)
                shared = self._known.setdefault(key, value) if len(self._known) < SHARED else value
                last = value
            self._kept.append(shared)

    def fill(self, rows: int) -> None:
        """Add missing values up to `rows`."""
        if missing := rows - len(self._kept):
            self.add([None] * missing)

    def few(self) -> bool:
        """Whether they are few enough to be put in order."""
        return len(self._known) <= IN_ORDER

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
        if self._kind == "cell":
            return _series_of_cells(numbers([*map(row_value, self._kept)]))
        return pd.Series(self._kept, dtype={"text": "str", "flag": "boolean"}.get(self._kind, "object"))

    def _array(self) -> Any:
        import numpy

        return numpy.array(self._kept)


def _series_of_cells(cells: Sequence[Any]) -> Any:
    """A column of rows: of numbers or bools, missing where a cell is empty, or else of texts."""
    import pandas as pd

    found = pd.Series(cells).infer_objects()
    if found.dtype != object:
        return found
    kinds = {type(cell) for cell in cells if cell not in EMPTY}
    if kinds == {bool}:
        return pd.Series([None if cell in EMPTY else cell for cell in cells], dtype="boolean")
    return pd.Series([None if cell is None else str(cell) for cell in cells], dtype="str")


class _Some:
    """Columns of one kind that not every row has, by their names."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._columns: dict[str, _Values] = {}
        self._rows = 0

    def add(self, rows: Sequence[Mapping[str, Any]]) -> None:
        for name in dict.fromkeys(chain.from_iterable(rows)):
            if name not in self._columns:
                self._columns[name] = _Values(self._kind)
            self._columns[name].fill(self._rows)
            self._columns[name].add([row.get(name) for row in rows])
        self._rows += len(rows)

    def series(self) -> dict[str, Any]:
        for each in self._columns.values():
            each.fill(self._rows)
        return {name: each.series(list) for name, each in self._columns.items()}


Orders = Mapping[str, Sequence[str]]
"""The order of a column's words, where it is not that of their names."""


def frame_of(
    files: Sequence[Path], orders: Orders = {}, keep: Callable[[Any], bool] = lambda line: True
) -> pandas.DataFrame:
    """The DataFrame of run files, with the try that counts of each trial that `keep` keeps."""
    return frame(lines_that_count(files, [], TableLine, keep), orders)


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
    metrics, cells = _Some("number"), _Some("cell")
    for trials, known in in_columns(columns, map(Trial, records)):
        for column, its in known:
            values[column.name].add(its)
        metrics.add([trial.record.metrics for trial in trials])
        cells.add([row_of(trial.record) for trial in trials])
    found = {}
    for name, each in values.items():
        order = partial(in_order, given=orders.get(name, ()))
        found[NAMES.get(name, name)] = each.series(order if name in SORTED or each.few() else list)
    found["tokens"] = found["input_tokens"] + found["output_tokens"]
    found |= {f"metric_{clean(name, 200)}": each for name, each in sorted(metrics.series().items())}
    found |= {f"row_{clean(name, 200)}": each for name, each in cells.series().items()}
    return pd.DataFrame(found).sort_values([*SORTED], ignore_index=True)
