from evaluator import *

DESCRIPTION = "Does the model know python-chess well enough to find the games that begin with given moves?"
TAGS = ["code", "python", "chess", "api"]
REQUIRES = ["python:chess"]
DETERMINISTIC = True

question = """
With python-chess (1.11), please write games_with(prefix, pgns). prefix is how a game begins, like "1. e4 c5 2. Nf3",
and pgns is a list of strings, each the PGN of one game (headers, comments, variations, anything). I want the list of
the indexes of those games whose main line begins with exactly these moves in this order, from the normal start
position (so games set up from another position never count, but a FEN header that is the normal start changes nothing; it's
all plain chess). An empty prefix fits every game from the normal start, one without any moves too.
People write moves in different ways, Nf3 or Ngf3 or Nf3!, with + or without, it's the move that counts. If the prefix
contains something that's neither a move number nor a legal move there I want a ValueError.
"""

header = r"""
import chess

GAMES = [
    '[Event "A"]\n[Result "1-0"]\n\n1. e4 {king pawn (best?)} c5 2. Nf3 d6 (2... Nc6 3. d4) 3. d4 cxd4 4. Nxd4 1-0\n',
    '1. e4 c5 2. Ngf3! $14 Nc6 3. Bb5 g6 4. O-O Bg7 *',
    '[Event "C"]\n\n1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6 1/2-1/2',
    '1. Nf3 c5 2. e4 d6 3. d4 *',
    '[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1"]\n\n1. e4 c5 *',
    '[Event "F"]\n\n*',
    '[Event "G"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n[SetUp "1"]\n\n1. e4 c5 2. Nf3 *',
    '1. e4 d5 2. exd5 c5 3. dxc6 Qd5 4. c7 Qe5+ 5. Be2 Qd5 6. cxb8=N Rxb8 *',
    '1. e4 c5 *',
]

def refuses(prefix):
    try:
        games_with(prefix, GAMES)
    except ValueError:
        return True
    return False

def found(prefix):
    return list(games_with(prefix, GAMES))
"""

test_case, answer = make_python_test(
    [
        ("found('1. e4 c5 2. Nf3')", "[0, 1, 6]"),
        ("found('1. e4 c5')", "[0, 1, 6, 8]"),
        ("found('1. e4')", "[0, 1, 2, 6, 7, 8]"),
        ("found('')", "[0, 1, 2, 3, 5, 6, 7, 8]"),
        ("found('1. e4 c5 2. Nf3 d6 3. d4')", "[0]"),
        ("found('1. Nf3 c5 2. e4')", "[3]"),
        ("found('1. e4 e5 2. Ngf3')", "[2]"),
        ("found('1. e4 c5 2. Nf3 Nc6 3. Bb5 g6 4. O-O')", "[1]"),
        ("found('1. e4 c5 2. Nf3 Nc6 3. d4')", "[]"),
        ("found('1. e4 d5 2. exd5 c5 3. dxc6 Qd5 4. c7 Qe5 5. Be2 Qd5 6. cxb8=N')", "[7]"),
        ("found('1. e4 d5 2. exd5 c5 3. dxc6 Qd5 4. c7 Qe5 5. Be2 Qd5 6. cxb8=Q')", "[]"),
        ("found('1. d4')", "[]"),
        ("list(games_with('1. e4', []))", "[]"),
        ("refuses('1. e4 c5 2. Nf6')", "True"),
        ("refuses('1. e5')", "True"),
        ("refuses('1. e4 c5 2. Ke3')", "True"),
        ("refuses('1. e4 c5 2. banana')", "True"),
        ("refuses('1. e4 e4')", "True"),
    ],
    header=header,
)

TestPythonChessGamePrefix = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestPythonChessGamePrefix))
