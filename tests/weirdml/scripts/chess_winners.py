# Replay each game, count what is left on the board and how it ended, and weigh that by logistic regression.
import chess
import numpy as np

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def material(board):
    return sum(
        value * (len(board.pieces(kind, True)) - len(board.pieces(kind, False)))
        for kind, value in VALUES.items()
    )


def features(game):
    board, course = chess.Board(), [0.0]
    names = [word.split(".")[-1] for word in game.split()]
    for name in names:
        board.push_san(name)
        course.append(material(board))
    turn = 1 if board.turn else -1  # who would be to move
    last = names[-1] if names else ""
    mate, check = last.endswith("#") * -turn, last.endswith("+") * -turn
    can_mate = 0
    moves = list(board.legal_moves)
    for move in moves:
        if board.gives_check(move):
            board.push(move)
            can_mate |= board.is_checkmate()
            board.pop()
    ahead, recent = course[-1], np.mean(course[-8:])
    left = sum(
        len(board.pieces(kind, side)) * value for kind, value in VALUES.items() for side in (True, False)
    )
    few = len(moves) <= 3
    long = len(names) / 100
    signed = [
        ahead,
        recent,
        np.tanh(ahead / 3),
        np.tanh(ahead / 8),
        mate,
        check,
        can_mate * turn,
        turn,
        few * turn,
        ahead / (left + 2),
        np.tanh((ahead + 0.5 * turn) / 2) * long,
        ahead - course[-5 if len(course) > 5 else 0],
    ]
    even = [
        1.0,
        abs(np.tanh(ahead / 3)),
        long,
        long**2,
        left / 40,
        left < 15,
        board.halfmove_clock / 50,
        board.is_insufficient_material(),
        not moves and not board.is_check(),
        abs(mate),
        board.is_repetition(2),
        long > 2.1,
    ]
    return np.array(signed + even, float)


def read(name):
    return np.stack([features(line) for line in open(f"data/{name}")])


x, y, test = read("train_games.txt"), np.load("data/train_labels.npy"), read("test_games.txt")
mean, scale = x.mean(0), x.std(0) + 1e-6
mean[12], scale[12] = 0, 1  # the constant
x, test = (x - mean) / scale, (test - mean) / scale
w = np.zeros((x.shape[1], 3))
wanted = np.eye(3)[y]
for _ in range(3000):
    p = np.exp(x @ w - (x @ w).max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    w -= 0.5 * (x.T @ (p - wanted) / len(x) + 2e-3 * w)
print("train:", ((x @ w).argmax(1) == y).mean())
np.savetxt("results/test_preds.txt", (test @ w).argmax(1), fmt="%d")
