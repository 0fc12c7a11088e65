"""Right and wrong solutions of optimise_slide."""

from ..optimise_slide import NEAR, SIDE, SPARE, Board, puzzle, slid


def _said(moves: list[int]) -> str:
    return f"First the top row.\n\nMoves: {' '.join(map(str, moves))}"


def _to_and_fro(seed: int, times: int) -> list[int]:
    """The planted solution with the last tile moved to and fro at its end."""
    moves = list(puzzle(seed)[1])
    return [*moves, *[moves[-1], moves[-1]] * times]


def _way(board: Board, to: int, fixed: set[int]) -> list[int]:
    """The fewest moves that bring the empty field to a field without touching the fixed ones."""
    todo, seen = [(board, [])], {board.index(0)}
    for at, moves in todo:
        if at.index(0) == to:
            return moves
        for place in NEAR[at.index(0)]:
            if place not in fixed and place not in seen:
                seen.add(place)
                todo.append((slid(at, at[place]) or at, [*moves, at[place]]))
    return []


def _tile_by_tile(seed: int) -> list[int]:
    """The beginning of the usual way, a row at a time, which takes far more moves: until the first three tiles are placed."""
    board, moves, fixed = puzzle(seed)[0], list[int](), set[int]()
    for tile in (1, 2, 3):
        while (at := board.index(tile)) != tile - 1:
            x, y = at % SIDE, at // SIDE
            goal_x = tile - 1
            ahead = at + 1 if x < goal_x else at - 1 if x > goal_x else at - SIDE
            if y == 0 and x > goal_x and ahead in fixed:
                break
            way = _way(board, ahead, fixed | {at})
            for each in (*way, tile):
                board = slid(board, each) or board
                moves.append(each)
        fixed.add(tile - 1)
    return moves


def right(seed: int) -> list[str]:
    return [
        _said(list(puzzle(seed)[1])),
        _said(_to_and_fro(seed, SPARE // 2)).replace("Moves:", "**Moves:**"),
    ]


def wrong(seed: int) -> list[str]:
    best = list(puzzle(seed)[1])
    return [
        _said(_to_and_fro(seed, SPARE // 2 + 1)),
        _said(best[:-1]),
        _said([*best[:10], *best[11:]]),
        _said(_tile_by_tile(seed)),
        "It cannot be put in order.",
    ]
