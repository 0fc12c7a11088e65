"""Rectangles that fill a square without a gap: find how."""

from __future__ import annotations

import random
import re
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model pack rectangles into a square without a gap, where a way to do it exists?"
TAGS = ["hard", "reasoning", "puzzle"]

SIDE, COUNT = 24, 11
PROMPT = """These {count} rectangles fill a square of {side} by {side} without a gap and without overlapping:

{rectangles}

Find out how. Each may be turned by a quarter. The lower left corner of the square is (0, 0), its upper right one ({side}, {side}). A place for a
rectangle is written as the x and y of its lower left corner, its width (along x) and its height (along y).

If you do not find a way to place all, place as much area as you can. Work it out without running any code. End your reply with a line for each
rectangle that you have placed: its letter, a colon, and x, y, width and height, such as "C: 0 12 7 5"."""

Rectangle = tuple[int, int, int, int]  # x, y, width, height


@cache
def planted(seed: int) -> tuple[Rectangle, ...]:
    """A way to fill the square: cut again and again, the last cuts as pinwheels; no two rectangles have the same sides."""
    for attempt in range(10_000):
        chance = random.Random(f"packing {seed} {attempt}")
        parts: list[Rectangle] = [(0, 0, SIDE, SIDE)]
        while len(parts) < COUNT:
            large = sorted(parts, key=lambda part: -part[2] * part[3])
            x, y, w, h = part = large[chance.choice([0, 0, 1]) % len(large)]
            parts.remove(part)
            if min(w, h) >= 9 and len(parts) + 5 <= COUNT and chance.random() < 0.6:
                parts += pinwheel(part, chance)
            elif chance.random() < w / (w + h) and w >= 6:
                cut = chance.randint(2, w - 2)
                parts += [(x, y, cut, h), (x + cut, y, w - cut, h)]
            elif h >= 6:
                cut = chance.randint(2, h - 2)
                parts += [(x, y, w, cut), (x, y + cut, w, h - cut)]
            else:
                break
        sides = {tuple(sorted(part[2:])) for part in parts}
        if len(parts) == COUNT == len(sides) and all(
            min(part[2:]) >= 2 and part[2] != part[3] for part in parts
        ):
            return tuple(parts)
    raise ValueError(f"no packing for seed {seed}")


def pinwheel(part: Rectangle, chance: random.Random) -> list[Rectangle]:
    """Five rectangles of which no line goes through the whole."""
    x, y, w, h = part
    a, b = sorted(chance.sample(range(2, w - 1), 2))
    c, d = sorted(chance.sample(range(2, h - 1), 2))
    return [
        (x, y, b, c), (x + b, y, w - b, d), (x + a, y + d, w - a, h - d), (x, y + c, a, h - c), (x + a, y + c, b - a, d - c),
    ]  # fmt: skip


def sizes(seed: int) -> dict[str, tuple[int, int]]:
    """Letter -> the sides, in random order, the longer one first."""
    pieces = [tuple(sorted(part[2:], reverse=True)) for part in planted(seed)]
    random.Random(f"packing order {seed}").shuffle(pieces)
    return {letter: (a, b) for letter, (a, b) in zip("ABCDEFGHIJK", pieces, strict=True)}


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of the area that is covered; 0 if anything overlaps, sticks out or has other sides."""
    known, taken = sizes(seed), set[tuple[int, int]]()
    plain = re.sub(r"[*`_|(),=]|[xywhXYWH]\s*=", " ", reply)
    placed: dict[str, Rectangle] = {}
    for letter, *numbers in re.findall(
        r"(?m)^[ \t-]*([A-K])\s*:\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)[ \t]*\.?[ \t]*$", plain
    ):
        x, y, w, h = map(int, numbers)
        placed[letter] = (x, y, w, h)
    for letter, (x, y, w, h) in placed.items():
        if tuple(sorted((w, h), reverse=True)) != known[letter]:
            return Score(0.0, False), f"{letter} is not {w} by {h}"
        cells = (
            {(x + i, y + j) for i in range(w) for j in range(h)} if x + w <= SIDE and y + h <= SIDE else set()
        )
        if not cells or cells & taken:
            return Score(0.0, False), f"{letter} {'overlaps' if cells else 'sticks out'}"
        taken |= cells
    return Score(len(taken) / SIDE**2, len(taken) == SIDE**2), f"{len(placed)} of {COUNT} placed"


def build(seed: int) -> Node:
    """The test of a seed."""
    lines = [f"    {letter}: {a} by {b}" for letter, (a, b) in sizes(seed).items()]
    question = PROMPT.format(count=COUNT, side=SIDE, rectangles="\n".join(lines))
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
