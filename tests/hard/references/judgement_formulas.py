"""Right and wrong replies to judgement_formulas."""

from __future__ import annotations

from collections.abc import Mapping

from ..judgement_formulas import TASK


def _said(numbers: Mapping[str, int], line: str = "{}: {}") -> str:
    lines = (line.format(name, number) for name, number in numbers.items())
    return "I searched each of them.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    numbers = TASK.wanted(seed)
    return [_said(numbers), _said(numbers, "- **{}:** {}")]


def wrong(seed: int) -> list[str]:
    numbers = TASK.wanted(seed)
    one_lost = next(name for name, number in numbers.items() if number)
    return [
        _said({**numbers, one_lost: numbers[one_lost] - 1}),
        _said({**numbers, "F7": numbers["F7"] + 1}),
        _said({name: min(number, 1) + (number == 1) for name, number in numbers.items()}),
        _said(dict.fromkeys(numbers, 0)),
        _said({name: number for name, number in numbers.items() if name != "F4"}),
        "None of them can be met.",
    ]
