"""What was asked and replied, in small files that the report's page loads when somebody searches.

A page that was opened from a file may not read its neighbours, but it may run scripts that it names; so each
file is a call of one function with plain data, ASCII JSON, which cannot be anything else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.report.aggregate import Grid, Row
from assay.report.explanation import walk
from assay.report.files import names_in, write_if_other
from assay.report.sanitise import visible

FOLDER = "search"
CHUNK = 2_000_000  # characters of text in a file, about
LONGEST = 20_000  # characters of one prompt or reply that can be found
Hit = tuple[str, str, int, str, str]  # test, model, epoch, page (of a reply: and trial), text


def write_search(grid: Grid, pages: Mapping[tuple[str, str, str], str], out: Path) -> int:
    """Write the texts of `grid` below `out`, leaving alone what has not changed. Returns how many files there
    are; `pages`: (suite, test, model) -> link from the report's index."""
    folder = out / FOLDER
    folder.mkdir(exist_ok=True)
    number, size, chunk = 0, 0, []
    for hit in _texts(grid, pages):
        chunk.append(hit)
        size += len(hit[-1])
        if size >= CHUNK:
            _write(folder, number, chunk)
            number, size, chunk = number + 1, 0, []
    if chunk:
        _write(folder, number, chunk)
        number += 1
    for name in names_in(folder):
        stem, _, suffix = name.partition(".")
        if suffix == "js" and stem.isdigit() and int(stem) >= number:
            (folder / name).unlink(missing_ok=True)
    return number


def _write(folder: Path, number: int, chunk: list[Hit]) -> None:
    data = json.dumps(chunk, separators=(",", ":"))  # ASCII: no line separators, no lone surrogates
    write_if_other(folder / f"{number}.js", f"assaySearch({number},{data});\n".encode())


def _texts(grid: Grid, pages: Mapping[tuple[str, str, str], str]) -> Iterator[Hit]:
    """Every prompt of a test once, and every reply."""
    for row in grid.rows:
        yield from _of_row(row, pages)


def _of_row(row: Row, pages: Mapping[tuple[str, str, str], str]) -> Iterator[Hit]:
    asked: set[str] = set()
    for model, trials in row.trials.items():
        page = pages[row.suite, row.test, model]
        for place, trial in enumerate(trials, 1):
            for _, block in walk(trial.reason) if trial.reason is not None else ():
                if block.kind != "chat":
                    continue
                text = visible(block.body[:LONGEST])
                if block.role == "assistant":
                    yield visible(row.test), visible(model), trial.epoch, f"{page}#t{place}", text
                elif text not in asked:
                    asked.add(text)
                    yield visible(row.test), "", trial.epoch, page, text
