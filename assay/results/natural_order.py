"""The order in which tests are listed: numbers in their names count as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_numbers = re.compile("[0-9]+").sub
# Small letters that Unicode does not take for another with an accent
_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ı": "i"}  # noqa: RUF001
)


def natural(name: str) -> str:
    """A sort key by which "t[2]" comes before "t[10]".

    >>> sorted(["t[10]", "t[2]", "t[b]", "t[02]"], key=natural)
    ['t[02]', 't[2]', 't[10]', 't[b]']
    """
    return f"{_numbers(_padded, name)}\0{name}"


def alphabetical(name: str) -> tuple[str, str]:
    """A sort key by which case and accents decide only between names that are otherwise equal.

    >>> sorted(["Zürich", "plain", "Île 10", "île 2", "Plain"], key=alphabetical)
    ['île 2', 'Île 10', 'Plain', 'plain', 'Zürich']
    >>> sorted(["Zürich", "Łódź", "Ǿre", "Odense", "Île", "Ærø", "Straße", "Strasse 2"], key=alphabetical)
    ['Ærø', 'Île', 'Łódź', 'Odense', 'Ǿre', 'Straße', 'Strasse 2', 'Zürich']
    """
    from unicodedata import combining, normalize

    letters = (each for each in normalize("NFKD", name) if not combining(each))
    return natural("".join(letters).casefold().translate(_LETTERS)), name


def in_order(names: Iterable[str], given: Sequence[str] = ()) -> list[str]:
    """The names that are given first, in that order, then the others in their natural order.

    >>> in_order(["t[10]", "t[2]", "b", "a"], ["b", "c", "a"])
    ['b', 'a', 't[2]', 't[10]']
    """
    found = sorted(names, key=natural)
    if given:
        place = {name: at for at, name in enumerate(given)}
        found.sort(key=lambda name: place.get(name, len(place)))
    return found


def _padded(number: re.Match[str]) -> str:
    return number[0].zfill(20)
