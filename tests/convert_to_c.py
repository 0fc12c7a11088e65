from evaluator import *

DESCRIPTION = "Can the model port a python filter to C, with python's dicts, division, sorting and formats?"
TAGS = ["code", "c", "python", "translation", "fuzzing"]
REQUIRES = ["gcc"]
DETERMINISTIC = True

program = """import sys

seats = {}
clock = 0
for number, line in enumerate(sys.stdin, 1):
    words = line.split()
    if not words or words[0].startswith("#"):
        continue
    name, *moves = words
    clock = (clock * 7 + len(moves) - number) % 97 - 48
    for move in moves:
        if move[0] in "+-" and move[1:].isdigit():
            seats[name] = seats.get(name, 0) + int(move)
        elif move == "!":
            seats.pop(name, None)
        else:
            clock -= len(move)
for place, (name, value) in enumerate(sorted(seats.items(), key=lambda seat: -(seat[1] // 10))):
    print(f"{place:>3} {name:<8.8}|{value // 10:6d}.{value % 10}")
print("clock", clock, clock // 5, f"{clock % -7:+d}")
"""

question = f"""
This little python filter has to run on a machine without python, so please port it to C (C11, standard library only, one
file). It must print exactly the same for every input. What I can promise: the input is ASCII text made of letters,
digits, punctuation, blanks, tabs and newlines; a line has at most 2000 characters and there are at most 500 different
names; the numbers behind + and - have at most 8 digits.

{program}"""


def prints_the_same():
    import random
    import subprocess

    built = subprocess.run(["gcc", "-O1", "-o", "port", "port.c", "-lm"], capture_output=True, text=True)
    if built.returncode:
        return False, built.stderr
    rng = random.Random(77)
    texts = [
        "",
        "\n \n# only a comment\n",
        "ann +5",
        "a !\na - + x -0\n",
        "a +3 ! +4\nb -1\na -14\n\t #\n#x +1\n",
    ]
    for names in (3, 40, 396):
        words = [
            "+1",
            "-7",
            "+10",
            "-10",
            "!",
            "+",
            "-",
            "+x",
            "!!",
            "hello",
            "-12345678",
            "+00012",
            "#",
            "+-3",
        ]
        lines = []
        for _ in range(names * 4):
            # four kinds of names that are no comment: at most 400 in all, and 500 are promised
            name = rng.choice(["seat", "s", "longer_seat", "#", "+"]) + str(rng.randrange(names // 4 + 1))
            moves = rng.choices(words, [9, 9, 5, 5, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1], k=rng.randrange(6))
            lines.append(
                rng.choice(["", "", "  ", "\t"]) + rng.choice([" ", "\t ", "   "]).join([name, *moves])
            )
            lines += [""] * (rng.random() < 0.1)
        texts.append("\n".join(lines) + rng.choice(["", "\n"]))
    texts.append("long " + "+1 " * 600 + "word\n" + "x" * 1900 + " +15\n")
    # all of them before the port has run for the first time: it could put something in the filter's way
    filtered = [
        subprocess.run(["python3", "-I", "-c", program], input=text, capture_output=True, text=True).stdout
        for text in texts
    ]
    for text, wanted in zip(texts, filtered, strict=True):
        got = subprocess.run(["./port"], input=text.encode(), capture_output=True, timeout=10).stdout.decode(
            "utf-8", "replace"
        )
        if got != wanted:
            return False, f"input:\n{text[:800]}\nprinted:\n{got[:800]}\nshould be:\n{wanted[:800]}"
    return True, f"{len(texts)} inputs give the same"


TestConvertToC = (
    question
    >> LLMRun()
    >> ExtractCode(lang="c", keep_main=True)
    >> MakeFile("port.c")
    >> PyEvaluator(prints_the_same, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestConvertToC))
