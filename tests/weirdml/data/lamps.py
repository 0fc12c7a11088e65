"""Lamps that show two maps at once, in no known order: the label is the difference of their numbers of islands.

Which lamps are neighbours on a map is told by how often they agree, or disagree, since a third of them are wired the wrong way
round. Either map is now and then shown as its negative. The number of islands on both together says nothing of the label.
"""

from __future__ import annotations

import numpy as np

from .made import Made
from .streams import Array, Stream

SIDE = 10
MOST = 5  # islands on a map, and labels
LEAST_LAND, MOST_LAND = 4, 10  # pixels of an island
SPECKS = 0.002  # lamps that show the opposite
TURNED = 1 / 3  # lamps that are wired the wrong way round
LABELLED = 300


def grown(stream: Stream, count: int) -> Array | None:
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


def lamps(key: str, task: str, train: int, test: int) -> Made:
    """The data of learn_lamps; `train`: without a label."""
    columns = Stream(key, task, "columns").order(2 * SIDE * SIDE)
    turned = Stream(key, task, "turned").uniform(2 * SIDE * SIDE) < TURNED

    def drawn(part: str, total: int) -> tuple[Array, Array]:
        data = np.zeros((total, 2 * SIDE * SIDE), dtype=np.uint8)
        counts = np.zeros((total, 2), dtype=np.int64)
        order = Stream(key, task, part, "order").order(total)
        for at in range(total):
            stream = Stream(key, task, part, at)
            counts[at] = 1 + at % MOST, 1 + at // MOST % MOST
            maps = []
            for count in counts[at]:
                land = None
                while land is None:
                    land = grown(stream, int(count))
                wrong = stream.uniform(SIDE, SIDE) < SPECKS
                maps.append((land ^ wrong ^ (stream.one() < 0.5)).ravel())
            data[at] = np.concatenate(maps)[columns] ^ turned
        return data[order], ((counts[:, 0] - counts[:, 1]) % MOST)[order]

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
