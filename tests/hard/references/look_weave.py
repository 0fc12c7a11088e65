"""Right and wrong replies to look_weave: threads whose squares in the picture are not those of the draft there."""

from __future__ import annotations

from functools import cache

from ..look_weave import TASK
from .pixels import Pixels


@cache
def _faults(seed: int) -> tuple[str, ...]:
    pixels, size, (left, top) = Pixels(TASK.picture(seed)), TASK.size, TASK.corner

    def field(left: int, top: int, columns: int, rows: int) -> list[list[bool]]:
        return [
            [
                pixels.is_dark(left + size * (column + 0.5), top + size * (row + 0.5))
                for column in range(columns)
            ]
            for row in range(rows)
        ]

    right = left + size * TASK.columns + 12
    cloth = field(left, top, TASK.columns, TASK.rows)
    threading = field(left, 8, TASK.columns, TASK.shafts)
    lifts = field(right, 8, TASK.shafts, TASK.shafts)
    treadling = field(right, top, TASK.shafts, TASK.rows)
    return tuple(
        f"R{row + 1}C{column + 1}"
        for row, pressed in enumerate(treadling)
        for column in range(TASK.columns)
        if cloth[row][column]
        != any(up[pressed.index(True)] and shaft[column] for up, shaft in zip(lifts, threading, strict=True))
    )


def _said(faults: tuple[str, ...], number: int = 0) -> str:
    return f"I compared each row:\n\nNUMBER: {number or len(faults)}\nFAULTS: {' '.join(faults)}"


def right(seed: int) -> list[str]:
    faults = _faults(seed)
    return [_said(faults), f"- **Number:** {len(faults)}\n- **Faults:** {', '.join(reversed(faults))}"]


def wrong(seed: int) -> list[str]:
    faults = _faults(seed)
    row = faults[0].partition("C")[0]
    beside = next(f"{row}C{n}" for n in range(1, TASK.columns + 1) if f"{row}C{n}" not in faults)
    return [
        _said(faults[:-1]),
        _said((beside, *faults[1:])),
        _said((*faults, beside)),
        # columns and rows taken for each other
        _said(tuple(each.replace("C", "X").replace("R", "C").replace("X", "R") for each in faults)),
        _said(faults, len(faults) + 1),
        "The cloth is sound.",
    ]
