"""A sliding puzzle, put in order in about as few moves as it was mixed by."""

from __future__ import annotations

import random
from functools import cache, partial

from evaluator import *

DESCRIPTION = (
    "Can the model put a sliding puzzle of sixteen fields in order in as few moves as it was mixed by?"
)
TAGS = ["hard", "reasoning", "planning"]

SIDE = 4
MIXED = 42  # moves
FAR = 28  # no solution has fewer moves
SPARE = 2  # moves more than it was mixed by that still pass
PROMPT = """A frame of 4 by 4 fields holds fifteen tiles, 1 to 15, and one empty field, written as a dot. It stands like this:

{start}

A move slides one tile into the empty field from the field above, below, left or right of it. The aim:

{goal}

Reach it in at most {most} moves; there is a way. Work it out without running any code. End your reply with a line that begins with "Moves:"
and has the numbers of the tiles in the order in which they are moved, separated by blanks."""

Board = tuple[int, ...]  # 0 is the empty field
GOAL: Board = (*range(1, 16), 0)
NEAR = {
    at: [
        y * SIDE + x
        for x, y in (
            (at % SIDE + 1, at // SIDE),
            (at % SIDE - 1, at // SIDE),
            (at % SIDE, at // SIDE + 1),
            (at % SIDE, at // SIDE - 1),
        )
        if 0 <= x < SIDE and 0 <= y < SIDE
    ]
    for at in range(SIDE * SIDE)
}


def slid(board: Board, tile: int) -> Board | None:
    """The board after a move of a tile, None if it is not beside the empty field."""
    empty, at = board.index(0), board.index(tile)
    if at not in NEAR[empty]:
        return None
    cells = list(board)
    cells[empty], cells[at] = tile, 0
    return tuple(cells)


def _far(board: Board) -> int:
    """The rows and columns between all tiles and their fields, and two for each pair in one line in the wrong order."""
    total = 0
    for at, tile in enumerate(board):
        if tile:
            total += abs(at // SIDE - (tile - 1) // SIDE) + abs(at % SIDE - (tile - 1) % SIDE)
    for line in range(SIDE):
        row = [
            tile for tile in board[SIDE * line : SIDE * line + SIDE] if tile and (tile - 1) // SIDE == line
        ]
        column = [tile for tile in board[line::SIDE] if tile and (tile - 1) % SIDE == line]
        for its in (row, column):
            conflicts = [sum((a > b) != (i > j) for j, b in enumerate(its)) for i, a in enumerate(its)]
            while max(conflicts, default=0):
                worst = conflicts.index(max(conflicts))
                its = [*its[:worst], *its[worst + 1 :]]
                conflicts = [sum((a > b) != (i > j) for j, b in enumerate(its)) for i, a in enumerate(its)]
                total += 2
    return total


@cache
def puzzle(seed: int) -> tuple[Board, tuple[int, ...]]:
    """A board that is far from the aim, and the way back of the moves that mixed it."""
    for attempt in range(100_000):
        chance = random.Random(f"slide {seed} {attempt}")
        board, moves = GOAL, list[int]()
        while len(moves) < MIXED:
            empty = board.index(0)
            tile = chance.choice([board[at] for at in NEAR[empty] if board[at] not in moves[-1:]])
            board = slid(board, tile) or board
            moves.append(tile)
        if _far(board) >= FAR:
            return board, tuple(reversed(moves))
    raise ValueError(f"no puzzle for seed {seed}")


def written(board: Board) -> str:
    """The board as it stands in the prompt."""
    rows = (board[SIDE * y : SIDE * y + SIDE] for y in range(SIDE))
    return "\n".join("    " + " ".join(f"{tile or '.':>2}" for tile in row) for row in rows)


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The allowed number of moves by those used, 1 at most; passed within the limit. 0 if the aim is not reached."""
    board, best = puzzle(seed)
    found = re.findall(r"(?im)^[ \t#>*_`-]*Moves\s*:([^\n]*)", reply)
    moves = [int(each) for each in re.findall(r"\d{1,2}", found[-1])] if found else []
    for number, tile in enumerate(moves, 1):
        after = slid(board, tile) if 1 <= tile <= 15 else None
        if after is None:
            return Score(0.0, False), f"move {number}: {tile} cannot be moved"
        board = after
    if board != GOAL:
        return Score(0.0, False), f"after {len(moves)} moves it is not in order"
    most = len(best) + SPARE
    share = min(1.0, most / max(1, len(moves)))
    return Score(share, len(moves) <= most), f"{len(moves)} moves, at most {most} wanted"


def build(seed: int) -> Node:
    """The test of a seed."""
    board, best = puzzle(seed)
    question = PROMPT.format(start=written(board), goal=written(GOAL), most=len(best) + SPARE)
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
