"""Right and wrong replies to exact_machine."""

from ..exact_machine import final, program_of


def _cells(cells: list[int]) -> str:
    return f"I went through it line by line.\n\nCells: {' '.join(map(str, cells))}"


def right(seed: int) -> list[str]:
    start, lines, rounds = program_of(seed)
    cells = final(start, lines, rounds)
    return [_cells(cells), f"Cells: **{', '.join(map(str, cells))}**"]


def wrong(seed: int) -> list[str]:
    start, lines, rounds = program_of(seed)
    cells = final(start, lines, rounds)
    return [
        _cells(final(start, lines, rounds - 1)),
        _cells([*cells[:-1], (cells[-1] + 1) % 97]),
        _cells(cells[:-1]),
        "I cannot run programs.",
    ]
