"""The problems: eight variants, any depth, drawn from a seed so that every model gets the same ones.

>>> cell = Cell("float_div", 2)
>>> cell.problem(1) == cell.problem(1) != cell.problem(2)
True
>>> print(draw("int_sub", 3, "example").question)
Compute the following and reply with only the numeric result, no explanation:
   935 - 391
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal

VARIANTS = (
    "int_add", "int_sub", "int_mul", "int_div", "float_add", "float_sub", "float_mul", "float_div",
)  # fmt: skip
SYMBOLS = {"add": "+", "sub": "-", "mul": "×", "div": "÷"}
MINUS = "\u2212"  # as a reader knows it; a model is shown the keyboard's
REQUEST = "Compute the following and reply with only the numeric result, no explanation:"
SEED = 20250501
DEEPEST = 100  # digits of an operand; the reader takes numbers of up to three times as many

EXACT = Context(prec=1000, rounding=ROUND_HALF_EVEN)  # for every number that the reader lets through
FOUR_PLACES = Decimal("0.0001")

Number = int | Decimal


@dataclass(frozen=True)
class Problem:
    """One question and its answer: ints for an int_ variant, else decimals with two places, the truth with
    two (add, sub) or four (mul, div)."""

    variant: str
    depth: int
    operands: tuple[Number, Number]
    correct: Number

    @property
    def expression(self) -> str:
        left, right = self.operands
        return f"{left} {SYMBOLS[self.variant.partition('_')[2]]} {right}"

    @property
    def question(self) -> str:
        """What the model is asked, in one message."""
        return f"{REQUEST}\n   {self.expression}"


@dataclass(frozen=True)
class Cell:
    """All problems of one variant and depth: drawn from the seed, or the `given` ones of a stored run."""

    variant: str
    depth: int
    seed: int = SEED
    given: tuple[Problem, ...] = ()

    def problem(self, epoch: int) -> Problem:
        """The problem of an epoch, counted from 1; the same at every call and for every model."""
        if self.given:
            return self.given[epoch - 1]
        return draw(self.variant, self.depth, f"{self.seed}/{self.variant}/{self.depth}/{epoch}")


def draw(variant: str, depth: int, seed: str) -> Problem:
    """A problem whose operands have `depth` digits before the point.

    int_div: divisor and quotient are drawn and the dividend is their product, so the quotient is exact.
    float_ variants are drawn as whole hundredths; float_div as int_div, so its quotient is a whole number.
    """
    kind, _, operation = variant.partition("_")
    scale = 1 if kind == "int" else 100
    low, high = scale * 10 ** (depth - 1), scale * (10**depth - 1)
    source = random.Random(seed)
    a, b = source.randint(low, high), source.randint(low, high)
    left, right = (a * b, b) if operation == "div" else (a, b)
    if kind == "int":
        return Problem(variant, depth, (left, right), int(solve(operation, Decimal(left), Decimal(right))))
    operands = EXACT.scaleb(Decimal(left), -2), EXACT.scaleb(Decimal(right), -2)
    correct = solve(operation, *operands)
    if operation in ("mul", "div"):
        correct = correct.quantize(FOUR_PLACES, context=EXACT)
    return Problem(variant, depth, operands, correct)


def solve(operation: str, left: Decimal, right: Decimal) -> Decimal:
    """left + - * or / right, exact wherever the problems' answers are."""
    compute = {"add": EXACT.add, "sub": EXACT.subtract, "mul": EXACT.multiply, "div": EXACT.divide}
    return compute[operation](left, right)


def depths_of(text: str) -> tuple[int, ...]:
    """
    >>> depths_of("2-5"), depths_of("3"), depths_of("2,4,8-10")
    ((2, 3, 4, 5), (3,), (2, 4, 8, 9, 10))

    Raises ValueError saying what to write.
    """
    found: set[int] = set()
    for part in text.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise ValueError(f"{text!r} is not a list of depths; write e.g. 2-10 or 3,5,8-10")
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or numbers[0] < 1 or numbers[-1] > DEEPEST:
            raise ValueError(f"{text!r}: depths go from 1 to {DEEPEST}, the smaller one first")
        found.update(numbers)
    return tuple(sorted(found))


def cells(depths: Iterable[int], seed: int = SEED) -> list[Cell]:
    """Every cell of a run, variant by variant."""
    depths = tuple(depths)
    return [Cell(variant, depth, seed) for variant in VARIANTS for depth in depths]
