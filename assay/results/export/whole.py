"""Writing a file that is there whole or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from assay.errors import StoreError
from assay.files import replacing


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes the place of `path` (of what a link leads to) when the block
    ends without an error.

    Raises StoreError where nothing can be written. What stood there before is kept until the end.
    """
    try:
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            yield part
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror or error}. The results are safe; "
            "export them elsewhere with --load-saved --export"
        ) from None
