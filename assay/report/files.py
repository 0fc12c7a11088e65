"""Writing into the report's folder: never half a file, and a file whose content is the same not at all."""

from __future__ import annotations

import os
from pathlib import Path

from assay.files import replace_file


def names_in(folder: Path) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 - names are all we need, and there may be thousands


def write_if_other(path: Path, content: bytes) -> bool:
    """Replace `path` in one step unless it has this content already. Returns whether it was written."""
    try:
        if path.stat().st_size == len(content) and path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    replace_file(path, content)
    return True
