"""Right and wrong replies to look_gates: each output is asked back to the inputs, and readers make small mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..look_gates import COLUMNS, ROWS, Circuit, Gate, circuit


def _asked_back(made: Circuit, word: str) -> str:
    known: dict[tuple[int, int], int] = {}

    def level(column: int, row: int) -> int:
        if column < 0:
            return int(word[row])
        if (column, row) not in known:
            gate = made.columns[column][row]
            ones = sum(level(column - 1, source) ^ turned for source, turned in gate.pins)
            given = {"&": ones == len(gate.pins), "1": ones > 0, "=1": ones & 1}[gate.sign]
            known[column, row] = int(given) ^ gate.inverted
        return known[column, row]

    return "".join(str(level(COLUMNS - 1, row)) for row in range(ROWS))


def _misread(made: Circuit, gates: Callable[[Gate], Gate]) -> Circuit:
    return replace(made, columns=tuple(tuple(map(gates, column)) for column in made.columns))


def _reply(made: Circuit, mark: str = "") -> str:
    lines = [f"{mark}W{n}{mark}: {_asked_back(made, word)}" for n, word in enumerate(made.words, 1)]
    return "Column by column:\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    made = circuit(seed)
    spaced = "\n".join(f"W{n}: {' '.join(_asked_back(made, word))}" for n, word in enumerate(made.words, 1))
    return [_reply(made), _reply(made, "**"), spaced]


def wrong(seed: int) -> list[str]:
    made = circuit(seed)
    last = made.columns[-1]
    turned = replace(last[3], inverted=not last[3].inverted)
    words = [f"W{n}: {word}" for n, word in enumerate(made.words, 1)]
    return [
        _reply(_misread(made, lambda gate: replace(gate, pins=tuple((row, False) for row, _ in gate.pins)))),
        _reply(_misread(made, lambda gate: replace(gate, inverted=False))),
        _reply(replace(made, columns=(*made.columns[:-1], (*last[:3], turned, *last[4:])))),
        _reply(_misread(made, lambda gate: replace(gate, sign="1" if gate.sign == "=1" else gate.sign))),
        "\n".join(words),
    ]
