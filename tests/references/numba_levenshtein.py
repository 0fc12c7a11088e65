def nothing(messages):
    return ""


TWO_ROWS = """```python
import numpy as np
from numba import njit


@njit
def levenshtein(a, b):
    before = np.arange(len(b) + 1)
    row = np.empty(len(b) + 1, dtype=np.int64)
    for i in range(len(a)):
        row[0] = i + 1
        for j in range(len(b)):
            replaced = before[j] + (1 if a[i] != b[j] else 0)
            row[j + 1] = min(replaced, before[j + 1] + 1, row[j] + 1)
        before, row = row, before
    return before[len(b)]
```"""

RIGHT = {
    "TestNumbaLevenshtein": [
        f"Two rows are enough, and they swap places after each letter:\n\n{TWO_ROWS}",
        """```python
import numba
import numpy as np


@numba.njit("int32(uint8[:], uint8[:], int32[:])", cache=True)
def _distance(a, b, row):
    for i in range(a.shape[0]):
        corner = row[0]
        row[0] = i + 1
        for j in range(b.shape[0]):
            above = row[j + 1]
            best = corner if a[i] == b[j] else corner + 1
            if above + 1 < best:
                best = above + 1
            if row[j] + 1 < best:
                best = row[j] + 1
            row[j + 1] = best
            corner = above
    return row[-1]


def levenshtein(a, b):
    if len(b) > len(a):
        a, b = b, a
    return int(_distance(a, b, np.arange(len(b) + 1, dtype=np.int32)))
```""",
    ]
}

WRONG = {
    "TestNumbaLevenshtein": [
        nothing,
        # right, and slow: the decorator is only a comment
        TWO_ROWS.replace("@njit", "# @njit"),
        # counts a swap of neighbours, or rather any replacement, as two
        TWO_ROWS.replace("(1 if a[i] != b[j] else 0)", "(2 if a[i] != b[j] else 0)"),
        # compares letter by letter
        """```python
from numba import njit

@njit
def levenshtein(a, b):
    n = min(len(a), len(b))
    different = max(len(a), len(b)) - n
    for i in range(n):
        if a[i] != b[i]:
            different += 1
    return different
```""",
    ]
}
