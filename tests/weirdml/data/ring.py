"""Sensors in a ring, which were plugged in anew before the test: in another order, with other gains and offsets.

Neighbours share their noise, and so tell the ring; where it begins, and which way round it goes, only the classes
tell.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream, quota

SENSORS = 20
STATES = 5
SHARES = (0.34, 0.26, 0.18, 0.13, 0.09)  # of the states
REACH = (0.5, 1.0, 0.5)  # of the noise of a place on its neighbours
STRENGTH = 0.6


def ring(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_ring."""
    patterns = Stream(key, task, "patterns").normal(STATES, SENSORS) * STRENGTH

    def drawn(part: str, count: int) -> tuple[Array, Array]:
        stream = Stream(key, task, part)
        states = np.repeat(np.arange(STATES), quota(SHARES, count))[stream.order(count)]
        noise = stream.normal(count, SENSORS)
        shared = np.zeros_like(noise)
        for step, share in zip((-1, 0, 1), REACH, strict=True):
            shared = shared + share * np.roll(noise, step, axis=1)
        return patterns[states] + shared + 0.3 * stream.normal(count, SENSORS), states

    def plugged(part: str, data: Array) -> Array:
        stream = Stream(key, task, part, "plugs")
        order = stream.order(SENSORS)
        gain, offset = 0.5 + 2.5 * stream.uniform(SENSORS), 20.0 * stream.uniform(SENSORS) - 10.0
        return ((data * gain + offset)[:, order]).astype(np.float32)

    data, labels = drawn("train", train)
    others, right = drawn("test", test)
    public = {
        "train_data.npy": plugged("train", data),
        "train_labels.npy": labels,
        "test_data.npy": plugged("test", others),
    }
    return Made(public, right)
