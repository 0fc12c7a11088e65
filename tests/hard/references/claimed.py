"""Right and wrong replies to claims, by the numbers of those that are false."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..claims import Claims


@cache
def false_of(claims: Claims, seed: int, is_true: Callable[[int, str], bool]) -> tuple[int, ...]:
    """The numbers of the claims of a seed that are not true."""
    return tuple(number for number, (claim, _) in claims.said(seed).items() if not is_true(seed, claim))


def said(numbers: tuple[int, ...]) -> str:
    """A reply."""
    return f"I checked each.\n\nFALSE: {' '.join(map(str, numbers))}"


def rights(false: tuple[int, ...]) -> list[str]:
    """Right replies."""
    return [said(false), f"**False:** {', '.join(map(str, reversed(false)))}"]


def wrongs(claims: Claims, seed: int, false: tuple[int, ...]) -> list[str]:
    """One claim too few or too many, all of the others, none, all."""
    true = tuple(number for number in claims.said(seed) if number not in false)
    return [
        said(false[1:]),
        said((*false, true[-1])),
        said((*false[:-1], true[0])),
        said(true),
        said((*true, *false)),
        "All claims are true.\n\nFALSE:",
    ]
