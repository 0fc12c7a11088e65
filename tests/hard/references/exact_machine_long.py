"""Right and wrong replies to exact_machine_long."""

from ..exact_machine import final
from ..exact_machine_long import ROUNDS, machine, wanted


def _said(cells: dict[int, list[int]]) -> str:
    return "\n".join(f"Round {rounds}: {' '.join(map(str, its))}" for rounds, its in cells.items())


def right(seed: int) -> list[str]:
    cells = wanted(seed)
    return [_said(cells), "Line by line.\n\n" + _said(cells).replace("Round", "**Round").replace(":", ":**")]


def wrong(seed: int) -> list[str]:
    cells = wanted(seed)
    start, lines = machine(seed)
    last = cells[ROUNDS[-1]]
    return [
        _said({rounds: final(start, lines, rounds - 1) for rounds in ROUNDS}),
        _said({**cells, ROUNDS[-1]: [*last[:-1], (last[-1] + 1) % 97]}),
        _said({rounds: final(start, lines[:-1], rounds) for rounds in ROUNDS}),
        _said({ROUNDS[0]: cells[ROUNDS[0]]}),
        "I cannot run programs.",
    ]
