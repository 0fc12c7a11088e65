"""Right and wrong replies to numeric_triangles: corners are read from the picture, and columns are multiplied in pairs."""

from __future__ import annotations

from functools import cache

from ..numeric_triangles import CORNERS, TASK
from .pixels import Pixels


@cache
def _columns(seed: int) -> list[tuple[int, ...]]:
    """The values column by column: of the two half-filled corners and the other two, one is filled and one is empty."""
    pixels = Pixels(TASK.picture(seed))

    def value(row: int, column: int) -> int:
        filled = [pixels.colour(*TASK.corner(row, column, corner)) != "#ffffff" for corner in CORNERS]
        return next(n + 1 for n in range(4) if filled[n] and not filled[n - 2])

    return [tuple(value(row, column) for row in range(TASK.rows)) for column in range(TASK.columns)]


def _said(seed: int, *, names: str = "01234", mark: str = "", change: int = 0) -> str:
    """The results; `names` says which value is taken for 1, 2, 3 and 4, `change` is added to the first tile."""
    columns = [[int(names[value]) for value in column] for column in _columns(seed)]
    columns[0][0] += change
    digits = TASK.digits(seed)
    lines = []
    for number, column in enumerate(columns, 1):
        # how much each column has in common with this one, which is the same sum in another order
        result = sum(
            digit * sum(map(int.__mul__, column, other)) for digit, other in zip(digits, columns, strict=True)
        )
        lines.append(f"{mark}{number}{mark}: {result}")
    return "The results are:\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    return [_said(seed), _said(seed, mark="**")]


def wrong(seed: int) -> list[str]:
    return [
        _said(seed, change=1),
        _said(seed, names="02143"),  # mirrored
        _said(seed, names="03412"),  # the empty corner taken for the filled one
        _said(seed).rsplit("\n", 1)[0],
        "The picture holds too many triangles.",
    ]
