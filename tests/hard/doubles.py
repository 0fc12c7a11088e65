"""C programs that have nothing but doubles, and the verdict on the numbers that they print."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

# without the wider types of gcc, and without fused operations that nobody wrote
BUILD = (
    "gcc -O2 -std=gnu17 -ffp-contract=off -mlong-double-64 -D__float128=double -D_Float128=double -D_Float64x=double "
    "-D__int128=int -w -o solution solution.c -lm"
)
MOST = 1000  # characters of a line that are read


def share_within(bound: Decimal, printed: str, expected: Sequence[Sequence[Decimal]]) -> float:
    """The share of lines of which every number is within the relative error `bound` of the true one."""
    lines = printed.split("\n")
    return sum(close(bound, line, true) for line, true in zip(lines, expected, strict=False)) / len(expected)


def close(bound: Decimal, line: str, true: Sequence[Decimal]) -> bool:
    """Whether a line has as many numbers as there are true ones, each within the bound."""
    try:
        said = [Decimal(float(word)) for word in line[:MOST].split()]
    except ValueError:
        return False
    if len(said) != len(true) or not all(each.is_finite() for each in said):
        return False
    return all(abs(a - b) <= abs(b) * bound for a, b in zip(said, true, strict=True))
