"""assay export: write saved results for other programs."""

from __future__ import annotations

import argparse
from pathlib import Path

ENDINGS = {".csv": "csv", ".parquet": "parquet", ".xml": "junit"}  # of files, which tell the format


def command(options: argparse.Namespace, root: Path) -> int:
    """Write saved results. Returns the process's exit code. Raises ConfigError if none fits the flags."""
    from assay.cli import show

    formats = [ENDINGS.get(Path(each).suffix.lower(), "") for each in options.export]
    options.export = [
        f"{format}={each}" if format and "=" not in each else each
        for format, each in zip(formats, options.export, strict=True)
    ]
    return show.command(options, root)
