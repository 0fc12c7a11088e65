"""Right and wrong work on repair_register."""

from __future__ import annotations

from collections.abc import Callable

from evaluator import Call

from ..repair_register import keyed, register, table
from .mended import Writes


def _all(seed: int, change: Callable[[str], str]) -> Writes:
    return Writes(
        "register.txt", lambda: table([[change(number) for number in row] for row in register(seed)])
    )


def right(seed: int) -> list[object]:
    return [Writes("register.txt", lambda: table(register(seed)))]


def wrong(seed: int) -> list[object]:
    true = register(seed)
    slip = [[f"{(int(true[0][0]) + 10) % 10_000:04}", *true[0][1:]], *true[1:]]
    return [
        Writes("register.txt", lambda: table(slip)),
        _all(seed, lambda number: number[::-1]),
        _all(seed, lambda number: number[:2] + number[3] + number[2]),
        Writes("register.txt", lambda: table([*true[:8], *keyed(seed)[8:]])),
        Writes("register.txt", lambda: table(keyed(seed))),
        [Call("shell", command="cat register.txt"), "I see no mistake in the numbers."],
    ]
