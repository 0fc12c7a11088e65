"""Puzzles: a 27 x 27 picture cut into 3 x 3 patches of 9 x 9, in random order.

A label says, for each patch of the input, at which of the 9 places (in reading order) it belongs. Easy: grey
pictures. Hard: a window somewhere in a colour picture.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .garments import garment
from .made import Made
from .scenes import scene
from .streams import Array, Stream

WINDOW = 27
Pictures = Array  # (N, 28, 28) uint8 or (N, 64, 64, 3) uint8


def cut(picture: Array, stream: Stream) -> tuple[Array, Array]:
    """The nine patches of (27, 27) or (27, 27, 3) in random order, and the place of each."""
    grid = picture.reshape((3, 9, 3, 9, *picture.shape[2:]))
    patches = np.moveaxis(grid, 2, 1).reshape((9, 9, 9, *picture.shape[2:]))
    order = stream.order(9)
    return patches[order], order


def _puzzles(
    key: str, name: str, split: str, count: int, draw: Callable[[Stream, int], Array]
) -> tuple[Array, Array]:
    inputs, labels = [], []
    for number in range(count):
        stream = Stream(key, name, split, number)
        patches, order = cut(draw(stream, number), stream)
        inputs.append(patches)
        labels.append(order)
    return np.stack(inputs).astype(np.float32), np.stack(labels).astype(np.int64)


def _made(puzzles: dict[str, tuple[Array, Array]]) -> Made:
    public: dict[str, Array | str] = {
        "train_data.npy": puzzles["train"][0],
        "train_labels.npy": puzzles["train"][1],
        "test_data.npy": puzzles["test"][0],
    }
    return Made(public, puzzles["test"][1])


def _chosen(key: str, name: str, split: str, pictures: Pictures, count: int) -> Array:
    """Which of a source's pictures are used, each once. ValueError if it has too few."""
    if len(pictures) < count:
        raise ValueError(f"the source has {len(pictures)} pictures for {split}, and {count} are needed")
    return Stream(key, name, split, "chosen").order(len(pictures))[:count]


def shuffle_easy(
    key: str, name: str, train: int, test: int, source: tuple[Pictures, Pictures] | None = None
) -> Made:
    """The data of shuffle_easy. `source`: (N, 28, 28) uint8 for train and for test, e.g. Fashion-MNIST."""
    puzzles = {}
    for at, (split, count) in enumerate((("train", train), ("test", test))):
        chosen = _chosen(key, name, split, source[at], count) if source else None

        def draw(stream: Stream, number: int, at: int = at, chosen: Array | None = chosen) -> Array:
            picture = (
                garment(stream) if source is None or chosen is None else source[at][chosen[number]] / 255.0
            )
            return np.asarray(picture[:WINDOW, :WINDOW])

        puzzles[split] = _puzzles(key, name, split, count, draw)
    return _made(puzzles)


def shuffle_hard(
    key: str, name: str, train: int, test: int, source: tuple[Pictures, Pictures] | None = None
) -> Made:
    """The data of shuffle_hard, channels first. `source`: (N, 64, 64, 3) uint8 for train and for test."""
    puzzles = {}
    for at, (split, count) in enumerate((("train", train), ("test", test))):
        chosen = _chosen(key, name, split, source[at], count) if source else None

        def draw(stream: Stream, number: int, at: int = at, chosen: Array | None = chosen) -> Array:
            row, column = stream.below(64 - WINDOW + 1), stream.below(64 - WINDOW + 1)
            if source is None or chosen is None:
                picture = np.rint(scene(stream, row, column, WINDOW) * 255)
            else:
                picture = source[at][chosen[number], row : row + WINDOW, column : column + WINDOW]
            return np.asarray(picture / 255.0)

        inputs, labels = _puzzles(key, name, split, count, draw)
        puzzles[split] = np.ascontiguousarray(np.moveaxis(inputs, -1, 2)), labels
    return _made(puzzles)
