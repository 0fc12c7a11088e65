"""Right and wrong work on repair_jacquard: the squares of the photograph are read from right to left."""

from __future__ import annotations

from collections.abc import Callable

from evaluator import Call

from ..repair_jacquard import SIDE, SIZE, cards, damaged, picture, table
from ..squares import EDGE
from .mended import Writes
from .pixels import Pixels


def _read(seed: int) -> str:
    pixels = Pixels(picture(seed))
    places = [EDGE + (n + 0.5) * SIZE for n in range(SIDE)]
    return "".join("".join(".#"[not pixels.is_dark(x, y)] for x in places[::-1]) + "\n" for y in places)


def _changed(seed: int, change: Callable[[list[list[int]]], object]) -> Writes:
    field = [list(card) for card in cards(seed)]
    change(field)
    return Writes("cards.txt", lambda: table(tuple(map(tuple, field))))


def right(seed: int) -> list[object]:
    return [Writes("cards.txt", lambda: _read(seed))]


def wrong(seed: int) -> list[object]:
    was = damaged(seed)

    def flip(field: list[list[int]]) -> None:
        field[20][20] = 1 - field[20][20]

    return [
        _changed(seed, flip),
        _changed(seed, lambda field: field.__setitem__(slice(30, None), [list(card) for card in was[30:]])),
        _changed(seed, lambda field: [card.reverse() for card in field]),
        Writes("cards.txt", lambda: table(tuple(tuple(1 - each for each in card) for card in cards(seed)))),
        Writes("cards.txt", lambda: table(was)),
        [Call("shell", command="cat cards.txt"), "I see no fault."],
    ]
