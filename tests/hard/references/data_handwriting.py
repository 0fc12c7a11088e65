"""Right and wrong work on data_handwriting: digit by digit, and with digits or places that were mixed up."""

from __future__ import annotations

from evaluator import Call

from ..data_handwriting import DEPOTS, balance, entries, page
from .digitised import work


def _by_digits(seed: int, order: str = "0123", ways: bool = True) -> dict[str, int]:
    """`order`: which digit is read as thousands, hundreds, tens and units."""
    found = dict.fromkeys(DEPOTS, 0)
    for at, (depot, way, pence) in entries(seed).items():
        digits = f"{page(seed)[at]:04}"
        for n, place in enumerate(order):
            worth = int(digits[int(place)]) * 10 ** (3 - n) * pence
            found[depot] += -worth if ways and way == "out" else worth
    return found


def _taken(seed: int, one: str, other: str) -> dict[str, int]:
    """Two digits whose strokes look alike are taken for each other."""
    alike = str.maketrans(one + other, other + one)
    return {at: int(f"{number:04}".translate(alike)) for at, number in page(seed).items()}


def right(seed: int) -> list[object]:
    return [work(balance(seed, page(seed))), work(_by_digits(seed), "**", ",")]


def wrong(seed: int) -> list[object]:
    numbers = page(seed)
    return [
        work(balance(seed, {**numbers, "F4": (numbers["F4"] + 300) % 10_000})),
        work(balance(seed, _taken(seed, "3", "7"))),
        work(_by_digits(seed, "1032")),
        work(_by_digits(seed, "2301")),
        work(_by_digits(seed, ways=False)),
        [Call("shell", command="cat entries.csv"), "I cannot read this script."],
    ]
