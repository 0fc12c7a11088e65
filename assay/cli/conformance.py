"""assay conformance: does an extension behave as our own do?"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.errors import AssayError
from assay.records import Table, Value
from assay.report.messages import say
from assay.report.terminal import Format, show_tables
from assay.running.wiring import settings
from assay.sandboxes.attacks.runner import AttackResult

WIDEST = 72  # columns of an outcome


def command(options: argparse.Namespace, root: Path) -> int:
    """Check the extensions named. Returns the exit code: 1 if a check failed."""
    from assay.cli.arguments import make_parser
    from assay.cli.commands import COMMANDS
    from assay.conformance.extensions import check, check_name

    config = settings(options.config, root)
    config = replace(config, sandbox=options.sandbox or config.sandbox)
    own_flags = vars(make_parser(COMMANDS["run"]).parse_args([]))
    for each in options.conformance:  # before the first one runs, which may take minutes
        check_name(each, root)
    held = []
    for each in options.conformance:
        try:
            held.append(show_results(each, check(each, config, root, _said, own_flags), options.format))
        except AssayError as error:  # the others are checked all the same
            held.append(False)
            say(f"error: {error}")
    return 0 if all(held) else 1


def _said(line: str) -> None:
    """What a check says while it runs; to a file only what did not hold, since the table has the rest."""
    if sys.stderr.isatty() or not line.startswith("trying "):
        say(line)


def show_results(title: str, results: Sequence[AttackResult], format: Format) -> bool:
    """Show a table of the checks. Returns whether all of them passed."""
    rows: list[tuple[Value, ...]] = []
    for each in results:
        verdict, seconds = "held" if each.passed else "FAILED", round(each.seconds, 1)
        lines = textwrap.wrap(each.outcome, WIDEST) if format == "table" else [each.outcome]
        rows.append((each.name, verdict, lines[0] if lines else "", seconds, each.aim))
        rows += (("", "", line, "", "") for line in lines[1:])
    held = sum(each.passed for each in results)
    columns = ("check", "result", "outcome", "seconds", "aim")
    show_tables([Table(title, columns, tuple(rows), f"{held} of {len(results)} held.")], format=format)
    return held == len(results)
