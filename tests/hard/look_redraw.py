"""A picture of overlapping shapes that the model draws again as SVG, measured shape by shape."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from evaluator import *

from .drawing import Canvas, Point, circle

DESCRIPTION = "Can the model draw a picture of curves again, inferring the numbers behind each of them?"
TAGS = ["medium", "vision", "svg"]
REQUIRES = ["python:PIL", "python:numpy"]

WIDTH, HEIGHT = 1024, 768
COLOURS = {
    "red": "#d62828", "orange": "#f77f00", "yellow": "#ffd500", "lime": "#9be15d", "green": "#1b7f3b",
    "cyan": "#35d0e6", "blue": "#1d4ed8", "violet": "#7b2cbf", "pink": "#ff7ac8", "brown": "#7a4419",
    "grey": "#8d99ae", "black": "#14110f",
}  # fmt: skip
GROUND = "#fff8e7"
THICK = 10
KINDS = ("gear", "spiral", "knot", "rose", "wave", "dashes", "star", "blob")
EACH, MEAN = 0.7, 0.85
QUESTION = f"""Draw the picture again, as exactly as you can: write one HTML page that shows it, {WIDTH} x {HEIGHT} pixels, with the left top
corner of the picture at the left top corner of the page (no margin, no scroll bars). Use SVG or a canvas; the page may have
scripts, but no pictures from elsewhere.

The picture has {len(COLOURS)} shapes, each of one colour: {", ".join(f"{name} {code}" for name, code in COLOURS.items())}. The ground
is {GROUND}. Use these colours exactly. Each shape is of one of the eight kinds below, with a centre C, a size R from 88 to 112 and other
numbers. C and R are whole numbers of pixels. Angles are in degrees, clockwise from the right, and every angle P or Q is a multiple of
15. "The point at angle A and distance D" is seen from C. Lines are {THICK} pixels thick, with round joints and ends. Parts of a shape may be covered by
others or be cut off at the edges.

- gear: a filled disc of radius R with N cuts at its rim and a round hole of radius 0.3 R about C. N is from 9 to 18. Going round clockwise from angle P, the rim is
  at distance R for half of each Nth part of the circle, then at distance 0.6 R for the other half.
- spiral: a line. For T from 0 to 1 it goes through the points at angle P + S * 360 * K * T and distance R * (1 - 0.85 * T).
  K is 2, 2.5, 3, 3.5 or 4; S is 1 or -1.
- knot: a closed line through the points C + (R * sin(A * T + P), R * sin(B * T)), T from 0 to 360. A and B are two different numbers from 1, 2, 3,
  4, 5 that have no common divisor but 1.
- rose: a closed line. For T from 0 to 360 it goes through the points at angle T + P and distance R * (0.6 + 0.4 * cos(K * T)). K is from 3 to 9.
- wave: a line. For T from -1 to 1 it goes through the points (R * T, 0.35 * R * sin(180 * K * T + Q)) from C, all then turned about C by
  the angle P. K is from 2 to 5.
- dashes: a circle of radius R, as a line {THICK * 2} pixels thick, of which N arcs are drawn, each half of an Nth part long, with flat ends. The first begins at
  angle P and goes clockwise. N is from 7 to 15.
- star: a closed line of N straight parts. The corners are the points at distance R and the angles P + 360 * K * I / N for I from 0 to N - 1.
  N is 7, 9 or 11; K is 2, 3 or 4, and has no common divisor with N.
- blob: filled. For T from 0 to 360 its rim goes through the points at angle T and distance R * (0.7 + 0.15 * cos(J * T - P) + 0.15 *
  cos(K * T - Q)). J and K are two different numbers from 2 to 7.

Your page is drawn in Chromium. For every shape we compare the pixels of its colour in both pictures: the number of pixels that
both have, divided by the number that at least one has. Each of the {len(COLOURS)} shares must be at least {EACH}, and their mean at
least {MEAN}. The score is the mean."""

# Runs in a sandbox of its own, with the two pictures: prints a JSON object of a share for each colour.
COMPARE = """
import json
import numpy
from PIL import Image

def pixels(name):
    with Image.open(name, formats=["PNG"]) as image:
        return numpy.asarray(image.convert("RGB")).astype(int)

drawn, wanted = pixels("drawn.png"), pixels("wanted.png")
shares = {}
for name, code in @colours@.items():
    colour = [int(code[at:at + 2], 16) for at in (1, 3, 5)]
    ours, theirs = (abs(picture - colour).max(axis=2) <= 12 for picture in (wanted, drawn))
    either = int((ours | theirs).sum())
    shares[name] = float((ours & theirs).sum()) / either if either else 0.0
print(json.dumps(shares))
""".replace("@colours@", repr(COLOURS))


def scene(seed: int) -> list[dict[str, Any]]:
    """The shapes from back to front: colour, kind, centre, size, and the numbers of the question."""
    chance = random.Random(f"redraw {seed}")
    places = [(x, y) for y in (130, 384, 638) for x in (130, 385, 640, 895)]
    chance.shuffle(places)
    kinds = [*KINDS, *chance.sample(KINDS, len(COLOURS) - len(KINDS))]
    found = []
    for colour, kind, (x, y) in zip(chance.sample(list(COLOURS), len(COLOURS)), kinds, places, strict=True):
        of_kind: dict[str, dict[str, Any]] = {
            "gear": {"N": chance.randint(9, 18)},
            "spiral": {"K": chance.choice((2, 2.5, 3, 3.5, 4)), "S": chance.choice((1, -1))},
            "knot": dict(zip("AB", chance.choice([(1, 2), (2, 3), (3, 2), (3, 4), (4, 3), (3, 5), (5, 4), (5, 2)]), strict=True)),
            "rose": {"K": chance.randint(3, 9)},
            "wave": {"K": chance.randint(2, 5)},
            "dashes": {"N": chance.randint(7, 15)},
            "star": dict(zip("NK", chance.choice([(7, 2), (7, 3), (9, 2), (9, 4), (11, 3), (11, 4)]), strict=True)),
            "blob": dict(zip("JK", chance.sample(range(2, 8), 2), strict=True)),
        }  # fmt: skip
        found.append(
            {"colour": COLOURS[colour], "kind": kind, "x": x + chance.randint(-22, 22),
             "y": y + chance.randint(-22, 22), "R": chance.randint(88, 112),
             "P": chance.randrange(24) * 15, "Q": chance.randrange(24) * 15, **of_kind[kind]}
        )  # fmt: skip
    return found


def _polar(shape: Mapping[str, Any], angle: float, distance: float) -> Point:
    angle = math.radians(angle)
    return shape["x"] + distance * math.cos(angle), shape["y"] + distance * math.sin(angle)


def rings(shape: Mapping[str, Any]) -> list[list[Point]]:
    """A filled shape as polygons; what is inside an odd number of them belongs to it."""
    size, turn = shape["R"], shape["P"]
    if shape["kind"] == "blob":
        j, k, other = shape["J"], shape["K"], shape["Q"]
        waves = (
            0.7 + 0.15 * math.cos(math.radians(j * t - turn)) + 0.15 * math.cos(math.radians(k * t - other))
            for t in range(360)
        )
        return [[_polar(shape, t, size * wave) for t, wave in enumerate(waves)]]
    part = 360 / shape["N"]
    arcs, whole = [], []
    for number in range(shape["N"]):
        begin = turn + part * number
        outer = [begin + part / 2 * each / 8 for each in range(9)]
        if shape["kind"] == "dashes":
            rim = [_polar(shape, angle, size + THICK) for angle in outer]
            arcs.append(rim + [_polar(shape, angle, size - THICK) for angle in reversed(outer)])
        else:
            whole += [_polar(shape, angle, size) for angle in outer]
            whole += [_polar(shape, angle + part / 2, 0.6 * size) for angle in outer]
    return arcs or [whole, circle(shape["x"], shape["y"], 0.3 * size)]


def curve(shape: Mapping[str, Any]) -> list[Point]:
    """The points of a line."""
    x, y, size, turn, kind = (shape[each] for each in ("x", "y", "R", "P", "kind"))
    if kind == "spiral":
        way = shape["S"] * 360 * shape["K"]
        return [_polar(shape, turn + way * t / 300, size * (1 - 0.85 * t / 300)) for t in range(301)]
    if kind == "star":
        return [
            _polar(shape, turn + 360 * shape["K"] * each / shape["N"], size) for each in range(shape["N"] + 1)
        ]
    if kind == "rose":
        k = math.radians(shape["K"])
        return [_polar(shape, t + turn, size * (0.6 + 0.4 * math.cos(k * t))) for t in range(361)]
    if kind == "knot":
        a, b = shape["A"], shape["B"]
        return [
            (x + size * math.sin(math.radians(a * t + turn)), y + size * math.sin(math.radians(b * t)))
            for t in range(361)
        ]
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    found = []
    for each in range(-100, 101):
        along = size * each / 100
        across = 0.35 * size * math.sin(math.radians(1.8 * shape["K"] * each + shape["Q"]))
        found.append((x + along * cos - across * sin, y + along * sin + across * cos))
    return found


def picture(seed: int) -> bytes:
    """The picture."""
    canvas = Canvas(WIDTH, HEIGHT, GROUND)
    for shape in scene(seed):
        if shape["kind"] in ("gear", "dashes", "blob"):
            canvas.area(rings(shape), shape["colour"])
        else:
            canvas.line(curve(shape), THICK, shape["colour"])
    return canvas.png()


def wanted(seed: int) -> dict[str, bytes]:
    """The picture, as a file for the sandbox that compares."""
    return {"wanted.png": picture(seed)}


def judge(printed: str) -> tuple[Score, str]:
    """The mean share, and whether all are high enough."""
    shares = json.loads(printed)
    mean = sum(shares.values()) / len(shares)
    passed = mean >= MEAN and min(shares.values()) >= EACH
    return Score(mean, passed), ", ".join(f"{name} {share:.2f}" for name, share in shares.items())


def build(seed: int) -> Node:
    """The test of a seed."""
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(QUESTION, llm=LLM)
        >> ExtractCode(keep_main=True, lang="html")
        >> SeleniumDraw()
        >> MakeFile("drawn.png")
        >> Files(partial(wanted, seed))
        >> COMPARE
        >> PythonRun(files=["drawn.png", "wanted.png"])
        >> PyFunc(judge)
    )
