"""A lock with dials: its window shows a symbol by a sum of the dials modulo seven, and symbols have secret values.

Nothing that looks at a few dials at a time finds anything: any eight of nine that matter say nothing at all.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream

DIALS = 24
POSITIONS = 7  # of a dial, and symbols of the window; a prime
MATTER = 9  # dials that move the window
MISREAD = 0.08  # of the labels to learn from


def weights(key: str, task: str) -> tuple[Array, Array]:
    """(how far each dial moves the window, which symbol stands at each of its places)."""
    stream = Stream(key, task, "lock")
    found = np.zeros(DIALS, dtype=np.int64)
    for dial in stream.order(DIALS)[:MATTER]:
        found[dial] = 1 + stream.below(POSITIONS - 1)
    return found, stream.order(POSITIONS)


def dials(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_lock."""
    moved, symbols = weights(key, task)

    def drawn(part: str, count: int) -> tuple[Array, Array]:
        stream = Stream(key, task, part)
        positions = (stream.words(count, DIALS) % np.uint64(POSITIONS)).astype(np.int64)
        return positions, symbols[positions @ moved % POSITIONS]

    data, labels = drawn("train", train)
    others, right = drawn("test", test)
    stream = Stream(key, task, "misread")
    misread = stream.uniform(train) < MISREAD
    wrong = (labels + 1 + (stream.words(train) % np.uint64(POSITIONS - 1)).astype(np.int64)) % POSITIONS
    public = {
        "train_data.npy": data.astype(np.uint8),
        "train_labels.npy": np.where(misread, wrong, labels),
        "test_data.npy": others.astype(np.uint8),
    }
    return Made(public, right)
