"""Digits of a small counter: 1 to 6, 15 x 7 pixels in colour; thousands without a label, 26 with one.

How often each digit appears is fixed by quota, so that a constant answer scores the same for every seed.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream, quota

HEIGHT, WIDTH = 15, 7
FONT = {
    1: ("..#..", ".##..", "#.#..", "..#..", "..#..", "..#..", "..#..", "..#..", "#####"),
    2: (".###.", "#...#", "....#", "....#", "...#.", "..#..", ".#...", "#....", "#####"),
    3: (".###.", "#...#", "....#", "....#", "..##.", "....#", "....#", "#...#", ".###."),
    4: ("...#.", "..##.", ".#.#.", ".#.#.", "#..#.", "#..#.", "#####", "...#.", "...#."),
    5: ("#####", "#....", "#....", "####.", "....#", "....#", "....#", "#...#", ".###."),
    6: (".###.", "#...#", "#....", "#....", "####.", "#...#", "#...#", "#...#", ".###."),
}
GLYPHS = np.array([[[pixel == "#" for pixel in row] for row in FONT[digit]] for digit in FONT], dtype=float)
SHARES = (0.56, 0.22, 0.14, 0.05, 0.02, 0.01)  # of 1 to 6, where there are many
LABELLED = (4, 4, 4, 4, 5, 5)  # of 1 to 6: rare ones are over-represented


def backgrounds(stream: Stream, count: int) -> Array:
    """(count, 15, 7, 3) in about 0..255: drifting colours, from flat to strongly banded, some nearly black."""
    knots = stream.uniform(count, 5, 3) * 255.0
    bands = 2 + np.minimum(3, (stream.uniform(count) * 4).astype(np.int64))
    mix = stream.uniform(count)
    mix = mix * np.sqrt(mix)
    knots = knots[:, :1] + (knots - knots[:, :1]) * mix[:, None, None]
    at = np.arange(HEIGHT)[None] / (HEIGHT - 1) * (bands - 1)[:, None]
    low = np.minimum(at.astype(np.int64), bands[:, None] - 2)
    part = (at - low)[:, :, None]
    number = np.arange(count)[:, None]
    rows = knots[number, low] * (1 - part) + knots[number, low + 1] * part
    slope = stream.normal(count, 3) * 40.0 * mix[:, None]
    across = (np.arange(WIDTH) - 3) / 3.0
    grounds = rows[:, :, None, :] + slope[:, None, None, :] * across[None, None, :, None]
    grain = stream.uniform(count)
    grain = (1.0 + 10.0 * grain * grain)[:, None, None, None]
    grounds = grounds + stream.normal(count, HEIGHT, WIDTH, 3) * grain
    black = stream.uniform(count, HEIGHT, WIDTH, 3) * 14.0
    return np.where((stream.uniform(count) < 0.06)[:, None, None, None], black, grounds)


def placed(labels: Array, down: Array, right: Array) -> Array:
    """(N, 15, 7) in 0..1: the digits' drawings, moved by parts of a pixel (bilinear)."""
    count = len(labels)
    y, x = 4.0 + down, 2.0 + right
    row, column = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    part_y, part_x = y - row, x - column
    canvas = np.zeros((count, HEIGHT + 4, WIDTH + 4))
    rows, columns = np.arange(9)[None, :, None], np.arange(5)[None, None, :]
    number = np.arange(count)[:, None, None]
    drawn = GLYPHS[labels - 1]
    for step_y, weight_y in ((0, 1 - part_y), (1, part_y)):
        for step_x, weight_x in ((0, 1 - part_x), (1, part_x)):
            weight = (weight_y * weight_x)[:, None, None]
            place = number, row[:, None, None] + step_y + rows, column[:, None, None] + step_x + columns
            canvas[place] += drawn * weight
    return canvas[:, 1 : HEIGHT + 1, 1 : WIDTH + 1]


def pictures(stream: Stream, labels: Array) -> Array:
    """(N, 15, 7, 3) uint8: a picture of each digit."""
    count = len(labels)
    place = stream.uniform(count, 2) * 2 - 1
    ink = placed(labels, 0.9 * place[:, 0], 0.45 * place[:, 1])
    ink = np.clip(ink * (0.55 + 0.55 * stream.uniform(count))[:, None, None], 0, 1)[..., None]
    colour = 255.0 - 60.0 * stream.uniform(count, 3)[:, None, None, :]
    drawn = backgrounds(stream, count) * (1 - ink) + colour * ink
    grain = stream.uniform(count)
    grain = (1.0 + 9.0 * grain * grain)[:, None, None, None]
    drawn = drawn + stream.normal(*drawn.shape) * grain
    return np.clip(np.rint(drawn), 0, 255).astype(np.uint8)


def digits(key: str, name: str, train: int, test: int) -> Made:
    """The data of digits_unsup: `train` pictures without labels, 26 with, `test` to be told."""
    found = {}
    quotas = (
        ("unlabeled", quota(SHARES, train)),
        ("labeled", np.array(LABELLED)),
        ("test", quota(SHARES, test)),
    )
    for split, counts in quotas:
        labels = np.repeat(np.arange(1, 7), counts).astype(np.int64)
        labels = labels[Stream(key, name, split, "order").order(len(labels))]
        found[split] = pictures(Stream(key, name, split), labels), labels
    public: dict[str, Array | str] = {
        "train_data_unlabeled.npy": found["unlabeled"][0],
        "train_data_labeled.npy": found["labeled"][0],
        "train_labels.npy": found["labeled"][1],
        "test_data.npy": found["test"][0],
    }
    return Made(public, found["test"][1])
