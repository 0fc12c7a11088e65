"""Gauges on two rings, of which nobody says which gauge stands where: the label is how far the second is turned.

The same smooth profile runs round both rings, on each as it is or as its negative. Neighbours read alike, or, if one of them is wired the wrong way round, opposite,
and so tell the rings; where each begins, and which way round it goes, only the labels tell. A single gauge
says nothing of the label, and neither do two of them, because of the negatives.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream

PLACES = 24  # on each ring
SETTINGS = 8  # ways to turn the second
SMOOTH = (1.0, 3.0, 4.0, 3.0, 1.0)  # how the profile spreads from a place to its neighbours
NOISE = 0.45  # of a gauge, whose readings scatter by 1 without it
IDLE = 8  # gauges that are on no ring
LABELLED = 240


def gauges(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_gauges; `train`: without a label."""
    count = 2 * PLACES + IDLE
    stream = Stream(key, task, "gauges")
    columns, gain = stream.order(count), 0.5 + 2.5 * stream.uniform(count)
    gain = np.where(stream.uniform(count) < 1 / 3, -gain, gain)
    offset = 20.0 * stream.uniform(count) - 10.0
    rings = [stream.order(2)[0], stream.order(2)[0]]  # each runs one way or the other
    smooth = np.array(SMOOTH)
    scale = np.sqrt((smooth * smooth).sum())

    def drawn(part: str, total: int) -> tuple[Array, Array]:
        stream = Stream(key, task, part)
        settings = (np.arange(total) % SETTINGS)[stream.order(total)]
        raw = stream.normal(total, PLACES)
        profile = np.zeros_like(raw)
        for step, share in enumerate(SMOOTH):
            profile = profile + share * np.roll(raw, step, axis=1)
        profile = profile / scale
        places = np.arange(PLACES) - (PLACES // SETTINGS) * settings[:, None]
        turned = np.take_along_axis(profile, places % PLACES, axis=1)
        both = [each[:, ::-1] if way else each for each, way in zip((profile, turned), rings, strict=True)]
        both = [np.where(stream.uniform(total, 1) < 0.5, -each, each) for each in both]
        data = np.concatenate([*both, stream.normal(total, IDLE)], axis=1)
        data = data + NOISE * stream.normal(total, count)
        return ((data * gain + offset)[:, columns]).astype(np.float32), settings

    unlabelled, _ = drawn("unlabelled", train)
    few, labels = drawn("labelled", LABELLED)
    others, right = drawn("test", test)
    public = {
        "train_data_unlabeled.npy": unlabelled,
        "train_data_labeled.npy": few,
        "train_labels.npy": labels,
        "test_data.npy": others,
    }
    return Made(public, right)
