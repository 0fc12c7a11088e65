"""A log of a machine: what class an entry has depends on its kind, and on which kinds came before.

The readings tell the kind. After an entry of either of two kinds all classes change places, after each in a way of its own.
So the same readings have another class a few entries later, and the changes of all the time before have to be
followed.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream

READINGS = 5
KINDS = 8
CLASSES = 5
OFTEN = (0.05, 0.05, 0.15, 0.15, 0.15, 0.15, 0.15, 0.15)  # the kinds; the first two change the classes
SPREAD = 0.28  # of the readings of a kind
APART = 2.4  # at least, between two kinds
MISTAKES = 0.02  # of the labels to learn from


def kinds(key: str, task: str) -> Array:
    """(KINDS, READINGS): where the readings of each kind lie."""
    stream = Stream(key, task, "kinds")
    found: list[Array] = []
    while len(found) < KINDS:
        one = 4.0 * stream.uniform(READINGS) - 2.0
        if all(((one - other) ** 2).sum() >= APART**2 for other in found):
            found.append(one)
    return np.stack(found)


def rules(key: str, task: str) -> tuple[Array, Array]:
    """(the class of each kind to begin with; (2, CLASSES): what each class turns into after either kind)."""
    stream = Stream(key, task, "rules")
    classes = (np.arange(KINDS) % CLASSES)[stream.order(KINDS)]
    while True:
        turns = np.stack([stream.order(CLASSES), stream.order(CLASSES)])
        # no class stays, and it matters in which order the changes come
        if (turns != np.arange(CLASSES)).all() and (turns[0][turns[1]] != turns[1][turns[0]]).any():
            return classes, turns


def log(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_log: one log, the first part of which has labels."""
    count = train + test
    stream = Stream(key, task, "entries")
    drawn = np.minimum((stream.uniform(count)[:, None] >= np.cumsum(OFTEN)).sum(1), KINDS - 1)
    data = kinds(key, task)[drawn] + SPREAD * stream.normal(count, READINGS)
    now, turns = rules(key, task)
    labels = np.zeros(count, dtype=np.int64)
    for at, kind in enumerate(drawn):
        labels[at] = now[kind]
        if kind < len(turns):
            now = turns[kind][now]
    mistaken = stream.uniform(train) < MISTAKES
    wrong = (labels[:train] + 1 + (stream.words(train) % np.uint64(CLASSES - 1)).astype(np.int64)) % CLASSES
    data = data.astype(np.float32)
    public = {
        "train_data.npy": data[:train],
        "train_labels.npy": np.where(mistaken, wrong, labels[:train]),
        "test_data.npy": data[train:],
    }
    return Made(public, labels[train:])
