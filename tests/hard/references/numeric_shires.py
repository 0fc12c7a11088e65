"""Right and wrong replies to numeric_shires: borders are read from the picture, and shires are walked from their letters."""

from __future__ import annotations

from functools import cache

from ..numeric_shires import BESIDE, BORDER, EDGE, TASK
from .pixels import Pixels


@cache
def _measured(seed: int) -> dict[str, tuple[int, int, int]]:
    """The area of each shire, its perimeter, and how much of this is along the edge of the map."""
    pixels, size = Pixels(TASK.picture(seed)), TASK.size

    def is_border(x: int, y: int, a: int, b: int) -> bool:
        """Whether there is one on the side of a square where the next one is."""
        x, y = x + (a > 0), y + (b > 0)  # borders are drawn at the left and at the top
        across, down = (1, size // 2) if a else (size // 2, 1)
        return pixels.colour(EDGE + x * size + across, EDGE + y * size + down) == BORDER

    found = {}
    for name, begin in TASK.map(seed)[0].items():
        seen, todo, perimeter, edge = {begin}, [begin], 0, 0
        while todo:
            x, y = todo.pop()
            for a, b in BESIDE:
                other = (x + a, y + b)
                if is_border(x, y, a, b):
                    perimeter += 1
                    edge += not (0 <= other[0] < TASK.columns and 0 <= other[1] < TASK.rows)
                elif other not in seen:
                    seen.add(other)
                    todo.append(other)
        found[name] = len(seen), perimeter, edge
    return found


def _said(numbers: dict[str, int], mark: str = "", form: str = "") -> str:
    return "Shire by shire.\n\n" + "\n".join(f"{mark}{name}{mark}: {n:{form}}" for name, n in numbers.items())


def right(seed: int) -> list[str]:
    numbers = {name: p * p - 16 * a for name, (a, p, _) in _measured(seed).items()}
    return [_said(numbers), _said(numbers, "**", ",")]


def wrong(seed: int) -> list[str]:
    measured = _measured(seed)
    numbers = {name: p * p - 16 * a for name, (a, p, _) in measured.items()}
    return [
        _said({name: (p - edge) ** 2 - 16 * a for name, (a, p, edge) in measured.items()}),
        _said({**numbers, "D": numbers["D"] + 16}),  # a square too few
        _said({name: p * p - 4 * a for name, (a, p, _) in measured.items()}),
        _said({name: n for name, n in numbers.items() if name != "X"}),
        "The map cannot be measured.",
    ]
