from evaluator import *

DESCRIPTION = (
    "Can the model list all moves of a small board game on a string, forced jumps and kings included?"
)
TAGS = ["code", "python", "game"]
DETERMINISTIC = True

question = """
For my kid I made up checkers in one dimension. The board is a string, a "." is an empty field. White has men w, which
go to the right, and kings W, which go both ways. Black has b, going to the left, and kings B.

- A step goes to the empty field next to the piece.
- A jump goes over a piece of the other colour (man or king) right next to it, onto the field behind, which must be
  empty. The piece jumped over is taken off the board. If the same piece can then jump again it has to, that's still
  the same move.
- If a side can jump it must, then its steps are not allowed.
- A man that ends its move on the last field in its direction becomes a king.

Please write a python function moves(board, side), side is "w" or "b", that returns the list of all boards that there
can be after one move of that side, sorted, each only once. Empty list if it can't move.
"""

header = """
import random

def expected_moves(board, side):
    found = {True: set(), False: set()}
    enemies = "bB" if side == "w" else "wW"
    ways = {"w": (1,), "b": (-1,), "W": (1, -1), "B": (1, -1)}
    at = lambda cells, i: cells[i] if 0 <= i < len(cells) else "#"

    def jump(cells, i, jumped):
        more = False
        for way in ways[cells[i]]:
            if at(cells, i + way) in tuple(enemies) and at(cells, i + 2 * way) == ".":
                more = True
                after = list(cells)
                after[i + 2 * way], after[i], after[i + way] = cells[i], ".", "."
                jump(after, i + 2 * way, True)
        if jumped and not more:
            end(cells, i, True)

    def end(cells, i, jumped):
        cells = list(cells)
        if (cells[i], i) in (("w", len(cells) - 1), ("b", 0)):
            cells[i] = cells[i].upper()
        found[jumped].add("".join(cells))

    for i, piece in enumerate(board):
        if piece.lower() == side:
            jump(list(board), i, False)
            for way in ways[piece]:
                if at(board, i + way) == ".":
                    after = list(board)
                    after[i], after[i + way] = ".", piece
                    end(after, i + way, False)
    return sorted(found[True] or found[False])

def wrong_boards():
    rng = random.Random(41)
    wrong = []
    for _ in range(1500):
        n = rng.randint(0, 9)
        board = "".join(rng.choice("...wwbbWB") for _ in range(n))
        board = board[:-1] + board[-1:].replace("w", "W")  # men on their last field are kings by then
        board = board[:1].replace("b", "B") + board[1:]
        for side in "wb":
            if list(moves(board, side)) != expected_moves(board, side):
                wrong.append((board, side))
    return wrong[:5]
"""

test_case, answer = make_python_test(
    [
        ("moves('', 'w')", "[]"),
        ("moves('...', 'b')", "[]"),
        ("moves('w..b', 'w')", "['.w.b']"),
        ("moves('w..b', 'b')", "['w.b.']"),
        ("moves('w.w', 'w')", "['.ww']"),
        ("moves('wb.', 'w')", "['..W']"),
        ("moves('wb.b..', 'w')", "['....w.']"),
        ("moves('w.wb.', 'w')", "['w...W']"),
        ("moves('bw', 'w')", "[]"),
        ("moves('.Wb.bw', 'w')", "['...Wbw']"),
        ("moves('.bWb.', 'w')", "['.b..W', 'W..b.']"),
        ("moves('.W.', 'w')", "['..W', 'W..']"),
        ("moves('.w.W.b', 'b')", "['.w.Wb.']"),
        ("moves('.w.wb', 'b')", "['B....']"),
        ("moves('wBb.', 'w')", "[]"),
        ("wrong_boards()", "[]"),
    ],
    header=header,
)

TestGenerateStringMoves = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestGenerateStringMoves))
