"""A cube of letters that are pulled in six directions, vanish in straight lines and are filled up: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = (
    "Can the model pull the letters of a cube in six directions by mind, with every letter in its place?"
)
TAGS = ["hard", "reasoning", "game"]

LETTERS = "abcd"
PULLS = {"top": (0, -1), "bottom": (0, 1), "back": (1, -1), "front": (1, 1), "left": (2, -1), "right": (2, 1)}
RUN = 3
Cell = tuple[int, int, int]  # layer, row, column
Cube = dict[Cell, str]
PROMPT = """A cube has {size} layers (1 is the top, {size} the bottom), each of {size} rows (1 is at the back, {size} at the front) and {size} columns (1 is at the left, {size} at
the right) of cells. A cell holds a letter from a to {most} or is empty, which is written as a dot. At the start the layers are, from the top to the bottom, each with
its rows below one another:

{start}

A move pulls all letters to a face of the cube: top or bottom (along the layers: a letter keeps its row and column), back or front (along the rows: it
keeps its layer and column), left or right (along the columns: it keeps its layer and row). In each move these things happen in this order:

1. Every letter slides to that face until the face or another letter that has come to rest is directly ahead of it. The letters of a line keep their
   order.
2. Lines are looked for: {run} or more equal letters directly after one another in a straight line in one of these three directions, whatever the face (not
   diagonally). All letters that are part of any line vanish at the same time. If some vanished, it goes on with 1, to the same face; otherwise with 3.
3. The empty cells at the face opposite to the one that the letters are pulled to are filled from the supply, in the order of layers, in each layer of rows, and in
   each row of columns, but not more than {fill} of them in a move. These letters do not slide or vanish before the next move.

The supply, the next letter first, in groups of ten only for the eye:

{supply}

The moves in their order:

{moves}

{ending}"""


def pulled(cube: Cube, face: str, size: int) -> Cube:
    """The cube after all letters slid to a face."""
    axis, sign = PULLS[face]
    new: Cube = {}
    lines: dict[tuple[int, int], int] = {}
    for cell in sorted(cube, key=lambda each: -sign * each[axis]):
        other = cell[(axis + 1) % 3], cell[(axis + 2) % 3]
        rank = lines.get(other, 0)
        lines[other] = rank + 1
        at = rank if sign < 0 else size - 1 - rank
        new[cell[0] if axis else at, cell[1] if axis != 1 else at, cell[2] if axis != 2 else at] = cube[cell]
    return new


def in_lines(cube: Cube) -> set[Cell]:
    """The cells that are part of a line."""
    found: set[Cell] = set()
    for layer, row, column in cube:
        for down, back, right in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            cells = [(layer + k * down, row + k * back, column + k * right) for k in range(RUN)]
            if len({cube.get(each, each) for each in cells}) == 1:
                found.update(cells)
    return found


@dataclass(frozen=True)
class Pulls:
    """Cubes of `size` layers; `fill`: letters that a move brings at the most; `asked`: the moves after which the
    cube is asked for; `active`: the fewest cells that a move changes; `lines`: the fewest letters that vanish in all."""

    size: int
    filled: int
    fill: int
    asked: tuple[int, ...]
    active: int
    lines: int

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[tuple[str, ...], str, tuple[str, ...], dict[str, tuple[str, ...]]]:
        """The cube at the start, the supply, the moves, and the cubes asked for."""
        side = range(self.size)
        cells = [(layer, row, column) for layer in side for row in side for column in side]
        for attempt in range(1_000):
            chance = random.Random(f"cube {seed} {attempt}")
            cube = {cell: chance.choice(LETTERS) for cell in chance.sample(cells, self.filled)}
            while in_lines(cube):
                cube |= {cell: chance.choice(LETTERS) for cell in in_lines(cube)}
            supply = "".join(chance.choices(LETTERS, k=self.fill * self.asked[-1]))
            start, used, gone, moves, found = self.rows(cube), 0, 0, list[str](), {}
            for number in range(1, self.asked[-1] + 1):
                ways = {
                    face: self.moved(cube, face, supply[used:]) for face in PULLS if face not in moves[-1:]
                }
                busy = [
                    f
                    for f, (new, _, _) in ways.items()
                    if sum(cube.get(c) != new.get(c) for c in cells) >= self.active
                ]
                if not busy:
                    break
                moves.append(chance.choice(busy))
                cube, came, vanished = ways[moves[-1]]
                used, gone = used + came, gone + vanished
                if number in self.asked:
                    found[f"After move {number}"] = self.rows(cube)
            else:
                if gone >= self.lines:
                    return start, supply[: used + 7], tuple(moves), found
        raise ValueError(f"no cube for seed {seed}")

    def moved(self, cube: Cube, face: str, supply: str) -> tuple[Cube, int, int]:
        """The cube after a move, how many letters came, and how many vanished."""
        gone = 0
        while True:
            cube = pulled(cube, face, self.size)
            lost = in_lines(cube)
            if not lost:
                break
            gone += len(lost)
            cube = {cell: letter for cell, letter in cube.items() if cell not in lost}
        axis, sign = PULLS[face]
        side = range(self.size)
        places = [(layer, row, column) for layer in side for row in side for column in side]
        edge = [
            each for each in places if each[axis] == (0 if sign > 0 else self.size - 1) and each not in cube
        ]
        came = dict(zip(edge[: self.fill], supply, strict=False))
        return cube | came, len(came), gone

    def rows(self, cube: Cube) -> tuple[str, ...]:
        """The rows of all layers."""
        side = range(self.size)
        return tuple("".join(cube.get((z, y, x), ".") for x in side) for z in side for y in side)

    def wanted(self, seed: int) -> dict[str, tuple[str, ...]]:
        """The cubes asked for."""
        return self.puzzle(seed)[-1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        start, supply, moves, _ = self.puzzle(seed)
        layers = [start[k : k + self.size] for k in range(0, len(start), self.size)]
        tens = [supply[k : k + 10] for k in range(0, len(supply), 10)]
        form = f"the {self.size**2} rows of the cube, the {self.size} of layer 1 first, then those of layer 2 and so on, with empty lines between the layers"
        question = PROMPT.format(
            size=self.size,
            most=LETTERS[-1],
            run=RUN,
            fill=self.fill,
            start="\n\n".join("\n".join(f"    {row}" for row in layer) for layer in layers),
            supply="\n".join("    " + " ".join(tens[k : k + 10]) for k in range(0, len(tens), 10)),
            moves="\n".join(f"    {number:>2}. {face}" for number, face in enumerate(moves, 1)),
            ending=ending("move", self.asked, form),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Pulls(size=5, filled=75, fill=12, asked=(6, 12, 18, 24), active=45, lines=100)
build = TASK.build
