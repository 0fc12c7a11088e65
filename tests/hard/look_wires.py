"""Which pin is connected to which, in a drawing with many crossings and a few junctions."""

from __future__ import annotations

import random
from functools import partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import Canvas

DESCRIPTION = "Can the model trace wires through a drawing in which they cross, join and fork?"
TAGS = ["medium", "vision", "tracing"]

PINS = 18
STAGES = 4
LETTERS = "ABCDEFGHIJKLMNOPQR"
PITCH, TRACK = 40, 11  # pixels between rows, and between upright parts
QUESTION = f"""The drawing shows {PINS} numbered pins at the left and {PINS} lettered pins at the right, connected by wires. All wires are
level or upright. Where two wires cross without a dot they are not connected. Where a wire ends on another one there is
a dot, and all wires that meet at it are connected. Current flows through a wire in both directions, so two pins are connected if any
way along the wires leads from one to the other.

For each lettered pin, which numbered pins is it connected to? Each is connected to at least one. End your reply with {PINS} lines,
one for each letter, with all its numbers, such as

A: 4
B: 2 11"""

Stage = list[tuple[list[int], list[int]]]


def stages(seed: int) -> list[Stage]:
    """Of each stage the upright parts from left to right: the rows that come in, and those that go out."""
    chance = random.Random(f"wires {seed}")
    found = []
    for _ in range(STAGES):
        parts = []
        for rows in (chance.sample(range(PINS), PINS), chance.sample(range(PINS), PINS)):
            groups = [[row] for row in rows[:-1]]
            groups[0].append(rows[-1])
            chance.shuffle(groups)
            parts.append(groups)
        found.append(list(zip(*parts, strict=True)))
    return found


def pins_of(found: list[Stage]) -> dict[str, list[int]]:
    """The numbered pins that each lettered pin is connected to."""
    # A net is a set of places (column of rows, row); nets that share a place become one.
    nets: list[set[tuple[int, int]]] = []
    for number, stage in enumerate(found):
        for ins, outs in stage:
            net = {(number, row) for row in ins} | {(number + 1, row) for row in outs}
            apart = [each for each in nets if not each & net]
            nets = [*apart, net.union(*(each for each in nets if each & net))]
    wanted = {}
    for row, letter in enumerate(LETTERS):
        (net,) = (each for each in nets if (STAGES, row) in each)
        wanted[letter] = sorted(other + 1 for column, other in net if column == 0)
    return wanted


def picture(seed: int) -> bytes:
    """The drawing."""
    canvas = Canvas(1050, 780)
    left, width = 90, TRACK * (PINS + 1)

    def height(column: int, row: int) -> int:
        return 50 + PITCH * row + column % 2 * PITCH // 2

    for row in range(PINS):
        y, end = height(0, row), height(STAGES, row)
        canvas.text(left - 34, y, str(row + 1))
        canvas.rectangle(left - 10, y - 5, left, y + 5)
        right = left + STAGES * width + 10
        canvas.text(right + 30, end, LETTERS[row])
        canvas.rectangle(right, end - 5, right + 10, end + 5)
    for number, stage in enumerate(stages(seed)):
        begin = left + number * width
        for track, (ins, outs) in enumerate(stage, 1):
            x = begin + track * TRACK
            ys = [height(number, row) for row in ins] + [height(number + 1, row) for row in outs]
            canvas.rectangle(x - 1, min(ys) - 1, x + 1, max(ys) + 1)
            for row in ins:
                y = height(number, row)
                canvas.rectangle(begin, y - 1, x + 1, y + 1)
            for row in outs:
                y = height(number + 1, row)
                canvas.rectangle(x - 1, y - 1, begin + width + (10 if number == STAGES - 1 else 0), y + 1)
            for y in ys:
                if min(ys) < y < max(ys):
                    canvas.disc(x, y, 4)
    return canvas.png()


def wanted(seed: int) -> dict[str, list[int]]:
    """The answers of a seed."""
    return pins_of(stages(seed))


def build(seed: int) -> Node:
    """The test of a seed."""
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(QUESTION, llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), same_set))
    )
