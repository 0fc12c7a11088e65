"""Turn the flags of the command line into a Selection and a RunRequest."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from assay.suites.selection import Selection

if TYPE_CHECKING:
    from assay.running.request import RunRequest


def selection_of(options: argparse.Namespace, root: Path) -> Selection:
    """The tests that the flags select."""
    flags = Selection(
        root,
        tuple(options.suite),
        tuple(options.test),
        tuple(options.tag),
        tuple(options.tests),
        options.only_changed,
        vars(options),
        tuple(options.tier),
        options.cli_conditions,
        options.cli_flags,
    )
    return flags.also(options.cli_words)


def request_of(options: argparse.Namespace, root: Path) -> RunRequest:
    """The flags about trials and folders."""
    from assay.running.request import RunRequest

    given = {each.name: getattr(options, each.name) for each in fields(RunRequest) if each.name in options}
    if options.live is not None and options.logdir is not None and not options.generate_report:
        # a default page must not replace that of other results
        given["report_dir"] = options.report_dir or Path(options.logdir) / "report"
    given |= {"selection": selection_of(options, root), "models": tuple(options.model)}
    return RunRequest(**{**given, "resumed": options.cli_resumed})
