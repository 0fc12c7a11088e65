"""The rows of a file, and what is wrong with one that cannot be read, by its line."""

from __future__ import annotations

import contextlib
import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from assay.errors import TestFileError
from assay.extras import need
from assay.suites.diagnostics import shown_path

Row = Mapping[str, Any]
BATCH = 1000  # rows of a Parquet file in memory at once


def _broken(path: Path, line: int, said: str) -> TestFileError:
    return TestFileError(f"{shown_path(path)}:{line}: {said}")


@contextlib.contextmanager
def _text_of(path: Path, newline: str | None = None) -> Iterator[TextIO]:
    """The open file. Raises TestFileError for the line that is not UTF-8."""
    try:
        with path.open(newline=newline, encoding="utf-8-sig") as file:
            yield file
    except UnicodeDecodeError:
        with path.open("rb") as binary:
            line = next((number for number, line in enumerate(binary, 1) if not _is_utf8(line)), 1)
        said = "this line is not UTF-8 text; save the file as UTF-8 (spreadsheets offer it for a CSV)"
        raise _broken(path, line, said) from None


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


# ---------------------------------------------------------------- CSV and TSV


def of_csv(path: Path) -> Iterator[Row]:
    sign, separator = ("\t", "tab") if path.suffix == ".tsv" else (",", "comma")
    record: list[str] = []  # the lines of the row that is being read

    def noted(file: TextIO) -> Iterator[str]:
        for line in file:
            record.append(line)
            yield line

    with _text_of(path, newline="") as file:
        header: list[str] = []
        reader = csv.reader(noted(file), delimiter=sign, strict=True)
        while True:
            record.clear()
            first = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                raise _broken(path, *_bad_quote("".join(record), first, sign, error)) from None
            if cells is None:
                return
            if cells and not header:
                header = [name.strip() for name in cells]
                if twice := [name for name in dict.fromkeys(header) if name and header.count(name) > 1]:
                    said = f"two columns have the name {', '.join(map(repr, twice))}"
                    raise _broken(path, first, f"{said}; give each column a name of its own")
            elif len(cells) > len(header):
                said = f"{len(cells)} cells, but the header has {len(header)}"
                raise _broken(path, first, f"{said}; a cell with a {separator} in it goes between quotes")
            elif cells:
                yield {**dict.fromkeys(header), **dict(zip(header, cells, strict=False))}


def _bad_quote(record: str, first: int, sign: str, error: csv.Error) -> tuple[int, str]:
    """The line of a cell that cannot be read, and what is wrong with it. `first`: line of the `record`."""
    cell = re.compile(rf'(?:"(?:[^"]|"")*+"|[^"{sign}\r\n][^{sign}\r\n]*+)?(?:{sign}|\r\n?|\n)')
    end = 0
    while (found := cell.match(record, end)) is not None:
        end = found.end()
    line = first + len(re.findall(r"\r\n?|\n", record[:end]))
    if "field limit" in str(error):
        most = f"more than {csv.field_size_limit():,} characters"
        return line, f"a cell has {most}: is a quote in this line not closed? A .jsonl file has no such limit"
    if record[end : end + 1] != '"':
        return line, str(error)
    return line, "a quote opens in this line and is not closed; within a cell in quotes, write a quote twice"


# ---------------------------------------------------------------- other files


def _json(text: str, path: Path, first: int = 1) -> Any:
    """A JSON value. `first`: the line in the file where its text begins."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = first + error.lineno - 1
        raise _broken(path, line, f"not JSON: {error.msg} (column {error.colno})") from None


def _of_jsonl(path: Path) -> Iterator[Row]:
    with _text_of(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _json(line, path, number)


def _of_json(path: Path) -> Iterator[Row]:
    with _text_of(path) as file:
        found = _json(file.read(), path)
    if not isinstance(found, list):
        raise TestFileError(f"{shown_path(path)}: a .json file of rows must be a list of objects")
    yield from found


def _of_parquet(path: Path) -> Iterator[Row]:
    need("parquet", f"Rows of {path.name}")
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=BATCH):
            yield from batch.to_pylist()


READERS: Mapping[str, Callable[[Path], Iterable[Any]]] = {
    ".csv": of_csv, ".tsv": of_csv, ".jsonl": _of_jsonl, ".ndjson": _of_jsonl, ".json": _of_json,
    ".parquet": _of_parquet,
}  # fmt: skip
