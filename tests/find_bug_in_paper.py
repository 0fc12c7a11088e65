from evaluator import *

DESCRIPTION = "Can the model find the step of a paper that is wrong, and put it right?"
TAGS = ["math", "python", "debug", "json"]

question_slots = r"""
I'm reviewing a paper and something is off with their occupancy section, their simulation doesn't fit their formula. I think
just one of the steps is wrong, the later ones follow from what a correct step would say. Which one? Answer with a JSON object
{"wrong_step": number, "right_side": "...", "variance": number}: right_side is what should stand behind the = of that step, as
a python expression in n and m; variance is the true variance of X for m = 10, n = 20, with at least 4 decimals.

We hash n keys, independently and uniformly, into m slots; X is the number of slots that stay empty.
(1) A given slot stays empty with probability p1 = (1 - 1/m)^n.
(2) By linearity, although the slots are not independent, E[X] = m (1 - 1/m)^n.
(3) Two given, different slots both stay empty with probability p2 = (1 - 1/m)^{2n}.
(4) E[X^2] = sum over all ordered pairs of slots of the probability that both are empty = m p1 + m (m - 1) p2.
(5) Var X = E[X^2] - E[X]^2.
(6) For n = m and m to infinity, Var X / m tends to e^{-1} - 2 e^{-2} = 0.0972, clearly below the Poisson value
    e^{-1} - e^{-2} that independent slots would give.
"""

question_merge = """
Is their Theorem 2 right? In our tests the merged samples are too often mixed wrongly when the samples are large compared to
the streams. Find what's wrong in the algorithm and give me the corrected one as a python function merge(a, b, n1, n2, k,
randrange), all randomness only by calls of randrange(n) (uniform in 0..n-1). A sentence or two on what's wrong, then the
function in one code block.

"Let a and b be uniform random samples without replacement of min(k, n1) and min(k, n2) items, drawn from two disjoint
streams of n1 and n2 items. Algorithm 2 merges them in O(k):

1  c = empty list
2  while |c| < k and (a or b is not empty):
3      draw r uniformly from 0 .. n1 + n2 - 1
4      if b is empty, or a is not empty and r < n1:
5          remove a random item from a and append it to c
6      else:
7          remove a random item from b and append it to c
8  return c

Theorem 2. c is a uniform random sample without replacement of min(k, n1 + n2) items of both streams together. Proof: line 3
decides for each place from which stream its item is, in proportion to the streams' sizes; within a stream all items are
alike by symmetry."
"""

# Of two slots, each key has to miss both: (1 - 2/m)^n.
m, n = 10, 20
variance = m * (1 - 1 / m) ** n + m * (m - 1) * (1 - 2 / m) ** n - (m * (1 - 1 / m) ** n) ** 2


def step_is_put_right(text):
    import json
    import subprocess

    answer = json.loads(text)
    expression = str(answer["right_side"]).split("=")[-1].replace("^", "**").strip("` ")
    program = f"""
from math import *
from fractions import Fraction
for m, n in ((2, 3), (3, 1), (7, 4), (40, 25), (1000, 5)):
    print({expression})
"""
    ran = subprocess.run(["python3", "-c", program], capture_output=True, text=True, timeout=10)
    values = [float(line) for line in ran.stdout.split()]
    wanted = [(1 - 2 / m) ** n for m, n in ((2, 3), (3, 1), (7, 4), (40, 25), (1000, 5))]
    same = len(values) == len(wanted) and all(abs(v - w) < 1e-9 for v, w in zip(values, wanted, strict=True))
    good = int(answer["wrong_step"]) == 3 and same and abs(float(answer["variance"]) - variance) < 2e-4
    return good, f"{values} should be {wanted}, variance {variance:.6f}\n{ran.stderr}"


# Every random choice is followed, so the probabilities are exact.
header = """
from fractions import Fraction
from itertools import combinations

def outcomes(run):
    total, open_paths = {}, [[]]
    while open_paths:
        path = open_paths.pop()
        weight, used = Fraction(1), 0
        class Asked(Exception):
            pass
        def randrange(n):
            nonlocal weight, used
            if used == len(path):
                raise Asked(n)
            choice = path[used]
            used += 1
            weight /= n
            return choice
        try:
            result = tuple(sorted(run(randrange)))
        except Asked as more:
            if len(path) > 40:
                raise RuntimeError("draws without end")
            open_paths += [path + [i] for i in range(more.args[0])]
            continue
        total[result] = total.get(result, 0) + weight
    return total

def uniform(n1, n2, k):
    first, second = [f"a{i}" for i in range(n1)], [f"b{i}" for i in range(n2)]
    mixed, number = {}, 0
    for a in combinations(first, min(k, n1)):
        for b in combinations(second, min(k, n2)):
            number += 1
            for c, weight in outcomes(lambda r: merge(list(a), list(b), n1, n2, k, r)).items():
                mixed[c] = mixed.get(c, 0) + weight
    wanted = list(combinations(first + second, min(k, n1 + n2)))
    return len(mixed) == len(wanted) and set(mixed.values()) == {Fraction(number, len(wanted))}
"""

test_case, answer = make_python_test(
    [
        ("uniform(1, 1, 1)", "True"),
        ("uniform(3, 1, 1)", "True"),
        ("uniform(2, 2, 2)", "True"),
        ("uniform(3, 1, 2)", "True"),
        ("uniform(1, 4, 2)", "True"),
        ("uniform(2, 1, 3)", "True"),
        ("uniform(3, 2, 3)", "True"),
        ("uniform(1, 1, 5)", "True"),
        ("uniform(0, 2, 1)", "True"),
        ("uniform(2, 0, 2)", "True"),
    ],
    header=header,
)

TestFindBugInPaperSlots = question_slots >> LLMRun() >> ExtractJSON() >> PyEvaluator(step_is_put_right)
TestFindBugInPaperMerge = (
    question_merge
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestFindBugInPaperSlots))
    print(run_test(TestFindBugInPaperMerge))
