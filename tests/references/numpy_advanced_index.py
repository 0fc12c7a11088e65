def nothing(messages):
    return ""


SHAPES = (
    "[[7, 2, 4, 6], [7, 3, 5, 6], [2, 7, 5, 6], [2, 3, 7, 2, 6], [7, 2, 1, 5, 6], [2, 9, 5, 6], [2, 3, 4, 7]]"
)

BATCH = """```python
import numpy as np


def _rows(a, idx):
    return np.arange(a.shape[0])[:, None]


def pick(a, idx):
    return a[_rows(a, idx), idx]


def add_to(a, idx, values):
    np.add.at(a, (_rows(a, idx), idx), values)
```"""

RIGHT = {
    "TestNumpyAdvancedIndexShapes": [
        SHAPES,
        "If something stands between the advanced indexes (a scalar is one too), their axes come first:\n\n"
        "```json\n" + SHAPES.replace("], ", "],\n ") + "\n```",
    ],
    "TestNumpyAdvancedIndexBatch": [
        f"`+=` would count an index once, `np.add.at` counts all:\n\n{BATCH}",
        """```python
import numpy as np

def _flat(a, idx):
    batch, n = a.shape[:2]
    if idx.size and (idx.min() < -n or idx.max() >= n):
        raise IndexError("index out of range")
    return idx % n + n * np.arange(batch).reshape(-1, 1) if idx.size else idx

def pick(a, idx):
    whole = a.reshape(a.shape[0] * a.shape[1], *a.shape[2:])
    return np.take(whole, _flat(a, idx), axis=0)

def add_to(a, idx, values):
    tail = a.shape[2:]
    flat = _flat(a, idx).ravel()
    # vectorized: broadcast, then one scatter
    values = np.broadcast_to(values, idx.shape + tail).reshape((-1,) + tail)
    sums = np.zeros((a.shape[0] * a.shape[1],) + tail, dtype=np.result_type(a, values))
    np.add.at(sums, flat, values)
    a += sums.reshape(a.shape).astype(a.dtype)

def _check():
    a, idx = np.arange(12).reshape(2, 6), np.array([[1, -1], [0, 0]])
    got = pick(a, idx)
    for b in range(2):
        for j in range(2):
            assert got[b, j] == a[b, idx[b, j]]

if __name__ == "__main__":
    _check()
```""",
    ],
}

WRONG = {
    "TestNumpyAdvancedIndexShapes": [
        nothing,
        SHAPES.replace("[7, 3, 5, 6]", "[3, 7, 5, 6]"),  # forgets that 0 is an advanced index
        SHAPES.replace("[7, 2, 4, 6]", "[2, 7, 4, 7, 6]"),
        SHAPES.replace("[7, 2, 1, 5, 6]", "[2, 7, 1, 5, 6]"),  # a new axis separates too
        SHAPES.replace("[2, 9, 5, 6]", "[2, 3, 4, 5, 6]"),
        ["The axes of separated indexes come first, so [7, 2, 4, 6] is one of them.", "Something with 7."],
    ],
    "TestNumpyAdvancedIndexBatch": [
        nothing,
        BATCH.replace("np.add.at(a, (_rows(a, idx), idx), values)", "a[_rows(a, idx), idx] += values"),
        BATCH.replace("return a[_rows(a, idx), idx]", "return a[:, idx]"),
        BATCH.replace("[:, None]", ""),  # works for squares only
        # two axes only
        BATCH.replace("return a[_rows(a, idx), idx]", "return np.take_along_axis(a, idx, axis=1)"),
        BATCH.replace("idx]", 'idx % a.shape[1]]'),  # wraps around
        """```python
import numpy as np

def pick(a, idx):  # take_along_axis
    return np.array([[a[b, j] for j in row] for b, row in enumerate(idx)]).reshape(idx.shape + a.shape[2:])

def add_to(a, idx, values):
    np.add.at(a, (np.arange(len(a))[:, None], idx), values)
```""",
    ],
}  # fmt: skip
