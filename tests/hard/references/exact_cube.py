"""Right and wrong replies to exact_cube; here the cube is one text, and its lines are slices of it."""

from __future__ import annotations

import re

from ..exact_cube import RUN, TASK, Pulls
from .states import near_misses, right_forms

AXES = {
    "top": (0, False),
    "bottom": (0, True),
    "back": (1, False),
    "front": (1, True),
    "left": (2, False),
    "right": (2, True),
}


def lines_of(n: int, axis: int) -> list[list[int]]:
    """The positions of each line along an axis: layers are n * n apart, rows n, columns 1."""
    step = n ** (2 - axis)
    return [[k + j * step for j in range(n)] for k in range(n**3) if k // step % n == 0]


def slide(cells: list[str], n: int, axis: int, far: bool) -> None:
    for line in lines_of(n, axis):
        text = "".join(cells[k] for k in line).replace(".", "")
        for k, cell in zip(line, text.rjust(n, ".") if far else text.ljust(n, "."), strict=True):
            cells[k] = cell


def play(
    seed: int,
    task: Pulls,
    *,
    rounds: int = 30,
    axes: tuple[int, ...] = (0, 1, 2),
    run: int = RUN,
    opposite: bool = True,
    most: bool = True,
) -> dict[str, list[str]]:
    start, supply, moves, _ = task.puzzle(seed)
    n, cells, letters, found = task.size, list("".join(start)), list(supply), {}
    for number, face in enumerate(moves, 1):
        axis, far = AXES[face]
        for _ in range(rounds):
            slide(cells, n, axis, far)
            gone = set()
            for way in axes:
                for line in lines_of(n, way):
                    for same in re.finditer(rf"([a-d])\1{{{run - 1},}}", "".join(cells[k] for k in line)):
                        gone.update(line[same.start() : same.end()])
            if not gone:
                break
            for k in gone:
                cells[k] = "."
        slide(cells, n, axis, far)
        edge = [line[0 if far == opposite else -1] for line in lines_of(n, axis)]
        empty = [k for k in sorted(edge) if cells[k] == "."]
        for k in empty[: task.fill] if most else empty:
            cells[k] = letters.pop(0) if letters else "."
        if number in task.asked:
            found[f"After move {number}"] = ["".join(cells[k : k + n]) for k in range(0, n**3, n)]
    return found


def right(seed: int, task: Pulls = TASK) -> list[str]:
    return right_forms(play(seed, task))


def wrong(seed: int, task: Pulls = TASK) -> list[str]:
    return near_misses(
        play(seed, task),
        play(seed, task, rounds=1),
        play(seed, task, axes=(1, 2)),
        play(seed, task, run=RUN + 1),
        play(seed, task, opposite=False),
        play(seed, task, most=False),
    )
