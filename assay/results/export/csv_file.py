"""A CSV file (RFC 4180, UTF-8) with one row per trial."""

from __future__ import annotations

import csv
import json
from datetime import datetime
from pathlib import Path
from typing import Any

from assay.report.sanitise import strip_terminal, visible
from assay.results.export.registry import Export, whole_file
from assay.results.export.rows import Column, as_json, columns_for
from assay.results.export.source import Source

# A spreadsheet computes a cell that begins with one of these, also in full width and after white space
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def cell(column: Column, value: Any) -> str:
    """A value as text. A text that a spreadsheet would compute gets an apostrophe before it, and control
    characters are shown by name, because models wrote them.

    >>> cell(Column("answer", "text", id), "=1+1"), cell(Column("seconds", "number", id), -1.5)
    ("'=1+1", '-1.5')
    """
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, bool):
        return "true" if value else "false"
    if column.kind in ("number", "count"):
        return repr(value)
    if column.kind == "json":
        value = as_json(value)
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    if "\x1b" in text or not text.isascii():
        text = strip_terminal(text)
    text = visible(text)
    begins = text[:1] in "\t\r\n" or text.lstrip().startswith(FORMULA)
    return f"'{text}" if text and begins else text


def write_csv(source: Source, path: Path) -> int:
    """Write `source` to `path` and return the number of rows. Raises StoreError."""
    columns = columns_for(source.records)
    rows = 0
    with whole_file(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow([visible(column.name) for column in columns])
        for trial in source.trials():
            out.writerow([cell(column, column.value(trial)) for column in columns])
            rows += 1
    return rows


EXPORT = Export(write_csv)
