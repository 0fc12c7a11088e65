"""Reading a results folder from an untrusted source: no link is followed, nothing is waited for, and every
read is bounded.

A link called run-1.jsonl could put any file of this machine into a report; a link to /dev/zero, a FIFO or an
endless line would keep the reader busy forever.
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
KEPT_NAME = re.compile(r"[0-9a-f]{64}\.bin")
PLAIN = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC  # fail on special files


def regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o644) -> int:
    """A descriptor of the file `path` itself. Raises OSError for anything but a plain file: a link, a FIFO, a
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
    """Open the file `path` itself for reading. Raises OSError like `regular`."""
    return io.BufferedReader(io.FileIO(regular(path), "rb"))


def run_file(path: Path) -> BinaryIO:
    """Open a run's file, <results>/<commit>/<model>/run-<k>.jsonl, for reading. Raises OSError like
    `regular`, also if one of these two folders is a link."""
    for folder in (path.parent, path.parent.parent):
        if folder.is_symlink():
            raise OSError(errno.EINVAL, f"{folder.name} is a link, which is not followed", str(path))
    return opened(path)


def content(path: Path, limit: int) -> bytes:
    """The whole content of a plain file. Raises OSError for any other, and for more than `limit` bytes."""
    with opened(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"more than {limit:,} bytes", str(path))
    return data


class TooLong(ValueError):
    """A line does not end within MAX_LINE bytes. The rest of the file is not read."""


def lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file with their newlines. Bytes that are 0, as a power failure leaves, end a line, too:
    no record has any, and a whole one may stand behind them. Raises TooLong."""
    while line := file.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise TooLong(f"longer than {MAX_LINE >> 20} MB; the rest of the file is not read")
        if zeros := line.rfind(b"\0") + 1:
            file.seek(zeros - len(line), io.SEEK_CUR)
            line = line[:zeros]
        yield line


def picture(folder: Path, name: str) -> bytes | None:
    """The picture of this name; None unless it is a plain file with the format and the hash that its name
    says."""
    wanted = PICTURE_NAME.fullmatch(name)
    if wanted is None:
        return None
    try:
        data = content(folder / name, MAX_PICTURE)
    except OSError:
        return None
    same = image_suffix(data) == wanted[2] and hashlib.sha256(data).hexdigest() == wanted[1]
    return data if same else None


def kept_file(folder: Path, name: str) -> bytes | None:
    """Bytes that a record keeps beside pictures; None unless they have the hash that the name says."""
    if KEPT_NAME.fullmatch(name) is None:
        return None
    try:
        data = content(folder / name, MAX_PICTURE)
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == name.partition(".")[0] else None
