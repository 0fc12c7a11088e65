from evaluator import *

DESCRIPTION = "Can the model write a row reduction that numba compiles, with pivoting and odd shapes?"
TAGS = ["code", "python", "numba"]
REQUIRES = ["python:numba"]
DETERMINISTIC = True

question = """
Please write rref(m, tol=1e-9) for numba (njit): the reduced row echelon form of a 2-D float64 array. Returns (r, pivots),
r a new array (m stays as it is), pivots the columns of the pivots in order as an int array (empty if there are none).
Please take the largest entry of the column as pivot so that it's stable. Entries up to tol in absolute value count as
zero when a pivot is looked for. m can be any shape, also wide, tall, or without rows. I call it very often, so all the
work has to happen in compiled code.
"""

header = """
import numpy as np
from numba.core.dispatcher import Dispatcher

def of(m, *tol):
    m = np.array(m, dtype=np.float64)
    before = m.copy()
    r, pivots = rref(m, *(tol or (1e-9,)))
    assert (m == before).all(), "m was changed"
    assert r is not m and r.shape == m.shape
    assert len(pivots) == 0 or np.asarray(pivots).dtype.kind in "iu", pivots
    return (np.round(r, 6) + 0.0).tolist(), [int(p) for p in pivots]

def slow(m):
    r, row, pivots = m.copy(), 0, []
    for column in range(m.shape[1]):
        if row == len(r):
            break
        best = row + np.argmax(np.abs(r[row:, column]))
        if abs(r[best, column]) <= 1e-9:
            continue
        r[[row, best]] = r[[best, row]]
        r[row] /= r[row, column]
        for other in range(len(r)):
            if other != row:
                r[other] -= r[other, column] * r[row]
        row += 1
        pivots.append(column)
    return r, pivots

def differences():
    rng = np.random.default_rng(2)
    wrong = []
    for _ in range(200):
        rows, columns = rng.integers(1, 7, 2)
        m = rng.integers(-3, 4, (rows, columns)).astype(float)
        if rows > 2:
            m[-1] = 2 * m[0] - m[1]
        got, right = rref(m, 1e-9), slow(m)
        if [int(p) for p in got[1]] != right[1] or not np.allclose(got[0], right[0], atol=1e-6):
            wrong.append(m.tolist())
    return wrong[:2]

def stable():
    n = 60
    m = np.random.default_rng(3).standard_normal((n, n))
    m[0, 0] = 1e-8
    x = np.arange(n) + 1.0
    r, pivots = rref(np.column_stack([m, m @ x]), 1e-12)
    return len(pivots), bool(np.abs(r[:, -1] - x).max() < 1e-7)

def compiled():
    return any(isinstance(v, Dispatcher) and v.nopython_signatures for v in list(globals().values()))
"""

test_case, answer = make_python_test(
    [
        ("of([[1, 2], [3, 4]])", "([[1, 0], [0, 1]], [0, 1])"),
        ("of([[0, 2, 4], [1, 1, 1]])", "([[1, 0, -1], [0, 1, 2]], [0, 1])"),
        ("of([[0, 0, 3, 6], [0, 0, 1, 2]])", "([[0, 0, 1, 2], [0, 0, 0, 0]], [2])"),
        ("of([[1, 2, 3], [2, 4, 6], [3, 6, 10]])", "([[1, 2, 0], [0, 0, 1], [0, 0, 0]], [0, 2])"),
        ("of([[5], [0], [-2]])", "([[1], [0], [0]], [0])"),
        ("of([[0, 0], [0, 0]])", "([[0, 0], [0, 0]], [])"),
        ("of([[4, 8, 2]])", "([[1, 2, 0.5]], [0])"),
        ("of([[1e-4, 1], [0, 2]], 1e-3)[1]", [1]),
        ("of(np.zeros((0, 3)))", "([], [])"),
        ("rref(np.array([[2.0, 1.0]]))[0].tolist()", [[1, 0.5]]),
        ("differences()", []),
        ("stable()", (60, True)),
        ("compiled()", True),
    ],
    header=header,
)

TestNumbaRref = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case, time_limit_s=120)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestNumbaRref))
