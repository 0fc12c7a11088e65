"""A floor of thirteen hundred signs that are one form turned and mirrored: cheapest walks from corner to corner."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import answers
from .concurrent_order import HANDS, SIDE, sign
from .drawing import INK, Canvas
from .stamps import sheet, stamp

DESCRIPTION = "Can the model find the cheapest walks over a floor of signs that are turned and mirrored?"
TAGS = ["hard", "vision", "paths"]

WALKS = ("FALL", "RISE")
TOP, FIELD = 52, 28  # pixels of the legend; of a square
QUESTION = """The picture shows a floor of {columns} by {rows} squares with a sign on each. There are eight signs, which differ in how one form is turned and mirrored; the line at the top of the picture
shows them. (They are written by hand, and waver a little.)

The walk FALL begins on the square in the upper left corner and ends on the one in the lower right corner; each of its steps leads to the square right of it (R) or below it (D). The walk RISE begins on the square in the lower
left corner and ends on the one in the upper right corner; each of its steps leads to the square right of it (R) or above it (U). What a step costs depends on the sign of the square that it leads to: of the two numbers
right of a sign at the top, the first is the cost of a step R to a square with this sign, the second that of a step D or U. The first square of a walk costs nothing.

Find for each of the two a walk with the smallest possible cost. End your reply with two lines with their {steps} steps each, such as

FALL: RRDRDD
RISE: URRRUR"""


@dataclass(frozen=True)
class Floor:
    """`columns` by `rows` signs."""

    columns: int
    rows: int

    @cache  # noqa: B019 - there is one of them
    def signs(self, seed: int) -> tuple[tuple[int, ...], ...]:
        """Row by row, the ways in which the signs are turned, 0 to 7."""
        chance = random.Random(f"floor of signs {seed}")
        return tuple(tuple(chance.choices(range(8), k=self.columns)) for _ in range(self.rows))

    @cache  # noqa: B019 - as above
    def costs(self, seed: int) -> dict[int, tuple[int, int]]:
        """What a step R and a step D to each sign cost, in the order of the legend."""
        chance = random.Random(f"floor costs {seed}")
        across, down = (chance.sample(range(10, 60), 8) for _ in range(2))
        return dict(zip(chance.sample(range(8), 8), zip(across, down, strict=True), strict=True))

    def floor(self, seed: int, name: str) -> tuple[tuple[int, ...], ...]:
        """The signs for a walk downwards: turned over for RISE, which begins at the bottom."""
        return self.signs(seed)[:: -1 if name == "RISE" else 1]

    def cost(self, seed: int, name: str, walk: str) -> int | None:
        """What a walk costs; None if it does not lead from corner to corner."""
        if not re.fullmatch("[RD]+|[RU]+", walk) or (("U" in walk) != (name == "RISE")):
            return None
        if walk.count("R") != self.columns - 1 or len(walk) != self.columns + self.rows - 2:
            return None
        signs, costs, x, y, total = self.floor(seed, name), self.costs(seed), 0, 0, 0
        for step in walk:
            x, y = (x + 1, y) if step == "R" else (x, y + 1)
            total += costs[signs[y][x]][step != "R"]
        return total

    @cache  # noqa: B019 - as above
    def best(self, seed: int, name: str) -> int:
        """The smallest cost of a walk."""
        costs, reached = self.costs(seed), [0] + [10**6] * (self.columns - 1)
        for y, row in enumerate(self.floor(seed, name)):
            for x, (across, down) in enumerate(costs[each] for each in row):
                ways = [reached[x] + down] if y else [0] if x == 0 else []
                reached[x] = min([*ways, *([reached[x - 1] + across] if x else [])])
        return reached[-1]

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The legend and the floor."""
        chance = random.Random(f"floor hand {seed}")
        hands = [Canvas(FIELD, FIELD) for _ in range(8 * HANDS)]
        for n, hand in enumerate(hands):
            stamp(hand, (FIELD - SIDE) // 2, (FIELD - SIDE) // 2, sign(n // HANDS, chance))
        floor = sheet(
            [[each * HANDS + chance.randrange(HANDS) for each in row] for row in self.signs(seed)], hands
        )
        canvas = Canvas(floor.width, TOP + floor.height)
        stamp(canvas, 0, TOP, floor)
        for n, (turn, (across, down)) in enumerate(self.costs(seed).items()):
            left = round((n + 0.5) * canvas.width / 8) - 50
            stamp(canvas, left, 10, sign(turn, None))
            canvas.text(left + SIDE + 10, 10 + SIDE / 2, f"{across} {down}", "#c81e1e", anchor=0)
        canvas.rectangle(8, TOP - 8, canvas.width - 8, TOP - 6, INK)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(columns=self.columns, rows=self.rows, steps=self.columns + self.rows - 2)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(self.judge, seed))
        )

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """Passed if both walks cost the least; the score is the mean of the least costs as shares of theirs."""
        said, share, told, passed = answers(reply, dict.fromkeys(WALKS, "")), 0.0, [], True
        for name in WALKS:
            walk = re.sub(r"[\s,-]", "", said.get(name, "").upper())
            cost, best = self.cost(seed, name, walk), self.best(seed, name)
            share += best / cost / len(WALKS) if cost else 0
            passed &= cost == best
            told.append(
                f"{name} costs {cost}, at least {best}" if cost else f"{name} is no such walk: {walk[:80]!r}"
            )
        return Score(share, passed), "; ".join(told)


TASK = Floor(columns=36, rows=32)
build = TASK.build
