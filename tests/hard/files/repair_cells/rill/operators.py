"""What the operators make of numbers."""

from .values import ZERO, bounded


def divided(a, b):
    if b == 0:
        return ZERO
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


OPERATORS = {
    "+": lambda a, b: bounded(a + b),
    "-": lambda a, b: bounded(a - b),
    "*": lambda a, b: bounded(a * b),
    "/": divided,
    "max": max,
    "min": min,
}
