"""Right and wrong replies to exact_letters; each operation says for each cell where its letter comes from."""

from ..exact_letters import ASKED, SIDE, Square, puzzle, read

Cells = dict[tuple[int, int], str]


def _moved(
    cells: Cells, name: str, block: tuple[int, int, int, int], words: list[str], clockwise: bool
) -> Cells:
    top, bottom, left, right = block
    inside = [(y, x) for y in range(top, bottom + 1) for x in range(left, right + 1)]
    if name == "turn":
        if (words[0] == "right") == clockwise:
            return {(y, x): cells[bottom - (x - left), left + (y - top)] for y, x in inside}
        return {(y, x): cells[top + (x - left), right - (y - top)] for y, x in inside}
    if name == "mirror":
        return {(y, x): cells[y, left + right - x] for y, x in inside}
    if name == "flip":
        return {(y, x): cells[top + bottom - y, x] for y, x in inside}
    if name == "sort":
        rows = {y: sorted(cells[y, x] for x in range(left, right + 1)) for y in range(top, bottom + 1)}
        return {(y, x): rows[y][x - left] for y, x in inside}
    if name == "next":
        return {at: chr(ord(cells[at]) + (cells[at] < words[0])) for at in inside}
    if name == "swap":
        down, across = read(words[0])[0] - top, read(words[0])[2] - left
        there = {(y + down, x + across): cells[y, x] for y, x in inside}
        return {(y, x): cells[y + down, x + across] for y, x in inside} | there
    if name == "copy":
        row, column = map(int, words[1].split(","))
        return {(y - top + row - 1, x - left + column - 1): cells[y, x] for y, x in inside}
    if name == "ring":  # one step after the other
        found = dict(cells)
        for _ in range(int(words[0])):
            found = {**found, **{at: found[_before(at, block)] for at in inside if _at_edge(at, block)}}
        return {at: found[at] for at in inside}
    order = inside[-int(words[0]) % len(inside) :] + inside[: -int(words[0]) % len(inside)]
    return {at: cells[other] for at, other in zip(inside, order, strict=True)}


def _at_edge(at: tuple[int, int], block: tuple[int, int, int, int]) -> bool:
    return at[0] in block[:2] or at[1] in block[2:]


def _before(at: tuple[int, int], block: tuple[int, int, int, int]) -> tuple[int, int]:
    """The cell whose letter comes to this one when the edge moves on by one."""
    (y, x), (top, bottom, left, right) = at, block
    if y == top and x > left:
        return y, x - 1
    if x == right and y > top:
        return y - 1, x
    if y == bottom and x < right:
        return y, x + 1
    return y + 1, x


def _played(seed: int, clockwise: bool = True, without: str = "") -> list[Square]:
    start, operations, _ = puzzle(seed)
    cells = {(y, x): letter for y, row in enumerate(start) for x, letter in enumerate(row)}
    found = []
    for number, operation in enumerate(operations, 1):
        name, block, *words = operation.split()
        if name != without:
            cells |= _moved(cells, name, read(block), words, clockwise)
        if number in ASKED:
            found.append(tuple("".join(cells[y, x] for x in range(SIDE)) for y in range(SIDE)))
    return found


def _said(squares: list[Square]) -> str:
    return "\n\n".join(
        f"After {n}:\n```\n" + "\n".join(its) + "\n```" for n, its in zip(ASKED, squares, strict=False)
    )


def right(seed: int) -> list[str]:
    squares = _played(seed)
    spaced = [tuple(" ".join(row) for row in square) for square in squares]
    return [_said(squares), "Step by step:\n```\nabc\n```\n" + _said(spaced)]


def wrong(seed: int) -> list[str]:
    squares = _played(seed)
    last = squares[-1]
    other = ("b" if last[0][0] != "b" else "c") + last[0][1:]
    return [
        _said(_played(seed, clockwise=False)),
        _said(_played(seed, without="ring")),
        _said([*squares[:-1], (other, *last[1:])]),
        _said(squares[:-1]),
        _said([*squares[:-1], last[:-1]]),
        "I lost track of the letters.",
    ]
