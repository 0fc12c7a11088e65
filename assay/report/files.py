"""Writing into the report's folder: never half a file, and a file whose content is the same not at all."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

LEFT_OVER = re.compile(r"\.[^/]*\.[0-9]+\.part")


def names_in(folder: Path) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 - names are all we need, and there may be thousands


def part_of(path: Path) -> Path:
    """Where what will be `path` is made."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def write(path: Path, content: bytes) -> None:
    """Replace `path` in one step. A disk that is full keeps nothing of what it could not hold whole."""
    part = part_of(path)
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def write_if_other(path: Path, content: bytes) -> bool:
    """Replace `path` in one step unless it has this content already. Returns whether it was written."""
    try:
        if path.stat().st_size == len(content) and path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    write(path, content)
    return True
