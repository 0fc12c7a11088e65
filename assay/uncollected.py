"""Work that makes many objects which live on: the search for garbage among them is left for later."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected(*, freeze: bool = False) -> Iterator[None]:
    """Records, and what is made of them, hold no cycles; to look for any, again and again while their number
    grows, takes a third of the time of reading and showing ten thousand. `freeze`: nor later, in what there
    is then; for what is read once."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if freeze:
            gc.freeze()
        if collecting:
            gc.enable()
