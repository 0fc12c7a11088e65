"""Right and wrong replies to reverse_drums: wires are followed in the picture, and all machines are tried."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

from ..reverse_drums import DRUMS, TASK
from .pixels import Pixels

Scheme = tuple[tuple[int, ...], int, int]  # the order of the drums, the place that turns and its steps


@cache
def _ends(seed: int) -> tuple[dict[int, int], ...]:
    """Of each drum: where a wire began by where it ends."""
    pixels, found = Pixels(TASK.picture(seed)), []
    for drum in range(DRUMS):
        left, top = TASK.corner(drum)
        begun = {}
        for wire in range(TASK.signs):
            at = wire
            for column in range(TASK.columns):
                other = at + 1 if (at + column) % 2 == 0 else at - 1
                x, y = left + (column + 0.5) * TASK.wide, top + (at + other) / 2 * TASK.apart
                if 0 <= other < TASK.signs and pixels.is_dark(x, y):
                    at = other
            begun[at] = wire
        found.append(begun)
    return tuple(found)


def _clear(seed: int, cipher: str, scheme: Scheme, turned_too: bool = True) -> str:
    order, place, steps = scheme
    ends, found = _ends(seed), ""
    for n, sign in enumerate(cipher):
        number = TASK.letters.index(sign)
        for at in reversed(range(DRUMS)):
            turned = n * steps if at == place else 0
            number = ends[order[at]][(number + turned) % TASK.signs]
            number = (number - turned * turned_too) % TASK.signs
        found += TASK.letters[number]
    return found


@cache
def _schemes(seed: int) -> list[Scheme]:
    """All that explain the known messages: first the orders by the first letters, then the turning."""
    known = TASK.messages(seed)[0]
    orders = [
        order
        for order in permutations(range(DRUMS))
        if all(_clear(seed, cipher[0], (order, 0, 0)) == clear[0] for clear, cipher in known)
    ]
    return [
        scheme
        for scheme in product(orders, range(DRUMS), range(1, TASK.signs))
        if all(_clear(seed, cipher, scheme) == clear for clear, cipher in known)
    ]


def _said(seed: int, scheme: Scheme, turned_too: bool = True) -> str:
    return "\n".join(
        f"{n}: {_clear(seed, cipher, scheme, turned_too)}"
        for n, (_, cipher) in enumerate(TASK.messages(seed)[1], 1)
    )


def right(seed: int) -> list[str]:
    (scheme,) = _schemes(seed)
    said = _said(seed, scheme)
    return [f"Wire by wire.\n\n{said}", "\n".join(f"- **{each.lower()}**" for each in said.split("\n"))]


def wrong(seed: int) -> list[str]:
    order, place, steps = _schemes(seed)[0]
    said = _said(seed, (order, place, steps))
    return [
        _said(seed, (order[::-1], place, steps)),
        _said(seed, (order, place, 0)),
        _said(seed, (order, (place + 1) % DRUMS, steps)),
        _said(seed, (order, place, steps), turned_too=False),
        said[:-1] + ("A" if said[-1] != "A" else "B"),
        said.rsplit("\n", 1)[0],
        "The wires are a tangle.",
    ]
