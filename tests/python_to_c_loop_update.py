from evaluator import *

DESCRIPTION = (
    "Does the model know what changing a loop's variable and bound does in python, and keep it in C?"
)
TAGS = ["code", "c", "python", "translation"]
DETERMINISTIC = True

question = """
i want this in C, as long walk(long n, long step), must return the same number for everything (n from -300 to 300, step
from -20 to 20, never 0). function only

def walk(n, step):
    i = 11
    total = 0
    for i in range(2, n, step):
        total += i
        if total % 3 == 1:
            i += step * 4
            n -= 2
        total += i % 5
        if total > 4000:
            break
    else:
        total -= n
    while n > 0:
        n -= 3
        for i in range(n, n + i % 4):
            total += i
            i += 3
    return total * 10 + i % 10
"""


def original(n, step):
    """The function of the question."""
    i = 11
    total = 0
    for i in range(2, n, step):
        total += i
        if total % 3 == 1:
            i += step * 4
            n -= 2
        total += i % 5
        if total > 4000:
            break
    else:
        total -= n
    while n > 0:
        n -= 3
        for i in range(n, n + i % 4):  # noqa: B020
            total += i
            i += 3
    return total * 10 + i % 10


inputs = [
    (0, 1),
    (2, 1),
    (3, 1),
    (5, 1),
    (10, 3),
    (30, 1),
    (31, 2),
    (300, 1),
    (299, 7),
    (300, 20),
    (13, 20),
    (4, 4),
]
inputs += [
    (1, -1),
    (2, -1),
    (-5, -2),
    (-300, -1),
    (-299, -7),
    (-300, -20),
    (-1, 1),
    (100, -5),
    (-100, 5),
    (77, 6),
]

test_case, answer = make_c_test([(f"walk({n}, {step})", original(n, step)) for n, step in inputs])

TestPythonToCLoopUpdate = (
    question >> LLMRun() >> ExtractCode(lang="c") >> CRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestPythonToCLoopUpdate))
