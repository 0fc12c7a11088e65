"""A picture of cells from the lengths of its blocks in each row and column."""

from __future__ import annotations

import random
from functools import cache, partial
from itertools import groupby

from evaluator import *

DESCRIPTION = (
    "Can the model work out a picture of 400 cells from the lengths of its blocks, with every cell right?"
)
TAGS = ["hard", "reasoning", "puzzle"]

SIDE = 20
PASSES = 7  # at least as often all lines must be gone through
PROMPT = """A square of {side} rows and {side} columns has black and white cells. For each row (from the top down) and each column (from the left) the
lengths of its blocks are given: a block is as many black cells next to each other as there are, and between two blocks there is at least one white
cell. Rows are read from the left, columns from the top; 0 means that there is no black cell.

Rows:
{rows}

Columns:
{columns}

There is exactly one such picture, and it can be found line by line, without guessing. Find it without running any code. End your reply with one code
block of {side} lines with {side} signs each: # for a black cell, . for a white one."""

Line = tuple[int, ...]  # lengths of blocks
Picture = tuple[str, ...]


def blocks(cells: str) -> Line:
    """The lengths of the blocks of a line."""
    return tuple(len(list(its)) for cell, its in groupby(cells) if cell == "#")


def turned(picture: Picture) -> Picture:
    """Its columns as rows."""
    return tuple("".join(each) for each in zip(*picture, strict=True))


def narrowed(known: str, line: Line) -> str:
    """What is known of a line (? for a cell that may be either) once every way to place its blocks is considered."""
    size = len(known)

    @cache
    def fits(at: int, block: int) -> bool:
        """Whether the blocks from `block` on can stand from cell `at` on."""
        if block == len(line):
            return "#" not in known[at:]
        if at + line[block] > size:
            return False
        if known[at] != "#" and fits(at + 1, block):
            return True
        return begins(at, block)

    def begins(at: int, block: int) -> bool:
        """Whether `block` can begin at `at`, and the others can follow."""
        end = at + line[block]
        if end > size or "." in known[at:end] or known[end : end + 1] == "#":
            return False
        return fits(min(end + 1, size), block + 1)

    black, white = [False] * size, [False] * size
    todo, seen = [(0, 0)], set()
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        at, block = state
        if block == len(line):
            white[at:] = [True] * (size - at)
            continue
        if at >= size:
            continue
        if known[at] != "#" and fits(at + 1, block):
            white[at] = True
            todo.append((at + 1, block))
        if begins(at, block):
            end = at + line[block]
            black[at:end] = [True] * (end - at)
            if end < size:
                white[end] = True
            todo.append((min(end + 1, size), block + 1))
    return "".join(
        "#" if b and not w else "." if w and not b else "?" for b, w in zip(black, white, strict=True)
    )


def solved(rows: list[Line], columns: list[Line]) -> tuple[Picture, int]:
    """What line after line tells of the picture, and how often all lines were gone through."""
    picture: Picture = ("?" * len(columns),) * len(rows)
    for passes in range(1, 100):
        before = picture
        picture = tuple(narrowed(row, line) for row, line in zip(picture, rows, strict=True))
        picture = turned(
            tuple(narrowed(row, line) for row, line in zip(turned(picture), columns, strict=True))
        )
        if picture == before:
            return picture, passes
    return picture, 100


@cache
def planted(seed: int) -> Picture:
    """A picture that its lines determine, and not at once."""
    for attempt in range(10_000):
        chance = random.Random(f"nonogram {seed} {attempt}")
        cells = [[chance.random() < 0.5 for _ in range(SIDE)] for _ in range(SIDE)]
        for y in range(SIDE):  # a cell often follows a neighbour, so that there are blocks
            for x in range(SIDE):
                near = [
                    cells[b][a]
                    for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
                    if 0 <= a < SIDE and 0 <= b < SIDE
                ]
                if chance.random() < 0.45:
                    cells[y][x] = chance.choice(near)
        picture = tuple("".join("#" if cell else "." for cell in row) for row in cells)
        if not 0.5 < sum(row.count("#") for row in picture) / SIDE**2 < 0.62:
            continue
        found, passes = solved([blocks(row) for row in picture], [blocks(row) for row in turned(picture)])
        if found == picture and passes >= PASSES:
            return picture
    raise ValueError(f"no picture for seed {seed}")


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of rows that are right; passed if all are."""
    fences = re.findall(r"```[^\n]*\n(.*?)```", reply, re.DOTALL)
    said = [re.sub(r"[^#.]", "", line) for line in (fences[-1] if fences else "").splitlines()]
    said = [line for line in said if line]
    wanted = planted(seed)
    wrong = [number for number, row in enumerate(wanted, 1) if said[number - 1 : number] != [row]]
    passed = not wrong and len(said) == SIDE
    told = "" if passed else f"{len(said)} rows; wrong: {', '.join(map(str, wrong))}"
    return Score(1 - len(wrong) / SIDE, passed), told


def build(seed: int) -> Node:
    """The test of a seed."""

    def listed(lines: Picture) -> str:
        return "\n".join(
            f"    {number:>2}: {' '.join(map(str, blocks(line) or (0,)))}"
            for number, line in enumerate(lines, 1)
        )

    picture = planted(seed)
    question = PROMPT.format(side=SIDE, rows=listed(picture), columns=listed(turned(picture)))
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
