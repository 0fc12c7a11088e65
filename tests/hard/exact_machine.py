"""A machine that exists only in the prompt, run by mind for some hundred steps."""

from __future__ import annotations

import random
import re
from functools import partial

from evaluator import *

DESCRIPTION = (
    "Can the model run a program of a made-up machine by mind, for some hundred steps, without a slip?"
)
TAGS = ["medium", "reasoning"]

CELLS = 7
ROUNDS = 20
OPERATIONS = {
    "add x y": "cell x becomes (x + y) mod 97",
    "sub x y": "cell x becomes (x - y) mod 97, never negative",
    "swap x y": "cells x and y change places",
    "fold x y": "cell x becomes its digit sum plus cell y, mod 97",
    "turn x": "all seven cells move one place to the right if cell x is even, to the left if it is odd; what falls "
    "out at one end comes in at the other",
    "skip x y": "if cell x is larger than cell y, the next line is left out",
    "mark x": "the smallest cell (the leftmost of equal ones) becomes cell x plus 13, mod 97",
}
PROMPT = """A machine has seven cells, numbered 0 to 6 from left to right, each holding a number from 0 to 96. It knows these
lines, in which x and y are numbers of cells:

{operations}

"cell x" always means the number in the cell at that place when the line begins; x and y may be the same place. The digit
sum of a number is the sum of its decimal digits. After the last line the machine starts again at the first (a line that is
left out at the very end is the first line of the next round). It stops at the end of round {rounds}, that is when the last
line of that round has been done or left out. Each line counts as one step, also one that is left out.

The cells at the start: {start}

The program, {lines} lines:

{program}

Which numbers do the cells hold when the machine stops? Work it out without running any code. End your reply with a line
that begins with "Cells:" and has the seven numbers from left to right."""


def program_of(seed: int) -> tuple[list[int], list[str], int]:
    """The cells at the start, the lines, and the number of rounds."""
    chance = random.Random(f"machine {seed}")
    lines = []
    for _ in range(24):
        form = chance.choice([*OPERATIONS, "fold x y", "add x y"])
        x, y = chance.sample(range(CELLS), 2)
        lines.append(form.replace("x", str(x)).replace("y", str(y)))
    return [chance.randrange(97) for _ in range(CELLS)], lines, ROUNDS


def final(cells: list[int], lines: list[str], rounds: int) -> list[int]:
    """The cells when the machine stops."""
    cells, left_out = list(cells), False
    for line in lines * rounds:
        if left_out:
            left_out = False
            continue
        name, *places = line.split()
        x = int(places[0])
        y = int(places[-1])
        a, b = cells[x], cells[y]
        if name == "add":
            cells[x] = (a + b) % 97
        elif name == "sub":
            cells[x] = (a - b) % 97
        elif name == "swap":
            cells[x], cells[y] = b, a
        elif name == "fold":
            cells[x] = (sum(map(int, str(a))) + b) % 97
        elif name == "turn":
            cells = [cells[-1], *cells[:-1]] if a % 2 == 0 else [*cells[1:], cells[0]]
        elif name == "skip":
            left_out = a > b
        else:
            cells[cells.index(min(cells))] = (a + 13) % 97
    return cells


def judge(wanted: list[int], reply: str) -> Score:
    """The share of the cells; passed if all are right."""
    found = re.findall(r"Cells:([^\n]*)", reply.replace("*", ""))
    said = [int(each) for each in re.findall(r"\d{1,4}", found[-1])] if found else []
    right = sum(a == b for a, b in zip(said, wanted, strict=False)) if len(said) == CELLS else 0
    return Score(right / CELLS, said == wanted)


def build(seed: int) -> Node:
    """The test of a seed."""
    start, lines, rounds = program_of(seed)
    question = PROMPT.format(
        operations="\n".join(f"    {form:9} {what}" for form, what in OPERATIONS.items()),
        rounds=rounds,
        start=" ".join(map(str, start)),
        lines=len(lines),
        program="\n".join(f"    {line}" for line in lines),
    )
    return question >> LLMRun() >> PyFunc(partial(judge, final(start, lines, rounds)))
