"""A square code that nobody described: three samples with their texts, and a large one to be read."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all
from .drawing import Canvas
from .sheets import BROAD, field

DESCRIPTION = "Can the model find out how a matrix code is laid out by samples, and read another one?"
TAGS = ["hard", "vision", "codes"]

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ACROSS, DOWN = 3, 2  # squares of a block
EDGE = 34  # pixels left of the large code and above it
# When the square in row r and column c was turned over.
MASKS: dict[str, Callable[[int, int], bool]] = {
    "r + c is even": lambda r, c: (r + c) % 2 == 0,
    "c is even": lambda r, c: c % 2 == 0,
    "r + c is divisible by 3": lambda r, c: (r + c) % 3 == 0,
    "r is divisible by 3": lambda r, c: r % 3 == 0,
    "r * c is divisible by 5": lambda r, c: r * c % 5 == 0,
    "2 * r + c is divisible by 5": lambda r, c: (2 * r + c) % 5 == 0,
    "r + c is divisible by 4": lambda r, c: (r + c) % 4 == 0,
    "r * c is even": lambda r, c: r * c % 2 == 0,
}
QUESTION = """The picture shows four codes in one and the same script of black and white squares: the large one and, at its right, the samples S1, S2 and S3 from top to bottom. Only this is known:

- A code is cut into blocks of three columns by two rows. A block is one sign; blocks are read by rows from left to right, from the top to the bottom.
- The signs A to Z have the numbers 0 to 25, and 2 to 7 have the numbers 26 to 31. A number has five bits. Five of a block's squares carry the bits, one each; the sixth is the switch. If the switch is 1, all five bits are flipped.
  Which square is which bit and which is the switch is unknown, but the same in all blocks.
- In print, some squares are turned over, black for white. Let r and c be a square's row and column in its own code, both counted from 0 at the top left. All squares are turned over for which one condition holds, the same
  for all four codes; it is one of these: {masks}. Once they are turned back, black is 1 and white is 0.

The samples say, row of blocks by row of blocks:
{samples}
What does the large code say? End your reply with {rows} lines, one for each row of blocks, such as

1: XQ4JABWRT7KLMN"""


@dataclass(frozen=True)
class Scheme:
    """The condition, and the squares (0 to 5, by rows) of the highest to the lowest bit and of the switch."""

    mask: str
    places: tuple[int, ...]

    def drawn(self, rows: list[str], chance: random.Random) -> list[list[int]]:
        """The squares of a text."""
        turned = MASKS[self.mask]
        squares = [[int(turned(r, c)) for c in range(ACROSS * len(rows[0]))] for r in range(DOWN * len(rows))]
        for row, text in enumerate(rows):
            for column, sign in enumerate(text):
                switch, number = chance.getrandbits(1), ALPHABET.index(sign)
                bits = [(number >> (4 - bit) & 1) ^ switch for bit in range(5)]
                for place, bit in zip(self.places, [*bits, switch], strict=True):
                    y, x = divmod(place, ACROSS)
                    squares[DOWN * row + y][ACROSS * column + x] ^= bit
        return squares


@dataclass(frozen=True)
class Matrices:
    """A code of `columns` by `rows` blocks and three of `few` by `few_rows`, by squares of `size` pixels."""

    columns: int
    rows: int
    few: int
    few_rows: int
    size: int

    @cache  # noqa: B019 - there is one of them
    def codes(self, seed: int) -> tuple[list[list[str]], list[list[list[int]]]]:
        """The texts, row by row, of the large code and of the samples; and their squares."""
        chance = random.Random(f"matrix {seed}")
        scheme = Scheme(chance.choice(list(MASKS)), tuple(chance.sample(range(ACROSS * DOWN), 6)))
        shapes = [(self.columns, self.rows), *[(self.few, self.few_rows)] * 3]
        texts = [
            ["".join(chance.choices(ALPHABET, k=columns)) for _ in range(rows)] for columns, rows in shapes
        ]
        return texts, [scheme.drawn(text, chance) for text in texts]

    def corner(self, code: int) -> tuple[int, int]:
        """The left and the top of a code in the picture; 0 is the large one."""
        if not code:
            return EDGE, EDGE
        apart = DOWN * self.few_rows * self.size + 62
        return EDGE + ACROSS * self.columns * self.size + 38, EDGE + 24 + (code - 1) * apart

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The codes, the large one at the left."""
        size = self.size
        wide = self.corner(1)[0] + ACROSS * self.few * size + 14
        canvas = Canvas(wide, EDGE + DOWN * self.rows * size + 12)
        for code, squares in enumerate(self.codes(seed)[1]):
            left, top = self.corner(code)
            field(canvas, left, top, squares, size)
            if code:
                canvas.text(left, top - 14, f"S{code}", BROAD, 2, 0)
        return canvas.png()

    def wanted(self, seed: int) -> dict[str, str]:
        """The rows of the large code."""
        return {str(n): text for n, text in enumerate(self.codes(seed)[0][0], 1)}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        samples = "".join(f"S{n}: {' '.join(text)}\n" for n, text in enumerate(self.codes(seed)[0][1:], 1))
        question = QUESTION.format(masks="; ".join(MASKS), samples=samples, rows=self.rows)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_signs))
        )


def same_signs(said: str, wanted: str) -> bool:
    """Whether the letters and digits are the same; what stands between them does not matter."""
    return re.sub(r"[^A-Z0-9]", "", said.upper()) == wanted


TASK = Matrices(columns=14, rows=22, few=4, few_rows=6, size=18)
build = TASK.build
