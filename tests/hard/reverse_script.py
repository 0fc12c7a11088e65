"""A sheet in a made-up script whose signs are turned and mirrored shapes, with the first lines in clear."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

from evaluator import *

from .answers import judge_all
from .drawing import Canvas, Point

DESCRIPTION = (
    "Can the model learn a script of turned and mirrored signs from a text in clear, and read more of it?"
)
TAGS = ["hard", "vision", "reading"]

SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
EDGE = 36  # pixels of the names of lines
INK = "#1c1c1c"
# Strokes about (0, 0), 6 high; none of these shapes is like itself or another one after a turn or in a mirror.
SHAPES: tuple[tuple[tuple[Point, ...], ...], ...] = (
    (((0, -3), (0, 3)), ((0, -3), (2.4, -3)), ((0, 0), (2.4, 0))),
    (((-1.1, 3), (-1.1, -3), (1.8, -1.3), (-1.1, 0.4)),),
    (((-1.5, -3), (-1.5, 3)), ((-1.5, 0), (1.5, 0), (1.5, 3))),
    (((1.5, -3), (-1.5, -3), (-1.5, 3), (1.5, 3), (1.5, 0.6)),),
)
MIRRORED, HALF, PLAIN = "mirrored", "half", "plain"
QUESTION = """The picture shows a sheet in a made-up script, lines 1 to {all}, written by hand: signs lean and waver a little. There are 32 signs, one for each of the letters A to Z and of the digits 2 to 7: four shapes, each of which is
written in eight ways, turned by quarters and mirrored; every way is a letter or digit of its own.

The scribe wrote the lines by turns to the right and to the left, but whether line 1 runs to the right or to the left is not known. In all lines that run to the left, either each sign is mirrored (left for right), or each sign is turned by half a turn,
or the signs are as in the others; which of the three is not known either, but the same in the whole sheet.

Lines 1 to {known} say, in the order in which they were written:
{clear}
What do lines {first} to {all} say, in the order in which they were written? End your reply with {asked} lines such as

{first}: XQ5AB..."""

Sign = tuple[int, int, bool]  # the shape, quarter turns clockwise, and whether it was mirrored before


@dataclass(frozen=True)
class Sheet:
    """Lines of `columns` signs, of which the first `known` are known; `unit` pixels."""

    known: int
    asked: int
    columns: int
    across: int
    down: int
    unit: float
    waver: float
    lean: float  # degrees

    @cache  # noqa: B019 - there is one of them
    def signs(self, seed: int) -> dict[str, Sign]:
        """The sign of each letter in a line that runs to the right."""
        chance = random.Random(f"script {seed}")
        ways = list(product(range(len(SHAPES)), range(4), (False, True)))
        return dict(zip(SIGNS, chance.sample(ways, len(ways)), strict=True))

    @cache  # noqa: B019 - as above
    def habit(self, seed: int) -> tuple[int, str]:
        """Which lines run to the left (0: the first), and what is done to their signs."""
        chance = random.Random(f"script habit {seed}")
        return chance.randrange(2), chance.choice((MIRRORED, HALF, PLAIN))

    @cache  # noqa: B019 - as above
    def text(self, seed: int) -> dict[str, str]:
        """What the lines say; each sign is twice in the known ones at least."""
        chance = random.Random(f"script text {seed}")
        while True:
            lines = ["".join(chance.choices(SIGNS, k=self.columns)) for _ in range(self.known + self.asked)]
            if min(map("".join(lines[: self.known]).count, SIGNS)) > 1:
                return {str(n): line for n, line in enumerate(lines, 1)}

    def wanted(self, seed: int) -> dict[str, str]:
        """The lines that are asked for."""
        return dict(list(self.text(seed).items())[self.known :])

    def middle(self, line: int, column: int) -> tuple[int, int]:
        """About which point a sign is drawn."""
        return EDGE + self.across // 2 + column * self.across, 10 + self.down // 2 + line * self.down

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The sheet."""
        chance, signs, (left, habit) = (
            random.Random(f"script hand {seed}"),
            self.signs(seed),
            self.habit(seed),
        )
        lines = self.text(seed)
        canvas = Canvas(EDGE + self.columns * self.across + 6, 20 + len(lines) * self.down)
        for row, (name, text) in enumerate(lines.items()):
            canvas.text(EDGE / 2 - 2, self.middle(row, 0)[1], name, "#c81e1e")
            to_left = row % 2 == left
            for column, letter in enumerate(reversed(text) if to_left else text):
                sign = written(signs[letter], habit) if to_left else signs[letter]
                across, down = self.middle(row, column)
                x, y = across + chance.uniform(-2.5, 2.5), down + chance.uniform(-4, 4)
                for stroke in strokes(sign, self, chance.uniform(-self.lean, self.lean), chance):
                    canvas.line([(x + a, y + b) for a, b in stroke], 2, INK)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        text = self.text(seed)
        question = QUESTION.format(
            all=len(text),
            known=self.known,
            first=self.known + 1,
            asked=self.asked,
            clear="".join(f"{name}: {text[name]}\n" for name in list(text)[: self.known]),
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_signs))
        )


def written(sign: Sign, habit: str) -> Sign:
    """A sign in a line that runs to the left."""
    shape, turns, mirror = sign
    if habit == HALF:
        return shape, (turns + 2) % 4, mirror
    return (shape, -turns % 4, not mirror) if habit == MIRRORED else sign


def strokes(sign: Sign, sheet: Sheet, lean: float, chance: random.Random | None = None) -> list[list[Point]]:
    """The strokes of a sign in pixels about its middle, leaning by some degrees; by hand or exactly."""
    shape, turns, mirror = sign
    angle, waver = math.radians(90 * turns + lean), sheet.waver if chance else 0
    cos, sin = math.cos(angle) * sheet.unit, math.sin(angle) * sheet.unit
    found = []
    for stroke in SHAPES[shape]:
        line = []
        for a, b in stroke:
            if chance:
                a, b = a + chance.uniform(-waver, waver), b + chance.uniform(-waver, waver)
            a = -a if mirror else a
            line.append((a * cos - b * sin, a * sin + b * cos))
        found.append(line)
    return found


def same_signs(said: str, wanted: str) -> bool:
    """Whether the letters and digits are the same; blanks between them do not matter."""
    return re.sub(r"[^A-Z0-9]", "", said.upper()) == wanted


TASK = Sheet(known=5, asked=8, columns=26, across=40, down=66, unit=4.4, waver=0.26, lean=13)
build = TASK.build
