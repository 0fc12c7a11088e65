"""--export NAME=PATH: records for other programs. Each format is an entry point of `assay.exports`."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.config import near
from assay.errors import AssayError, ConfigError, StoreError
from assay.extensions import Extension, check_call, extension, extensions, misplaced
from assay.extras import need
from assay.files import replacing, why_closed
from assay.records import TrialRecord
from assay.report.messages import say
from assay.results.workspace import Workspace

if TYPE_CHECKING:
    from assay.results.export.source import Source
    from assay.results.store import Read

GROUP = "assay.exports"
STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd")


@dataclass(frozen=True)
class Export:
    """A format. `write(source, path)` writes the trials of a Source and returns the number of `unit` written.
    The folder that `path` is in is there; with `whole_file` the file appears complete or not at all.
    `folder`: `path` is a folder, not a file. `extra`: the extra of Assay that has its library. `hint`: how to
    open the result, containing {path}."""

    write: Callable[[Source, Path], int]
    folder: bool = False
    extra: str = ""
    unit: str = "trial"
    hint: str = ""


@dataclass(frozen=True)
class Wanted:
    """One --export."""

    extension: Extension
    export: Export
    path: Path


def exports_of(values: Sequence[str]) -> list[Wanted]:
    """The exports that the flags ask for, checked before anything is paid for. Raises ConfigError for one
    that could not be written."""
    found: list[Wanted] = []
    for value in dict.fromkeys(values):  # a resumed run has its flags twice
        name, _, path = value.partition("=")
        there = extensions(GROUP)
        if name not in there:
            known = ", ".join(f"{each}=PATH" for each in sorted(there))
            raise ConfigError(
                f"--export {value}: write one of {known}{misplaced(GROUP, name) or '.' + near(name, there)}"
            )
        export = load_export(name)
        what = "folder" if export.folder else "file"
        if not path:
            raise ConfigError(f"--export {value}: name the {what} to write: --export {name}={what.upper()}")
        if export.extra:
            need(export.extra, f"--export {name}")
        if not export.folder and path.endswith(os.sep):
            raise ConfigError(f"--export {value}: {path} is a folder; name a file in it")
        _check_place(value, Path(path), folder=export.folder)
        if any(each.path.resolve() == Path(path).resolve() for each in found):
            raise ConfigError(f"--export: two formats would be written to {Path(path)}")
        found.append(Wanted(there[name], export, Path(path)))
    return found


def _check_place(value: str, path: Path, *, folder: bool) -> None:
    if folder and path.exists() and not path.is_dir():
        raise ConfigError(f"--export {value}: {path} is a file; name a folder")
    if not folder and path.is_dir():
        raise ConfigError(f"--export {value}: {path} is a folder; name a file in it")
    stream = any(map(path.is_relative_to, STREAMS))  # a file where the shell redirects it
    if not folder and path.exists() and (stream or not path.is_file()):
        raise ConfigError(f"--export {value}: {path} is not an ordinary file; name a file")
    if why := why_closed(path if folder else path.parent):
        raise ConfigError(f"--export {value}: {why}")


def load_export(name: str) -> Export:
    """The format of this name. Raises ConfigError for one that cannot be used."""
    export: Export = extension(GROUP, name).load(Export, _callable)
    return export


def _callable(found: Any) -> Any:
    """What an entry point names. Raises TypeError, before anything is paid for, if its `write` could not be
    called."""
    if isinstance(found, Export):
        check_call(found.write, "def write(source, path)", None, None)
    return found


def write(export: Export, source: Source, path: Path) -> int:
    """Write an export; the folder that it goes into is made. Raises StoreError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(path, error) from None
    return export.write(source, path)


def not_written(path: Path, error: OSError) -> StoreError:
    return StoreError(f"cannot write {path}: {error.strerror or error}")


def write_exports(
    wanted: Sequence[Wanted],
    files: Sequence[Path],
    keep: Callable[[TrialRecord], bool],
    workspace: Workspace,
    read: Read | None = None,
    lacking: Sequence[str] = (),
    again: str = "the same command",
) -> None:
    """Write every export of the records in `files`. `read`: these, if they were read without explanations.
    `lacking`: a sentence for each part of the run that has no trials. `again`: what writes an export of the
    same trials once its error is mended. Trials whose explanations cannot be read are told. Raises the last
    error of those that cannot be written (StoreError, ConfigError for a mistake in one of a package);
    earlier ones are said."""
    if not wanted:
        return
    from assay.report.same_tests import SameTests
    from assay.results.export.source import Source

    source = Source(files, keep, images=workspace.results.images, read=read)
    source.lacking, known = lacking, len(source.problems)
    failed: AssayError | None = None
    for each in wanted:
        try:
            with each.extension.blamed():
                count = write(each.export, source, each.path)
                if not isinstance(count, int):
                    raise TypeError(f"write() must return the number of trials written, not {count!r:.60}")
                if not each.path.exists():
                    raise RuntimeError(f"there is nothing at {each.path} after write()")
        except AssayError as error:
            if failed:
                say(f"error: {failed}")
            kind = StoreError if isinstance(error, StoreError) else ConfigError
            failed = kind(f"{error}. The results are saved; when that is fixed, {again} writes the export")
            continue
        hint = f"; {each.export.hint.format(path=each.path)}" * bool(each.export.hint)
        say(f"export: {each.path} ({count} {each.export.unit}{'s'[: count != 1]}{hint})")
    for said in filter(None, (*source.problems[known:], SameTests.of(source.records).left_out)):
        say(said)
    if failed:
        raise failed


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to. It replaces `path` (or the target of a link) when the block ends
    without an error.

    The previous file is kept until then. Raises StoreError if the path cannot be written.
    """
    try:
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            yield part
    except OSError as error:
        raise not_written(path, error) from None
