from evaluator import *

DESCRIPTION = (
    "Does a python program that the model carried over to javascript agree with it on random inputs?"
)
TAGS = ["code", "javascript", "python", "translation", "fuzzing"]
REQUIRES = ["node"]
DETERMINISTIC = True

program = '''import json
import sys


def shelf_plan(items, width):
    """items: list of [name, size]; returns shelves, each a list of names, and a checksum."""
    shelves = []
    for name, size in sorted(items, key=lambda item: (-item[1], item[0][::-1])):
        if not name or size % 7 == 3:
            continue
        for shelf in shelves:
            if sum(part[1] for part in shelf) + abs(size) <= width:
                shelf.insert(len(shelf) // 2, [name, abs(size)])
                break
        else:
            shelves.append([[name, abs(size)]])
    total = 0
    for number, shelf in enumerate(shelves):
        for name, size in shelf[-3:]:
            total = (total * 31 + size // -4 + len(name) - number) % 1000003
    names = [[name.title() for name, _ in shelf] for shelf in shelves]
    return {"shelves": names, "sum": total, "last": names[-1][-1] if names else None}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(shelf_plan(request["items"], request["width"])))
'''

question = f"""
We move this filter from python to node. Please write it in javascript (one file, no packages, reads standard input, writes
standard output) so that it answers the same to every line; names are letters a-z and A-Z, blanks and hyphens, or empty,
sizes whole numbers from -10000 to 10000, width from 0 to 20000. The order of keys in the output and the blanks between
them don't matter.

{program}"""


def agrees_on_random_inputs():
    import json
    import random
    import subprocess

    rng = random.Random(20240611)
    requests = [
        {"items": [], "width": 0},
        {"items": [["", 5]], "width": 9},
        {"items": [["a-b c", -3]], "width": 2},
    ]
    for _ in range(400):
        span = rng.choice([3, 30, 10000])
        names = ["".join(rng.choices("abcXYZ -", k=rng.randrange(7))) for _ in range(rng.randrange(1, 12))]
        items = [[rng.choice(names), rng.randint(-span, span)] for _ in range(rng.randrange(14))]
        requests.append({"items": items, "width": rng.randrange(2 * span)})
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    outputs = []
    for command in (["python3", "-I", "-c", program], ["node", "filter.js"]):
        done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=15)
        outputs.append([json.loads(line) for line in done.stdout.split("\n") if line.strip()])
    ours, theirs = outputs
    if len(ours) != len(theirs):
        return False, f"{len(theirs)} answers to {len(ours)} lines"
    different = [i for i, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]]
    if different:
        i = different[0]
        return (
            False,
            f"{len(different)} of {len(ours)} differ, first {requests[i]}: {theirs[i]} instead of {ours[i]}",
        )
    return True, f"{len(ours)} answers agree"


TestTranslateFuzzPythonToJavaScript = (
    question
    >> LLMRun()
    >> ExtractCode(lang="javascript", keep_main=True)
    >> MakeFile("filter.js")
    >> PyEvaluator(agrees_on_random_inputs)
)

if __name__ == "__main__":
    print(run_test(TestTranslateFuzzPythonToJavaScript))
