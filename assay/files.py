"""Files that are written completely or not at all, when a file was last modified, and output nobody reads."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

LEFT_OVER = re.compile(r"\.[^/]*\.[0-9]+\.part")  # what a killed process leaves behind


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, to write a file to. If the block ends without an error, the file
    replaces `path` in one step; otherwise it is removed, and the earlier file stays."""
    number = int.from_bytes(os.urandom(8))  # nobody can have put a link there
    part = path.with_name(f".{path.name[:100]}.{number}.part")
    try:
        yield part
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def replace_file(path: Path, content: bytes, *, mode: int = 0o666, sync: bool = False) -> None:
    """Replace `path` in one step. `mode`: its permissions, less the umask; `sync`: write it to the disk
    before it replaces the old file."""
    with replacing(path) as part:
        part.touch(mode, exist_ok=False)
        part.write_bytes(content)
        if sync:
            with part.open("rb") as file:
                os.fsync(file.fileno())


def why_closed(folder: Path) -> str:
    """Why nothing can be written into `folder`, which need not exist: 'cannot write into /proc: ...'; '' if
    something can. It is tried, because permissions do not tell of a read-only disk."""
    there = folder
    try:
        while not (there.exists() or there.is_symlink()) and there != there.parent:
            there = there.parent
        if not there.is_dir():
            what = "not a folder" if there.exists() else "a link to nothing"
            return f"cannot write into {there}: it is {what}"
        with tempfile.TemporaryDirectory(dir=there, prefix=".", suffix=".part"):
            return ""
    except OSError as error:
        return f"cannot write into {there}: {error.strerror or error}"


def modified_ns(path: Path) -> int:
    """When a file or folder was last modified, in nanoseconds; 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def drop_output(stream: TextIO) -> None:
    """Send what is still buffered, and all that follows, nowhere: its reader has gone, and the interpreter
    would complain when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
