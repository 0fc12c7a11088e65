"""A Parquet file with one row per trial, for pandas, polars, DuckDB and the like. Needs pyarrow."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from assay.results.export.registry import Export, whole_file
from assay.results.export.rows import Column, as_json, columns_for
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


def _value(column: Column, value: Any) -> Any:
    """The value as the column's type holds it; results files are untrusted."""
    if column.kind == "json":
        value = as_json(value)
    if isinstance(value, str):
        return clean(value, len(value))
    if isinstance(value, list):
        return [clean(each, len(each)) for each in value]
    if column.kind == "count" and not -LARGEST <= value <= LARGEST:
        return None
    return value


def write_parquet(source: Source, path: Path) -> int:
    """Write `source` to `path` and return the number of rows. Raises StoreError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = columns_for(source.records)
    schema = pa.schema([pa.field(column.name, _type(column)) for column in columns])
    rows = 0
    with whole_file(path) as part, pq.ParquetWriter(part, schema, compression="zstd") as out:
        trials = source.trials()
        while some := list(islice(trials, ROWS_AT_ONCE)):
            arrays = [
                pa.array([_value(column, column.value(trial)) for trial in some], field.type)
                for column, field in zip(columns, schema, strict=True)
            ]
            out.write_table(pa.table(arrays, schema=schema))
            rows += len(some)
    return rows


EXPORT = Export(write_parquet, extra="parquet")
