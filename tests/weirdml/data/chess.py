"""Games of chess between beginners: who wins? Every game is made up, move by move, and legal.

A player looks one move ahead: captures, threats, safety of the square, development, checks. Noise, which
shrinks with skill, stands for what beginners overlook; they miss mates, resign when far behind (some at
once, some never), run out of time or agree on a draw. Half of the games lack their last half-move, so that
who moved last is no clue.
"""

from __future__ import annotations

import hashlib
from random import Random

import numpy as np

from .chess_board import (
    ALL,
    BORDER,
    JUMPS,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    SLANTED,
    SQUARES,
    STRAIGHT,
    Board,
    Move,
)
from .made import Made
from .streams import Array

DRAW, WHITE, BLACK = 0, 1, 2
VALUES = (0.0, 1.0, 3.0, 3.1, 5.0, 9.0, 0.0)
MOST_PLIES = 220
NEVER = 99.0  # value of the cheapest attacker where there is none
CENTRE = {54, 55, 64, 65}
FIRST = (
    ((35, 55, 0), 62), ((34, 54, 0), 20), ((35, 45, 0), 4), ((27, 46, 0), 3), ((33, 53, 0), 3),
    ((34, 44, 0), 3), ((36, 56, 0), 2), ((32, 42, 0), 1), ((37, 47, 0), 2),
)  # fmt: skip

# Only random() is drawn: Python promises its stream for a given seed, but not those of other methods.


def normal(draw: Random) -> float:
    """Mean 0, deviation 1: the sum of three."""
    return (draw.random() + draw.random() + draw.random() - 1.5) * 2.0


def threats(board: Board, side: int) -> tuple[list[float], list[int]]:
    """For each square: the value of `side`'s cheapest piece that attacks it, and how many do."""
    at = board.at
    cheapest, count = [NEVER] * 120, [0] * 120
    for square in SQUARES:
        piece = at[square] * side
        if piece <= 0 or piece == BORDER:
            continue
        value = VALUES[piece] if piece != KING else 50.0
        if piece == PAWN:
            reached = [square + side * 9, square + side * 11]
        elif piece == KNIGHT:
            reached = [square + step for step in JUMPS]
        elif piece == KING:
            reached = [square + step for step in ALL]
        else:
            reached = []
            for step in ALL if piece == QUEEN else SLANTED if piece == 3 else STRAIGHT:
                here = square + step
                while at[here] == 0:
                    reached.append(here)
                    here += step
                reached.append(here)
        for here in reached:
            count[here] += 1
            if value < cheapest[here]:
                cheapest[here] = value
    return cheapest, count


def checking_squares(board: Board) -> dict[int, set[int]]:
    """Piece -> the squares from which it would check the opponent's king."""
    at, side = board.at, board.side
    king = board.kings[-side]
    found: dict[int, set[int]] = {PAWN: {king - side * 9, king - side * 11}}
    found[KNIGHT] = {king + step for step in JUMPS}
    for piece, steps in ((3, SLANTED), (4, STRAIGHT)):
        found[piece] = set()
        for step in steps:
            here = king + step
            while at[here] == 0:
                found[piece].add(here)
                here += step
            found[piece].add(here)
    found[QUEEN] = found[3] | found[4]
    found[KING] = set()
    return found


def mates(board: Board, move: Move) -> bool:
    after = board.copy()
    after.play(move)
    return after.in_check() and not after.any_legal()


def choose(board: Board, ply: int, skill: float, draw: Random) -> Move | None:
    """The move that a player of `skill` 0..1 makes; None if there is none."""
    at, side = board.at, board.side
    moves = list(board.candidates())
    spread = 1.9 - 1.3 * skill
    sees_threats = draw.random() < 0.35 + 0.55 * skill
    careful = draw.random() < 0.45 + 0.5 * skill
    sees_mate = draw.random() < 0.55 + 0.4 * skill
    cheapest, _ = threats(board, -side)
    _, guards = threats(board, side)
    checks = checking_squares(board)
    home = (21, 91)[side < 0]
    rated: list[tuple[float, Move]] = []
    for move in moves:
        start, end, becomes = move
        piece = at[start] * side
        value = VALUES[piece]
        score = normal(draw) * spread
        taken = abs(at[end])
        if taken or (piece == PAWN and (end - start) % 10):
            score += 1.1 * VALUES[taken or PAWN] + 0.3
        if becomes:
            score += VALUES[becomes] - 1
        if sees_threats and KING != piece != PAWN and cheapest[start] < NEVER:
            if cheapest[start] < value - 0.5:
                score += 0.9 * (value - cheapest[start])
            elif not guards[start]:
                score += 0.9 * value
        if careful and piece != KING and cheapest[end] < NEVER:
            if cheapest[end] < value - 0.5:
                score -= 0.95 * (value - cheapest[end])
            elif guards[end] < 2 and piece != PAWN:
                score -= 0.95 * value
        if ply < 24:
            if piece in (2, 3) and home <= start < home + 8:
                score += 0.9
            elif piece == PAWN and end in CENTRE:
                score += 0.8
            elif piece == KING:
                score += 2.2 if abs(end - start) == 2 else -1.3
            elif piece == QUEEN and ply < 8:
                score -= 0.5
        elif piece == PAWN:
            rank = (end - 21) // 10
            score += 0.12 * (rank if side > 0 else 7 - rank)
        if end in checks[becomes or piece]:
            score += 0.45
            if sees_mate and board.legal(move) and mates(board, move):
                return move
        rated.append((score, move))
    rated.sort(reverse=True)
    return next((move for _, move in rated if board.legal(move)), None)


def balance(board: Board) -> float:
    """White's material less black's, in pawns."""
    found = 0.0
    for square in SQUARES:
        piece = board.at[square]
        found += VALUES[piece] if piece > 0 else -VALUES[-piece]
    return found


def opening(draw: Random) -> Move:
    left = draw.random() * 100
    for move, weight in FIRST:
        left -= weight
        if left < 0:
            return move
    return FIRST[0][0]


def play(draw: Random) -> tuple[list[str], int]:
    """One game: its moves, and who won."""
    base = draw.random()
    skill = {side: min(1.0, max(0.0, base + 0.18 * normal(draw) + 0.03 * (side > 0))) for side in (1, -1)}
    patience = {side: draw.random() for side in (1, -1)}
    behind = {1: 0, -1: 0}
    board, names, seen = Board(), list[str](), dict[object, int]()
    while True:
        ply, side = len(names), board.side
        won, lost = (WHITE, BLACK) if side > 0 else (BLACK, WHITE)
        key = board.key()
        seen[key] = seen.get(key, 0) + 1
        if seen[key] >= 3 or board.quiet >= 100 or board.too_little():
            return names, DRAW
        ahead = balance(board) * side
        behind[side] = behind[side] + 1 if ahead <= -4.5 else 0
        if behind[side] >= 2 and draw.random() < (0.008 + 0.05 * patience[side]) * min(3.0, -ahead / 5):
            return names, lost
        if ply > 50 and abs(ahead) < 2 and draw.random() < 0.004:
            return names, DRAW
        if ply > 16 and draw.random() < 1 / 420:  # out of time
            return names, lost if board.can_mate(-side) else DRAW
        if ply >= MOST_PLIES:
            return names, DRAW if abs(ahead) < 3 else won if ahead > 0 else lost
        move = opening(draw) if ply == 0 else choose(board, ply, skill[side], draw)
        if move is None:
            return names, lost if board.in_check() else DRAW
        names.append(board.san(move))


def line(names: list[str]) -> str:
    """A game as one line: 1.e4 e5 2.Nf3 ..."""
    return " ".join(f"{at // 2 + 1}.{name}" if at % 2 == 0 else name for at, name in enumerate(names))


def one_game(key: str, name: str, split: str, number: int) -> tuple[str, int]:
    """A game's line and label; of every second one the last half-move is left out."""
    seed = hashlib.sha256("\0".join(map(str, (key, name, split, number))).encode()).digest()
    draw = Random(int.from_bytes(seed[:16], "big"))
    names, label = play(draw)
    if draw.random() < 0.5 and len(names) > 1:
        names = names[:-1]
    return line(names), label


def chess_winners(key: str, name: str, train: int, test: int) -> Made:
    """The data of chess_winners."""
    train_games = [one_game(key, name, "train", number) for number in range(train)]
    return games_made(train_games, [one_game(key, name, "test", number) for number in range(test)])


def games_made(train: list[tuple[str, int]], test: list[tuple[str, int]]) -> Made:
    """The files of games and labels, whoever played them."""
    public: dict[str, Array | str] = {
        "train_games.txt": "".join(f"{text}\n" for text, _ in train),
        "train_labels.npy": np.array([label for _, label in train], dtype=np.int64),
        "test_games.txt": "".join(f"{text}\n" for text, _ in test),
    }
    return Made(public, np.array([label for _, label in test], dtype=np.int64))
