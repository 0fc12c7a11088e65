"""Right and wrong grids for exact_cages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..exact_cages import SIDE, another, planted


def _said(rows: Iterable[Sequence[int]], sign: str = "") -> str:
    return "Cage by cage.\n\n```\n" + "\n".join(sign.join(map(str, row)) for row in rows) + "\n```"


def _nearly(seed: int) -> list[Sequence[int]]:
    """A grid that fits all rules but those of one cage."""
    cages, grid = planted(seed)
    digits = tuple(digit for row in grid for digit in row)
    for n in range(len(cages)):
        weaker = [*cages[:n], type(cages[n])(cages[n].cells, ()), *cages[n + 1 :]]
        other, _ = another(weaker, digits, 200)
        if other:
            return [other[k : k + SIDE] for k in range(0, SIDE * SIDE, SIDE)]
    return []


def right(seed: int) -> list[str]:
    _, grid = planted(seed)
    return [_said(grid), "First:\n```\n123456789\n```\nNow all:\n" + _said(grid, " ")]


def wrong(seed: int) -> list[str]:
    _, grid = planted(seed)
    turn = {3: 8, 8: 3}
    return [
        _said(_nearly(seed)),
        _said(zip(*grid, strict=True)),
        _said([grid[1], grid[0], *grid[2:]]),
        _said([[turn.get(digit, digit) for digit in row] for row in grid]),
        _said(grid[:-1]),
        "\n".join("".join(map(str, row)) for row in grid),
        "No grid fits all rules.",
    ]
