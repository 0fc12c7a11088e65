from evaluator import *

DESCRIPTION = "Can the model carry a python function over to C, negative numbers included?"
TAGS = ["code", "c", "python", "translation"]
DETERMINISTIC = True

question = """
Please rewrite this python function in C as `long schedule(long day, long shift)`. It must give the same number for
all values from -1000000 to 1000000, the negative ones as well (shift is never 0). Only the function, I have a main.

def schedule(day, shift):
    week = day // 7
    slot = day % shift
    score = 0
    while slot:
        score = score * 10 + abs(slot) % 10
        slot = slot // 10 if slot > 0 else -(-slot // 10)
        if score > 10**6:
            break
    return score ^ (week & 15) if week % 3 else score - week
"""


def original(day, shift):
    """The function of the question."""
    week = day // 7
    slot = day % shift
    score = 0
    while slot:
        score = score * 10 + abs(slot) % 10
        slot = slot // 10 if slot > 0 else -(-slot // 10)
        if score > 10**6:
            break
    return score ^ (week & 15) if week % 3 else score - week


inputs = [
    (0, 1),
    (1, 1),
    (100, 7),
    (99999, 1234),
    (-1, 7),
    (-15, 4),
    (-22, 1000),
    (123456, -100),
    (-123456, -100),
]
inputs += [(1000000, 999999), (-1000000, 999983), (987654, -1000000), (-8, -3), (13, 1000), (-500500, 777)]

test_case, answer = make_c_test([(f"schedule({a}, {b})", str(original(a, b))) for a, b in inputs])

TestConvertToCSimple = (
    question >> LLMRun() >> ExtractCode(lang="c") >> CRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestConvertToCSimple))
