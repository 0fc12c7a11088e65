"""Nine formulas in C with doubles alone, exact to a few units in the last places where the obvious formula is not."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

from evaluator import *

from .cases import Cases
from .doubles import BUILD, share_within

DESCRIPTION = (
    "Can the model write nine formulas in C that stay exact where the obvious form loses every digit?"
)
TAGS = ["medium", "code", "c", "math"]

BOUND = 1e-14
DIGITS = 80
PROMPT = """Write a C program that reads lines from stdin, each a name and numbers, and prints the result of each on a line of its own with
the format %.17g. Numbers are written so that strtod gives exactly the double that is meant; the result is about exactly these
doubles, and it must be right within a relative error of 1e-14 (exactly 0 if the true result is 0). Wherever a sum, a difference or a
power appears below, the true mathematical value counts, not what floating point makes of it. No true result is smaller than 1e-300
or larger than 1e300 in absolute value, except 0.

    cube x          (e^x - 1 - x - x*x/2) / (x*x*x), for 1e-300 <= |x| <= 600
    versine x       1 - cos x, for |x| <= 1e5
    logabs a b      the natural logarithm of sqrt(a*a + b*b); a and b are not both 0, 1e-300 <= |a|, |b| <= 1e300, or one is 0
    area a b c      the area of the triangle with the sides a, b, c, between 1e-50 and 1e50, that is possible and not flat
    roots a b c     both roots of a*x*x + b*x + c, the smaller one first, two numbers on the line; there are two real roots; the
                    absolute values are between 1e-50 and 1e50
    sinpi x         sin(pi * x), for |x| <= 1e15
    power x y       x^y - 1, for 0.5 <= x <= 2 and |y| <= 1, also where x is near 1 or y near 0
    between a b     atan a - atan b, for |a|, |b| <= 1e100
    dot n ...       the sum of a1*b1 + ... + an*bn, n <= 12, given as n and then a1 b1 a2 b2 ...; absolute values between 1e-20 and
                    1e20 or 0; the sum of the absolute values of the products is at most {condition} times the absolute value of the result

There are about {lines} lines. The program is compiled by gcc -O2 -std=gnu17 -ffp-contract=off -mlong-double-64 -lm on x86-64 Linux:
long double is the same as double there, and __float128, _Float128 and __int128 are defined away. fma() of math.h may be used. Give
the whole program in one code block."""
CONDITION = 10**14


# ---------------------------------------------------------------- the true values


def _pi() -> Decimal:
    """By Machin's formula."""

    def arctan(n: int) -> Decimal:
        x, total, k, sign = Decimal(1) / n, Decimal(0), 1, 1
        while x > Decimal(10) ** -(DIGITS + 320):
            total += sign * x / k
            x, k, sign = x / (n * n), k + 2, -sign
        return total

    return 4 * (4 * arctan(5) - arctan(239))


def _sine(x: Decimal, pi: Decimal) -> Decimal:
    x = x % (2 * pi)
    times = 0
    while abs(x) > Decimal("0.01"):
        x, times = x / 3, times + 1
    term, total, k = x, x, 1
    while abs(term) > abs(total) * Decimal(10) ** -DIGITS and term:
        term *= -x * x / ((k + 1) * (k + 2))
        total, k = total + term, k + 2
    for _ in range(times):
        total = total * (3 - 4 * total * total)
    return total


def _arctangent(x: Decimal) -> Decimal:
    times = 0
    while abs(x) > Decimal("0.01"):
        x, times = x / (1 + (1 + x * x).sqrt()), times + 1
    power, total, k = x, Decimal(0), 1
    while abs(power) > abs(x) * Decimal(10) ** -DIGITS:
        total += power / k
        power, k = -power * x * x, k + 2
    return total * Decimal(2) ** times


def truth(name: str, numbers: list[float]) -> list[Decimal]:
    """The true results."""
    with localcontext() as context:
        context.prec = DIGITS + 340
        pi = _pi()
        d = [Decimal(each) for each in numbers]
        if name == "cube":
            (x,) = d
            if abs(x) > 1:
                return [(x.exp() - 1 - x - x * x / 2) / (x * x * x)]
            term, total, k = Decimal(1) / 6, Decimal(1) / 6, 3
            while abs(term) > Decimal(10) ** -DIGITS:
                k += 1
                term *= x / k
                total += term
            return [total]
        if name == "versine":
            half = _sine(d[0] / 2, pi)
            return [2 * half * half]
        if name == "logabs":
            return [(d[0] * d[0] + d[1] * d[1]).ln() / 2]
        if name == "area":
            half = (d[0] + d[1] + d[2]) / 2
            return [(half * (half - d[0]) * (half - d[1]) * (half - d[2])).sqrt()]
        if name == "roots":
            a, b, c = d
            root = (b * b - 4 * a * c).sqrt()
            return sorted([(-b - root) / (2 * a), (-b + root) / (2 * a)])
        if name == "sinpi":
            turned = Fraction(numbers[0]) % 2
            return [
                _sine(Decimal(turned.numerator) / turned.denominator * pi, pi) if turned % 1 else Decimal(0)
            ]
        if name == "power":
            return [(d[1] * d[0].ln()).exp() - 1]
        if name == "between":
            a, b = d
            if a * b == -1:
                return [pi / 2 if a > 0 else -pi / 2]
            turned_by = 0 if a * b > -1 else pi if a > 0 else -pi
            return [_arctangent((a - b) / (1 + a * b)) + turned_by]
        pairs = zip(numbers[1::2], numbers[2::2], strict=True)
        total_exactly: Fraction = sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))
        return [Decimal(total_exactly.numerator) / total_exactly.denominator]


# ---------------------------------------------------------------- hidden lines


def _size(chance: random.Random, low: float, high: float) -> float:
    """A number whose order of magnitude is even between these powers of ten."""
    return math.pow(10, chance.uniform(low, high)) * chance.uniform(1, 9)


def _sign(chance: random.Random) -> int:
    return chance.choice([-1, 1])


def _cube(chance: random.Random) -> list[float]:
    return [
        _sign(chance)
        * chance.choice(
            [_size(chance, -290, -2), _size(chance, -5, -1), chance.uniform(0.01, 4), chance.uniform(4, 590)]
        )
    ]


def _versine(chance: random.Random) -> list[float]:
    near = round(chance.uniform(1, 15_000)) * 2 * math.pi
    return [
        _sign(chance)
        * chance.choice([_size(chance, -150, -1), chance.uniform(0, 1e5), near, near + _size(chance, -9, -3)])
    ]


def _logabs(chance: random.Random) -> list[float]:
    kind = chance.random()
    if kind < 0.6:  # near the unit circle
        turn = chance.uniform(0, 7)
        return [math.cos(turn), math.sin(turn) * (1 + chance.choice([0, 1e-9, 1e-13]))]
    if kind < 0.8:
        return [_sign(chance) * (1 + chance.choice([0, 2.0**-52, -(2.0**-53)])), _size(chance, -200, -3)]
    return [_sign(chance) * _size(chance, -299, 298), _sign(chance) * _size(chance, -299, 298)]


def _area(chance: random.Random) -> list[float]:
    size = _size(chance, -40, 40)
    a, b = size * chance.uniform(1, 2), size * chance.choice([chance.uniform(1, 2), _size(chance, -12, -3)])
    low, high = abs(a - b), a + b
    c = chance.choice(
        [
            low + (high - low) * chance.uniform(0.01, 0.99),
            math.nextafter(low, high),
            math.nextafter(high, low),
        ]
    )
    sides = sorted(map(Fraction, (a, b, c)))
    if sides[0] + sides[1] <= sides[2]:
        return _area(chance)
    found = [a, b, c]
    chance.shuffle(found)
    return found


def _roots(chance: random.Random) -> list[float]:
    kind = chance.random()
    if kind < 0.4:  # roots close together
        x = chance.uniform(1, 9)
        y = x * (1 + _size(chance, -9, -6))
        found = [1.0 * chance.choice([1, 3, 7]), 0.0, 0.0]
        found[1], found[2] = -found[0] * (x + y), found[0] * x * y
    elif kind < 0.7:  # roots far apart
        found = [
            _size(chance, -20, 5),
            _sign(chance) * _size(chance, 8, 30),
            _sign(chance) * _size(chance, -20, 5),
        ]
    else:
        found = [_sign(chance) * _size(chance, -3, 3) for _ in range(3)]
    a, b, c = map(Fraction, found)
    return found if b * b - 4 * a * c > 0 else _roots(chance)


def _sinpi(chance: random.Random) -> list[float]:
    whole = chance.choice([0, chance.randrange(10**6), chance.randrange(10**14)])
    rest = chance.choice([0, 0.5, chance.random(), _size(chance, -12, -3), 1 - _size(chance, -12, -3)])
    return [_sign(chance) * (whole + rest)]


def _power(chance: random.Random) -> list[float]:
    x = chance.choice([chance.uniform(0.5, 2), 1 + _sign(chance) * _size(chance, -15, -2), 1 + 2.0**-52])
    return [
        min(2.0, max(0.5, x)),
        _sign(chance) * chance.choice([chance.uniform(0.01, 1), _size(chance, -290, -2)]),
    ]


def _between(chance: random.Random) -> list[float]:
    a = _sign(chance) * chance.choice([_size(chance, -80, 99), chance.uniform(0.1, 10)])
    b = chance.choice(
        [
            a * (1 + _sign(chance) * _size(chance, -15, -1)),
            -a * chance.uniform(0.5, 2),
            _size(chance, -80, 99),
            -1 / a,
        ]
    )
    return [a, max(-1e100, min(1e100, b))]


def _dot(chance: random.Random) -> list[float]:
    n = chance.randint(3, 12)
    pairs = [
        (_sign(chance) * _size(chance, -9, 9), _sign(chance) * _size(chance, -9, 9)) for _ in range(n - 2)
    ]
    for _ in range(2):  # take nearly all of it away again
        rest = sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))
        factor = _size(chance, -3, 3)
        pairs.append((factor, float(-rest / Fraction(factor))))
    total = abs(sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0)))
    whole = sum((abs(Fraction(a) * Fraction(b)) for a, b in pairs), Fraction(0))
    fits = all(each == 0 or 1e-20 <= abs(each) <= 1e20 for pair in pairs for each in pair)
    if not total or whole > CONDITION * total or not fits:
        pairs.append((1.0, float(whole) / 1e12))
        if (
            abs(sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))) * CONDITION < whole
            or not fits
        ):
            return _dot(chance)
    chance.shuffle(pairs)
    return [float(len(pairs)), *(each for pair in pairs for each in pair)]


MAKERS: dict[str, Callable[[random.Random], list[float]]] = {
    "cube": _cube, "versine": _versine, "logabs": _logabs, "area": _area, "roots": _roots, "sinpi": _sinpi, "power": _power,
    "between": _between, "dot": _dot,
}  # fmt: skip
EACH = 40


def cases(seed: int) -> list[tuple[str, list[list[Decimal]]]]:
    """An input for each formula, and the true values of its lines."""
    found = []
    for name, make in MAKERS.items():
        chance = random.Random(f"double {seed} {name}")
        lines: list[str] = []
        true: list[list[Decimal]] = []
        while len(lines) < EACH:
            numbers = make(chance)
            results = truth(name, numbers)
            if not all(each == 0 or Decimal("1e-300") < abs(each) < Decimal("1e300") for each in results):
                continue
            shown = (
                [str(int(numbers[0])), *map(repr, numbers[1:])] if name == "dot" else list(map(repr, numbers))
            )
            lines.append(" ".join([name, *shown]))
            true.append(results)
        found.append(("\n".join(lines) + "\n", true))
    return found


def build(seed: int) -> Node:
    """The test of a seed: the numbers differ."""
    question = PROMPT.format(lines=EACH * len(MAKERS), condition=f"{CONDITION:.0e}".replace("+", ""))
    program = question >> LLMRun() >> ExtractCode(keep_main=True, lang="c") >> MakeFile("solution.c")
    return program >> Cases(
        "./solution",
        partial(cases, seed),
        files=["solution.c"],
        build=BUILD,
        agrees=partial(share_within, Decimal(BOUND)),
    )
