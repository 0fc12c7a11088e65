def nothing(messages):
    return ""


MOVES = """```python
def moves(board, side):
    enemy = {"w": "bB", "b": "wW"}[side]
    forward = 1 if side == "w" else -1
    last = len(board) - 1 if side == "w" else 0

    def put(cells, index, piece):
        return cells[:index] + piece + cells[index + 1:]

    def crown(cells, index):
        return put(cells, index, side.upper()) if index == last else cells

    def directions(piece):
        return (1, -1) if piece.isupper() else (forward,)

    def jumps(cells, index):
        piece = cells[index]
        results = []
        for d in directions(piece):
            over, to = index + d, index + 2 * d
            if 0 <= to < len(cells) and cells[over] in enemy and cells[to] == ".":
                after = put(put(put(cells, index, "."), over, "."), to, piece)
                results += jumps(after, to) or [crown(after, to)]
        return results

    own = [i for i, piece in enumerate(board) if piece.lower() == side]
    result = set()
    for i in own:
        result.update(jumps(board, i))
    if not result:
        for i in own:
            for d in directions(board[i]):
                if 0 <= i + d < len(board) and board[i + d] == ".":
                    result.add(crown(put(put(board, i, "."), i + d, board[i]), i + d))
    return sorted(result)
```"""

RIGHT = {
    "TestGenerateStringMoves": [
        MOVES,
        r"""Black is white seen in a mirror, so only one direction has to be programmed; regular expressions find the
places:

```python
import re


def moves(board, side):
    if side == "b":
        return sorted(mirror(b) for b in moves(mirror(board), "w"))
    jumped = slide(board, "wW", True)
    back = {b[::-1] for b in slide(board[::-1], "W", True)}
    result = jumped | back
    if not result:
        result = slide(board, "wW", False) | {b[::-1] for b in slide(board[::-1], "W", False)}
    return sorted(result)


def mirror(board):
    return board[::-1].translate(str.maketrans("wWbB", "bBwW"))


def slide(board, pieces, jumping):
    # moves to the right of any of the pieces; men become kings at the end
    found = set()
    if jumping:
        pattern = "(?=([" + pieces + "](?:[bB][.])+))"
    else:
        pattern = "(?=([" + pieces + "][.]))"
    for match in re.finditer(pattern, board):
        run = match.group(1)
        piece = run[0]
        end = match.start() + len(run)
        if piece == "w" and end == len(board):
            piece = "W"
        found.add(board[:match.start()] + "." * (len(run) - 1) + piece + board[end:])
    return found
```""",
    ]
}

WRONG = {
    "TestGenerateStringMoves": [
        nothing,
        MOVES.replace("if not result:", "if True:"),  # steps although it could jump
        MOVES.replace("jumps(after, to) or [crown(after, to)]", "[crown(after, to)]"),  # stops after one jump
        MOVES.replace("jumps(after, to) or [crown(after, to)]", "jumps(after, to) + [crown(after, to)]"),
        MOVES.replace("(1, -1) if piece.isupper() else (forward,)", "(forward,)"),
        MOVES.replace("[crown(after, to)]", "[after]"),  # no king after a jump
        # the first field's left neighbour is the last
        MOVES.replace("0 <= i + d < len(board)", "i + d < len(board)"),
        '```python\ndef moves(board, side):\n    """steps, jumps, kings"""\n    return [".w.b"]\n```',
    ]
}
