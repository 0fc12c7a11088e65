"""Reading a results folder that anybody may have sent: nothing is followed out of it, waited for, or read
without an end.

A link called run-1.jsonl would put any file of this machine into a report; a link to /dev/zero, a FIFO or a
line without an end would keep it busy for ever.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from assay.records import image_suffix

MAX_LINE = 32 << 20  # bytes of one record: serialize.py writes 12 MB at most
LARGEST = 1 << 30  # bytes of a file that is read whole
MAX_PICTURE = 16 << 20
PICTURE_NAME = re.compile(r"([0-9a-f]{64})\.(png|jpg|gif|webp|bmp)")
PLAIN = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC  # what a file that is none cannot stand


def regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o644) -> int:
    """A descriptor of the file `path` itself. Raises OSError for what is no plain file: a link, a FIFO, a
    device, a folder."""
    try:
        descriptor = os.open(path, flags | PLAIN, mode)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise _not_plain(path) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _not_plain(path)
    return descriptor


def _not_plain(path: Path) -> OSError:
    return OSError(errno.EINVAL, "not a plain file (a link, a folder or a device)", str(path))


def opened(path: Path) -> BinaryIO:
    """The file `path` itself, to be read. Raises OSError as `regular` does."""
    return io.BufferedReader(io.FileIO(regular(path), "rb"))


def run_file(path: Path) -> BinaryIO:
    """The file of a run, <results>/<commit>/<model>/run-<k>.jsonl, to be read. Raises OSError as `regular`
    does, also where one of these two folders is a link."""
    for folder in (path.parent, path.parent.parent):
        if folder.is_symlink():
            raise OSError(errno.EINVAL, f"{folder.name} is a link, which is not followed", str(path))
    return opened(path)


def content(path: Path, limit: int) -> bytes:
    """A plain file whole. Raises OSError for any other, and for one of more than `limit` bytes."""
    with opened(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"more than {limit:,} bytes", str(path))
    return data


class TooLong(ValueError):
    """A line has no end within MAX_LINE bytes. What stands behind it is not read."""


def lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, with their ends. Raises TooLong."""
    while line := file.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise TooLong(f"longer than {MAX_LINE >> 20} MB; the rest of the file is not read")
        yield line


def picture(folder: Path, name: str) -> bytes | None:
    """The picture of that name, None if there is none: it must be a plain file, and be of the format and have
    the hash that its name says."""
    wanted = PICTURE_NAME.fullmatch(name)
    if wanted is None:
        return None
    try:
        data = content(folder / name, MAX_PICTURE)
    except OSError:
        return None
    same = image_suffix(data) == wanted[2] and hashlib.sha256(data).hexdigest() == wanted[1]
    return data if same else None
