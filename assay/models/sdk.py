"""Import an SDK when it is first needed: a run whose replies are all in the cache needs none."""

from __future__ import annotations

import gc
import importlib
import sys


def load(name: str) -> None:
    """Import `name`, so that `import NAME` then costs nothing.

    An SDK is 100,000 objects that live as long as the process: looking for garbage among them, while
    they come and again at the end, costs half of the import.
    """
    if name in sys.modules:
        return
    collecting = gc.isenabled()
    gc.disable()
    try:
        importlib.import_module(name)
    finally:
        gc.freeze()
        if collecting:
            gc.enable()
