"""Reading what a program has predicted. The bytes are hostile: nothing of them is believed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MAX_BYTES = 1 << 20
INTEGER = re.compile(rb"[+-]?[0-9]{1,18}")


class BadFormat(Exception):
    """The predictions are not what was asked for; says what is wrong, in words for the model."""


def parse(data: bytes, shape: tuple[int, int]) -> list[list[int]]:
    """`shape` = (rows, integers a row) of plain integers. Raises BadFormat."""
    rows, width = shape
    if len(data) > MAX_BYTES:
        raise BadFormat(f"the file has more than {MAX_BYTES} bytes")
    lines = data.rstrip().splitlines() if data.strip() else []
    if len(lines) != rows:
        raise BadFormat(f"the file has {len(lines)} lines, and {rows} are needed")
    found = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) != width:
            raise BadFormat(f"line {number} has {len(words)} values, and {width} are needed: {_shown(line)}")
        for word in words:
            if not INTEGER.fullmatch(word):
                raise BadFormat(f"line {number} holds something that is no integer: {_shown(word)}")
        found.append([int(word) for word in words])
    return found


def _shown(data: bytes) -> str:
    return ascii(data[:40].decode("ascii", "backslashreplace")) + ("..." if len(data) > 40 else "")


def accuracy(predicted: list[list[int]], labels: Path, items: Path | None = None) -> float:
    """The share of entries that are as in the .npy file `labels`. With `items`, an .npy file of patches, equal
    patches of an item may be in any order among the places of all of them."""
    import numpy as np

    right = np.load(labels, allow_pickle=False)
    right = right.reshape(len(predicted), -1)
    told = np.array(predicted, dtype=np.int64)
    if items is None:
        return float((told == right).sum()) / int(right.size)
    patches = np.load(items, allow_pickle=False)
    return sum(map(_in_place, told.tolist(), right.tolist(), patches)) / int(right.size)


def _in_place(told: list[int], right: list[int], patches: Iterable[Any]) -> int:
    """How many patches of one item are where they belong; a place that is told twice is filled once."""
    alike: dict[bytes, list[int]] = {}
    for number, patch in enumerate(patches):
        alike.setdefault(patch.tobytes(), []).append(number)
    return sum(len({told[at] for at in each} & {right[at] for at in each}) for each in alike.values())


def by_label(predicted: list[list[int]], labels: Path) -> dict[int, tuple[int, int]]:
    """Label -> (how many of its items were told right, how many there are)."""
    import numpy as np

    right = np.load(labels, allow_pickle=False).ravel()
    told = np.array(predicted, dtype=np.int64).ravel()
    return {
        int(label): (int((told[right == label] == label).sum()), int((right == label).sum()))
        for label in np.unique(right)
    }
