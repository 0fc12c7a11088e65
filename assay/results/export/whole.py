"""Writing a file that is there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from assay.errors import StoreError


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes the place of `path` (of what a link leads to) when the block
    ends without an error.

    Raises StoreError where nothing can be written. What stood there before is kept until the end.
    """
    part: Path | None = None
    try:
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
        os.close(handle)
        part = Path(name)
        yield part
        part.chmod(0o666 & ~_umask())  # mkstemp's are for their owner alone
        part.replace(path)
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror or error}. The results are safe; "
            "export them elsewhere with --load-saved --export"
        ) from None
    finally:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
