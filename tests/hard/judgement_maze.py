"""A fine maze in parts, and claims about ways in it that miss the truth by one part, a step aside or a bend."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from .claims import Claims
from .look_maze import Cell, Maze
from .look_maze_fine import TASK as MAZES

DESCRIPTION = "Can the model tell which claims about ways through a fine maze are false?"
TAGS = ["hard", "vision", "claims"]

OTHERS = 3_000_000  # added to seeds: no maze is one of look_maze_fine
ABOUT = f"""The picture shows a maze from above, of {MAZES.wide} by {MAZES.high} square rooms. Black lines are walls, which nobody can pass; where there is no wall between two rooms that lie side by side or one above the other, a
step leads from one to the other. {MAZES.doors} rooms are marked by red numbers, 1 to {MAZES.doors}, and {len(MAZES.letters)} by blue letters, A to {MAZES.letters[-1]}. Each letter can be reached from exactly one of the numbers, its number, and between any
two rooms there is at most one way that enters no room twice. A turn is a change of direction on a way."""


@dataclass(frozen=True, eq=False)
class Ways:
    """A maze, and for each letter the rooms from it to its number."""

    maze: Maze
    ways: dict[str, tuple[Cell, ...]]


@cache
def board(seed: int) -> Ways:
    """The maze of a seed."""
    maze = MAZES.maze(OTHERS + seed)
    before: dict[Cell, Cell] = {}  # the next room on the way to the number
    ahead = [*maze.numbers.values()]
    for cell in ahead:
        for near in MAZES.near(cell):
            if (cell, near) in maze.open and near != before.get(cell):
                before[near] = cell
                ahead.append(near)
    ways = {}
    for letter, cell in maze.letters.items():
        way = [cell]
        while way[-1] in before:
            way.append(before[way[-1]])
        ways[letter] = tuple(way)
    return Ways(maze, ways)


def picture(seed: int) -> bytes:
    """The maze from above."""
    return MAZES.picture(OTHERS + seed)


def turns(way: tuple[Cell, ...]) -> int:
    """How often the direction changes."""
    steps = [(c - a, d - b) for (a, b), (c, d) in pairwise(way)]
    return sum(one != other for one, other in pairwise(steps))


def _parts(chance: random.Random, its: Ways, true: bool) -> Iterator[str]:
    while True:
        letter, way = chance.choice([*its.ways.items()])
        number = its.maze.part[way[0]]
        if not true:  # one whose part the way passes behind a wall
            beside = {its.maze.part[near] for cell in way for near in MAZES.near(cell)} - {number}
            number = chance.choice(sorted(beside)) if beside else number
        if true or number != its.maze.part[way[0]]:
            yield f"{letter} can be reached from {number}."


def _aside(chance: random.Random, number: int, true: bool) -> int:
    """The number, or one as odd: whether it is odd can be told from the ends of a way."""
    return number if true else number + chance.choice((-2, 2))


def _steps(chance: random.Random, its: Ways, true: bool) -> Iterator[str]:
    while True:
        letter, way = chance.choice([*its.ways.items()])
        yield f"The way from {letter} to its number takes exactly {_aside(chance, len(way) - 1, true)} steps."


def _turns(chance: random.Random, its: Ways, true: bool) -> Iterator[str]:
    while True:
        letter, way = chance.choice([*its.ways.items()])
        yield f"The way from {letter} to its number has exactly {_aside(chance, turns(way), true)} turns."


TASK = Claims("maze claims", board, picture, ABOUT, (_parts, _steps, _turns))
build = TASK.build
