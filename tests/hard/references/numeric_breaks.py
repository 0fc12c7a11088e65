"""Right and wrong counts for numeric_breaks; the right ones from the written formulas, by doubles rounded to fewer bits."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from functools import cache

from ..numeric_breaks import TASK

Round = Callable[[float], float]


def _half_even(value: float) -> float:
    # a double has more than twice the bits, so that rounding twice does no harm
    part, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(part, TASK.bits)), exponent - TASK.bits)


def _half_up(value: float) -> float:
    part, exponent = math.frexp(value)
    return math.ldexp(math.floor(math.ldexp(part, TASK.bits) + 0.5), exponent - TASK.bits)


def _of(node: ast.expr, x: float, put: Round) -> float:
    if isinstance(node, ast.Name):
        return x
    if isinstance(node, ast.Constant):
        return float(node.value)
    a, b = _of(node.left, x, put), _of(node.right, x, put)
    return put(
        {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}.get(type(node.op), 0.0)
        or (a / b if isinstance(node.op, ast.Div) else 0.0)
    )


@cache
def counted(seed: int, put: Round) -> dict[str, int]:
    """How often the formulas differ."""
    found = {}
    for name, (one, other, _) in TASK.questions(seed).items():
        trees = [ast.parse(text, mode="eval").body for text in (one, other)]
        numbers = range(1 << (TASK.bits - 1), 1 << TASK.bits)
        found[name] = sum(_of(trees[0], x, put) != _of(trees[1], x, put) for x in numbers)
    return found


def _said(numbers: Mapping[str, int], form: str = "{}: {}") -> str:
    return "One x after another.\n\n" + "\n".join(form.format(*each) for each in numbers.items())


def right(seed: int) -> list[str]:
    return [_said(counted(seed, _half_even)), _said(counted(seed, _half_even), "- **{}:** for {} numbers")]


def wrong(seed: int) -> list[str]:
    numbers = TASK.wanted(seed)
    return [
        _said(counted(seed, _half_up)),
        _said({**numbers, "Q1": numbers["Q1"] - 1}),
        _said({**numbers, "Q7": numbers["Q7"] + 1}),
        _said({name: (1 << (TASK.bits - 1)) - number for name, number in numbers.items()}),
        _said({name: number for name, number in numbers.items() if name != "Q4"}),
        _said(dict.fromkeys(numbers, 0)),
        "They never differ.",
    ]
