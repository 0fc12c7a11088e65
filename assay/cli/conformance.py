"""assay conformance: does an extension behave as our own do?"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.conformance.clock import Stopped, stoppable
from assay.errors import AssayError
from assay.records import Table, Value
from assay.report.messages import say
from assay.report.sanitise import visible
from assay.report.terminal import Format, show_tables
from assay.report.wording import count
from assay.running.event_loop import leave
from assay.running.wiring import settings
from assay.sandboxes.attacks.runner import AttackResult, summary
from assay.stdout import columns, stdout

WIDEST = 72  # columns of an outcome
TRYING = "trying "  # before the name of a check that begins


def command(options: argparse.Namespace, root: Path) -> int:
    """Check the extensions named. Returns the exit code: 1 if a check failed."""
    from assay.conformance.extensions import check, check_name

    config = settings(options.config, root)
    config = replace(config, sandbox=options.sandbox or config.sandbox)
    for each in options.conformance:  # before the first one runs, which may take minutes
        check_name(each, root)
    held, ran, tables = [], list[AttackResult](), list[Table]()
    line = _Line()
    try:
        with stoppable():
            for each in options.conformance:
                try:
                    found = []
                    for result in check(each, config, root, line.say, vars(options)):
                        found.append(result)
                        ran.append(result)
                    line.clear()
                    held.append(all(result.passed for result in found))
                    table = results_table(each, found, options.format)
                    if options.format == "json":  # one document
                        tables.append(table)
                    else:
                        show_tables([table], format=options.format)
                except AssayError as error:  # the others are checked all the same
                    held.append(False)
                    line.say(f"error: {error}")
        if options.format == "json":
            show_tables(tables, format="json")
    except Stopped:
        failed = sum(not each.passed for each in ran)
        line.say(f"stopped{line.during}; {count(len(ran), 'check')} ran before, {failed} of them failed")
        stdout().flush()
        os._exit(130)  # a thread of theirs may never end
    return leave(0 if all(held) else 1, "asyncio_")


class _Line:
    """The line of a terminal that names the check that runs, and is replaced by the next one. To a file goes
    only what did not hold, since the table has the rest."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self.during = ""  # for the end of a sentence

    def say(self, line: str) -> None:
        self.clear()
        name = line.removeprefix(TRYING)
        if name == line:
            say(line)
            return
        self.during = f" during {name}"
        if self._shown:
            width = columns(sys.stderr) - 1
            sys.stderr.write(visible(line)[:width])
            sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")


def results_table(title: str, results: Sequence[AttackResult], format: Format) -> Table:
    """A table of the checks."""
    rows: list[tuple[Value, ...]] = []
    for each in results:
        lines = [each.outcome]
        if format == "table":
            lines = [part for line in each.outcome.splitlines() for part in textwrap.wrap(line, WIDEST)]
        rows.append((each.name, each.verdict, lines[0] if lines else "", round(each.seconds, 1), each.aim))
        rows += (("", "", line, "", "") for line in lines[1:])
    columns = ("check", "result", "outcome", "seconds", "aim")
    return Table(title, columns, tuple(rows), summary(results))
