"""An instrument that drifts: the places of its classes move on all the time, pass each other, and are never still.

The files go on in the order of time: what is to be told was recorded after what has a label, and after a pause of
which nobody took the time.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream, circle

CLASSES = 5
READINGS = 4
SPREAD = 0.25
TURNS = (1.2, 2.4)  # of each class's way while the labelled ones were recorded
PAUSE = (0.8, 1.6)  # before the test, in times of the labelled recording
STRAY = 0.02  # readings that say nothing


def ways(key: str, task: str, at: Array) -> Array:
    """(CLASSES, len(at), READINGS): where each class is at times `at`; 0..1 while labels were taken."""
    stream = Stream(key, task, "ways")
    found = np.zeros((CLASSES, len(at), READINGS))
    for number in range(CLASSES):
        for pair in range(0, READINGS, 2):
            speed = stream.one(*TURNS) * (1 if stream.one() < 0.5 else -1)
            cosine, sine = circle(stream.one() + speed * at)
            radius = stream.one(0.7, 1.2)
            found[number, :, pair] = radius * cosine + 0.35 * stream.normal(1)
            found[number, :, pair + 1] = radius * sine + 0.35 * stream.normal(1)
    return found


def drift(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_drift."""
    pause = Stream(key, task, "pause").one(*PAUSE)
    at = np.arange(train + test) / train + pause * (np.arange(train + test) >= train)
    stream = Stream(key, task, "items")
    labels = (stream.words(train + test) % np.uint64(CLASSES)).astype(np.int64)
    data = ways(key, task, at)[labels, np.arange(train + test)]
    data = data + SPREAD * stream.normal(train + test, READINGS)
    stray = stream.uniform(train + test) < STRAY
    data = np.where(stray[:, None], 1.5 * stream.normal(train + test, READINGS), data).astype(np.float32)
    public = {
        "train_data.npy": data[:train],
        "train_labels.npy": labels[:train],
        "test_data.npy": data[train:],
    }
    return Made(public, labels[train:])
