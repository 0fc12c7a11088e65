"""A Parquet file with one row per trial, for pandas, polars, DuckDB and the like. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.gc_pause import gc_paused
from assay.results.export.registry import Export, whole_file
from assay.results.export.rows import Column, Kind, as_json, columns_for, in_columns, number
from assay.results.export.source import Source
from assay.results.serialize import clean

ROWS_AT_ONCE = 500
LARGEST = 2**63 - 1


def _type(column: Column) -> Any:
    """The pyarrow type of a column."""
    import pyarrow as pa

    return {
        "text": pa.string(),
        "word": pa.dictionary(pa.int32(), pa.string()),
        "number": pa.float64(),
        "count": pa.int64(),
        "flag": pa.bool_(),
        "time": pa.timestamp("ms", tz="UTC"),
        "words": pa.list_(pa.string()),
        "json": pa.string(),
    }[column.kind]


def _values(kind: Kind, values: Sequence[Any]) -> Sequence[Any]:
    """The values as a column of this kind holds them; results files are untrusted."""
    if kind == "number":
        return [number(value) for value in values]
    if kind == "count":
        return [value if -LARGEST <= value <= LARGEST else None for value in values]
    if kind == "words":
        return [_values("text", words) for words in values]
    if kind == "json":
        values = [as_json(value) for value in values]
    if kind in ("text", "word", "json"):
        return [text if text is None else clean(text, len(text)) for text in values]
    return values


@gc_paused()
def write_parquet(source: Source, path: Path) -> int:
    """Write `source` to `path` and return the number of rows. Raises StoreError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = columns_for(source.records)
    schema = pa.schema([pa.field(column.name, _type(column)) for column in columns])
    rows = 0
    with whole_file(path) as part, pq.ParquetWriter(part, schema, compression="zstd") as out:
        for some, values in in_columns(columns, source.trials(), ROWS_AT_ONCE):
            arrays = [
                pa.array(_values(column.kind, its), field.type)
                for (column, its), field in zip(values, schema, strict=True)
            ]
            out.write_table(pa.table(arrays, schema=schema))
            rows += len(some)
    return rows


EXPORT = Export(write_parquet, extra="parquet")
