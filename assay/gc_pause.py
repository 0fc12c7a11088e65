"""Garbage collection is paused while many long-lived objects are made, and rare while trials run."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def gc_paused(*, freeze: bool = False) -> Iterator[None]:
    """Collect no garbage inside the block. Records, and what is made of them, hold no cycles; searching them
    again and again while their number grows takes a third of the time of reading and showing ten thousand.
    `freeze`: the objects that exist at the end are never searched; for what is read once."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if freeze:
            gc.freeze()
        if collecting:
            gc.enable()


@contextlib.contextmanager
def gc_rare(objects: int = 5000) -> Iterator[None]:
    """Look for garbage only where there are so many `objects` more. Trials under way have more than
    Python's usual 700 all the time: searching them was a fifteenth of the CPU of ten thousand calls, and
    found 172 objects."""
    usual = gc.get_threshold()
    gc.set_threshold(objects, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
