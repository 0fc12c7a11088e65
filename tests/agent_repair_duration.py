from evaluator import *

DESCRIPTION = "Can an agent mend a small module by its rules, beyond the one test that fails?"
TAGS = ["code", "python", "agent"]

readme = """duration.parse turns a text into seconds: "1h 30m" is 5400, "90s" is 90, "1h30m" is 5400.

- A number may have a fraction: "1.5h" is 5400. Only whole seconds count: what is left over is dropped.
- Units are h, m and s, each at most once, the larger before the smaller.
- Blanks may stand between parts and around them, but not between a number and its unit.
- Everything else is a ValueError: "", "5", "h", "5x", "-5s", "5 m", "30m 1h", "1h 1h".
"""

module = """UNITS = {"h": 3600, "m": 60, "s": 1}


def parse(text):
    total, number = 0, ""
    for character in text:
        if character.isdigit():
            number += character
        elif character in UNITS:
            total += int(number) * UNITS[character]
    return total
"""

test = """from duration import parse

assert parse("90s") == 90
assert parse("1h 30m") == 5400
print("all good")
"""

question = """In this folder are duration.py, its rules in README and a test: `python3 test_duration.py`. The test fails. Find out why
and mend duration.py, so that it follows every rule in README. Leave README and the test as they are."""


def follows_the_rules():
    import json
    import subprocess

    wanted = {
        "90s": 90, "1h 30m": 5400, "1h30m": 5400, "1.5h": 5400, " 2m  5s ": 125, "1h5s": 3605, "0.5s": 0, "10m0.9s": 600,
        "0h": 0, "1.25m": 75, "": None, "5": None, "h": None, "5x": None, "-5s": None, "5 m": None, "30m 1h": None,
        "1h 1h": None, "1..5h": None, "1h x": None, "1.h 2": None, "1H": None, "1s 1m": None, " ": None,
    }  # fmt: skip
    program = (
        "import json, sys\nfrom duration import parse\nfound = {}\nfor text in json.load(sys.stdin):\n"
        "    try:\n        found[text] = parse(text)\n    except ValueError:\n        found[text] = None\nprint(json.dumps(found))"
    )
    done = subprocess.run(
        ["python3", "-c", program], input=json.dumps(list(wanted)), capture_output=True, text=True, timeout=10
    )
    if done.returncode:
        return False, done.stderr[-500:]
    found = json.loads(done.stdout)
    wrong = [
        f"{text!r}: {found[text]}, not {value}" for text, value in wanted.items() if found[text] != value
    ]
    with open("test_duration.py") as file:
        kept = 'parse("1h 30m") == 5400' in file.read()
    return not wrong and kept, "; ".join(wrong) or "the test was changed"


TestRepairDuration = (
    Files({"README": readme, "duration.py": module, "test_duration.py": test})
    >> question
    >> AgentRun([Shell(), EditFile()], max_turns=30)
    >> PyEvaluator(follows_the_rules, time_limit_s=30)
)

if __name__ == "__main__":
    print(run_test(TestRepairDuration))
