from evaluator import *

DESCRIPTION = "Can the model make views with strides that are right for any memory layout?"
TAGS = ["code", "python", "numpy"]
REQUIRES = ["python:numpy"]
DETERMINISTIC = True

question = """
I want these without copying, as numpy views (changes of the original array have to show in them), no python loops:

blocks(a, k, step)   a is 2-D. All k x k blocks whose upper left corner is at (i * step, j * step) and that fit into a,
                     as a 4-D view v with v[i, j] the block. ValueError if k or step is below 1 or not even one fits.
toeplitz(v, m)       v is 1-D with n values, 1 <= m <= n: the view t with m columns and n - m + 1 rows where
                     t[i, j] = v[n - m - i + j], so the last row starts with v[0] and the first one ends with v[n - 1].

a and v can be anything that numpy has, also transposed, reversed or every other element of something. Nobody should be
able to write through these views by accident, so make them read-only (a and v themselves stay writable).
"""

header = """
import numpy as np

def slow_blocks(a, k, step):
    rows, columns = (a.shape[0] - k) // step + 1, (a.shape[1] - k) // step + 1
    return np.array([[a[i * step:i * step + k, j * step:j * step + k] for j in range(columns)] for i in range(rows)])

BASE = np.arange(240, dtype=np.int32).reshape(12, 20)
LAYOUTS = [BASE, BASE.T, BASE[::-1], BASE[:, ::-2], BASE[1:8:3, 4:], np.asfortranarray(BASE), BASE[::2, ::3].T,
           np.arange(30.0).reshape(5, 6)]

def wrong_blocks():
    wrong = []
    for number, a in enumerate(LAYOUTS):
        for k in (1, 2, 3):
            for step in (1, 2, 3, 50):
                v, right = blocks(a, k, step), slow_blocks(a, k, step)
                if not np.array_equal(v, right):
                    wrong.append((number, k, step))
                elif not np.shares_memory(v, a) or v.flags.writeable or not a.flags.writeable:
                    wrong.append("no read-only view")
    return wrong[:4]

def wrong_toeplitz():
    wrong = []
    for number, v in enumerate([np.arange(9.0), np.arange(20)[::-1], np.arange(40)[3::4], BASE[:, 3], BASE[2, ::-3]]):
        n = len(v)
        for m in (1, 2, n - 1, n):
            t = toeplitz(v, m)
            right = np.array([[v[n - m - i + j] for j in range(m)] for i in range(n - m + 1)])
            if not np.array_equal(t, right):
                wrong.append((number, m))
            elif not np.shares_memory(t, v) or t.flags.writeable or not v.flags.writeable:
                wrong.append("no read-only view")
    return wrong[:4]

def follow():
    a, v = np.zeros((4, 4)), np.zeros(5)
    b, t = blocks(a, 2, 1), toeplitz(v, 2)
    a[1, 1] = v[2] = 7
    return int(b.sum()), int(t.sum())

def refuses(*args):
    try:
        return f"no error but {blocks(*args)}"
    except ValueError:
        return True
"""

test_case, answer = make_python_test(
    [
        ("blocks(np.arange(12).reshape(3, 4), 2, 1)[1, 2].tolist()", [[6, 7], [10, 11]]),
        ("blocks(np.zeros((5, 9)), 2, 3).shape", (2, 3, 2, 2)),
        ("toeplitz(np.arange(5), 3).tolist()", [[2, 3, 4], [1, 2, 3], [0, 1, 2]]),
        ("toeplitz(np.arange(3), 1).tolist()", [[2], [1], [0]]),
        ("wrong_blocks()", []),
        ("wrong_toeplitz()", []),
        ("follow()", (28, 14)),
        ("refuses(BASE, 13, 1)", True),
        ("refuses(BASE.T, 13, 1)", True),
        ("refuses(BASE, 0, 1)", True),
        ("refuses(BASE, 2, 0)", True),
        ("refuses(BASE, 2, -1)", True),
    ],
    header=header,
)

TestStridedTrick = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestStridedTrick))
