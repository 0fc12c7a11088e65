"""The denominator, in lowest terms, of the product of the fractions that a false cancelling leaves right."""

from fractions import Fraction
from math import prod


def cancelled(numerator: int, denominator: int) -> list[Fraction]:
    """The values after striking out a common digit other than 0, in every way that can be done."""
    values = []
    for i, digit in enumerate(str(numerator)):
        for j, other in enumerate(str(denominator)):
            above, below = int(str(numerator)[1 - i]), int(str(denominator)[1 - j])
            if digit == other != "0" and below:
                values.append(Fraction(above, below))
    return values


found = [
    Fraction(numerator, denominator)
    for numerator in range(10, 100)
    for denominator in range(numerator + 1, 100)
    if Fraction(numerator, denominator) in cancelled(numerator, denominator)
]
print(prod(found).denominator)
