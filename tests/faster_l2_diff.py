from evaluator import *

DESCRIPTION = "Can the model compute all squared distances fast, in little memory and with precision?"
TAGS = ["code", "python", "numpy", "performance"]
REQUIRES = ["python:numpy"]

question = """
a and b are float32 arrays with some 10000 rows each and 256 columns, and this eats all my memory:

def sq_dist(a, b):
    return ((a[:, None, :] - b[None, :, :]) ** 2).sum(-1)

A loop over the rows works but is too slow, I need it several times faster than that, with hardly more memory than the
result takes, numpy only. Please mind that the points are far away from the origin (values around 1000) and close to
each other (distances around 1 or even 0), the result has to be right to about 0.01, and never below zero. It should be
float32 again. Same name please.
"""

header = """
import resource, time
import numpy as np

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

def by_rows(a, b):
    return np.array([((row - b) ** 2).sum(1) for row in a])

def points(n, seed, spread=0.05, width=256):
    rng = np.random.default_rng(seed)
    return (1000 + spread * rng.standard_normal((n, width))).astype(np.float32)

def cpu(f, *args):
    start = time.process_time()
    f(*args)
    return time.process_time() - start

def fast_and_small():
    a, b = points(3000, 1), points(1000, 2)
    sq_dist(a[:20], b[:20])
    before = peak()
    rows = 10 * min(cpu(by_rows, a[:300], b) for _ in range(3))
    own = cpu(sq_dist, a, b)
    for _ in range(5):
        if 0.4 < own / rows < 1:  # close: look again
            own = min(own, cpu(sq_dist, a, b))
    more = peak() - before
    print(f"{own:.3f} s of CPU, {rows:.3f} s row by row; {more} MB")
    return "fast" if own < 0.7 * rows else "slow", "small" if more < 150 else "large"

def off(a, b):
    right = by_rows(a.astype(float), b.astype(float))
    got = sq_dist(a, b)
    assert got.dtype == np.float32 and got.shape == right.shape and (got >= 0).all(), got
    return bool(np.abs(got - right).max() < 0.02)

def one_place():
    a = points(40, 3)
    return bool(np.abs(np.diag(sq_dist(a, a.copy()))).max() < 0.02)

def kept():
    a, b = points(5, 4), points(6, 5)
    copies = a.copy(), b.copy()
    sq_dist(a, b)
    return bool((a == copies[0]).all() and (b == copies[1]).all())
"""

test_case, answer = make_python_test(
    [
        ("sq_dist(np.float32([[0, 0], [3, 4]]), np.float32([[0, 0], [0, 4], [6, 8]])).tolist()",
         [[0, 16, 100], [25, 9, 25]]),
        ("off(points(60, 6), points(50, 7))", True),
        ("off(points(70, 8), points(1, 9))", True),
        ("off(points(30, 10, 1.0, 3), points(20, 11, 1.0, 3))", True),
        ("one_place()", True),
        ("kept()", True),
        ("sq_dist(points(4, 1), points(0, 1)).shape", (4, 0)),
        ("fast_and_small()", "('fast', 'small')"),
    ],
    header=header,
)  # fmt: skip

libraries = r"(scipy|sklearn|numba|torch|jax)\b"
uses_more = RegexEvaluator(rf"(?m)^\s*(import\s.*\b{libraries}|from\s+{libraries}\S*\s+import)")

TestFasterL2Diff = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> (~uses_more & (PythonRun(test_case, time_limit_s=60) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestFasterL2Diff))
