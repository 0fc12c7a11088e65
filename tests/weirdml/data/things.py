"""Things on a table, seen by light detectors in no known order, a third of them wired the wrong way round.

Which detectors are neighbours is told by how often they agree, or disagree, over all readings. The things are drawn
as islands on a map; half of the tables are dark, half light.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream

SIDE = 13
MOST = 6  # islands on a map
LEAST_LAND, MOST_LAND = 4, 26  # pixels of an island
SPECKS = 0.01  # readings that are wrong
TURNED = 1 / 3  # detectors that are wired the wrong way round
LABELLED = 200


def _grown(stream: Stream, count: int) -> Array | None:
    """A map with so many islands of which no two touch, not even by corners; None if there was no room."""
    land = np.zeros((SIDE + 2, SIDE + 2), dtype=np.int64)  # the number of the island, with a border
    for island in range(1, count + 1):
        taken = land > 0
        rows = taken[:-2] | taken[1:-1] | taken[2:]
        free = np.argwhere(~(rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:])) + 1
        if not len(free):
            return None
        size = LEAST_LAND + stream.below(MOST_LAND - LEAST_LAND + 1)
        down, right = free[stream.below(len(free))]
        own = [(int(down), int(right))]
        land[own[0]] = island
        for _ in range(8 * size):
            if len(own) == size:
                break
            y, x = own[stream.below(len(own))]
            down, right = ((1, 0), (-1, 0), (0, 1), (0, -1))[stream.below(4)]
            y, x = y + down, x + right
            if not (1 <= y <= SIDE and 1 <= x <= SIDE) or land[y, x]:
                continue
            near = land[y - 1 : y + 2, x - 1 : x + 2]
            if ((near == 0) | (near == island)).all():
                land[y, x] = island
                own.append((y, x))
        if len(own) < LEAST_LAND:
            return None
    return land[1:-1, 1:-1] > 0


def things(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_things; `train`: without a label."""
    shuffled = Stream(key, task, "pixels").order(SIDE * SIDE)
    turned = Stream(key, task, "turned").uniform(SIDE * SIDE) < TURNED

    def drawn(part: str, total: int) -> tuple[Array, Array]:
        data = np.zeros((total, SIDE * SIDE), dtype=np.uint8)
        counts = np.zeros(total, dtype=np.int64)
        for at in range(total):
            stream = Stream(key, task, part, at)
            counts[at] = 1 + at % MOST
            grown = None
            while grown is None:
                grown = _grown(stream, int(counts[at]))
            wrong = stream.uniform(SIDE, SIDE) < SPECKS
            data[at] = (grown ^ wrong ^ (stream.one() < 0.5)).ravel()[shuffled] ^ turned
        order = Stream(key, task, part, "order").order(total)
        return data[order], counts[order]

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
