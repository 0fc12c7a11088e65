from evaluator import *

DESCRIPTION = "Does the model know where numpy puts the axes of advanced indexes, and use them for a batch?"
TAGS = ["code", "python", "numpy"]
REQUIRES = ["python:numpy"]
DETERMINISTIC = True

question_shapes = """
quick numpy question, what are the shapes of these?

a = np.zeros((2, 3, 4, 5, 6))
i = np.array([0, 1, 2, 0, 1, 2, 0])
m = np.arange(12).reshape(3, 4) % 4 != 3

a[:, i, :, i]
a[0, :, i]
a[:, i, i]
a[:, :, i[:, None], [0, 1]]
a[:, i, None, i]
a[:, m]
a[..., i, 0]

Please give me the seven of them as JSON, a list of lists of numbers, like [[1, 2], [3, 4], ...]
"""

shapes = [
    [7, 2, 4, 6],
    [7, 3, 5, 6],
    [2, 7, 5, 6],
    [2, 3, 7, 2, 6],
    [7, 2, 1, 5, 6],
    [2, 9, 5, 6],
    [2, 3, 4, 7],
]

question_batch = """
Beam search in numpy: a has the shape (batch, n, ...), any number of axes behind the first two, idx is an int array
(batch, k) that says for each batch which of the n to take. I need two functions without python loops:

pick(a, idx)             the new array (batch, k, ...) with result[b, j] = a[b, idx[b, j]]
add_to(a, idx, values)   adds values[b, j] to a[b, idx[b, j]] in a itself, and if an index occurs several times in a
                         batch all of them have to count. values is (batch, k, ...) or broadcasts to it. Returns nothing.

Negative indexes count from the end like always, k may be 0, and an index out of range must be an IndexError.
"""

header = """
import numpy as np

def table(*shape):
    return np.arange(np.prod(shape)).reshape(shape) * 10

def slow_pick(a, idx):
    return np.array([[a[b, j] for j in row] for b, row in enumerate(idx)])

def slow_add(a, idx, values):
    values = np.broadcast_to(values, idx.shape + a.shape[2:])
    for b, row in enumerate(idx):
        for j, at in enumerate(row):
            a[b, at] += values[b, j]

def differences():
    rng = np.random.default_rng(4)
    wrong = []
    for tail in [(), (2,), (3, 2), (1, 2, 2)]:
        for batch, n, k in [(1, 4, 3), (3, 3, 3), (2, 5, 4), (4, 2, 7)]:
            a = rng.integers(0, 99, (batch, n, *tail))
            idx = rng.integers(-n, n, (batch, k))
            if not np.array_equal(pick(a, idx), slow_pick(a, idx)):
                wrong.append(("pick", a.shape, k))
            for values in (rng.integers(0, 99, (batch, k, *tail)), 5, np.arange(tail[-1] if tail else k)):
                mine, right = a.copy(), a.copy()
                if add_to(mine, idx, values) is not None:
                    wrong.append("returns something")
                slow_add(right, idx, values)
                if not np.array_equal(mine, right):
                    wrong.append(("add_to", a.shape, k))
    return wrong[:4]

def refuses(f, *args):
    try:
        return f"no error but {f(*args)}"
    except IndexError:
        return True

def is_new():
    a = table(2, 3)
    pick(a, np.array([[0], [1]]))[:] = -1
    return a.min() == 0
"""

test_case, answer = make_python_test(
    [
        ("pick(table(2, 3), np.array([[2, 0], [1, 1]])).tolist()", [[20, 0], [40, 40]]),
        ("pick(table(2, 2, 2), np.array([[-1], [0]])).tolist()", [[[20, 30]], [[40, 50]]]),
        ("pick(table(2, 3, 4), np.zeros((2, 0), int)).shape", (2, 0, 4)),
        ("differences()", []),
        ("refuses(pick, table(2, 3), np.array([[0], [3]]))", True),
        ("refuses(add_to, table(2, 3), np.array([[-4], [0]]), 1)", True),
        ("bool(is_new())", True),
    ],
    header=header,
)


def has_no_loops(code):
    import ast

    loops = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
    functions = {node.name: node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef)}
    used, found = ["pick", "add_to"], []
    for name in used:  # and what they call; a function that only tests them may loop
        for node in ast.walk(functions[name]):
            called = getattr(node, "id", getattr(node, "attr", ""))
            used += [called] if called in functions and called not in used else []
            found += [name] if isinstance(node, loops) or called == "vectorize" else []
    return not found, f"loops in {found}"


TestNumpyAdvancedIndexShapes = (
    question_shapes >> LLMRun() >> ExtractJSON() >> PyFunc(json.loads) >> EqualEvaluator(shapes)
)
TestNumpyAdvancedIndexBatch = (
    question_batch
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> (PyFunc(has_no_loops) & (PythonRun(test_case) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestNumpyAdvancedIndexShapes))
    print(run_test(TestNumpyAdvancedIndexBatch))
