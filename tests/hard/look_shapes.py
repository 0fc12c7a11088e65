"""Overlapping outlines: how many of each kind there are, and how many of them contain each of some points."""

from __future__ import annotations

import math
import random
from functools import partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, Point, circle

DESCRIPTION = "Can the model tell overlapping outlines apart, count them, and say which points they contain?"
TAGS = ["medium", "vision", "counting"]

WIDTH, HEIGHT = 1000, 760
SHAPES, MARKS = 15, "ABCDEFGHIJKL"
CLEAR = 9  # pixels from a point to any outline, at least
KINDS = {"circles": 64, "triangles": 3, "squares": 4, "pentagons": 5}
QUESTION = f"""The picture shows overlapping outlines, all in the same dark colour: circles, triangles with equal sides, squares and regular
pentagons, of different sizes and turned in any way. All lie in the picture as a whole. The {len(MARKS)} red dots, with letters beside them, are points; no point
lies on an outline.

How many outlines of each kind are there? And for each point: how many of the outlines contain it? End your reply with {4 + len(MARKS)}
lines, a name and a number each:

CIRCLES: 2
TRIANGLES: 5
SQUARES: 1
PENTAGONS: 4
A: 3
B: 0
and so on up to {MARKS[-1]}."""


def scene(seed: int) -> tuple[list[tuple[str, list[Point]]], dict[str, Point]]:
    """The outlines, each a kind and its corners, and the points."""
    chance = random.Random(f"shapes {seed}")
    kinds = [*KINDS] * 2 + [chance.choice([*KINDS]) for _ in range(SHAPES - 2 * len(KINDS))]
    shapes = []
    for kind in kinds:
        radius = chance.randint(110, 200)
        x, y = (chance.uniform(radius + 15, size - radius - 15) for size in (WIDTH, HEIGHT))
        shapes.append((kind, circle(x, y, radius, KINDS[kind], chance.uniform(0, 360))))
    points: list[Point] = []  # all but one in two outlines or more
    while len(points) < len(MARKS):
        at = chance.uniform(60, WIDTH - 60), chance.uniform(60, HEIGHT - 60)
        need = 2 if len(points) < len(MARKS) - 1 else 0
        if (
            all(math.dist(at, other) > 45 for other in points)
            and all(_away(at, corners) > CLEAR for _, corners in shapes)
            and sum(contains(corners, at) for _, corners in shapes) >= need
        ):
            points.append(at)
    chance.shuffle(points)
    return shapes, dict(zip(MARKS, points, strict=True))


def _away(at: Point, corners: list[Point]) -> float:
    """Pixels from a point to the nearest side."""
    least = math.inf
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        dx, dy = b[0] - a[0], b[1] - a[1]
        part = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / (dx * dx + dy * dy)
        part = min(1.0, max(0.0, part))
        least = min(least, math.hypot(a[0] + part * dx - at[0], a[1] + part * dy - at[1]))
    return least


def contains(corners: list[Point], at: Point) -> bool:
    """Whether a convex outline, its corners clockwise, contains a point."""
    return all(
        (b[0] - a[0]) * (at[1] - a[1]) > (b[1] - a[1]) * (at[0] - a[0])
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    )


def picture(seed: int) -> bytes:
    """The outlines and the points."""
    shapes, marks = scene(seed)
    canvas = Canvas(WIDTH, HEIGHT)
    for _, corners in shapes:
        canvas.line([*corners, corners[0], corners[1]], 2.4, "#23395b")
    for letter, (x, y) in marks.items():
        canvas.disc(x, y, 4.5, "#d00000")
        canvas.text(x + 16, y, letter, "#d00000")
    return canvas.png()


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    shapes, marks = scene(seed)
    counts = {kind.upper(): sum(each == kind for each, _ in shapes) for kind in KINDS}
    return counts | {
        letter: sum(contains(corners, at) for _, corners in shapes) for letter, at in marks.items()
    }


def build(seed: int) -> Node:
    """The test of a seed."""
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(QUESTION, llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), same_number))
    )
