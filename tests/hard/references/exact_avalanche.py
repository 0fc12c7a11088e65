"""Right and wrong replies to exact_avalanche; here each cell counts what its four neighbours give to it."""

from __future__ import annotations

from ..exact_avalanche import TASK, Avalanches
from .states import near_misses, right_forms

CLOCK = "nesw"
NEAR = ((-1, 0, 2), (0, 1, 3), (1, 0, 0), (0, -1, 1))  # where, and the way from there to here


def given(count: int, pointer: int, way: int, turn: int) -> int:
    """How many of the grains go into a way."""
    distance = (way - pointer) * turn % 4
    return (count - distance + 3) // 4 if count > distance else 0


def play(
    seed: int,
    task: Avalanches,
    *,
    alternate: bool = True,
    strict: bool = False,
    over: bool = False,
    reset: bool = False,
    fresh: bool = True,
) -> dict[str, list[str]]:
    start, limits, loads, _ = task.puzzle(seed)
    n = task.size
    grains = [[int(cell[:-1]) for cell in row.split()] for row in start]
    arrows = [[CLOCK.index(cell[-1]) for cell in row.split()] for row in start]
    found, wave = {}, 1
    for number, (row, column) in enumerate(loads, 1):
        grains[row][column] += task.load
        wave = 1 if fresh else wave
        for _ in range(500):
            falls = [
                [grains[r][c] if grains[r][c] >= limits[r, c] + strict else 0 for c in range(n)]
                for r in range(n)
            ]
            if not any(map(any, falls)):
                break
            turn = 1 if wave % 2 or not alternate else -1
            wave += 1
            new = [[grains[r][c] - falls[r][c] for c in range(n)] for r in range(n)]
            for r in range(n):
                for c in range(n):
                    for down, right, way in NEAR:
                        y, x = r + down, c + right
                        if 0 <= y < n and 0 <= x < n:
                            new[r][c] += given(falls[y][x], arrows[y][x], way, turn)
            if not reset:
                arrows = [[(arrows[r][c] + turn * falls[r][c]) % 4 for c in range(n)] for r in range(n)]
            grains = new
        if number in task.asked:
            found[f"After load {number}"] = [
                " ".join(f"{grains[r][c]}{CLOCK[arrows[r][c]]}" for c in range(n)) for r in range(n)
            ]
    return found


def right(seed: int, task: Avalanches = TASK) -> list[str]:
    return right_forms(play(seed, task))


def wrong(seed: int, task: Avalanches = TASK) -> list[str]:
    return near_misses(
        play(seed, task),
        play(seed, task, alternate=False),
        play(seed, task, fresh=False),
        play(seed, task, strict=True),
        play(seed, task, reset=True),
    )
