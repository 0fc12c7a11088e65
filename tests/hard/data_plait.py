"""A plait of 44 threads that cross or only touch at 774 places, and tables of their ends: what does each weaver earn?"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .digitised import OTHER, digitised, ending, table
from .drawing import INK, Canvas, Point
from .hand import pen

DESCRIPTION = (
    "Can an agent follow the threads of a drawn plait to their lower ends, and pay the weavers by them?"
)
TAGS = ["hard", "vision", "agent"]

THREADS, LEVELS, ACROSS, DOWN, EDGE, TOP = 44, 36, 23, 25, 30, 38
CROSSED, NEAR = (
    0.6,
    0.36,
)  # the part of the meetings at which threads cross; how far those that do not bend inwards
WEAVERS = (
    "ANSELM",
    "BEATRIX",
    "CONRAD",
    "DORCAS",
    "EUSTACE",
    "FRIDA",
    "GODWIN",
    "HELGA",
    "IVO",
    "JUDITH",
    "KENELM",
)
TASK = f"""The picture shows a plait of {THREADS} threads that begin at the top, at the places 1 to {THREADS} from left to right, and end below, at the places 1 to {THREADS} from left to right; every fifth place is numbered. On the way down, two
threads beside each other meet again and again. They either cross, like the strokes of an X, or they only come near, like a pair of brackets turned outwards, )(, and each goes on at its own side. Nowhere
else do threads touch.

In your folder, top.csv says of the thread that begins at each place at the top which weaver has laid it and how many yards it is long; bottom.csv says how many pence are paid for a yard of the thread that ends at each place below.

How many pence does each weaver earn? {ending(WEAVERS)}"""

Plait = Sequence[Sequence[bool]]  # of each level, from the left: whether the two threads cross


def first(level: int) -> int:
    """The place, from 0, of the first thread of a level that meets another one."""
    return level % 2


@cache
def plait(seed: int) -> Plait:
    """The meetings."""
    chance = random.Random(f"plait {OTHER + seed}")
    return [
        [chance.random() < CROSSED for _ in range(first(level), THREADS - 1, 2)] for level in range(LEVELS)
    ]


def ends(met: Plait) -> list[int]:
    """Which thread, from 0, ends at each place."""
    found = list(range(THREADS))
    for level, its in enumerate(met):
        for n, is_crossed in enumerate(its):
            left = first(level) + 2 * n
            if is_crossed:
                found[left : left + 2] = found[left + 1], found[left]
    return found


@cache
def curve(begin: float, middle: float, end: float) -> tuple[Point, ...]:
    """A way down over one level, smooth and upright at both ends, through the middle."""

    def at(t: float) -> float:
        s = (1 - t) * t
        straight = begin + (end - begin) * t * t * (3 - 2 * t)
        return straight + (middle - (begin + end) / 2) * 16 * s * s

    return tuple((ACROSS * at(n / 8), DOWN * n / 8) for n in range(9))


@cache
def picture(seed: int) -> bytes:
    """The plait."""
    ink = bytes.fromhex(INK[1:]) * 2
    wide, high = ACROSS * (THREADS - 1), DOWN * LEVELS
    canvas = Canvas(wide + 2 * EDGE, high + 2 * TOP)
    for level, its in enumerate(plait(seed)):
        y, begin = TOP + DOWN * level, first(level)
        for n, is_crossed in enumerate(its):
            x = EDGE + ACROSS * (begin + 2 * n)
            ways = ((0, 0.5, 1), (1, 0.5, 0)) if is_crossed else ((0, NEAR, 0), (1, 1 - NEAR, 1))
            for way in ways:
                pen(canvas, [(x + a, y + b) for a, b in curve(*way)], ink)
        for place in {0, THREADS - 1} - set(range(begin, begin + 2 * len(its))):
            pen(canvas, [(EDGE + ACROSS * place, y), (EDGE + ACROSS * place, y + DOWN)], ink)
    for place in range(THREADS):
        x = EDGE + ACROSS * place
        pen(canvas, [(x, TOP - 8), (x, TOP)], ink)
        pen(canvas, [(x, TOP + high), (x, TOP + high + 8)], ink)
        if place % 5 == 4:
            canvas.text(x, TOP - 20, str(place + 1), "#c81e1e")
            canvas.text(x, TOP + high + 20, str(place + 1), "#c81e1e")
    return canvas.png()


@cache
def top(seed: int) -> Sequence[tuple[str, int]]:
    """The weaver and the yards of each thread; no two are as long."""
    chance = random.Random(f"plait top {seed}")
    weavers = chance.sample(WEAVERS * (THREADS // len(WEAVERS)), THREADS)
    return list(zip(weavers, chance.sample(range(101, 400), THREADS), strict=True))


@cache
def bottom(seed: int) -> Sequence[int]:
    """The price of each place; no two are the same."""
    return random.Random(f"plait bottom {seed}").sample(range(101, 400), THREADS)


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    return {
        "top.csv": table("place,weaver,yards", ((n, *its) for n, its in enumerate(top(seed), 1))),
        "bottom.csv": table("place,pence", enumerate(bottom(seed), 1)),
    }


def earned(seed: int, met: Plait) -> dict[str, int]:
    """The answers if these meetings are read."""
    found = dict.fromkeys(WEAVERS, 0)
    for thread, pence in zip(ends(met), bottom(seed), strict=True):
        weaver, yards = top(seed)[thread]
        found[weaver] += yards * pence
    return found


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return earned(seed, plait(seed))


def build(seed: int) -> Node:
    """The test of a seed."""
    return digitised(partial(picture, seed), partial(files_of, seed), partial(wanted, seed), TASK)
