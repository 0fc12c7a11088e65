"""Ten formulas in C, from a pool of thirteen, to a few units in the last place where the plain form loses digits."""

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
    "Can the model write ten formulas in C to a few units in the last place, near their bad points too?"
)
TAGS = ["hard", "code", "c", "math"]

BOUND = Decimal("2e-15")
DIGITS = 400  # of the true values: the normal distribution's tails take 300 of them away
EACH = 40
CHOSEN = 10
ALWAYS = ("decay", "chance", "kepler", "divergence")
PROMPT = """Write a C program that reads lines from stdin, each a name and numbers, and prints the result of each on a line of its own with
the format %.17g. The numbers are written so that strtod gives exactly the double that is meant. The result is about exactly these
doubles, and it must be right within a relative error of 2e-15 (about nine units in the last place). No result is 0, and none is
smaller than 1e-290 or larger than 1e290 in absolute value. Arguments are anywhere in the ranges given, also where the formula loses
its digits: values close to each other, tiny, huge, near a zero of a part of the formula.

{formulas}

There are {lines} lines. The program is compiled by gcc -O2 -std=gnu17 -ffp-contract=off -mlong-double-64 -lm on x86-64 Linux: long
double is the same as double there, and __float128, _Float128 and __int128 are defined away. fma() of math.h may be used. Give the
whole program in one code block. You cannot run it before it is judged: every line must be right."""
SAID = {
    "decay": ("decay x n", "(1 - x)^n, for 1e-18 <= x <= 0.5 and n whole, 1 <= n <= 1e18"),
    "annuity": ("annuity r n", "(1 - (1 + r)^-n) / r, for 1e-18 <= |r| <= 0.5 and n whole, 1 <= n <= 1e9"),
    "chance": (
        "chance a b",
        "the chance that a normal variable of mean 0 and variance 1 lies between a and b; -36 <= a < b <= 36",
    ),
    "mills": ("mills x", "e^(x*x/2) times the integral of e^(-t*t/2) for t from x to infinity; 0 <= x <= 1e10"),
    "kepler": ("kepler e m", "the E for which E - e*sin E = m; 0 <= e < 1 and 1e-280 <= m <= 3.14"),
    "divergence": (
        "divergence p q",
        "p*ln(p/q) + (1 - p)*ln((1 - p)/(1 - q)), for 1e-12 <= p, q <= 1 - 1e-12, p not q",
    ),
    "harmonic": ("harmonic n", "1 + 1/2 + ... + 1/n - ln n - Euler's constant, for n whole, 1 <= n <= 1e15"),
    "cosines": ("cosines a b", "cos a - cos b, for |a|, |b| <= 1e4"),
    "gap": ("gap x y", "e^x - e^y, for |x|, |y| <= 600, x not y"),
    "loss": ("loss x", "ln(1 + x) - x + x*x/2, for 1e-90 <= |x|, -0.9 <= x <= 10"),
    "means": ("means a b", "(a - b)/ln(a/b) - sqrt(a*b), for 1e-90 <= a, b <= 1e90, a not b"),
    "planck": ("planck x", "x/(e^x - 1) - 1 + x/2, for 1e-100 <= |x| <= 700"),
    "turn": (
        "turn a b c d",
        "the angle by which the vector (a, b) has to be turned to point along (c, d), counterclockwise positive, "
        "above -pi and below pi; absolute values between 1e-50 and 1e50",
    ),
}  # fmt: skip
EULER = Decimal(
    "0.5772156649015328606065120900824024310421593359399235988057672348848677267776646709369470632917467495146314472498"
)


# ---------------------------------------------------------------- the true values


def _pi() -> Decimal:
    """By Machin's formula."""

    def arctan(n: int) -> Decimal:
        power, total, k = Decimal(1) / n, Decimal(0), 1
        while abs(power) > Decimal(10) ** -DIGITS:
            total += power / k
            power, k = -power / (n * n), k + 2
        return total

    return 4 * (4 * arctan(5) - arctan(239))


def _series(first: Decimal, ratio: Callable[[int], Decimal]) -> Decimal:
    """The sum of terms that shrink in the end, each the one before times ratio(its number)."""
    term, total, k = first, first, 1
    while abs(term) > abs(total) * Decimal(10) ** -DIGITS or abs(ratio(k)) > 1:
        term *= ratio(k)
        total += term
        k += 1
    return total


def _sine(x: Decimal) -> Decimal:
    return _series(x, lambda k: -x * x / (2 * k * (2 * k + 1))) if x else x


def _less_sine(x: Decimal) -> Decimal:
    """x - sin x."""
    return _series(x**3 / 6, lambda k: -x * x / ((2 * k + 2) * (2 * k + 3)))


def _arctangent(x: Decimal) -> Decimal:
    for_half = x
    for _ in range(4):
        for_half = for_half / (1 + (1 + for_half * for_half).sqrt())
    power, total, k = for_half, Decimal(0), 1
    while abs(power) > abs(for_half) * Decimal(10) ** -60:
        total += power / k
        power, k = -power * for_half * for_half, k + 2
    return 16 * total


def _above_half(x: Decimal, pi: Decimal) -> Decimal:
    """The chance that a normal variable lies between 0 and x."""
    return _series(x, lambda k: x * x / (2 * k + 1)) * (-x * x / 2).exp() / (2 * pi).sqrt() if x else x


def _mills(x: Decimal, pi: Decimal) -> Decimal:
    if x < 12:
        return (Decimal("0.5") - _above_half(x, pi)) * (x * x / 2).exp() * (2 * pi).sqrt()
    below = x  # a continued fraction, from far behind
    for k in range(400, 0, -1):
        below = x + k / below
    return 1 / below


def _kepler(e: Decimal, m: Decimal, pi: Decimal) -> Decimal:
    """By Newton's method, from above the root of a convex function."""
    x = min(pi, m / (1 - e), (m * 10 / e) ** (Decimal(1) / 3) if e else pi)
    for _ in range(60):
        step = ((1 - e) * x + e * _less_sine(x) - m) / (1 - e + 2 * e * _sine(x / 2) ** 2)
        x -= step
        if abs(step) < x * Decimal(10) ** -40:
            break
    return x


def truth(name: str, numbers: list[float]) -> Decimal:
    """The true result."""
    with localcontext() as context:
        context.prec = DIGITS if name in ("chance", "gap", "planck", "loss") else 120
        pi = +PI
        d = [Decimal(each) for each in numbers]
        if name == "decay":
            return ((1 - d[0]).ln() * d[1]).exp()
        if name == "annuity":
            return (1 - (-(1 + d[0]).ln() * d[1]).exp()) / d[0]
        if name == "chance":
            return _above_half(d[1], pi) - _above_half(d[0], pi)
        if name == "mills":
            return _mills(d[0], pi)
        if name == "kepler":
            return _kepler(d[0], d[1], pi)
        if name == "divergence":
            p, q = d
            return p * (p / q).ln() + (1 - p) * ((1 - p) / (1 - q)).ln()
        if name == "harmonic":
            (n,) = d
            more = max(n, Decimal(400))
            tail = 1 / (2 * more)  # Euler and Maclaurin; exact to forty digits from 400 on
            for k, number in enumerate(BERNOULLI, 1):
                tail -= Decimal(number.numerator) / number.denominator / (2 * k * more ** (2 * k))
            back = sum((1 / Decimal(k) for k in range(int(n) + 1, 401)), Decimal(0))
            return tail + more.ln() - n.ln() - back
        if name == "cosines":
            a, b = d
            return -2 * _sine((a + b) / 2 % (2 * pi)) * _sine((a - b) / 2 % (2 * pi))
        if name == "gap":
            return d[0].exp() - d[1].exp()
        if name == "loss":
            return (1 + d[0]).ln() - d[0] + d[0] * d[0] / 2
        if name == "means":
            a, b = d
            return (a - b) / (a / b).ln() - (a * b).sqrt()
        if name == "planck":
            return d[0] / (d[0].exp() - 1) - 1 + d[0] / 2
        a, b, c, e = d
        along, across = a * c + b * e, a * e - b * c
        if abs(across) <= along:
            return _arctangent(across / along)
        side = pi / 2 if across > 0 else -pi / 2
        return (
            side - _arctangent(along / across)
            if along > -abs(across)
            else 2 * side + _arctangent(across / along)
        )


with localcontext() as _context:
    _context.prec = DIGITS + 10
    PI = _pi()
BERNOULLI = [
    Fraction(*each)
    for each in [
        (1, 6),
        (-1, 30),
        (1, 42),
        (-1, 30),
        (5, 66),
        (-691, 2730),
        (7, 6),
        (-3617, 510),
        (43867, 798),
    ]
]


# ---------------------------------------------------------------- hidden lines


def _size(chance: random.Random, low: float, high: float) -> float:
    """A number whose order of magnitude is even between these powers of ten."""
    return math.pow(10, chance.uniform(low, high))


def _sign(chance: random.Random) -> int:
    return chance.choice([-1, 1])


def _decay(chance: random.Random) -> list[float]:
    x = chance.choice([_size(chance, -18, -0.4), _size(chance, -17, -14), _size(chance, -6, -1)])
    n = math.floor(
        min(1e18, chance.choice([chance.uniform(0.01, 3), chance.uniform(3, 660)]) / -math.log1p(-x))
    )
    return [x, float(max(1, n))]


def _annuity(chance: random.Random) -> list[float]:
    r = _sign(chance) * chance.choice([_size(chance, -18, -0.4), _size(chance, -7, -2)])
    n = min(1e9, _size(chance, -3, 2.8) / abs(math.log1p(r)))
    return [r, float(max(1, math.floor(n)))]


def _chance(chance: random.Random) -> list[float]:
    kind, a = chance.random(), chance.uniform(0, 36)
    b = a + _size(chance, -14, -1) if kind < 0.5 else chance.uniform(-36, 36)
    if kind > 0.9:
        a, b = -_size(chance, -9, 0), _size(chance, -9, 0)
    if kind > 0.7 and chance.random() < 0.3:
        a, b = chance.uniform(1, 8), 36.0
    if chance.random() < 0.5:
        a, b = -a, -b
    return sorted(max(-36.0, min(36.0, each)) for each in (a, b))


def _mills_at(chance: random.Random) -> list[float]:
    return [
        chance.choice(
            [chance.uniform(0, 3), chance.uniform(3, 40), _size(chance, 0, 10), _size(chance, -9, 0)]
        )
    ]


def _kepler_at(chance: random.Random) -> list[float]:
    e = chance.choice([1 - _size(chance, -15.9, -1), 1 - 2.0**-53, chance.random(), 1 - 2.0**-50])
    return [e, chance.choice([_size(chance, -280, -1), _size(chance, -20, 0), _size(chance, -9, 0.49)])]


def _divergence(chance: random.Random) -> list[float]:
    q = chance.choice([_size(chance, -12, -0.1), chance.random(), 1 - _size(chance, -11, -1)])
    p = chance.choice(
        [q * (1 + _sign(chance) * _size(chance, -13, -0.3)), _size(chance, -12, -0.1), chance.random()]
    )
    if q > 0.9 and chance.random() < 0.7:
        p = 1 - (1 - q) * (1 + _sign(chance) * _size(chance, -3, -0.3))
    return [max(1e-12, min(1 - 1e-12, each)) for each in (p, q)]


def _harmonic(chance: random.Random) -> list[float]:
    return [
        float(chance.choice([chance.randint(1, 40), int(_size(chance, 1, 3)), int(_size(chance, 3, 15))]))
    ]


def _cosines(chance: random.Random) -> list[float]:
    a = chance.choice([chance.uniform(-10, 10), chance.uniform(-1e4, 1e4), _size(chance, -30, 0)])
    near = _sign(chance) * a + chance.choice([0, chance.randrange(-200, 200) * 2 * math.pi])
    b = chance.choice(
        [near, near + _size(chance, -12, -1), chance.uniform(-10, 10), a * (1 + _size(chance, -15, -2))]
    )
    return [a, b] if abs(b) <= 1e4 else _cosines(chance)


def _gap(chance: random.Random) -> list[float]:
    x = _sign(chance) * chance.choice([chance.uniform(0, 600), _size(chance, -30, 1)])
    y = chance.choice(
        [
            x * (1 + _sign(chance) * _size(chance, -15, -1)),
            x - chance.uniform(0.1, 3),
            chance.uniform(-600, 600),
        ]
    )
    return [x, y] if abs(y) <= 600 else _gap(chance)


def _loss(chance: random.Random) -> list[float]:
    return [
        chance.choice(
            [_sign(chance) * _size(chance, -90, -1), chance.uniform(-0.9, 1), chance.uniform(1, 10)]
        )
    ]


def _means(chance: random.Random) -> list[float]:
    a = _size(chance, -89, 89)
    b = a * chance.choice(
        [1 + _sign(chance) * _size(chance, -14, -0.1), _size(chance, -2, 2), _size(chance, -100, 100)]
    )
    return [a, b] if 1e-90 <= b <= 1e90 else _means(chance)


def _planck(chance: random.Random) -> list[float]:
    return [
        _sign(chance)
        * chance.choice([_size(chance, -100, 0), chance.uniform(0.1, 9), chance.uniform(9, 700)])
    ]


def _turn(chance: random.Random) -> list[float]:
    def part() -> float:
        return _sign(chance) * _size(chance, -20, 20)

    a, b, size = part(), 0.0, part()
    b = a * chance.uniform(-3, 3)
    if chance.random() < 0.2:
        return [a, b, part(), part()]
    c, e = (a, b) if chance.random() < 0.8 else (-b, a)
    off = _size(chance, -16, -1)
    return [a, b, c * size * (1 + _sign(chance) * off), e * size]


MAKERS: dict[str, Callable[[random.Random], list[float]]] = {
    "decay": _decay, "annuity": _annuity, "chance": _chance, "mills": _mills_at, "kepler": _kepler_at,
    "divergence": _divergence, "harmonic": _harmonic, "cosines": _cosines, "gap": _gap, "loss": _loss, "means": _means,
    "planck": _planck, "turn": _turn,
}  # fmt: skip


def formulas_of(seed: int) -> list[str]:
    """The names of a seed's formulas, in the order of the prompt."""
    chance = random.Random(f"unstable {seed}")
    others = chance.sample([name for name in SAID if name not in ALWAYS], CHOSEN - len(ALWAYS))
    names = [*ALWAYS, *others]
    chance.shuffle(names)
    return names


def cases(seed: int) -> list[tuple[str, list[list[Decimal]]]]:
    """An input for each formula, and the true values of its lines."""
    found = []
    for name in formulas_of(seed):
        chance = random.Random(f"unstable {seed} {name}")
        lines: list[str] = []
        true: list[list[Decimal]] = []
        while len(lines) < EACH:
            numbers = MAKERS[name](chance)
            if len(set(numbers)) < len(numbers):
                continue
            result = truth(name, numbers)
            if Decimal("1e-290") < abs(result) < Decimal("1e290"):
                lines.append(" ".join([name, *map(repr, numbers)]))
                true.append([result])
        found.append(("\n".join(lines) + "\n", true))
    return found


def build(seed: int) -> Node:
    """The test of a seed: the choice of formulas and the numbers differ."""
    names = formulas_of(seed)
    width = max(len(SAID[name][0]) for name in names) + 4
    said = "\n".join(f"    {SAID[name][0]:<{width}}{SAID[name][1]}" for name in names)
    question = PROMPT.format(formulas=said, lines=EACH * CHOSEN)
    program = question >> LLMRun() >> ExtractCode(keep_main=True, lang="c") >> MakeFile("solution.c")
    return program >> Cases(
        "./solution",
        partial(cases, seed),
        files=["solution.c"],
        build=BUILD,
        agrees=partial(share_within, BOUND),
    )
