"""A floor of sixteen hundred dice: the walk from corner to corner with the smallest sum."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import answers
from .drawing import INK, Canvas

DESCRIPTION = "Can the model find the cheapest walk over a floor of dice that it sees?"
TAGS = ["hard", "vision", "paths"]

# Where the eyes are, in steps from the middle.
EYES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
EDGE, STEP = 12, 6  # pixels: around the floor; between eyes
DARK = "#2b4a8b"
QUESTION = """The picture shows a floor of {columns} by {rows} dice, white ones and dark ones. A walk begins on the die in the upper left corner and ends on the one in the lower right corner. Each step leads to the die
right of it (R) or below it (D). A white die costs as much as it has eyes. A dark die costs as much as it has eyes, and {more} more if the walk comes to it from above. The first die costs its eyes.

Find a walk with the smallest possible cost. End your reply with one line with its {steps} steps, such as

WALK: RRDRDD"""


@dataclass(frozen=True)
class Dice:
    """`columns` by `rows` dice on `size` pixels each; a dark one costs `more` from above."""

    columns: int
    rows: int
    size: int
    more: int

    @cache  # noqa: B019 - there is one of them
    def floor(self, seed: int) -> list[list[tuple[int, bool]]]:
        """Row by row: eyes, and whether a die is dark."""
        chance = random.Random(f"dice {seed}")
        return [
            [(chance.randint(1, 6), chance.random() < 0.4) for _ in range(self.columns)]
            for _ in range(self.rows)
        ]

    def cost(self, seed: int, walk: str) -> int | None:
        """What a walk costs; None if it does not lead from corner to corner."""
        floor = self.floor(seed)
        if (
            walk.count("R") != self.columns - 1
            or walk.count("D") != self.rows - 1
            or len(walk) > self.columns + self.rows
        ):
            return None
        x = y = 0
        total = floor[0][0][0]
        for step in walk:
            x, y = (x + 1, y) if step == "R" else (x, y + 1)
            eyes, dark = floor[y][x]
            total += eyes + self.more * (dark and step == "D")
        return total

    @cache  # noqa: B019 - as above
    def best(self, seed: int) -> tuple[int, str]:
        """The smallest cost, and a walk that has it."""
        reached: dict[tuple[int, int], tuple[int, str]] = {}
        for y, row in enumerate(self.floor(seed)):
            for x, (eyes, dark) in enumerate(row):
                ways = [(eyes, "")] if x == y == 0 else []
                if x:
                    cost, walk = reached[x - 1, y]
                    ways.append((cost + eyes, walk + "R"))
                if y:
                    cost, walk = reached[x, y - 1]
                    ways.append((cost + eyes + self.more * dark, walk + "D"))
                reached[x, y] = min(ways)
        return reached[self.columns - 1, self.rows - 1]

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The floor."""
        size = self.size
        canvas = Canvas(2 * EDGE + self.columns * size, 2 * EDGE + self.rows * size, "#d8d2c4")
        for y, row in enumerate(self.floor(seed)):
            for x, (eyes, dark) in enumerate(row):
                left, top = EDGE + x * size, EDGE + y * size
                canvas.rectangle(
                    left + 1, top + 1, left + size - 1, top + size - 1, DARK if dark else "#ffffff"
                )
                for across, down in EYES[eyes]:
                    at = left + size / 2 + across * STEP, top + size / 2 + down * STEP
                    canvas.disc(*at, 2.3, "#ffffff" if dark else INK)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(
            columns=self.columns, rows=self.rows, more=self.more, steps=self.columns + self.rows - 2
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(self.judge, seed))
        )

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """Passed if the walk costs the least; the score is the least cost as a share of the walk's."""
        best = self.best(seed)[0]
        said = re.sub(r"[\s,-]", "", answers(reply, {"WALK": ""}).get("WALK", "").upper())
        cost = self.cost(seed, said) if re.fullmatch("[RD]+", said) else None
        if cost is None:
            return Score(0, False), f"no walk from corner to corner: {said[:80]!r}"
        return Score(best / cost, cost == best), f"the walk costs {cost}; the least is {best}"


TASK = Dice(columns=42, rows=38, size=25, more=2)
build = TASK.build
