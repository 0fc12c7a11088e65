"""Floating-point numbers of few bits, added and multiplied by mind, each result rounded."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from functools import partial

from evaluator import *

from .answers import judge_all

DESCRIPTION = (
    "Can the model calculate with floats of six bits, rounding after each operation as the rules say?"
)
TAGS = ["hard", "math", "floating point"]

BITS = 6
NUMBER = 12
PROMPT = """A machine has floating-point numbers of {bits} significant bits: the numbers m * 2^e with whole m and e, |m| below {top}, and e at
least {least}. There is no largest number. So around 1000 the numbers are {step} apart, and the smallest positive one is 2^{least}.

Each single operation (+, -, *, and fma) is done exactly and then rounded to a number of the machine in the way that is named:
- nearest: to the nearest; if two are equally near, to the one whose m is even when the two are written with the same e, the smallest e that is
  possible for both.
- down: to the largest number that is not above the exact result.
- up: to the smallest number that is not below it.
- zero: to the nearest one that is not farther from 0.

fma(a, b, c) is a * b + c, rounded once. sum(a, b, c, ...) adds from left to right: ((a + b) + c) + ..., rounding each time. pairs(a, b, c, d, e, f, g, h) is
((a + b) + (c + d)) + ((e + f) + (g + h)). horner(x; a, b, c, ...) is (((a * x) + b) * x + c) ..., each product and each sum rounded.
kahan(a, b, c, ...) is what this program leaves in s:

    s = 0; r = 0
    for each v of a, b, c, ... in their order:
        y = v - r
        t = s + y
        r = (t - s) - y
        s = t

All numbers that are given are numbers of the machine. What is the result?

{questions}

Work it out without running any code. End your reply with {count} lines, one for each question, with the exact value as a decimal number, such as
"Q1: -10.75"."""


def rounded(value: Fraction, way: str, bits: int = BITS, least: int = -10) -> Fraction:
    """A number of the machine."""
    exponent = least
    while abs(value) >= Fraction(2) ** (exponent + bits):
        exponent += 1
    unit = Fraction(2) ** exponent
    below = value // unit
    if way == "nearest":
        return round(value / unit) * unit
    if way == "up" or (way == "zero" and value < 0):
        below = -(-value // unit)
    return below * unit


LEAST = -10


class Machine:
    """The operations in one way of rounding."""

    def __init__(self, way: str) -> None:
        self.way = way

    def put(self, value: Fraction) -> Fraction:
        """The exact value, rounded."""
        return rounded(value, self.way)

    def sum(self, *values: Fraction) -> Fraction:
        total, *rest = values
        for each in rest:
            total = self.put(total + each)
        return total

    def pairs(self, *values: Fraction) -> Fraction:
        row = list(values)
        while len(row) > 1:
            row = [self.put(a + b) for a, b in zip(row[::2], row[1::2], strict=True)]
        return row[0]

    def horner(self, x: Fraction, *coefficients: Fraction) -> Fraction:
        value, *rest = coefficients
        for each in rest:
            value = self.put(self.put(value * x) + each)
        return value

    def kahan(self, *values: Fraction) -> Fraction:
        s = r = Fraction(0)
        for v in values:
            y = self.put(v - r)
            t = self.put(s + y)
            r = self.put(self.put(t - s) - y)
            s = t
        return s

    def fma(self, *values: Fraction) -> Fraction:
        """fma(a, b, fma(c, d, e)), minus f."""
        a, b, c, d, e, f = values
        return self.put(self.put(a * b + self.put(c * d + e)) - f)


COUNTS = {"sum": 8, "pairs": 8, "horner": 6, "kahan": 7, "fma": 6}
WAYS = ("nearest", "nearest", "nearest", "down", "up", "zero")


def asked(seed: int) -> list[tuple[str, str, list[Fraction]]]:
    """Operations, ways of rounding and numbers; the exact result differs from the machine's."""
    chance = random.Random(f"small floats {seed}")
    kinds = ["sum", "pairs", "horner", "kahan", "fma"] * 3
    found: list[tuple[str, str, list[Fraction]]] = []
    for kind in kinds[:NUMBER]:
        while True:
            way = chance.choice(WAYS)
            numbers = [number(chance, kind, n) for n in range(COUNTS[kind])]
            results = {getattr(Machine(each), kind)(*numbers) for each in ("nearest", "down", "up", "zero")}
            if len(results) >= 3 and all(0 < abs(each) < 100_000 for each in results):
                break
        found.append((kind, way, numbers))
    chance.shuffle(found)
    return found


def number(chance: random.Random, kind: str, at: int) -> Fraction:
    """A number of the machine of a size that fits its place."""
    exponent = chance.randint(-3, 2) if kind in ("horner", "fma") else chance.randint(-5, 3)
    if kind == "horner" and at == 0:
        exponent = -5
    sign = -1 if chance.random() < 0.35 else 1
    return sign * Fraction(chance.randint(17, 63)) * Fraction(2) ** exponent


def text(value: Fraction) -> str:
    """The exact decimal; the denominator is a power of 2."""
    digits = value.denominator.bit_length() - 1
    whole = abs(value.numerator) * 5**digits
    shown = str(whole).rjust(digits + 1, "0")
    shown = (
        f"{shown[: len(shown) - digits]}.{shown[len(shown) - digits :]}".rstrip("0").rstrip(".")
        if digits
        else shown
    )
    return "-" * (value < 0) + shown


def question_of(kind: str, way: str, numbers: list[Fraction]) -> str:
    """The question in words."""
    shown = [text(each) for each in numbers]
    if kind == "horner":
        said = f"horner({shown[0]}; {', '.join(shown[1:])})"
    elif kind == "fma":
        a, b, c, d, e, f = shown
        said = f"fma({a}, {b}, fma({c}, {d}, {e})) - ({f})"
    else:
        said = f"{kind}({', '.join(shown)})"
    return f"{said}, rounding {'to ' * (way in ('nearest', 'zero'))}{way}"


def wanted(seed: int) -> dict[str, Fraction]:
    """The answers of a seed."""
    return {
        f"Q{n}": getattr(Machine(way), kind)(*numbers)
        for n, (kind, way, numbers) in enumerate(asked(seed), 1)
    }


def same_value(said: str, value: Fraction) -> bool:
    """Whether the decimal or fraction that is said first is exactly the value."""
    found = re.match(
        r"\s*=?\s*([+-]?)\s*(\d[\d,]*\.?\d*|\.\d+)(?:\s*/\s*(\d+))?", said.replace("\u2212", "-")
    )
    if found is None:
        return False
    sign, top, bottom = found.groups()
    said_value = Fraction(top.replace(",", "").rstrip(".")) / (int(bottom) if bottom and int(bottom) else 1)
    return (-said_value if sign == "-" else said_value) == value


def build(seed: int) -> Node:
    """The test of a seed."""
    question = PROMPT.format(
        bits=BITS,
        top=2**BITS,
        least=LEAST,
        step=2 ** (10 - BITS),
        questions="\n".join(f"Q{n}: {question_of(*each)}" for n, each in enumerate(asked(seed), 1)),
        count=NUMBER,
    )
    return question >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_value))
