"""Right and wrong replies to reverse_matrix: squares from the picture, and the only scheme that fits the samples."""

from __future__ import annotations

from functools import cache
from itertools import product

from ..reverse_matrix import ACROSS, ALPHABET, DOWN, MASKS, TASK
from .pixels import Pixels

Blocks = list[list[list[int]]]  # rows of blocks of six squares
Scheme = tuple[str, int, tuple[int, ...]]  # the condition, the switch, the bits


@cache
def _squares(seed: int) -> list[list[list[bool]]]:
    pixels, size, found = Pixels(TASK.picture(seed)), TASK.size, []
    for code in range(4):
        left, top = TASK.corner(code)
        columns, rows = (TASK.few, TASK.few_rows) if code else (TASK.columns, TASK.rows)
        found.append(
            [
                [
                    pixels.is_dark(left + (c + 0.5) * size, top + (r + 0.5) * size)
                    for c in range(ACROSS * columns)
                ]
                for r in range(DOWN * rows)
            ]
        )
    return found


def _blocks(squares: list[list[bool]], mask: str) -> Blocks:
    turned = [[int(dark != MASKS[mask](r, c)) for c, dark in enumerate(row)] for r, row in enumerate(squares)]
    return [
        [upper[c : c + ACROSS] + lower[c : c + ACROSS] for c in range(0, len(upper), ACROSS)]
        for upper, lower in zip(turned[::DOWN], turned[1::DOWN], strict=True)
    ]


@cache
def _schemes(seed: int) -> list[Scheme]:
    """All that explain the samples."""
    numbers = [ALPHABET.index(sign) for text in TASK.codes(seed)[0][1:] for row in text for sign in row]
    found = []
    for mask in MASKS:
        known = [block for code in _squares(seed)[1:] for row in _blocks(code, mask) for block in row]
        for switch in range(6):
            fits = [
                [
                    place
                    for place in range(6)
                    if place != switch
                    and all(
                        block[place] ^ block[switch] == number >> bit & 1
                        for block, number in zip(known, numbers, strict=True)
                    )
                ]
                for bit in (4, 3, 2, 1, 0)
            ]
            found += [(mask, switch, bits) for bits in product(*fits)]
    return found


def _said(seed: int, scheme: Scheme, *, switched: bool = True) -> str:
    mask, switch, bits = scheme
    lines = []
    for n, row in enumerate(_blocks(_squares(seed)[0], mask), 1):
        numbers = (
            sum((block[place] ^ (block[switch] & switched)) << (4 - bit) for bit, place in enumerate(bits))
            for block in row
        )
        lines.append(f"{n}: " + "".join(ALPHABET[number] for number in numbers))
    return "\n".join(lines)


def right(seed: int) -> list[str]:
    said = {_said(seed, scheme) for scheme in _schemes(seed)}
    assert len(said) == 1
    line = said.pop()
    return [f"Block by block.\n\n{line}", "\n".join(f"- **{each.lower()}**" for each in line.split("\n"))]


def wrong(seed: int) -> list[str]:
    scheme = _schemes(seed)[0]
    mask, switch, bits = scheme
    said, others = _said(seed, scheme), [each for each in MASKS if each != mask]
    return [
        _said(seed, (others[0], switch, bits)),
        _said(seed, (mask, switch, bits[::-1])),
        _said(seed, scheme, switched=False),
        said[:-1] + ("A" if said[-1] != "A" else "B"),
        said.rsplit("\n", 1)[0],
        "The code cannot be read.",
    ]
