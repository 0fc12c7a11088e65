"""Positions of a secret game of heaps, and whether who is to move wins it.

A position is lost if its heaps' nimbers, one secret number for each size, come to 0 by exclusive or (the theorem
of Sprague, 1935, and Grundy, 1939). To learn from are positions of three heaps, to tell such of five.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream

LARGEST = 47  # stones in a heap
LEARNT, TOLD = 3, 5  # heaps in a position
KINDS = 5  # a heap's size modulo this decides what may be taken from it
MISTAKES = 0.03  # of the labels to learn from


def rules(key: str, task: str) -> tuple[list[list[int]], Array]:
    """(what may be taken from a heap, by its size modulo KINDS; the nimber of each size up to LARGEST).

    Games in which a few nimbers are nearly all are passed over.
    """
    attempt = 0
    while True:
        stream = Stream(key, task, "rules", attempt)
        attempt += 1
        takes = [[1 + int(each) for each in stream.order(9)[: 2 + stream.below(3)]] for _ in range(KINDS)]
        found: list[int] = []
        for size in range(LARGEST + 1):
            reached = {found[size - take] for take in takes[size % KINDS] if take <= size}
            found.append(min(set(range(len(reached) + 1)) - reached))
        often = np.bincount(found, minlength=4)
        if len(often) == 4 and often.min() >= 7:
            return takes, np.array(found, dtype=np.int64)


def heaps(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_heaps: half of the positions are lost."""
    _, numbers = rules(key, task)

    def drawn(part: str, count: int, each: int) -> tuple[Array, Array]:
        stream = Stream(key, task, part)
        data = np.zeros((count, each), dtype=np.int64)
        won = np.zeros(count, dtype=np.int64)
        for at in range(count):
            want_won = at % 2
            while True:
                sizes = (stream.words(each) % np.uint64(LARGEST + 1)).astype(np.int64)
                is_won = int(np.bitwise_xor.reduce(numbers[sizes]) != 0)
                if is_won == want_won:
                    break
            data[at], won[at] = sizes, is_won
        order = Stream(key, task, part, "order").order(count)
        return data[order], won[order]

    data, labels = drawn("train", train, LEARNT)
    others, right = drawn("test", test, TOLD)
    mistaken = Stream(key, task, "mistakes").uniform(train) < MISTAKES
    public = {
        "train_data.npy": data.astype(np.uint8),
        "train_labels.npy": np.where(mistaken, 1 - labels, labels),
        "test_data.npy": others.astype(np.uint8),
    }
    return Made(public, right)
