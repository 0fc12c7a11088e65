"""Right and wrong replies to judgement_maze: blind ends are closed until only the way between two rooms is left."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from ..judgement_maze import MAZES, OTHERS, TASK
from ..look_maze import Cell
from .claimed import false_of, rights, wrongs


@cache
def _near(seed: int) -> dict[Cell, frozenset[Cell]]:
    """The rooms to which a step leads from each room."""
    found: defaultdict[Cell, set[Cell]] = defaultdict(set)
    for one, other in MAZES.maze(OTHERS + seed).open:
        found[one].add(other)
    return {cell: frozenset(its) for cell, its in found.items()}


@cache
def _way(seed: int, letter: str) -> tuple[str, dict[Cell, frozenset[Cell]]]:
    """The number of a letter, and the rooms of the way to it, each with those beside it on the way."""
    maze, near = MAZES.maze(OTHERS + seed), _near(seed)
    begin = maze.letters[letter]
    part, ahead = {begin}, [begin]
    while ahead:
        new = near[ahead.pop()] - part
        part |= new
        ahead += new
    (number,) = (name for name, cell in maze.numbers.items() if cell in part)
    ends = {begin, maze.numbers[number]}
    degree = {cell: len(near[cell]) for cell in part}
    blind = [cell for cell in part if degree[cell] == 1 and cell not in ends]
    while blind:
        cell = blind.pop()
        part.remove(cell)
        for other in near[cell] & part:
            degree[other] -= 1
            if degree[other] == 1 and other not in ends:
                blind.append(other)
    return number, {cell: near[cell] & part for cell in part}


def _is_true(seed: int, claim: str) -> bool:
    letters, (said,) = re.findall(r"\b[A-Z]\b", claim), re.findall(r"\d+", claim)
    number, way = _way(seed, letters[0])
    if "reached" in claim:
        return said == number
    if "steps" in claim:
        return int(said) == len(way) - 1
    bends = (its for its in way.values() if len(its) == 2)
    return int(said) == sum(len({x for x, _ in its}) == 2 == len({y for _, y in its}) for its in bends)


def right(seed: int) -> list[str]:
    return rights(false_of(TASK, seed, _is_true))


def wrong(seed: int) -> list[str]:
    return wrongs(TASK, seed, false_of(TASK, seed, _is_true))
