"""Shapes of points: some of 512 points lie on an outline, unevenly; the rest is noise.

Easy: the shape stands in the middle, upright, in its usual size. Hard: anywhere, turned, of any size.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream, bump, circle

CLASSES = ("circle", "square", "triangle", "pentagon", "star")
SIZES = {"circle": 0.30, "square": 0.36, "triangle": 0.33, "pentagon": 0.40, "star": 0.40}
POINTS = 512
STEPS = 720  # of an outline
# corners, the first one's direction in turns, and how deep the dents between them are (a star's)
POLYGONS = {
    "square": (4, 1 / 8, 1.0),
    "triangle": (3, 1 / 4, 1.0),
    "pentagon": (5, 0.0, 1.0),
    "star": (5, 0.0, 0.40),
}


def outline(kind: str) -> Array:
    """(STEPS, 2): points evenly spaced along the outline, which fits into a circle of radius 1."""
    at = np.arange(STEPS) / STEPS
    if kind == "circle":
        return np.stack(circle(at), 1)
    corners, phase, dent = POLYGONS[kind]
    if dent < 1:
        x, y = circle(phase + np.arange(2 * corners) / (2 * corners))
        radius = np.where(np.arange(2 * corners) % 2 == 0, 1.0, dent)
        x, y = x * radius, y * radius
    else:
        x, y = circle(phase + np.arange(corners) / corners)
    edge_x, edge_y = np.roll(x, -1) - x, np.roll(y, -1) - y
    length = np.sqrt(edge_x * edge_x + edge_y * edge_y)
    ends = np.concatenate([[0.0], np.cumsum(length)])
    way = at * ends[-1]
    edge = np.minimum(np.searchsorted(ends, way, side="right") - 1, len(x) - 1)
    part = (way - ends[edge]) / length[edge]
    return np.stack([x[edge] + part * edge_x[edge], y[edge] + part * edge_y[edge]], 1)


OUTLINES = {kind: outline(kind) for kind in CLASSES}


def density(stream: Stream) -> Array:
    """(STEPS,): how often a point falls on each step of the outline, summed up to 1: a floor and bumps."""
    floor = stream.one(0, 0.35) if stream.one() < 0.7 else 0.004
    along = np.arange(STEPS) / STEPS
    found = np.full(STEPS, floor)
    for _ in range(1 + stream.below(4)):
        centre, width, height = stream.one(), stream.one(0.02, 0.18), stream.one(0, 2)
        away = np.abs(along - centre)
        found = found + height * bump(np.minimum(away, 1.0 - away) / width)
    summed = np.cumsum(found)
    return np.asarray(summed / summed[-1])


def one_shape(stream: Stream, hard: bool) -> tuple[Array, int]:
    """(512, 2) points in 0..1 in random order, and the class."""
    label = stream.below(len(CLASSES))
    summed = density(stream)
    share = stream.one(0.30, 0.95) if hard else stream.one(0.18, 0.95)
    on_shape = int(POINTS * share)
    rough = stream.one()
    jitter = 0.003 + 0.03 * rough * rough
    if hard:
        cos, sin = (float(each[0]) for each in circle(stream.uniform(1)))
        size, middle = stream.one(0.12, 0.42), 0.15 + 0.7 * stream.uniform(2)
    else:
        cos, sin, size, middle = 1.0, 0.0, SIZES[CLASSES[label]], np.array([0.5, 0.5])
    steps = np.minimum(np.searchsorted(summed, stream.uniform(on_shape)), STEPS - 1)
    x, y = OUTLINES[CLASSES[label]][steps].T
    points = np.stack([x * cos - y * sin, x * sin + y * cos], 1) * size + middle
    points = points + stream.normal(on_shape, 2) * (jitter * size / 0.35)
    points = points[((points >= 0) & (points <= 1)).all(1)]
    points = np.concatenate([points, noise(stream, POINTS - len(points))])
    return np.clip(points[stream.order(POINTS)], 0, 1), label


def noise(stream: Stream, count: int) -> Array:
    """(count, 2): points all over the square, and in boxes and streaks that are denser."""
    parts = []
    for _ in range(stream.below(5)):
        inside = int(count * stream.one() * 0.6)
        sides = stream.uniform(2)
        sides = 0.02 + 0.5 * sides * np.sqrt(sides)
        corner = stream.uniform(2) * (1 - sides)
        parts.append(corner + stream.uniform(inside, 2) * sides)
        count -= inside
    return np.concatenate([*parts, stream.uniform(count, 2)])


def shapes(key: str, name: str, train: int, test: int) -> Made:
    """The data of shapes_easy and shapes_hard; `name` says which."""
    found = {}
    for split, count in (("train", train), ("test", test)):
        made = [one_shape(Stream(key, name, split, number), name == "shapes_hard") for number in range(count)]
        points = np.rint(np.stack([points for points, _ in made]) * 2.0**20) * 2.0**-20  # exact in 32 bits
        found[split] = points.astype(np.float32), np.array([label for _, label in made], dtype=np.int64)
    public: dict[str, Array | str] = {
        "train_data.npy": found["train"][0],
        "train_labels.npy": found["train"][1],
        "test_data.npy": found["test"][0],
    }
    return Made(public, found["test"][1])
