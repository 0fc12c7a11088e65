"""Right and wrong replies to numeric_hooks: hooks are known in the picture by their outlines and where most of their ink is."""

from __future__ import annotations

from functools import cache
from itertools import accumulate

from ..numeric_hooks import LEFT, TASK
from .pixels import Pixels

Hook = tuple[
    bool, bool, bool
]  # whether the long stroke is upright, and the strokes meet at the right, and at the bottom


@cache
def _hook(field: bytes) -> Hook:
    """What is written on a field of pixels."""
    line = 3 * TASK.wide
    dark = [(n % line // 3, n // line) for n in range(0, len(field), 3) if field[n] < 90]
    xs, ys = zip(*dark, strict=True)
    upright = max(ys) - min(ys) > max(xs) - min(xs)
    right, low = (2 * sum(each) > (max(each) + min(each)) * len(each) for each in (xs, ys))
    return upright, right, low


@cache
def _sheet(seed: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The digits of each entry of each row."""
    pixels = Pixels(TASK.picture(seed))

    def read(left: int, top: int) -> Hook:
        starts = ((top + n) * pixels.wide + 1 + 3 * left for n in range(TASK.high))
        return _hook(b"".join(pixels.rows[start : start + 3 * TASK.wide] for start in starts))

    digits = {read(LEFT + 80 * digit, 14): digit for digit in range(8)}
    return tuple(
        tuple(
            tuple(digits[read(*TASK.corner(row, entry, place))] for place in range(TASK.digits + 1))
            for entry in range(TASK.entries)
        )
        for row in range(TASK.rows)
    )


def _amounts(seed: int, *, base: int = 8, backwards: bool = False) -> dict[str, int]:
    found = {}
    for name, entries in zip(TASK.sheet(seed), _sheet(seed), strict=True):
        found[name] = 0
        for *price, quantity in entries:
            *_, number = accumulate(reversed(price) if backwards else price, lambda a, b: a * base + b)
            found[name] += number * quantity
    return found


def _said(amounts: dict[str, int], mark: str = "", form: str = "") -> str:
    return "Row by row:\n\n" + "\n".join(
        f"{mark}{name}{mark}: {each:{form}}" for name, each in amounts.items()
    )


def right(seed: int) -> list[str]:
    amounts = _amounts(seed)
    return [_said(amounts), _said(amounts, "**", ",")]


def wrong(seed: int) -> list[str]:
    amounts = _amounts(seed)
    return [
        _said(_amounts(seed, base=10)),
        _said(_amounts(seed, backwards=True)),
        _said({**amounts, "C": amounts["C"] + 64}),
        _said(amounts, form="o"),
        _said({name: each for name, each in amounts.items() if name != "A"}),
        "I cannot read this script.",
    ]
