from evaluator import *

DESCRIPTION = "Can the model vectorise a small loop of updates that may hit the same element many times?"
TAGS = ["code", "python", "numpy", "performance"]
REQUIRES = ["python:numpy"]
DETERMINISTIC = True

original = """
def hit(health, who, damage, floor):
    for w, d in zip(who, damage):
        if health[w] > floor:
            health[w] = max(floor, health[w] - d)
"""

question = (
    """
This little loop takes most of the time in our simulation. Can you do it with numpy, without a loop? health, who and
damage are numpy arrays, who has the indexes (the same one may come up many times), damage is never negative. It should
leave exactly the same in health, I only ever use whole numbers, small ones, in signed or float arrays.
"""
    + original
)

header = (
    original.replace("def hit", "def slowly")
    + """
import numpy as np

def differences():
    rng = np.random.default_rng(8)
    wrong = []
    for case in range(300):
        n, events = int(rng.integers(1, 8)), int(rng.integers(0, 30))
        kind = (np.int64, np.float64, np.int32, np.float32)[case % 4]
        health = rng.integers(-5, 25, n).astype(kind)
        who, damage = rng.integers(-n, n, events), rng.integers(0, 6, events).astype((int, float)[case // 4 % 2 * (case % 2)])
        floor = int(rng.integers(-2, 4))
        mine, right = health.copy(), health.copy()
        returned = hit(mine, who.copy(), damage.copy(), floor)
        slowly(right, who, damage, floor)
        if returned is not None or mine.dtype != kind or not np.array_equal(mine, right):
            wrong.append((health.tolist(), who.tolist(), damage.tolist(), floor, mine.tolist()))
    return wrong[:2]

def arguments_kept():
    who, damage = np.array([0, 0, 1]), np.array([1, 2, 3])
    hit(np.array([9, 9]), who, damage, 0)
    return who.tolist(), damage.tolist()

def of(health, who, damage, floor):
    health = np.array(health)
    hit(health, np.array(who, int), np.array(damage, int), floor)
    return health.tolist()

def part_of_another():
    everyone = np.array([9, 9, 9, 9])
    hit(everyone[::2], np.array([1, 1]), np.array([2, 3]), 0)
    return everyone.tolist()
"""
)

test_case, answer = make_python_test(
    [
        ("of([10, 10, 10], [0, 2, 0], [1, 2, 3], 0)", [6, 10, 8]),
        ("of([10, 10], [1, 1, 1], [4, 4, 4], 0)", [10, 0]),
        ("of([-5, 3, 10], [0, 1], [1, 1], 2)", [-5, 2, 10]),
        ("of([1, 2], [], [], 5)", [1, 2]),
        ("of([5, 5], [-1, 1], [1, 1], 0)", [5, 3]),
        ("differences()", []),
        ("arguments_kept()", "([0, 0, 1], [1, 2, 3])"),
        ("part_of_another()", [9, 9, 4, 9]),
    ],
    header=header,
)


def has_no_loops(code):
    import ast

    loops = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
    hidden = ("vectorize", "frompyfunc", "apply_along_axis", "map", "njit", "jit", "numba")
    functions = {node.name: node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef)}
    used, found = ["hit"], []
    for name in used:  # and what it calls
        for node in ast.walk(functions[name]):
            called = getattr(node, "id", getattr(node, "attr", ""))
            used += [called] if called in functions and called not in used else []
            found += [name] if isinstance(node, loops) or called in hidden else []
    return not found, f"loops in {found}"


TestVectorizeSmallUpdate = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> (PyFunc(has_no_loops) & (PythonRun(test_case) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestVectorizeSmallUpdate))
