"""Least squares in C by doubles alone, on points for which only exact arithmetic gives the digits."""

from __future__ import annotations

import random
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

from evaluator import *

from .cases import Cases
from .doubles import BUILD, share_within

DESCRIPTION = (
    "Can the model write least squares in C that is right to fourteen digits however badly points lie?"
)
TAGS = ["hard", "code", "c", "math"]

BOUND = Decimal("1e-14")
KINDS = ("far", "clusters", "powers", "close", "plain", "huge")
EACH = 25
PROMPT = """Write a C program that fits polynomials by least squares. Each line of stdin is a problem of whole numbers with single blanks between
them:

    d n x1 y1 x2 y2 ... xn yn

with 1 <= d <= {degree}, d + 2 <= n <= {points}, |x| <= {far}, |y| <= {high}; more than d of the x are different, and the same x may come
several times. For each problem print one line with d + 2 numbers in the format %.17g, with single blanks between them:

    a0 a1 ... ad s

where y = a0 + a1*x + ... + ad*x^d is the polynomial of degree d for which s, the sum of the squares of the n residuals, is least. None
of these numbers is 0, and none is below 1e-250 or above 1e250 in absolute value.

Every number must be right within a relative error of {bound}, for the very points that are given, also where most digits cancel: points
far from 0, points in narrow groups that lie far from each other, x of very different sizes, y that are very nearly a polynomial.

There are {lines} problems in {kinds} runs of the program, each of which may take 10 seconds. It is compiled by gcc -O2 -std=gnu17
-ffp-contract=off -mlong-double-64 -lm on x86-64 Linux: long double is the same as double there, and __float128, _Float128 and __int128 are
defined away; there is no library of numbers but libm. Give the whole program in one code block. You cannot run it before it is judged:
every line must be right."""
DEGREE, POINTS = 5, 30
Point = tuple[int, int]
Problem = tuple[int, list[Point]]


def limits(seed: int) -> tuple[int, int]:
    """The largest |x| and |y| of a seed."""
    chance = random.Random(f"fit limits {seed}")
    return chance.randint(6, 9) * 10**8, chance.randint(2, 8) * 10**13


def fitted(problem: Problem) -> list[Fraction]:
    """a0 to ad and s, exactly: the normal equations by Gauss in fractions."""
    degree, points = problem
    sums = [sum(x**k for x, _ in points) for k in range(2 * degree + 1)]
    right = [sum(y * x**k for x, y in points) for k in range(degree + 1)]
    rows = [
        [*(Fraction(sums[i + j]) for j in range(degree + 1)), Fraction(right[i])] for i in range(degree + 1)
    ]
    for at in range(degree + 1):
        pivot = next(n for n in range(at, degree + 1) if rows[n][at])
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [each / rows[at][at] for each in rows[at]]
        for other in range(degree + 1):
            if other != at and rows[other][at]:
                rows[other] = [a - rows[other][at] * b for a, b in zip(rows[other], rows[at], strict=True)]
    found = [row[-1] for row in rows]
    least = sum(y * y for _, y in points) - sum(a * b for a, b in zip(found, right, strict=True))
    return [*found, Fraction(least)]


def decimal(number: Fraction) -> Decimal:
    """A fraction to sixty digits."""
    with localcontext() as context:
        context.prec = 60
        return Decimal(number.numerator) / Decimal(number.denominator)


def points_of(kind: str, chance: random.Random, most_x: int, most_y: int) -> Problem:
    """A problem of a kind."""
    degree = chance.randint(2, DEGREE)
    n = chance.randint(degree + 3, POINTS)
    if kind == "far":
        start, step = (
            chance.choice([-1, 1]) * chance.randint(most_x // 2, most_x - 2000),
            chance.randint(1, 40),
        )
        xs = [start + step * at for at in range(n)]
    elif kind == "clusters":
        middles = [chance.randint(-most_x + 100, most_x - 100) for _ in range(chance.choice([2, 2, 3]))]
        xs = [chance.choice(middles) + chance.randint(-3, 3) for _ in range(n)]
    elif kind == "powers":
        xs = [chance.choice([-1, 1]) * int(10 ** chance.uniform(0, 8.8)) for _ in range(n)]
    elif kind == "huge":
        xs = [chance.randint(-most_x, most_x) for _ in range(n)]
    else:
        xs = [chance.randint(-100, 100) for _ in range(n)]
    if kind == "close":  # nearly a polynomial: the residuals are a ten-billionth of y, or less
        degree = min(degree, 4)
        truth = [chance.randint(-900, 900) for _ in range(degree + 1)]
        ys = [sum(a * x**k for k, a in enumerate(truth)) for x in xs]
        scale = max(1, most_y // max(1, *map(abs, ys)) // 2)
        ys = [y * scale + chance.randint(-2, 2) for y in ys]
    else:
        high = int(10 ** chance.uniform(1, 13))
        ys = [chance.randint(-high, high) for _ in xs]
        if chance.random() < 0.5:
            ys = [most_y - 3 * high - abs(y) if most_y > 5 * high else y for y in ys]
    return degree, list(zip(xs, ys, strict=True))


def cases(seed: int) -> list[tuple[str, list[list[Decimal]]]]:
    """A run for each kind: problems, and what is right."""
    most_x, most_y = limits(seed)
    found = []
    for kind in KINDS:
        chance = random.Random(f"fit {seed} {kind}")
        lines: list[str] = []
        right: list[list[Decimal]] = []
        while len(lines) < EACH:
            degree, points = points_of(kind, chance, most_x, most_y)
            inside = all(abs(x) <= most_x and abs(y) <= most_y for x, y in points)
            if not inside or len({x for x, _ in points}) <= degree:
                continue
            result = fitted((degree, points))
            if all(Fraction(1, 10**250) < abs(each) < 10**250 for each in result):
                numbers = [degree, len(points), *(each for point in points for each in point)]
                lines.append(" ".join(map(str, numbers)))
                right.append([decimal(each) for each in result])
        found.append(("\n".join(lines) + "\n", right))
    return found


def build(seed: int) -> Node:
    """The test of a seed: points and their bounds differ."""
    most_x, most_y = limits(seed)
    question = PROMPT.format(
        degree=DEGREE, points=POINTS, far=most_x, high=most_y, bound=f"{BOUND:.0e}".replace("E", "e"), kinds=len(KINDS),
        lines=EACH * len(KINDS),
    )  # fmt: skip
    program = question >> LLMRun() >> ExtractCode(keep_main=True, lang="c") >> MakeFile("solution.c")
    return program >> Cases(
        "./solution",
        partial(cases, seed),
        files=["solution.c"],
        build=BUILD,
        agrees=partial(share_within, BOUND),
    )
