"""Right and wrong work on data_hedges: a flood from each number over the pixels, and with hedges overlooked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from evaluator import Call

from ..data_hedges import EDGE, HIGH, SIZE, WIDE, Cell, land, paid, picture, sides
from .digitised import work
from .pixels import Pixels


@cache
def _beside(seed: int) -> Mapping[Cell, list[Cell]]:
    """The neighbours of each field that no hedge is drawn before."""
    pixels, found = Pixels(picture(seed)), {(x, y): list[Cell]() for x in range(WIDE) for y in range(HIGH)}
    for one, other in sides():
        x, y = (EDGE + SIZE * (a + b + 1) / 2 for a, b in zip(one, other, strict=True))
        if not pixels.is_dark(x, y):
            found[one].append(other)
            found[other].append(one)
    return found


def _farms(seed: int, wrong: tuple[Cell, Cell] | None = None) -> Mapping[Cell, str]:
    """The farm of each field; at one side a hedge is overlooked, or seen where there is none."""
    found = dict[Cell, str]()
    for name, begin in land(seed).numbers.items():
        left = [begin]
        while left:
            at = left.pop()
            if at in found:
                continue
            found[at] = name
            beside = [
                side for side in _beside(seed)[at] if wrong is None or at not in wrong or side not in wrong
            ]
            if wrong and at in wrong:
                other = wrong[wrong[0] == at]
                beside += [] if other in _beside(seed)[at] else [other]
            left += beside
    return found


def right(seed: int) -> list[object]:
    return [work(paid(seed, _farms(seed))), work(paid(seed, land(seed).farm), "**", ",")]


def wrong(seed: int) -> list[object]:
    found = land(seed)
    farm, numbers = found.farm, found.numbers
    border = [side for side in sides() if farm.get(side[0]) != farm.get(side[1])]
    lone = next(
        at
        for at, beside in _beside(seed).items()
        if len(beside) == 1 and at in farm and at not in numbers.values()
    )
    counts = {name: 550 * list(farm.values()).count(name) for name in numbers}
    near = {
        (x, y): min(numbers, key=lambda name: abs(numbers[name][0] - x) + abs(numbers[name][1] - y))
        for x in range(WIDE)
        for y in range(HIGH)
    }
    return [
        work(paid(seed, _farms(seed, border[len(border) // 2]))),
        work(paid(seed, _farms(seed, (lone, _beside(seed)[lone][0])))),
        work(paid(seed, {at: name for at, name in farm.items() if at != lone})),
        work(paid(seed, near)),
        work(counts),
        [Call("shell", command="head fields.csv"), "The hedges cannot be told apart."],
    ]
