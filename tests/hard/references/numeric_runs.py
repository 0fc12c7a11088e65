"""Right and wrong replies to numeric_runs: cells are read from the picture, and a run of n is n cells and twice its pairs."""

from __future__ import annotations

from functools import cache

from ..numeric_runs import EDGE, TASK
from .pixels import Pixels

STEPS = {"ROWS": (1, 0), "COLUMNS": (0, 1), "FALLING": (1, 1), "RISING": (1, -1)}


@cache
def _cells(seed: int) -> dict[tuple[int, int], bool]:
    pixels = Pixels(TASK.picture(seed))
    return {
        (x, y): pixels.is_dark(EDGE + (x + 0.5) * TASK.size, EDGE + (y + 0.5) * TASK.size)
        for x in range(TASK.side)
        for y in range(TASK.side)
    }


@cache
def _sums(seed: int, *, cells_only: bool = False, wrong_cell: bool = False) -> dict[str, int]:
    cells = {**_cells(seed)}
    if wrong_cell:
        cells[20, 20] = not cells[20, 20]
    found = {}
    for word in ("WHITE", "BLACK"):
        mine = {at for at, dark in cells.items() if dark == (word == "BLACK")}
        for name, (a, b) in STEPS.items():
            total, still = len(mine), mine
            while still and not cells_only:
                # cells from which one more step stays within the run
                still = {(x + a, y + b) for x, y in still} & mine
                total += 2 * len(still)
            found[f"{word} {name}"] = total
    return found


def _said(sums: dict[str, int], mark: str = "") -> str:
    return "\n".join(f"{mark}{name}{mark}: {number}" for name, number in sums.items())


def right(seed: int) -> list[str]:
    sums = _sums(seed)
    return [_said(sums), "Line by line.\n\n" + _said(dict(reversed(sums.items())), "**").title()]


def wrong(seed: int) -> list[str]:
    sums = _sums(seed)
    return [
        _said(_sums(seed, wrong_cell=True)),
        _said(_sums(seed, cells_only=True)),
        _said({**sums, "BLACK RISING": sums["BLACK RISING"] + 2}),
        _said({name: number for name, number in sums.items() if "WHITE" in name}),
        "The runs cannot be counted.",
    ]
