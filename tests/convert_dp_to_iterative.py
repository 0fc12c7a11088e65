from evaluator import *

DESCRIPTION = "Can the model turn a memoised recursion into a loop that keeps only what the next step needs?"
TAGS = ["code", "python", "algorithm"]
DETERMINISTIC = True

original = """
from functools import lru_cache

def best_pay(pay, most, sick):
    # pay[day] is what a day of work brings. At most `most` days of work in a row. A sick day brings half
    # the pay, rounded down, but only right after a day of work, and there are `sick` of them.
    @lru_cache(maxsize=None)
    def best(day, row, sick):
        if day == len(pay):
            return 0
        result = best(day + 1, 0, sick)
        if row < most:
            result = max(result, pay[day] + best(day + 1, row + 1, sick))
        if sick > 0 and row > 0:
            result = max(result, pay[day] // 2 + best(day + 1, 0, sick - 1))
        return result

    return best(0, 0, sick)
"""

question = (
    """
This works, but for more than a few hundred days I get a RecursionError. Please rewrite best_pay without recursion. We
run it for 10 years of days and more, with most and sick up to about 20, on a machine with little memory, so keep only
what the next day needs, not a table over all days.
"""
    + original
)

header = (
    original.replace("best_pay", "by_recursion")
    + r"""
import random, sys, tracemalloc

def differences():
    rng = random.Random(5)
    wrong = []
    for _ in range(250):
        pay = [rng.randint(-3, 9) for _ in range(rng.randint(0, 9))]
        case = pay, rng.randint(0, 4), rng.randint(0, 3)
        got, wanted = best_pay(list(pay), *case[1:]), by_recursion(*case)
        if got != wanted:
            wrong.append((*case, got, wanted))
    return wrong[:3]

def depth():
    frame, n = sys._getframe(), 0
    while frame:
        frame, n = frame.f_back, n + 1
    return n

def long_and_small():
    rng = random.Random(6)
    pay = [rng.randint(20, 90) for _ in range(4000)]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth() + 60)
    tracemalloc.start()
    try:
        result = best_pay(pay, 6, 8)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        sys.setrecursionlimit(limit)
    return result, "little memory" if peak < 500_000 else f"{peak} bytes"

def known(days):
    return best_pay([10] * days, 5, 0), best_pay([10] * days, 5, 3), best_pay([10] * days, 0, 9)
"""
)

test_case, answer = make_python_test(
    [
        ("best_pay([], 3, 2)", 0),
        ("best_pay([7], 0, 5)", 0),
        ("best_pay([7, 9, 9], 1, 1)", "7 + 4 + 9"),
        ("best_pay([-5, -1], 2, 2)", 0),
        ("best_pay([3, -1, 5], 3, 1)", "8"),
        ("differences()", []),
        ("long_and_small()", "(197364, 'little memory')"),
        ("known(3000)", "(25000, 25015, 0)"),
    ],
    header=header,
)

TestConvertDpToIterative = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestConvertDpToIterative))
