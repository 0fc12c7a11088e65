"""A full board of black and white stones: groups, their free neighbours, and what a move captures."""

from __future__ import annotations

import random
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import Canvas, circle

DESCRIPTION = (
    "Can the model read a board of 361 points without an error and answer what depends on all of it?"
)
TAGS = ["hard", "vision", "board"]

COLUMNS = "ABCDEFGHIJKLMNOPQRS"
SIDE, PITCH = len(COLUMNS), 38
EMPTY, BLACK, WHITE = ".", "B", "W"
Board = dict[str, str]
QUESTION = """The picture shows a board of 19 by 19 points with black stones (filled) and white stones (outlined). Columns are A to S, rows 1 to 19
from top to bottom; A1 is the point at the left top. Points are neighbours if they are next to each other in a row or a column. Stones
of one colour that are connected by neighbours are a group; a single stone can be a group. The liberties of a group are the empty points
that are neighbours of any of its stones. A region is a set of empty points connected by neighbours.

1. STONES: how many black stones and how many white stones are there?
2. GROUPS: how many black groups and how many white groups?
3. ATARI: which points are the only liberty of some group, black or white?
4. LARGEST: how many stones has the black group with the most stones, and how many liberties? (If several have the most stones, the one
   of them with the most liberties.)
5. CAPTURED: black puts a stone on {move}. Which white stones have no liberty then?
6. REGIONS: how many regions are there, and how many of them have no white stone as neighbour?

End your reply with six lines of this form:

STONES: 57 61
GROUPS: 20 23
ATARI: B3 K19
LARGEST: 11 6
CAPTURED: C4 C5 D4
REGIONS: 40 12"""


def around(point: str) -> list[str]:
    """The neighbours of a point."""
    column, row = COLUMNS.index(point[0]), int(point[1:])
    near = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return [f"{COLUMNS[x]}{y}" for x, y in near if 0 <= x < SIDE and 1 <= y <= SIDE]


def parts(board: Board, colour: str) -> list[set[str]]:
    """The connected sets of points of a colour, from the left top."""
    found: list[set[str]] = []
    seen: set[str] = set()
    for start in board:
        if board[start] == colour and start not in seen:
            part, todo = set(), [start]
            while todo:
                point = todo.pop()
                if point not in part:
                    part.add(point)
                    todo += [each for each in around(point) if board[each] == colour]
            seen |= part
            found.append(part)
    return found


def liberties(board: Board, group: set[str]) -> set[str]:
    """The empty neighbours of a group."""
    return {near for point in group for near in around(point) if board[near] == EMPTY}


def after(board: Board, move: str) -> set[str]:
    """The white stones without liberties once black has a stone on `move`."""
    played = {**board, move: BLACK}
    return set().union(*(group for group in parts(played, WHITE) if not liberties(played, group)))


@cache
def position(seed: int) -> tuple[Board, str]:
    """The board, and a move that captures two groups or more, of five stones or more."""
    chance = random.Random(f"stones {seed}")
    while True:
        board = {
            f"{column}{row}": chance.choices((BLACK, WHITE, EMPTY), (36, 36, 28))[0]
            for row in range(1, SIDE + 1)
            for column in COLUMNS
        }
        for colour in (BLACK, WHITE, BLACK, WHITE):  # what has no liberty is not there
            for group in parts(board, colour):
                if not liberties(board, group):
                    board |= dict.fromkeys(group, EMPTY)
        groups = [group for group in parts(board, WHITE) if len(liberties(board, group)) == 1]
        moves = {next(iter(liberties(board, group))) for group in groups}
        atari = moves | {
            next(iter(each)) for group in parts(board, BLACK) if len(each := liberties(board, group)) == 1
        }
        if not 6 <= len(atari) <= 16:
            continue
        good = [
            move
            for move in sorted(moves)
            if len(after(board, move)) >= 5
            and sum(liberties(board, group) == {move} for group in groups) >= 2
        ]
        full = all(liberties(board, group) for colour in (BLACK, WHITE) for group in parts(board, colour))
        if good and full:
            return board, chance.choice(good)


def answers_of(board: Board, move: str) -> dict[str, list[str]]:
    """What is asked of a board."""
    black, white, empty = (parts(board, colour) for colour in (BLACK, WHITE, EMPTY))
    free = [liberties(board, group) for group in (*black, *white)]
    largest = max((len(group), len(liberties(board, group))) for group in black)
    without_white = [
        region for region in empty if not any(board[near] == WHITE for at in region for near in around(at))
    ]
    numbers = {
        "STONES": (sum(map(len, black)), sum(map(len, white))),
        "GROUPS": (len(black), len(white)),
        "LARGEST": largest,
        "REGIONS": (len(empty), len(without_white)),
    }
    return {
        **{name: [" ".join(map(str, pair))] for name, pair in numbers.items()},
        "ATARI": sorted({next(iter(each)) for each in free if len(each) == 1}),
        "CAPTURED": sorted(after(board, move)),
    }


def wanted(seed: int) -> dict[str, list[str]]:
    """The answers of a seed."""
    return answers_of(*position(seed))


def agrees(said: str, expected: list[str]) -> bool:
    """Points in any order; pairs of numbers in theirs."""
    if expected[0][0].isdigit():
        return re.findall(r"\d+", said) == expected[0].split()
    return same_set(said, expected)


def picture(seed: int) -> bytes:
    """The board."""
    board, _ = position(seed)
    edge = 44
    canvas = Canvas(2 * edge + PITCH * (SIDE - 1), 2 * edge + PITCH * (SIDE - 1), "#e9c98f")
    first, last = edge, edge + PITCH * (SIDE - 1)
    for number in range(SIDE):
        at = edge + PITCH * number
        canvas.rectangle(at - 0.5, first, at + 0.5, last)
        canvas.rectangle(first, at - 0.5, last, at + 0.5)
        canvas.text(at, 12, COLUMNS[number])
        canvas.text(14, at, str(number + 1))
    for point, colour in board.items():
        x, y = edge + PITCH * COLUMNS.index(point[0]), edge + PITCH * (int(point[1:]) - 1)
        if colour != EMPTY:
            canvas.disc(x, y, 16)
        if colour == WHITE:
            canvas.area([circle(x, y, 14)], "#fafafa")
    return canvas.png()


def build(seed: int) -> Node:
    """The test of a seed."""
    question = QUESTION.format(move=position(seed)[1])
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(question, llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), agrees))
    )
