"""A sheet of slips written in turned and mirrored flags, and two lists to look each of them up in."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas
from .hand import Hand, flag

DESCRIPTION = (
    "Can the model join hundreds of slips and entries that are written in turned and mirrored flags?"
)
TAGS = ["hard", "vision", "joins"]

EDGE, TOP, PAD = 12, 52, 8  # pixels: beside the papers, above them (for the legend), inside them
PAPER = {"customers": "#dcebff", "articles": "#def3d8", "slips": "#ffffff"}
NUMBERS = [10 * tens + units for tens in range(1, 9) for units in range(1, 9)]
QUESTION = """The picture shows a sheet that is written in flags: each digit is a flag in one of eight positions, and the top line shows which position is which of the digits 1 to 8; there is no 0 and no 9. The flags are written
by hand: they lean and waver a little. Grey lines part the entries, which are in no particular order:

- on the blue paper {customers} customers: the number of a customer (two digits), a gap, the customer's town (one digit);
- on the green paper {articles} articles: the number of an article (two digits), a gap, its price (three digits);
- on the white paper {slips} slips: the number of a customer (two digits), a gap, the number of an article (two digits), a gap, how many pieces the customer bought (one digit).

All numbers are decimal. How much did the customers of each town pay together? End your reply with {towns} lines such as

1: 40312
2: 38007"""

Note = tuple[str, ...]  # numbers as they are written


@dataclass(frozen=True)
class Slips:
    """Papers of notes: how many, and in how many columns; a note is `high` pixels high, a digit `apart` pixels wide."""

    customers: int
    articles: int
    slips: int
    towns: int
    columns: tuple[int, int, int]
    wide: int
    high: int
    apart: float
    hand: Hand

    @cache  # noqa: B019 - there is one of them
    def notes(self, seed: int) -> dict[str, list[Note]]:
        """The notes of each paper."""
        chance = random.Random(f"slips {seed}")
        customers, articles = (chance.sample(NUMBERS, n) for n in (self.customers, self.articles))
        towns = [1 + n % self.towns for n in range(self.customers)]
        chance.shuffle(towns)
        buyers = chance.sample(customers * 9, self.slips)
        return {
            "customers": [(str(number), str(town)) for number, town in zip(customers, towns, strict=True)],
            "articles": [
                (str(number), f"{chance.randint(1, 8)}{chance.choice(NUMBERS)}") for number in articles
            ],
            "slips": [
                (str(each), str(chance.choice(articles)), str(chance.randint(1, 8))) for each in buyers
            ],
        }

    def wanted(self, seed: int) -> dict[str, int]:
        """What each town pays."""
        notes = self.notes(seed)
        towns = {each[0]: each[1] for each in notes["customers"]}
        prices = {each[0]: int(each[1]) for each in notes["articles"]}
        found = {str(town): 0 for town in range(1, self.towns + 1)}
        for customer, article, pieces in notes["slips"]:
            found[towns[customer]] += prices[article] * int(pieces)
        return found

    def legend(self, seed: int) -> list[int]:
        """The positions of the digits 1 to 8."""
        return random.Random(f"slips legend {seed}").sample(range(8), 8)

    @cache  # noqa: B019 - as above
    def places(self, seed: int) -> dict[str, list[list[tuple[float, float]]]]:
        """The middle of each digit of each note of each paper in the picture."""
        found: dict[str, list[list[tuple[float, float]]]] = {}
        top: float = TOP
        for (paper, notes), columns in zip(self.notes(seed).items(), self.columns, strict=True):
            lines, wide, found[paper] = len(notes) // columns, (self.wide - 2 * EDGE) / columns, []
            long = self.apart * (sum(map(len, notes[0])) - 1 + 0.7 * (len(notes[0]) - 1))
            for n, note in enumerate(notes):
                x, y = (
                    EDGE + wide * (n // lines) + (wide - long) / 2,
                    top + PAD + self.high * (n % lines + 0.5),
                )
                digits = []
                for number in note:
                    digits += [(x + self.apart * place, y) for place in range(len(number))]
                    x += self.apart * (len(number) + 0.7)
                found[paper].append(digits)
            top += lines * self.high + 3 * PAD
        return found

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The sheet."""
        places, chance = self.places(seed), random.Random(f"slips hand {seed}")
        signs, low = [flag(position) for position in self.legend(seed)], places["slips"][-1][0][1]
        canvas = Canvas(self.wide, round(low + self.high / 2) + 2 * PAD, "#b9b2a4")
        canvas.rectangle(EDGE, 8, self.wide - EDGE, TOP - PAD, "#ffffff")
        for place, sign in enumerate(signs):
            x = EDGE + (self.wide - 2 * EDGE) / 8 * (place + 0.5)
            canvas.text(x - 14, TOP / 2, f"{place + 1} =", "#2060d0")
            self.hand.write(canvas, x + 28, TOP / 2, sign, None)
        for (paper, notes), columns in zip(self.notes(seed).items(), self.columns, strict=True):
            top, bottom = (
                places[paper][at][0][1] + by for at, by in ((0, -self.high / 2), (-1, self.high / 2))
            )
            canvas.rectangle(EDGE, top - PAD, self.wide - EDGE, bottom + PAD, PAPER[paper])
            for column in range(1, columns):
                x = round(EDGE + (self.wide - 2 * EDGE) / columns * column)
                canvas.rectangle(x, top - PAD, x + 1, bottom + PAD, "#a0a0a0")
            for note, digits in zip(notes, places[paper], strict=True):
                for digit, (x, y) in zip("".join(note), digits, strict=True):
                    at = x + chance.uniform(-1, 1), y + chance.uniform(-2, 2)
                    self.hand.write(canvas, *at, signs[int(digit) - 1], chance)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(
            customers=self.customers, articles=self.articles, slips=self.slips, towns=self.towns
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Slips(
    customers=40, articles=35, slips=154, towns=8, columns=(10, 7, 7), wide=1096, high=27, apart=22.5,
    hand=Hand(unit=6, waver=0.15, lean=8),
)  # fmt: skip
build = TASK.build
