from evaluator import *

DESCRIPTION = "Does the model know how numpy picks a sub-table, for reading, writing and with masks?"
TAGS = ["code", "python", "numpy"]
REQUIRES = ["python:numpy"]
DETERMINISTIC = True

question = """
m[rows, cols] with rows = [0, 2] and cols = [1, 3, 4] dies with "shape mismatch: indexing arrays could not be
broadcast". What I want is the 2 x 3 table where those rows and columns cross. Write me two functions, no python
loops over the elements please:

block(m, rows, cols)                 returns that table as a new array
set_block(m, rows, cols, values)     writes values into these places of m itself, returns nothing

rows and cols are lists or arrays of numbers (any order, may be negative or empty), or boolean masks (True = take it),
also one this and the other that. values is a number, or anything that broadcasts to the table.
"""

header = """
import numpy as np

def table():
    return np.arange(30).reshape(5, 6)

def written(rows, cols, values):
    m = table()
    assert set_block(m, rows, cols, values) is None
    changed = np.argwhere(m != table())
    return m.sum().item(), len(changed)

def is_a_copy():
    m = table()
    b = block(m, [0, 1], [0, 1])
    b[:] = 99
    return bool((m == table()).all())
"""

test_case, answer = make_python_test(
    [
        ("block(table(), [0, 2], [1, 3, 4]).tolist()", "[[1, 3, 4], [13, 15, 16]]"),
        ("block(table(), [2, 0], [0, 0]).tolist()", "[[12, 12], [0, 0]]"),
        ("block(table(), [1, 3], [2, 4]).tolist()", "[[8, 10], [20, 22]]"),
        ("block(table(), np.array([-1]), [0, -1]).tolist()", "[[24, 29]]"),
        ("block(table(), [], [1, 2]).shape", "(0, 2)"),
        ("block(table(), np.array([True, False, False, True, False]), [5]).tolist()", "[[5], [23]]"),
        ("block(table(), [4], np.array([0, 1, 0, 0, 1, 0], bool)).tolist()", "[[25, 28]]"),
        (
            "block(table(), [True, False, False, False, True], [False, True] * 3).tolist()",
            "[[1, 3, 5], [25, 27, 29]]",
        ),
        ("written([0, 2], [1, 3, 4], 100)", "(435 - 52 + 600, 6)"),
        ("written([0, 2], [1, 3], [[101, 102], [103, 104]])", "(435 - 32 + 410, 4)"),
        ("written([0, 1, 2], [0, 5], [1000, 2000])", "(435 - 51 + 9000, 6)"),
        ("written(np.arange(5) > 2, [0], 500)", "(435 - 42 + 1000, 2)"),
        ("is_a_copy()", "True"),
    ],
    header=header,
)

TestNumpyIx = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestNumpyIx))
