"""Right and wrong replies to exact_slides; here each letter moves cell by cell on one board."""

from __future__ import annotations

from ..exact_slides import TASK, Slides
from .states import near_misses, right_forms

STEPS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


def play(
    seed: int,
    task: Slides,
    *,
    swapped: bool = False,
    again: bool = False,
    far: bool = True,
    vanish: bool = True,
    backwards: bool = False,
) -> dict[str, list[str]]:
    start, table, supply, moves, _ = task.puzzle(seed)
    n, board, found, letters = task.size, [list(row) for row in start], {}, list(supply)
    side = list(range(n))
    for number, move in enumerate(moves, 1):
        down, right = STEPS[move]
        fresh = set()
        for r in side if down <= 0 else side[::-1]:
            for c in side if right <= 0 else side[::-1]:
                cell, y, x = board[r][c], r, c
                if cell in ".#":
                    continue
                board[r][c] = "."
                while 0 <= y + down < n and 0 <= x + right < n and board[y + down][x + right] == ".":
                    y, x = y + down, x + right
                ahead, result = (y + down, x + right), "-"
                if 0 <= ahead[0] < n and 0 <= ahead[1] < n and board[ahead[0]][ahead[1]] != "#":
                    other = board[ahead[0]][ahead[1]]
                    result = table[other + cell if swapped else cell + other]
                if result == "-" or (ahead in fresh and not again):
                    board[y][x] = cell
                elif result == "0":
                    board[ahead[0]][ahead[1]] = "."
                    if not vanish:
                        board[y][x] = cell
                else:
                    place = ahead if far else (y, x)
                    board[ahead[0]][ahead[1]] = "."
                    board[place[0]][place[1]] = result
                    fresh.add(place)
        last = {
            "left": [(k, n - 1) for k in side],
            "right": [(k, 0) for k in side],
            "up": [(n - 1, k) for k in side],
            "down": [(0, k) for k in side],
        }[move]
        for r, c in reversed(last) if backwards else last:
            if board[r][c] == "." and letters:
                board[r][c] = letters.pop(0)
        if number in task.asked:
            found[f"After move {number}"] = ["".join(row) for row in board]
    return found


def right(seed: int, task: Slides = TASK) -> list[str]:
    return right_forms(play(seed, task))


def wrong(seed: int, task: Slides = TASK) -> list[str]:
    return near_misses(
        play(seed, task),
        play(seed, task, swapped=True),
        play(seed, task, again=True),
        play(seed, task, far=False),
        play(seed, task, vanish=False),
        play(seed, task, backwards=True),
    )
