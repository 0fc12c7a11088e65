"""Right and wrong replies to judgement_dominoes. Who wins is found here once more, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from string import ascii_lowercase

from ..judgement_dominoes import TASK, Board

STEPS = {True: (1, 0), False: (0, 1)}


def _moves(board: Board, upright: bool) -> list[tuple[tuple[int, int], Board]]:
    """Cells, and what is left of the board."""
    down, right = STEPS[upright]
    return [
        (cell, board - {cell, other})
        for cell in board
        if (other := (cell[0] + down, cell[1] + right)) in board
    ]


@cache
def _wins(board: Board, upright: bool) -> bool:
    """Whether whoever is to move wins."""
    return any(not _wins(left, not upright) for _, left in _moves(board, upright))


def _short(board: Board, upright: bool, depth: int) -> bool:
    """The same for one who looks so many moves ahead and then counts moves."""
    if not depth:
        return len(_moves(board, upright)) > len(_moves(board, not upright))
    return any(not _short(left, not upright, depth - 1) for _, left in _moves(board, upright))


def _named(cells: list[tuple[int, int]]) -> str:
    return " ".join(f"{ascii_lowercase[column]}{row + 1}" for row, column in sorted(cells)) or "none"


def _said(moves: Mapping[str, str], line: str = "{}: {}") -> str:
    return "I looked at all lines of play.\n\n" + "\n".join(
        line.format(name, its) for name, its in moves.items()
    )


def right(seed: int) -> list[str]:
    found = {}
    for name, (board, _) in TASK.boards(seed).items():
        found[name] = _named([cell for cell, left in _moves(board, True) if not _wins(left, False)])
    commas = {name: ", ".join(reversed(its.split())) for name, its in found.items()}
    return [_said(found), _said(commas, "- **{}:** {}.")]


def wrong(seed: int) -> list[str]:
    boards = {name: board for name, (board, _) in TASK.boards(seed).items()}
    moves = TASK.wanted(seed)
    hasty = {
        name: _named([cell for cell, left in _moves(board, True) if not _short(left, False, 1)])
        for name, board in boards.items()
    }
    first = _named([_moves(boards["B1"], True)[0][0]])
    return [
        _said(hasty),
        _said({**moves, "B1": "none" if moves["B1"] != "none" else first}),
        _said({name: its for name, its in moves.items() if name != "B3"}),
        _said(dict.fromkeys(moves, "none")),
        _said(dict.fromkeys(moves, "a1")),
        "U wins on all of them.",
    ]
