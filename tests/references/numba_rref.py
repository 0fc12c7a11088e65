def nothing(messages):
    return ""


RREF = """```python
import numpy as np
from numba import njit


@njit
def rref(m, tol=1e-9):
    r = m.copy()
    rows, columns = r.shape
    pivots = np.empty(min(rows, columns), dtype=np.int64)
    row = 0
    for column in range(columns):
        if row == rows:
            break
        best = row
        for i in range(row + 1, rows):
            if abs(r[i, column]) > abs(r[best, column]):
                best = i
        if abs(r[best, column]) <= tol:
            continue
        for j in range(columns):
            r[row, j], r[best, j] = r[best, j], r[row, j]
        pivot = r[row, column]
        for j in range(columns):
            r[row, j] /= pivot
        for i in range(rows):
            if i != row:
                factor = r[i, column]
                if factor != 0.0:
                    for j in range(columns):
                        r[i, j] -= factor * r[row, j]
        pivots[row] = column
        row += 1
    return r, pivots[:row]
```"""

RIGHT = {
    "TestNumbaRref": [
        RREF,
        """A thin wrapper makes the copy, the work is compiled:

```python
import numba as nb
import numpy as np

@nb.njit("int64(float64[:, ::1], int64[::1], float64)")
def _reduce(r, pivots, tol):
    h, w = r.shape
    k = 0
    for c in range(w):
        if k >= h:
            return k
        p = k + np.argmax(np.abs(r[k:, c]))
        if np.abs(r[p, c]) <= tol:
            r[k:, c] = 0.0
            continue
        if p != k:
            t = r[p].copy()
            r[p] = r[k]
            r[k] = t
        r[k] /= r[k, c]
        for i in range(h):
            if i != k:
                r[i] -= r[i, c] * r[k]
        pivots[k] = c
        k += 1
    return k

def rref(m, tol=1e-9):
    r = np.array(m, dtype=np.float64, order="C")
    pivots = np.zeros(max(1, min(r.shape)), np.int64)
    k = _reduce(r, pivots, float(tol))
    return r, pivots[:k]
```""",
    ]
}

WRONG = {
    "TestNumbaRref": [
        nothing,
        RREF.replace("@njit\n", "# @njit\n"),  # not compiled
        RREF.replace("r = m.copy()", "r = m"),
        RREF.replace("abs(r[i, column]) > abs(r[best, column])", "r[best, column] == 0.0"),  # the first that is not 0
        RREF.replace("for i in range(rows):", "for i in range(row + 1, rows):"),  # echelon, not reduced
        RREF.replace("abs(r[best, column]) <= tol", "r[best, column] == 0.0"),
        RREF.replace("        if row == rows:\n            break\n", "").replace("range(columns):\n        best", "range(min(rows, columns)):\n        best")
        .replace("best = row\n", "best = min(row, rows - 1)\n"),
        RREF.replace("np.empty(min(rows, columns), dtype=np.int64)", "[]").replace("pivots[row] = column", "pivots.append(str(column))"),
        "```python\nfrom numba import njit\nimport sympy\n\n@njit\ndef rref(m, tol=1e-9):\n"
        "    return sympy.Matrix(m).rref()\n```",
    ]
}  # fmt: skip
