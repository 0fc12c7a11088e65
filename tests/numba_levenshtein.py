from evaluator import *

DESCRIPTION = "Can the model write an edit distance that numba really compiles, checked on its speed?"
TAGS = ["code", "python", "numba", "performance"]
REQUIRES = ["python:numba"]

question = """
My edit distance takes forever on long DNA reads, please write it for numba. I want levenshtein(a, b) where a and b
are numpy uint8 arrays, and it returns the number of insertions, deletions and replacements as an int. Two reads of
3000 letters should take well under a second once it is compiled, and please don't keep the whole n x m table, only
what is needed.
"""

header = """
import time
import numpy as np

def of(a, b):
    return int(levenshtein(np.array(list(a), np.uint8), np.array(list(b), np.uint8)))

def long_reads():
    rng = np.random.default_rng(7)
    a = rng.choice(np.frombuffer(b"ACGT", np.uint8), 3000)
    b = a.copy()
    b[100:2900:200] = ord("N")
    b = np.delete(b, np.arange(50, 2950, 700))
    levenshtein(a[:9], b[:9])
    start = time.perf_counter()
    distance = int(levenshtein(a, b))
    seconds = time.perf_counter() - start
    return distance, "fast" if seconds < 1.5 else f"{seconds:.1f} s"
"""

test_case, answer = make_python_test(
    [
        ("of(b'', b'')", "0"),
        ("of(b'', b'ACG')", "3"),
        ("of(b'ACG', b'')", "3"),
        ("of(b'A', b'A')", "0"),
        ("of(b'kitten', b'sitting')", "3"),
        ("of(b'sitting', b'kitten')", "3"),
        ("of(b'AB', b'BA')", "2"),
        ("of(b'flaw', b'lawn')", "2"),
        ("of(b'A' * 300, b'B' * 300)", "300"),
        ("of(b'ABCDE' * 60, b'BCDEA' * 60)", "2"),
        ("long_reads()", "(19, 'fast')"),
    ],
    header=header,
)

TestNumbaLevenshtein = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case, time_limit_s=60)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestNumbaLevenshtein))
