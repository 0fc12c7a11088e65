from evaluator import *

DESCRIPTION = "Can the model debug a parallel line counter that is wrong at every seam between its parts?"
TAGS = ["code", "python", "debug", "parallel"]

question = """
parcount.py counts the lines of a log that contain a word, with several processes. With workers=1 it seems right, but
with 2 or more the number is often wrong, sometimes 0, and on some logs I get a UnicodeDecodeError. Can you fix it?
It has to stay parallel, each process reads only its own part (logs are huge), and the function keeps its name and
arguments. The logs are utf-8, lines end in \\n except maybe the last, and there is no \\r in them.

import os
from multiprocessing import Pool

def count_part(path, word, start, size):
    with open(path, encoding="utf-8") as file:
        file.seek(start)
        text = file.read(size)
    return sum(word in line for line in text.split("\\n"))

def parcount(path, word, workers):
    size = os.path.getsize(path) // workers
    parts = [(path, word, i * size, size) for i in range(workers)]
    with Pool(workers) as pool:
        return sum(pool.starmap(count_part, parts))
"""

header = r"""
import os, resource
from parcount import parcount

def log(text, name="some.log"):
    with open(name, "wb") as file:
        file.write(text.encode())
    return name

def with_workers(text, word, most=9):
    path = log(text)
    return sorted({parcount(path, word, workers) for workers in range(1, most)})

def lines(text, word):
    return [sum(word in line for line in text.split("\n"))]

MIXED = "".join(f"{'é漢'[i % 2] * (i % 5)} error {i} {'x' * (i * 7 % 40)} error\n" for i in range(60)) + "last error"
PLAIN = "".join("eR\n" if i % 3 else "x\n" for i in range(40))
LONG = "a" * 5000 + "error" + "b" * 3000 + "\nerror\n"

def big():
    path = log("tide table: low water 4.20 m, all well\nsome error here\n" * 360000, "big.log")
    before = resource.getrusage(resource.RUSAGE_SELF)
    count = parcount(path, "error", 3)
    own = resource.getrusage(resource.RUSAGE_SELF)
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = own.ru_utime + own.ru_stime - before.ru_utime - before.ru_stime
    return count, "parallel" if theirs.ru_utime + theirs.ru_stime > own else "not parallel"
"""

test_case, answer = make_python_test(
    [
        ("with_workers(MIXED, 'error')", "lines(MIXED, 'error')"),
        ("with_workers(MIXED, '漢漢')", "lines(MIXED, '漢漢')"),
        ("with_workers(PLAIN, 'R', 6)", "lines(PLAIN, 'R')"),
        ("with_workers(LONG, 'error', 5)", "[2]"),
        ("with_workers('error', 'error', 8)", "[1]"),
        ("with_workers('a\\nerror', 'error', 4)", "[1]"),
        ("with_workers('é\\n', 'é', 5)", "[1]"),
        ("with_workers('', 'error', 4)", "[0]"),
        ("big()", "(360000, 'parallel')"),
    ],
    header=header,
)

TestDebugBrokenCodeParcount = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> MakeFile("parcount.py")
    >> "import parcount"
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestDebugBrokenCodeParcount))
