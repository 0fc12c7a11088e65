"""Right and wrong factors for numeric_relation; the right ones once more by reducing a lattice, without a look at what was planted."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..numeric_relation import TASK


def _said(factors: Sequence[int], line: str = "Factors: {}", sign: str = " ") -> str:
    return "By reduction.\n\n" + line.format(sign.join(map(str, factors)))


def _dot(a: Sequence, b: Sequence) -> Fraction:
    return sum(x * y for x, y in zip(a, b, strict=True))


def reduced(numbers: Sequence[int], weight: int) -> list[list[int]]:
    """A basis of short vectors (factors, then `weight` times their sum), by the algorithm of Lenstra, Lenstra and Lovász."""
    size = len(numbers)
    basis = [[int(i == j) for j in range(size)] + [numbers[i] * weight] for i in range(size)]

    def parts(upto: int) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
        straight: list[list[Fraction]] = []
        shares: list[list[Fraction]] = []
        for row in basis[: upto + 1]:
            share = [_dot(row, each) / _dot(each, each) for each in straight]
            rest = [Fraction(each) for each in row]
            for part, each in zip(share, straight, strict=True):
                rest = [a - part * b for a, b in zip(rest, each, strict=True)]
            straight.append(rest)
            shares.append(share)
        return straight, shares

    at = 1
    while at < size:
        straight, shares = parts(at)
        share = shares[at]
        for j in range(at - 1, -1, -1):
            if times := round(share[j]):
                basis[at] = [a - times * b for a, b in zip(basis[at], basis[j], strict=True)]
                share[j] -= times
                share[:j] = [a - times * b for a, b in zip(share[:j], shares[j], strict=True)]
        before = _dot(straight[at - 1], straight[at - 1])
        if _dot(straight[at], straight[at]) >= (Fraction(3, 4) - share[at - 1] ** 2) * before:
            at += 1
        else:
            basis[at - 1], basis[at] = basis[at], basis[at - 1]
            at = max(at - 1, 1)
    return basis


def _nearly(seed: int) -> list[int]:
    """The best factors when the sum counts for little: what a reduction gives that stops too soon."""
    numbers, _ = TASK.planted(seed)
    rounded = [round(each, 6 - TASK.digits) // 10 ** (TASK.digits - 6) for each in numbers]
    for row in reduced(rounded, 1):
        factors = row[:-1]
        if max(map(abs, factors)) <= TASK.most and _dot(factors, numbers):
            return factors
    return [1, -1, *[0] * (TASK.count - 2)]


def right(seed: int) -> list[str]:
    numbers, factors = TASK.planted(seed)
    found = [each[:-1] for each in reduced(numbers, 10**9) if not each[-1]]
    fitting = min(found, key=lambda each: max(map(abs, each)))
    return [_said(factors), _said(fitting, "- **Factors:** {}", ", ")]


def wrong(seed: int) -> list[str]:
    numbers, planted = TASK.planted(seed)
    factors = list(planted)
    crossed = [numbers[1], -numbers[0], *[0] * (TASK.count - 2)]
    return [
        _said(_nearly(seed)),
        _said([factors[0] + (1 if factors[0] < TASK.most else -1), *factors[1:]]),
        _said([abs(each) for each in factors]),
        _said([0] * TASK.count),
        _said([10 * each for each in factors]),
        _said(crossed),
        _said(factors[:-1]),
        "There is no such sum.",
    ]
