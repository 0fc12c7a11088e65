def nothing(messages):
    return ""


GAMES = r"""```python
import io
import re

import chess
import chess.pgn


def prefix_moves(prefix):
    board = chess.Board()
    moves = []
    for token in prefix.split():
        token = re.sub(r"^\d+\.+", "", token).rstrip("!?")
        if token:
            moves.append(board.push_san(token))  # illegal moves are ValueErrors
    return moves


def games_with(prefix, pgns):
    wanted = prefix_moves(prefix)
    hits = []
    for index, pgn in enumerate(pgns):
        game = chess.pgn.read_game(io.StringIO(pgn))
        if game is None or game.board().fen() != chess.STARTING_FEN:
            continue
        if list(game.mainline_moves())[:len(wanted)] == wanted:
            hits.append(index)
    return hits
```"""

RIGHT = {
    "TestPythonChessGamePrefix": [
        f"`push_san` raises a ValueError (IllegalMoveError and so on are kinds of it).\n\n{GAMES}",
        r"""```python
import io
import logging
import chess
import chess.pgn

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def _uci(text):
    game = chess.pgn.read_game(io.StringIO(text))
    return game, [move.uci() for move in game.mainline_moves()]


def games_with(prefix, pgns):
    wanted = []
    if prefix.strip():
        game, wanted = _uci(prefix)
        # what the reader does not take for a move at all it leaves out silently
        words = [w for w in prefix.split() if not w.rstrip(".").isdigit()]
        if game.errors or len(wanted) != len(words):
            raise ValueError(f"not legal: {prefix}")
    result = []
    for i, pgn in enumerate(pgns):
        game, played = _uci(pgn)
        if game.board() == chess.Board() and played[: len(wanted)] == wanted:
            result.append(i)
    return result
```""",
    ]
}

WRONG = {
    "TestPythonChessGamePrefix": [
        nothing,
        # the reader logs illegal moves and goes on with what came before them
        r"""```python
import io
import chess.pgn


def games_with(prefix, pgns):
    wanted = list(chess.pgn.read_game(io.StringIO(prefix + " *")).mainline_moves())
    hits = []
    for index, pgn in enumerate(pgns):
        game = chess.pgn.read_game(io.StringIO(pgn))
        if game.board().fen() == chess.STARTING_FEN and list(game.mainline_moves())[:len(wanted)] == wanted:
            hits.append(index)
    return hits
```""",
        GAMES.replace("game is None or game.board().fen() != chess.STARTING_FEN", "game is None"),
        # compares the text
        "```python\ndef games_with(prefix, pgns):\n    return [i for i, pgn in enumerate(pgns) if prefix in pgn]\n```",
        # the position counts instead of the moves
        GAMES.replace(
            "list(game.mainline_moves())[:len(wanted)] == wanted",
            "set(list(game.mainline_moves())[:len(wanted)]) == set(wanted)",
        ),
        GAMES.replace("[:len(wanted)] == wanted", " == wanted"),
        GAMES.replace("game.mainline_moves()", "game.moves()"),  # no such method
    ]
}
