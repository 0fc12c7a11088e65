"""assay report: the HTML report of saved results, which `assay show --report` writes too."""

from __future__ import annotations

import argparse
from pathlib import Path

from assay.cli import show


def command(options: argparse.Namespace, root: Path) -> int:
    """The process's exit code. Raises ConfigError if no saved result fits the flags."""
    options.generate_report = options.live is None
    return show.command(options, root)
