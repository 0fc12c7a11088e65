from evaluator import *

DESCRIPTION = (
    "Is the model's faster function as fast as a good one, by the CPU time both take in the same sandbox?"
)
TAGS = ["code", "python", "performance", "algorithm"]

question = """
This function of ours is right, but with 50000 readings it runs for minutes. Could you make it fast, so that this takes well
below a second? Only plain python please, no numpy or other packages on that machine.

def false_alarms(readings, gap):
    \"\"\"How often a reading is more than gap above a later one (readings and gap are ints, gap may be negative).\"\"\"
    count = 0
    for i in range(len(readings)):
        for j in range(i + 1, len(readings)):
            if readings[i] > readings[j] + gap:
                count += 1
    return count
"""

# Runs in the sandbox beside the model's file: each solution in a process of its own, its CPU time by the kernel.
measure = '''
import json, os, random, resource, sys, time

REFERENCE = """
from bisect import bisect_left, insort

def false_alarms(readings, gap):
    later, count = [], 0
    for reading in reversed(readings):
        count += bisect_left(later, reading - gap)
        insort(later, reading)
    return count
"""
CALL = """
import json, sys
with open("input.json") as file:
    cases = json.load(file)
scope = {"__name__": "solution"}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), scope)
with open(sys.argv[2], "w") as file:
    json.dump([scope["false_alarms"](*case) for case in cases], file)
"""

def cpu_seconds(program, cases, limit=20):
    """(seconds of user and system time, its results or None)"""
    with open("input.json", "w") as file:
        json.dump(cases, file)
    output = program + ".json"
    if os.path.exists(output):
        os.remove(output)
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        os.execvp("python3", ["python3", "-c", CALL, program, output])
    _, status, usage = os.wait4(child, 0)
    results = None
    if status == 0 and os.path.exists(output):
        with open(output) as file:
            results = json.load(file)
    return usage.ru_utime + usage.ru_stime, results

def naive(readings, gap):
    return sum(a > b + gap for i, a in enumerate(readings) for b in readings[i + 1:])

with open("reference.py", "w") as file:
    file.write(REFERENCE)
rng = random.Random(31)
small = [[[], 0], [[5], -9], [[3, 3, 3], 0], [[3, 3, 3], -1], [[1, 2], 0], [[2, 1], 0], [[2, 1], 1], [[10**12, -(10**12)], 5]]
for _ in range(60):
    values = [rng.randrange(-9, 10) for _ in range(rng.randrange(30))]
    small.append([values, rng.randrange(-6, 7)])
right = [naive(*case) for case in small]
said = cpu_seconds("solution.py", small, limit=3)[1]
wrong = [(case, got) for case, got, wanted in zip(small, said or [], right) if got != wanted]
if said is None or len(said) != len(right) or wrong:
    print(json.dumps({"error": f"wrong: {wrong[:2] if said else 'it fails'}"}))
    sys.exit()
n = 30000
large = [
    [[rng.randrange(-10**9, 10**9) for _ in range(n)], 10**7],
    [list(range(n, 0, -1)), -3],
    [[rng.randrange(20) for _ in range(n)], 0],
]
reference = min(cpu_seconds("reference.py", large) for _ in range(2))
limit = int(6 * reference[0]) + 1
theirs = cpu_seconds("solution.py", large, limit)
if theirs[1] is not None:
    theirs = min(theirs, cpu_seconds("solution.py", large, limit))
if theirs[1] != reference[1]:
    print(json.dumps({"error": "wrong or too slow with many readings: " + str(theirs)}))
else:
    print(json.dumps({"cpu_s": theirs[0], "reference_cpu_s": reference[0]}))
'''


def grade(output):
    """Passed within five times the reference's CPU time; beyond twice that time the score sinks."""
    measured = json.loads(output.strip().split("\n")[-1])
    if "error" in measured:
        return Score(0.0, False, {}), measured["error"]
    ratio = measured["cpu_s"] / measured["reference_cpu_s"]
    return Score(
        min(1.0, 2 / ratio), ratio <= 5, {"times_reference": ratio, "cpu_s": measured["cpu_s"]}
    ), output


TestCpuTimeFalseAlarms = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> MakeFile("solution.py")
    >> measure
    >> PythonRun(time_limit_s=60)
    >> PyFunc(grade)
)

if __name__ == "__main__":
    print(run_test(TestCpuTimeFalseAlarms))
