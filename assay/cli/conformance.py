"""assay conformance: does an extension do what ours do?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.records import Table
from assay.report.messages import say
from assay.report.terminal import Format, show_tables
from assay.running.wiring import settings
from assay.sandboxes.attacks.runner import AttackResult


def command(options: argparse.Namespace, root: Path) -> int:
    """Check what is named. Returns the exit code: 1 if something did not hold."""
    from assay.conformance.extensions import check

    config = settings(options.config, root)
    config = replace(config, sandbox=options.sandbox or config.sandbox)
    held = [
        show_results(each, check(each, config, root, say), options.format) for each in options.conformance
    ]
    return 0 if all(held) else 1


def show_results(title: str, results: Sequence[AttackResult], format: Format) -> bool:
    """A table of what held and what did not; whether everything did."""
    rows = tuple(
        (each.name, "held" if each.passed else "FAILED", each.outcome, round(each.seconds, 1), each.aim)
        for each in results
    )
    held = sum(each.passed for each in results)
    columns = ("check", "result", "outcome", "seconds", "aim")
    show_tables([Table(title, columns, rows, f"{held} of {len(results)} held.")], format=format)
    return held == len(results)
