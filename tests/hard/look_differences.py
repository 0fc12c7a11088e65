"""Two sheets of signs side by side, and the places where they differ in something small."""

from __future__ import annotations

import random
from functools import partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import INK, Canvas, circle

DESCRIPTION = "Can the model find every small difference between two sheets of signs, and no other?"
TAGS = ["hard", "vision", "comparing"]

COLUMNS, ROWS, SIZE = "ABCDEFGHIJKL", 16, 40
COLOURS = ["#e4572e", "#f3a712", "#76b041", "#2e86ab", "#8a5fbf", "#9aa0a6"]
FORMS = {"triangle": (3, -90), "square": (4, 45), "diamond": (4, 0), "hexagon": (6, 0), "circle": (48, 0)}
QUESTION = f"""The picture shows two sheets side by side, each with {len(COLUMNS)} columns of signs, A to {COLUMNS[-1]}, and {ROWS} rows, 1 to {ROWS}. A sign is
a filled form (triangle, square, diamond, hexagon or circle) in one of six colours. In it there is a small dark dot beside the centre, in one of eight directions (above, right above, to the right and so on), and under the form there are one to four short dark bars.

In a few places the sign on the right sheet differs from the one at the same place on the left sheet: in its form, in its
colour, in where the dot is, or in the number of bars. No sign differs in more than one of these.

Which places are they? End your reply with two lines, the number of places and their names (column and row), such as

NUMBER: 3
PLACES: A14 D2 J9"""

Sign = tuple[str, int, int, int]  # form, colour, turn of the dot, bars


def sheets(seed: int) -> tuple[dict[str, Sign], dict[str, Sign]]:
    """The signs of the left and of the right sheet, by place."""
    chance = random.Random(f"differences {seed}")
    forms = list(FORMS)
    left = {
        f"{column}{row}": (
            chance.choice(forms),
            chance.randrange(6),
            chance.randrange(8),
            chance.randint(1, 4),
        )
        for row in range(1, ROWS + 1)
        for column in COLUMNS
    }
    right = dict(left)
    places = chance.sample(list(left), chance.randint(9, 12))
    for number, place in enumerate(places):
        form, colour, turn, bars = left[place]
        if number % 4 == 0:
            turn = (turn + chance.randint(1, 7)) % 8
        elif number % 4 == 1:
            bars = bars + 1 if bars == 1 or (bars < 4 and chance.random() < 0.5) else bars - 1
        elif number % 4 == 2:
            form = forms[(forms.index(form) + chance.choice((-1, 1))) % len(forms)]
        else:
            colour = (colour + chance.randint(1, 5)) % 6
        right[place] = (form, colour, turn, bars)
    return left, right


def draw(canvas: Canvas, x: float, y: float, sign: Sign) -> None:
    """A sign about a point."""
    form, colour, turn, bars = sign
    corners, first = FORMS[form]
    canvas.area([circle(x, y - 3, 15, corners, first)], COLOURS[colour])
    canvas.disc(*circle(x, y - 3, 5.5, 8)[turn], 2.8)
    for number in range(bars):
        at = x + 6 * (number - (bars - 1) / 2)
        canvas.rectangle(at - 2, y + 14, at + 2, y + 18)


def picture(seed: int) -> bytes:
    """Both sheets."""
    canvas = Canvas(1036, 30 + SIZE * ROWS + 16)
    for start, sheet in zip((32, 550), sheets(seed), strict=True):
        for place, sign in sheet.items():
            column, row = COLUMNS.index(place[0]), int(place[1:])
            x, y = start + SIZE * (column + 0.5), 30 + SIZE * (row - 0.5)
            draw(canvas, x, y, sign)
            if row == 1:
                canvas.text(x, 14, place[0])
            if column == 0:
                canvas.text(start - 16, y, str(row))
    canvas.rectangle(513, 10, 515, canvas.height - 10, INK)
    return canvas.png()


def wanted(seed: int) -> dict[str, list[str]]:
    """The answers of a seed."""
    left, right = sheets(seed)
    places = [place for place in left if left[place] != right[place]]
    return {"NUMBER": [str(len(places))], "PLACES": places}


def build(seed: int) -> Node:
    """The test of a seed."""
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(QUESTION, llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), same_set))
    )
