"""A CSV file (RFC 4180, UTF-8) with one row per trial."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from assay.gc_pause import gc_paused
from assay.report.sanitise import strip_terminal, visible
from assay.results.export.registry import Export, whole_file
from assay.results.export.rows import Kind, as_json, columns_for, in_columns
from assay.results.export.source import Source

# A spreadsheet computes a cell that begins with one of these, also in full width and after white space
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def text_cell(text: str | None) -> str:
    """A text that a spreadsheet would compute gets an apostrophe before it, and control characters are shown
    by name, because models wrote them.

    >>> text_cell("=1+1"), text_cell("-1.5"), text_cell("1.5")
    ("'=1+1", "'-1.5", '1.5')
    """
    if not text:
        return ""
    if "\x1b" in text or not text.isascii():
        text = strip_terminal(text)
    text = visible(text)
    begins = text[:1] in "\t\r\n" or text.lstrip().startswith(FORMULA)
    return f"'{text}" if text and begins else text


def _number(value: float | None) -> str:
    return "" if value is None or not math.isfinite(value) else repr(value)


def _flag(value: bool | None) -> str:
    return "" if value is None else str(value).lower()


def _time(value: datetime | None) -> str:
    return "" if value is None else value.isoformat(timespec="milliseconds")


def _words(value: Sequence[str]) -> str:
    return text_cell(json.dumps(value, ensure_ascii=False))


def _json(value: Mapping[str, Any]) -> str:
    return text_cell(as_json(value))


CELLS: Mapping[Kind, Callable[[Any], str]] = {
    "text": text_cell, "word": lru_cache(10_000)(text_cell), "number": _number, "count": repr,
    "flag": _flag, "time": _time, "words": _words, "json": _json,
}  # fmt: skip


@gc_paused()
def write_csv(source: Source, path: Path) -> int:
    """Write `source` to `path` and return the number of rows. Raises StoreError."""
    columns = columns_for(source.records)
    rows = 0
    with whole_file(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow([visible(column.name) for column in columns])
        for some, values in in_columns(columns, source.trials()):
            out.writerows(zip(*[map(CELLS[column.kind], its) for column, its in values], strict=True))
            rows += len(some)
    return rows


EXPORT = Export(write_csv)
