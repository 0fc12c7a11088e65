from evaluator import *

DESCRIPTION = "Can the model find and write two hard dynamic programs over a matrix?"
TAGS = ["code", "python", "algorithm"]
DETERMINISTIC = True

question_fillings = """
I have a matrix as a list of strings of "0", "1" and "." (free). In how many ways can the free fields be filled with 0
and 1 so that no 2 x 2 square of neighbouring fields is all 0 or all 1? I need count_fillings(rows) in plain python,
modulo 10**9 + 7. The shorter side has at most 9 fields, but the longer may have 60, and it can be the width or the
height. It should come back within a few seconds. An empty list counts as 1.
"""

header_fillings = """
import random
from itertools import product

def by_trying(rows):
    free = [(y, x) for y, row in enumerate(rows) for x, c in enumerate(row) if c == "."]
    count = 0
    for values in product("01", repeat=len(free)):
        cells = [list(row) for row in rows]
        for (y, x), value in zip(free, values):
            cells[y][x] = value
        count += all(
            len({cells[y][x], cells[y][x + 1], cells[y + 1][x], cells[y + 1][x + 1]}) == 2
            for y in range(len(cells) - 1) for x in range(len(cells[0]) - 1)
        )
    return count

def wrong_counts():
    rng = random.Random(12)
    wrong = []
    for _ in range(60):
        height, width = rng.choice([(1, 5), (5, 1), (2, 3), (3, 2), (3, 3), (4, 2), (2, 5), (3, 4)])
        rows = ["".join(rng.choice("......01") for _ in range(width)) for _ in range(height)]
        got = count_fillings(list(rows))
        if got != by_trying(rows):
            wrong.append((rows, got, by_trying(rows)))
    return wrong[:3]
"""

test_fillings, answer_fillings = make_python_test(
    [
        ("count_fillings(['..', '..'])", 14),
        ("count_fillings(['11', '11'])", 0),
        ("count_fillings(['11', '10'])", 1),
        ("count_fillings([])", 1),
        ("count_fillings(['.'])", 2),
        ("count_fillings(['.' * 60])", "2 ** 60 % (10 ** 9 + 7)"),
        ("count_fillings(['.'] * 40)", "2 ** 40 % (10 ** 9 + 7)"),
        ("wrong_counts()", []),
        ("count_fillings(['.' * 8] * 30)", "count_fillings(['.' * 30] * 8)"),
        ("count_fillings(['.' * 8] * 30)", 576696827),
        ("count_fillings(['1' + '.' * 30 + '0'] + ['.' * 15 + '0' + '.' * 16] * 4)", 462652962),
    ],
    header=header_fillings,
)

question_cuts = """
A sheet of metal is given as a matrix of whole numbers, how much each small square is worth (may be negative). I cut it
into exactly k pieces: each cut goes straight through a whole piece, between two rows or two columns, from edge to edge
of that piece, and makes two pieces out of it. I get the worth of the worst piece (the sum of its squares), so the worst
should be worth as much as possible. Please write best_cuts(matrix, k) in plain python that returns it, or None if the
sheet can't be cut in k pieces. Up to 7 x 7 squares and k up to 10, in a few seconds.
"""

header_cuts = """
import random

def worst_of_all(sheet, k):
    height, width = len(sheet), len(sheet[0])
    if k == 1:
        return sum(map(sum, sheet))
    options = []
    for cut in range(1, height + width - 1):
        if cut < height:
            a, b = sheet[:cut], sheet[cut:]
        else:
            at = cut - height + 1
            a, b = [row[:at] for row in sheet], [row[at:] for row in sheet]
        for part in range(1, k):
            x, y = worst_of_all(a, part), worst_of_all(b, k - part)
            if x is not None and y is not None:
                options.append(min(x, y))
    return max(options, default=None)

def wrong_cuts():
    rng = random.Random(9)
    wrong = []
    for _ in range(60):
        height, width = rng.choice([(1, 4), (4, 1), (2, 2), (2, 3), (3, 3), (3, 2)])
        sheet = [[rng.randint(-4, 9) for _ in range(width)] for _ in range(height)]
        k = rng.randint(1, 4)
        got = best_cuts([list(row) for row in sheet], k)
        if got != worst_of_all(sheet, k):
            wrong.append((sheet, k, got))
    return wrong[:3]

def large(height, width, k, seed):
    rng = random.Random(seed)
    return best_cuts([[rng.randint(-9, 30) for _ in range(width)] for _ in range(height)], k)
"""

test_cuts, answer_cuts = make_python_test(
    [
        ("best_cuts([[5]], 1)", 5),
        ("best_cuts([[5]], 2)", None),
        ("best_cuts([[1, 2], [3, 4]], 5)", None),
        ("best_cuts([[1, 2], [3, 4]], 4)", 1),
        ("best_cuts([[1, 2], [3, 4]], 2)", 4),
        ("best_cuts([[-1, -2, -3]], 2)", -3),
        ("best_cuts([[4, 4, 0], [0, 1, 4], [1, 4, 4]], 3)", 6),
        ("wrong_cuts()", []),
        ("large(7, 7, 10, 1)", 40),
        ("large(6, 7, 7, 2)", 58),
    ],
    header=header_cuts,
)

TestUnholyMatrixFillings = (
    question_fillings
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_fillings)
    >> SubstringEvaluator(answer_fillings)
)
TestUnholyMatrixCuts = (
    question_cuts
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_cuts)
    >> SubstringEvaluator(answer_cuts)
)

if __name__ == "__main__":
    print(run_test(TestUnholyMatrixFillings))
    print(run_test(TestUnholyMatrixCuts))
