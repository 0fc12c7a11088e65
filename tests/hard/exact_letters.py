"""A square of letters of which parts are turned, mirrored, sorted and exchanged, forty times."""

from __future__ import annotations

import random
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model turn, mirror and sort parts of a square of letters by mind, with every letter in its place?"
TAGS = ["hard", "reasoning", "text"]

SIDE, STEPS, ASKED = 14, 44, (11, 22, 33, 44)
ALPHABET = "abcdefghijklmnop"
PROMPT = """A square has {side} rows (1 is the top) and {side} columns (1 is at the left) of letters from a to p. At the start:

{start}

{steps} operations are done one after the other. A block is written as its first and last row, a comma, and its first and last column: 2-4,7-12 is rows 2
to 4 of columns 7 to 12.

- turn BLOCK right: the block, which has as many rows as columns, is turned by a quarter clockwise; "left": by a quarter the other way.
- mirror BLOCK: in each row of the block the letters come in the opposite order. flip BLOCK: in each column of the block they do.
- roll BLOCK K: all letters of the block, read row by row from its left top, move K places on in this order; those that leave it at the end come in at
  the beginning.
- sort BLOCK: in each row of the block the letters are put in the order of the alphabet.
- swap BLOCK BLOCK: the two blocks, of equal size and without a common cell, change places.
- next BLOCK LETTER: each letter of the block that stands before LETTER in the alphabet becomes the one after it in the alphabet; the others stay.
- ring BLOCK K: the letters at the edge of the block move K places clockwise along the edge; what is inside stays.
- copy BLOCK to ROW,COLUMN: the letters of the block are written over those of the block of equal size whose left top is at that place.

The operations:

{operations}

What does the square look like after operations {asked}? Work it out without running any code. End your reply with {count} code blocks, one for each of these
in their order, of {side} lines with {side} letters each."""

Square = tuple[str, ...]
Area = tuple[int, int, int, int]  # first row, last row, first column, last column, from 0


def part(square: Square, block: Area) -> list[str]:
    """The rows of a block."""
    top, bottom, left, right = block
    return [row[left : right + 1] for row in square[top : bottom + 1]]


def put(square: Square, top: int, left: int, rows: list[str]) -> Square:
    """The square with rows written from a place on."""
    lines = list(square)
    for n, row in enumerate(rows, top):
        lines[n] = lines[n][:left] + row + lines[n][left + len(row) :]
    return tuple(lines)


def edge(height: int, width: int) -> list[tuple[int, int]]:
    """The cells at the edge of a block, clockwise from the left top."""
    top = [(0, x) for x in range(width)]
    right = [(y, width - 1) for y in range(1, height)]
    bottom = [(height - 1, x) for x in reversed(range(width - 1))]
    left = [(y, 0) for y in reversed(range(1, height - 1))]
    return top + right + bottom + left


def rolled(rows: list[str], cells: list[tuple[int, int]], count: int) -> list[str]:
    """The rows with the letters of some cells moved on along them."""
    letters = [rows[y][x] for y, x in cells]
    found = [list(row) for row in rows]
    for n, (y, x) in enumerate(cells):
        found[y][x] = letters[(n - count) % len(cells)]
    return ["".join(row) for row in found]


def read(text: str) -> Area:
    """A block as the prompt writes it."""
    numbers = [int(each) - 1 for each in re.split("[-,]", text)]
    return numbers[0], numbers[1], numbers[2], numbers[3]


def done(square: Square, operation: str) -> Square:
    """The square after an operation."""
    name, first, *rest = operation.split()
    block = read(first)
    rows, top, left = part(square, block), block[0], block[2]
    height, width = len(rows), len(rows[0])
    if name == "turn":
        turned = zip(*rows[::-1], strict=True) if rest[0] == "right" else list(zip(*rows, strict=True))[::-1]
        rows = ["".join(each) for each in turned]
    elif name == "mirror":
        rows = [row[::-1] for row in rows]
    elif name == "flip":
        rows = rows[::-1]
    elif name == "roll":
        rows = rolled(rows, [(y, x) for y in range(height) for x in range(width)], int(rest[0]))
    elif name == "ring":
        rows = rolled(rows, edge(height, width), int(rest[0]))
    elif name == "sort":
        rows = ["".join(sorted(row)) for row in rows]
    elif name == "next":
        rows = ["".join(chr(ord(each) + 1) if each < rest[0] else each for each in row) for row in rows]
    elif name == "swap":
        other = read(rest[0])
        square, rows = put(square, other[0], other[2], rows), part(square, other)
    else:
        top, left = (int(each) - 1 for each in rest[1].split(","))
    return put(square, top, left, rows)


def random_operation(chance: random.Random) -> str:
    """Any operation."""

    def block(height: int, width: int) -> Area:
        top, left = chance.randint(0, SIDE - height), chance.randint(0, SIDE - width)
        return top, top + height - 1, left, left + width - 1

    def said(its: Area) -> str:
        return "{}-{},{}-{}".format(*(each + 1 for each in its))

    name = chance.choice(
        ("turn", "turn", "mirror", "flip", "roll", "sort", "swap", "next", "ring", "ring", "copy")
    )
    height, width = chance.randint(3, 6), chance.randint(3, 7)
    if name == "turn":
        return f"turn {said(block(height, height))} {chance.choice(('right', 'left'))}"
    if name in ("roll", "ring"):
        return f"{name} {said(block(height, width))} {chance.randint(2, 9)}"
    if name == "sort":
        return f"sort {said(block(2, width))}"
    if name == "next":
        return f"next {said(block(height, width))} {chance.choice(ALPHABET[5:-1])}"
    if name == "copy":
        return f"copy {said(block(3, 4))} to {chance.randint(1, SIDE - 2)},{chance.randint(1, SIDE - 3)}"
    if name == "swap":
        while True:
            one, two = block(height, width), block(height, width)
            if one[1] < two[0] or two[1] < one[0] or one[3] < two[2] or two[3] < one[2]:
                return f"swap {said(one)} {said(two)}"
    return f"{name} {said(block(height, width))}"


@cache
def puzzle(seed: int) -> tuple[Square, tuple[str, ...], tuple[Square, ...]]:
    """The square at the start, the operations, and the squares asked for."""
    chance = random.Random(f"letters {seed}")
    start = tuple("".join(chance.choices(ALPHABET, k=SIDE)) for _ in range(SIDE))
    operations = tuple(random_operation(chance) for _ in range(STEPS))
    square, found = start, []
    for number, operation in enumerate(operations, 1):
        square = done(square, operation)
        if number in ASKED:
            found.append(square)
    return start, operations, tuple(found)


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of rows that are right, of all squares; passed if all are."""
    blocks = re.findall(r"```[^\n]*\n(.*?)```", reply, re.DOTALL)[-len(ASKED) :]
    right, told = 0, []
    for number, square, block in zip(ASKED, puzzle(seed)[2], [*blocks, *[""] * len(ASKED)], strict=False):
        said = [line for line in (re.sub(r"[^a-p]", "", line) for line in block.splitlines()) if line]
        wrong = [n for n, row in enumerate(square, 1) if said[n - 1 : n] != [row]]
        right += SIDE - len(wrong)
        told += [f"after {number}: {len(said)} rows; wrong: {', '.join(map(str, wrong))}"] if wrong else []
    every = SIDE * len(ASKED)
    return Score(right / every, right == every), "\n".join(told)


def build(seed: int) -> Node:
    """The test of a seed."""
    start, operations, _ = puzzle(seed)
    question = PROMPT.format(
        side=SIDE,
        start="\n".join(f"    {row}" for row in start),
        steps=STEPS,
        operations="\n".join(
            f"    {number:>2}. {operation}" for number, operation in enumerate(operations, 1)
        ),
        asked=f"{', '.join(map(str, ASKED[:-1]))} and {ASKED[-1]}",
        count=len(ASKED),
    )
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
