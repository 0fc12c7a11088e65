"""A lock with dials: inside, a signal passes through those that matter, one after the other, in a secret order.

Each dial sends the signal on by a permutation of five wires, one for each of its positions. So all dials decide
together, and any few of them say nothing. The lock was tried by turning one dial at a time by one position, but the notes
were shuffled afterwards. Whoever looks which items are nearly alike finds pairs that differ by one such turn; of these one can
see the last dial's permutations, undo them, and go on with the last but one.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream

DIALS = 16
POSITIONS = 6  # of a dial
SYMBOLS = 5  # of the window, and wires between two dials
MATTER = 8  # dials that the signal passes through
MISREAD = 0.03  # of the labels to learn from


def mechanism(key: str, task: str) -> tuple[Array, Array]:
    """(the dials that matter, the signal's first to its last; (MATTER, POSITIONS, SYMBOLS) their permutations)."""
    stream = Stream(key, task, "lock")
    order = stream.order(DIALS)[:MATTER]
    sent = [[stream.order(SYMBOLS) for _ in range(POSITIONS)] for _ in range(MATTER)]
    return order, np.array(sent)


def shown(order: Array, sent: Array, data: Array) -> Array:
    """The symbol in the window for each row of positions."""
    signal = np.zeros(len(data), dtype=np.int64)
    for dial, wires in zip(order, sent, strict=True):
        signal = wires[data[:, dial], signal]
    return signal


def dials(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_lock: what the window showed as dials were turned, shuffled; and positions set at random."""
    order, sent = mechanism(key, task)
    stream = Stream(key, task, "train")
    at = (stream.words(DIALS) % np.uint64(POSITIONS)).astype(np.int64)
    turned = (stream.words(train) % np.uint64(DIALS)).astype(np.int64)
    steps = np.where(stream.uniform(train) < 0.5, 1, POSITIONS - 1)
    moves = np.zeros((train, DIALS), dtype=np.int64)
    moves[np.arange(train), turned] = steps
    data = (at + np.cumsum(moves, axis=0)) % POSITIONS
    others = (Stream(key, task, "test").words(test, DIALS) % np.uint64(POSITIONS)).astype(np.int64)

    labels = shown(order, sent, data)
    stream = Stream(key, task, "misread")
    misread = stream.uniform(train) < MISREAD
    wrong = (labels + 1 + (stream.words(train) % np.uint64(SYMBOLS - 1)).astype(np.int64)) % SYMBOLS
    shuffled = Stream(key, task, "shuffled").order(train)
    public = {
        "train_data.npy": data[shuffled].astype(np.uint8),
        "train_labels.npy": np.where(misread, wrong, labels)[shuffled],
        "test_data.npy": others.astype(np.uint8),
    }
    return Made(public, shown(order, sent, others))
