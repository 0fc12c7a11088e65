"""The rules of chess, by known counts of positions, and games that are legal and not trivial."""

import re
from collections import Counter
from random import Random

import pytest

from tests.weirdml.data.chess import DRAW, line, one_game, play
from tests.weirdml.data.chess_board import NAMES, START, Board
from tests.weirdml.data.sources import SAN

# https://www.chessprogramming.org/Perft_Results
COUNTS = [
    (START, 3, 8902),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2039),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, 1486),
]


def positions(board, depth):
    moves = board.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = board.copy()
        after.play(move)
        total += positions(after, depth - 1)
    return total


@pytest.mark.parametrize(("fen", "depth", "count"), COUNTS)
def test_as_many_positions_as_there_are(fen, depth, count):
    assert positions(Board(fen), depth) == count


def named(fen, start, end, becomes=0):
    squares = {name: square for square, name in NAMES.items()}
    board = Board(fen)
    move = (squares[start], squares[end], becomes)
    assert move in board.legal_moves()
    return board.san(move)


def test_moves_are_named_as_everybody_names_them():
    assert named(START, "g1", "f3") == "Nf3"
    assert named("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1", "d1") == "Rad1"
    assert named("4k3/8/8/R7/8/8/4K3/R7 w - - 0 1", "a1", "a3") == "R1a3"
    assert named("7k/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4", "e1") == "Qh4e1+"
    assert named("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "c1") == "O-O-O"
    assert named("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "d6") == "exd6"
    assert named("3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7", "d8", 5) == "cxd8=Q+"
    assert named("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1", "a8") == "Ra8#"


def test_who_runs_out_of_time_loses_only_to_who_can_mate():
    for pieces, able in [
        ("", False),
        ("N", False),
        ("B", False),
        ("P", True),
        ("R", True),
        ("Q", True),
        ("NB", True),
    ]:
        board = Board(f"4k3/8/8/8/8/8/8/{pieces}{5 - len(pieces) - 1}K3 w - - 0 1".replace("/0", "/"))
        assert board.can_mate(1) is able, pieces
        assert board.can_mate(-1) is False


def test_games_follow_the_rules():
    """Each move's name is what the rules call it: played again by name, every game is legal to its end."""
    for number in range(12):
        names, label = play(Random(number))
        board = Board()
        for name in names:
            choices = {}
            for move in board.legal_moves():
                choices[board.copy().san(move)] = move
            assert name in choices, f"game {number}: {name}"
            board.play(choices[name])
        if not board.any_legal() and board.in_check():
            assert label == (2 if board.side > 0 else 1)
        if names and names[-1].endswith("#"):
            assert label != DRAW


def test_what_a_game_looks_like():
    assert line(["e4", "e5", "Nf3"]) == "1.e4 e5 2.Nf3"
    games = [one_game("key", "chess_winners", "test", number) for number in range(60)]
    labels = Counter(label for _, label in games)
    assert labels[1] > 15 and labels[2] > 12 and 1 <= labels[0] < 15
    for text, _ in games:
        for number, word in enumerate(text.split()):
            name = re.fullmatch(rf"{number // 2 + 1}\.(.+)", word)[1] if number % 2 == 0 else word
            assert SAN.fullmatch(name)
    # nobody moved last more often than by chance: half of the games lack their last half-move
    ends_with_winner = Counter((len(text.split()) % 2 == 1) == (label == 1) for text, label in games if label)
    assert ends_with_winner[True] < 45 and ends_with_winner[False] > 8
