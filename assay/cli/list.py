"""assay list: list the tests. Nothing of the applied suite is imported."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from assay.cli.request import selection_of
from assay.running.wiring import settings
from assay.stdout import columns, print_json, stdout
from assay.suites.choice import Choice, choose
from assay.suites.selection import APPLIED, Selection, other_suites
from assay.suites.unknown_names import check_names_of

DESCRIBED = 36  # least width of a description, in columns
TAGGED = 30  # greatest width of the tags on a terminal; in a pipe, where lines may be long, none are cut
COLUMNS = ("test", "tags", "description")


def command(options: argparse.Namespace, root: Path) -> int:
    """Print them. Returns the process's exit code."""
    selection = selection_of(options, root)
    cache = None if options.no_cache else root / settings(options.config, root).cache
    suites = selection.suite_names()
    choice = choose(selection, cache / "listing.json" if cache else None) if APPLIED in suites else Choice()
    rows = listed(selection, choice, errors := list(choice.errors))
    print_list(rows, options.format)
    for text in (*choice.messages, *(f"error: {error}" for error in errors), count(rows)):
        print(text, file=sys.stderr)  # noqa: T201
    folders = selection.test_folders() if options.tests else selection.suite_folders()
    if others := [name for name in other_suites(folders) if name not in suites]:
        print(f"further suites (--suite NAME): {', '.join(others)}", file=sys.stderr)  # noqa: T201
    return 1 if errors else 0


def listed(selection: Selection, choice: Choice, errors: list[str]) -> list[dict[str, Any]]:
    """Every chosen test as {test, suite, tags, description, source, line, requires}. `errors`: suites that
    cannot be loaded are added."""
    rows: list[dict[str, Any]] = []
    for name, suite in selection.suites_in(errors, choice.messages):
        if suite is None:
            rows += (
                {
                    "test": test.id,
                    "suite": APPLIED,
                    "tags": list(test.tags),
                    "description": test.description,
                    "source": test.source,
                    "line": test.line,
                    "requires": list(test.requires),
                }
                for test in choice.tests
            )
        else:
            from assay.suites.sample import unique_ids

            check_names_of(suite, selection)

            rows += (
                {
                    "test": sample.id,
                    "suite": name,
                    "tags": list(sample.tags),
                    "description": sample.description,
                    "source": sample.source,
                    "line": 1,
                    "requires": list(sample.requires),
                }
                for sample in unique_ids(selection.samples_of(suite))
            )
    return rows


def print_list(rows: list[dict[str, Any]], format: str) -> None:
    """The tests on stdout; the count on stderr, where a program that reads stdout does not see it."""
    out = stdout()
    if format == "json":
        print_json(rows)
        return
    cells = [[row["test"], ", ".join(row["tags"]), row["description"]] for row in rows]
    if format == "markdown":
        for line in (COLUMNS, ("---",) * len(COLUMNS), *cells):
            out.write("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n")
        return
    widths = [max([len(COLUMNS[at]), *(len(row[at]) for row in cells)]) for at in (0, 1)]
    room = columns(out) if out.isatty() else 10_000
    if out.isatty():
        widths[1] = min(widths[1], TAGGED)
    if room < widths[0] + widths[1] + DESCRIBED:
        _write_narrow(cells, room, out)
        return
    for line in (list(COLUMNS), *cells):
        name, tags = line[0].ljust(widths[0]), _fit(line[1], widths[1]).ljust(widths[1])
        out.write(_fit(f"{name}  {tags}  {line[2]}".rstrip(), room) + "\n")


def _write_narrow(cells: list[list[str]], room: int, out: TextIO) -> None:
    """Names and descriptions, without tags: beside each other, or below each other where there is no room.
    Names are never cut: they are to be copied."""
    beside = room // 2 if room >= 100 else 0
    width = min(max((len(row[0]) for row in cells), default=0), beside)
    for name, _, description in cells:
        if len(name) <= width:
            out.write(_fit(f"{name:<{width}}  {description}".rstrip(), room) + "\n")
        else:
            out.write(f"{name}\n")
            if description:
                out.write(_fit(f"{'':<{max(2, width)}}  {description}", room) + "\n")
    print("to see the tags, use a wider window or --format json", file=sys.stderr)  # noqa: T201


def _fit(text: str, room: int) -> str:
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return text if len(text) <= room else text[: room - 3] + "..."


def count(rows: Iterable[dict[str, Any]]) -> str:
    """'32 tests in 24 files'."""
    rows = list(rows)
    if not rows:
        return "no test matches these flags"
    files = len({row["source"] for row in rows})
    return f"{len(rows)} test{'s'[: len(rows) != 1]} in {files} file{'s'[: files != 1]}"
