"""A table of costs written in flags that are turned and mirrored: the cheapest way to give each person a post."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import answers, same_number
from .drawing import Canvas
from .hand import Hand, flag

DESCRIPTION = (
    "Can the model find the cheapest assignment in a table that is written in turned and mirrored flags?"
)
TAGS = ["hard", "vision", "assignment"]

LINE = "#b8c4d8"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEFT, TOP, APART = (
    46,
    84,
    26,
)  # pixels: of the names of rows; of the legend and the names of columns; of two flags
VALUES = [10 * tens + units for tens in range(1, 9) for units in range(1, 9)]
QUESTION = """The picture shows what each of {count} persons, A to {last}, would cost at each of {count} posts, 1 to {count}: a row is a person, a column is a post. Each cost is a number of two digits, tens before units, and each digit is
a flag in one of eight positions. The top line of the picture shows which position is which of the digits 1 to 8; there is no 0 and no 9. The flags are written by hand: they lean and waver a little.

Give each person one post, with all posts different, so that the sum of the {count} costs is as small as possible. End your reply with {lines} lines: the post of each person, and the sum. Any assignment with the
smallest sum is right.

A: 7
B: 2
...
SUM: 512"""


@dataclass(frozen=True)
class Posts:
    """`count` persons and posts on fields of `wide` by `high` pixels; costs spread by `spread` about their plan."""

    count: int
    wide: int
    high: int
    spread: int
    hand: Hand

    @property
    def names(self) -> str:
        """The persons."""
        return LETTERS[: self.count]

    @cache  # noqa: B019 - there is one of them
    def costs(self, seed: int) -> list[list[int]]:
        """Row by row. Each is a sum of what its row and its column tend to, and a rest, so that nearly all matter."""
        chance = random.Random(f"posts {seed}")
        rows, columns = ([chance.uniform(0, 27) for _ in range(self.count)] for _ in range(2))
        return [
            [VALUES[int(row + column + chance.uniform(0, self.spread))] for column in columns] for row in rows
        ]

    def legend(self, seed: int) -> list[int]:
        """The positions of the digits 1 to 8."""
        return random.Random(f"posts legend {seed}").sample(range(8), 8)

    @cache  # noqa: B019 - as above
    def best(self, seed: int) -> int:
        """The smallest sum: shortest augmenting ways, with a price for each row and column."""
        costs, size = self.costs(seed), self.count
        row_price, price, owner = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
        for row in range(1, size + 1):
            owner[0], column = row, 0
            least, came, done = [10**9] * (size + 1), [0] * (size + 1), [False] * (size + 1)
            while owner[column]:
                done[column] = True
                at = owner[column]
                for each in range(1, size + 1):
                    if not done[each]:
                        rest = costs[at - 1][each - 1] - row_price[at] - price[each]
                        if rest < least[each]:
                            least[each], came[each] = rest, column
                step, following = min((least[each], each) for each in range(1, size + 1) if not done[each])
                for each in range(size + 1):
                    if done[each]:
                        row_price[owner[each]] += step
                        price[each] -= step
                    else:
                        least[each] -= step
                column = following
            while column:
                owner[column] = owner[came[column]]
                column = came[column]
        return sum(costs[owner[each] - 1][each - 1] for each in range(1, size + 1))

    def middle(self, row: int, column: int) -> tuple[float, float]:
        """The middle of a cost in the picture."""
        return LEFT + (column + 0.5) * self.wide, TOP + (row + 0.5) * self.high

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The legend and the table."""
        wide, high = LEFT + self.count * self.wide + 8, TOP + self.count * self.high + 8
        canvas, chance = Canvas(wide, high), random.Random(f"posts hand {seed}")
        signs = [flag(position) for position in self.legend(seed)]
        for place, shape in enumerate(signs):
            at = LEFT + 60 + place * 110
            canvas.text(at, 26, f"{place + 1} =", "#2060d0")
            self.hand.write(canvas, at + 38, 26, shape, None)
        for place, name in enumerate(self.names):
            x, y = self.middle(place, place)
            canvas.text(LEFT / 2, y, name, "#c81e1e")
            canvas.text(x, TOP - 16, str(place + 1), "#c81e1e")
            canvas.span(TOP + place * self.high, 8, wide - 8, LINE)
            canvas.rectangle(LEFT + place * self.wide, TOP - 28, LEFT + place * self.wide + 1, high - 8, LINE)
        for row, costs in enumerate(self.costs(seed)):
            for column, cost in enumerate(costs):
                x, y = self.middle(row, column)
                for digit, by in zip(str(cost), (-APART / 2, APART / 2), strict=True):
                    across, down = chance.uniform(-1, 1), chance.uniform(-4, 4)
                    self.hand.write(canvas, x + by + across, y + down, signs[int(digit) - 1], chance)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(count=self.count, last=self.names[-1], lines=self.count + 1)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(self.judge, seed))
        )

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """Passed with a cheapest assignment and its sum; the score is the least sum as a share of what it costs."""
        said, best = answers(reply, dict.fromkeys([*self.names, "SUM"])), self.best(seed)
        posts = [re.fullmatch(r"\D{0,20}(\d{1,2})\D{0,40}", said.get(name, "")) for name in self.names]
        numbers = [int(post[1]) for post in posts if post]
        if sorted(numbers) != list(range(1, self.count + 1)):
            return Score(0, False), f"not each post once: {numbers}"
        cost = sum(row[post - 1] for row, post in zip(self.costs(seed), numbers, strict=True))
        summed = same_number(said.get("SUM", ""), best)
        told = f"costs {cost}, least {best}, said {said.get('SUM', 'nothing')[:40]!r}"
        return Score(best / cost if cost > best or summed else 0.9, cost == best and summed), told


TASK = Posts(count=17, wide=60, high=52, spread=9, hand=Hand(unit=7, waver=0.17, lean=8))
build = TASK.build
