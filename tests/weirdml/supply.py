"""Data for many trials at once: each task's are made once, and no more at a time than there are cores."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

from assay.errors import ConfigError

from .data.build import Dataset, Recipe, cached, dataset

_places = threading.BoundedSemaphore(len(os.sched_getaffinity(0)))
_making: dict[tuple[int, Path], asyncio.Future[Dataset]] = {}


def _make(recipe: Recipe, cache: Path) -> Dataset:
    with _places:
        return dataset(recipe, cache)


async def data_for(recipe: Recipe, cache: Path) -> Dataset:
    """The data of a task. Raises ConfigError if its source is not what it should be."""
    if (found := cached(recipe, cache)) is not None:
        return found
    key = (id(asyncio.get_running_loop()), recipe.folder(cache))
    if key not in _making:
        _making[key] = asyncio.ensure_future(asyncio.to_thread(_make, recipe, cache))
    try:
        return await asyncio.shield(_making[key])
    except ValueError as error:
        raise ConfigError(f"the data of {recipe.task} cannot be made: {error}") from None
    finally:
        if key in _making and _making[key].done():
            del _making[key]
