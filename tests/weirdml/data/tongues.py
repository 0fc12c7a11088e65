"""Texts in eight tongues, each text in a secret writing of its own: its letters are swapped by another key.

Every tongue uses all letters equally often; only which letter follows which tells them apart, and that after the
writing is undone.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream

TONGUES = 8
LETTERS = 12
LENGTH = 60
FOLLOWS = (0.74, 0.13, 0.13)  # how often each of a letter's three followers comes


def _cycle(stream: Stream) -> Array:
    """A follower for each letter, all in one round: no letter follows itself, no two follow each other."""
    order = stream.order(LETTERS)
    found = np.zeros(LETTERS, dtype=np.int64)
    found[order] = np.roll(order, -1)
    return found


def tongue(key: str, task: str, number: int) -> Array:
    """(3, LETTERS): the followers of each letter, the most frequent first."""
    attempt = 0
    while True:
        stream = Stream(key, task, "tongue", number, attempt)
        attempt += 1
        found = np.stack([_cycle(stream) for _ in FOLLOWS])
        back = any(
            (one[other] == np.arange(LETTERS)).any() or (at != its and (one == other).any())
            for at, one in enumerate(found)
            for its, other in enumerate(found)
        )
        if not back:
            return found


def tongues(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_tongues."""
    spoken = np.stack([tongue(key, task, number) for number in range(TONGUES)])

    def drawn(part: str, count: int) -> tuple[Array, Array]:
        stream = Stream(key, task, part)
        labels = (np.arange(count) % TONGUES)[stream.order(count)]
        choices = stream.uniform(count, LENGTH)
        first, second = FOLLOWS[0], FOLLOWS[0] + FOLLOWS[1]
        which = (choices >= first).astype(np.int64) + (choices >= second)
        texts = np.zeros((count, LENGTH), dtype=np.int64)
        at = (stream.words(count) % np.uint64(LETTERS)).astype(np.int64)
        for step in range(LENGTH):
            texts[:, step] = at
            at = spoken[labels, which[:, step], at]
        keys = np.stack(
            [Stream(key, task, part, "writing", number).order(LETTERS) for number in range(count)]
        )
        return np.take_along_axis(keys, texts, axis=1), labels

    data, labels = drawn("train", train)
    others, right = drawn("test", test)
    public: dict[str, Array | str] = {
        "train_texts.txt": _lines(data),
        "train_labels.npy": labels,
        "test_texts.txt": _lines(others),
    }
    return Made(public, right)


def _lines(data: Array) -> str:
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    return "".join("".join(letters[row]) + "\n" for row in data)
