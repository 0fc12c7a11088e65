"""assay export and --export FORMAT=PATH: what was recorded, for other programs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.cli.flags import EXPORTS
from assay.config import near
from assay.errors import ConfigError
from assay.extras import need
from assay.records import TrialRecord
from assay.report.messages import say
from assay.results.workspace import Workspace

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


@dataclass(frozen=True)
class Export:
    """One --export: a format of EXPORTS and the file, or for inspect the folder, that it goes to."""

    format: str
    path: Path


def exports_of(values: Sequence[str]) -> list[Export]:
    """What the flags ask for, looked at before anything is paid for. Raises ConfigError for what could not
    be written."""
    found = []
    for value in values:
        format, equals, path = value.partition("=")
        if format not in EXPORTS:
            known = ", ".join(f"{name}={what}" for name, what in EXPORTS.items())
            raise ConfigError(f"--export {value}: write one of {known}.{near(format, EXPORTS)}")
        if not equals or not path:
            raise ConfigError(f"--export {value}: say where to: --export {format}={EXPORTS[format]}")
        if format == "parquet":
            need("parquet", "--export parquet")
        _check_place(value, Path(path), folder=format == "inspect")
        found.append(Export(format, Path(path)))
    places = [each.path.resolve() for each in found]
    for each in found:
        if places.count(each.path.resolve()) > 1:
            raise ConfigError(f"--export: two formats would be written to {each.path}")
    return found


def _check_place(value: str, path: Path, *, folder: bool) -> None:
    if folder and path.exists() and not path.is_dir():
        raise ConfigError(f"--export {value}: {path} is a file; name a folder")
    if not folder and path.is_dir():
        raise ConfigError(f"--export {value}: {path} is a folder; name a file in it")
    if not folder and path.exists() and not path.is_file():
        raise ConfigError(f"--export {value}: {path} is not an ordinary file; name a file")
    above = path if folder else path.parent
    while not above.exists() and above != above.parent:
        above = above.parent
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        why = "it may not be written to" if above.is_dir() else "it is no folder"
        raise ConfigError(f"--export {value}: cannot write into {above}: {why}")


def write_exports(
    exports: Iterable[Export], files: Sequence[Path], keep: Callable[[TrialRecord], bool], place: Workspace
) -> None:
    """Write every export of the records in `files`. Raises StoreError if one cannot be written."""
    from assay.results.export.source import Source

    source: Source | None = None
    for each in exports:
        if each.format == "inspect":
            from assay.results.export.inspect_log import write_logs

            logs = write_logs(files, keep, each.path, place.results.images)
            say(f"export: {each.path} ({logs} log{'s'[: logs != 1]}; inspect view --log-dir {each.path})")
            continue
        source = source or Source(files, keep)
        rows = _writer(each.format)(source, each.path)
        say(f"export: {each.path} ({rows} trial{'s'[: rows != 1]})")


def _writer(format: str) -> Callable[..., int]:
    if format == "csv":
        from assay.results.export.csv_file import write_csv

        return write_csv
    if format == "junit":
        from assay.results.export.junit_file import write_junit

        return write_junit
    from assay.results.export.parquet_file import write_parquet

    return write_parquet
