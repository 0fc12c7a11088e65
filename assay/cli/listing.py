"""--list: which tests there are. Of the applied suite nothing is imported."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.choose import APPLIED, Choice, suite_folders, suite_samples, suites_of

if TYPE_CHECKING:
    from assay.suites.suite import Suite

DESCRIBED = 36  # columns that a description has at least
COLUMNS = ("test", "tags", "description")


def find_suite(name: str, options: argparse.Namespace, root: Path) -> Suite:
    """A suite of its own, from the first folder of tests that has it. Raises ConfigError."""
    from assay.suites.suite import has_suite, load_suite

    folders = suite_folders(options, root)
    return load_suite(name, next((each for each in folders if has_suite(name, each)), folders[0]))


def listed(options: argparse.Namespace, root: Path, choice: Choice) -> list[dict[str, Any]]:
    """Every chosen test as {test, suite, tags, description, source, line, requires}."""
    rows: list[dict[str, Any]] = []
    for name in suites_of(options, root):
        if name == APPLIED:
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
            from assay.suites.suite import unique_ids

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
                for sample in unique_ids(suite_samples(find_suite(name, options, root), options))
            )
    return rows


def print_list(rows: list[dict[str, Any]], format: str) -> None:
    """The tests on stdout; the count on stderr, where a program that reads stdout does not see it."""
    out = sys.stdout
    if format == "json":
        json.dump(rows, out, indent=2)
        out.write("\n")
        return
    cells = [[row["test"], ", ".join(row["tags"]), row["description"]] for row in rows]
    if format == "markdown":
        for line in (COLUMNS, ("---",) * len(COLUMNS), *cells):
            out.write("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n")
        return
    widths = [max([len(COLUMNS[at]), *(len(row[at]) for row in cells)]) for at in (0, 1)]
    widths[1] = min(widths[1], 30)
    room = shutil.get_terminal_size((120, 24)).columns if out.isatty() else 10_000
    if room < widths[0] + widths[1] + DESCRIBED:
        _print_narrow(cells, room)
        return
    for line in (list(COLUMNS), *cells):
        out.write(_fit(f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}  {line[2]}".rstrip(), room) + "\n")


def _print_narrow(cells: list[list[str]], room: int) -> None:
    """Names and descriptions, without tags: beside each other, or below each other where there is no room.
    Names are never cut: they are to be copied."""
    beside = room // 2 if room >= 100 else 0
    width = min(max((len(row[0]) for row in cells), default=0), beside)
    for name, _, description in cells:
        if len(name) <= width:
            sys.stdout.write(_fit(f"{name:<{width}}  {description}".rstrip(), room) + "\n")
        else:
            sys.stdout.write(f"{name}\n")
            if description:
                sys.stdout.write(_fit(f"{'':<{max(2, width)}}  {description}", room) + "\n")
    print("for tags: a wider window, or --format json", file=sys.stderr)  # noqa: T201


def _fit(text: str, room: int) -> str:
    text = "".join(char if char.isprintable() else " " for char in text)
    return text if len(text) <= room else text[: room - 3] + "..."


def count(rows: Iterable[dict[str, Any]]) -> str:
    """'32 tests in 24 files'."""
    rows = list(rows)
    files = len({row["source"] for row in rows})
    return f"{len(rows)} test{'s'[: len(rows) != 1]} in {files} file{'s'[: files != 1]}"
