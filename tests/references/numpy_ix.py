def nothing(messages):
    return ""


IX = """```python
import numpy as np


def _positions(index):
    index = np.asarray(index)
    return np.flatnonzero(index) if index.dtype == bool else index.astype(int)


def block(m, rows, cols):
    return m[np.ix_(_positions(rows), _positions(cols))]


def set_block(m, rows, cols, values):
    m[np.ix_(_positions(rows), _positions(cols))] = values
```"""

RIGHT = {
    "TestNumpyIx": [
        f"That is what `np.ix_` is for. An empty list needs an integer type.\n\n{IX}",
        """```python
import numpy as np


def _whole(selection, length):
    selection = np.asarray(selection)
    if selection.size == 0:
        return np.zeros(0, dtype=int)
    return np.arange(length)[selection]


def block(m, rows, cols):
    r, c = _whole(rows, m.shape[0]), _whole(cols, m.shape[1])
    return m[r[:, None], c[None, :]].copy()


def set_block(m, rows, cols, values):
    r, c = _whole(rows, m.shape[0]), _whole(cols, m.shape[1])
    m[r[:, None], c] = values
```""",
    ]
}

WRONG = {
    "TestNumpyIx": [
        nothing,
        # pairs them up: right for np.ix_ in name only
        "Use `np.ix_`:\n```python\n# np.ix_(rows, cols)\ndef block(m, rows, cols):\n    return m[rows, cols]\n\n"
        "def set_block(m, rows, cols, values):\n    m[rows, cols] = values\n```",
        # writes into a copy
        """```python
def block(m, rows, cols):
    return m[rows][:, cols]


def set_block(m, rows, cols, values):
    m[rows][:, cols] = values
```""",
        # masks taken for numbers
        IX.replace(
            "np.flatnonzero(index) if index.dtype == bool else index.astype(int)", "index.astype(int)"
        ),
    ]
}
