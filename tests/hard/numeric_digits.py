"""Exact results of long arithmetic, worked out by mind."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache, partial
from math import gcd, isqrt

from evaluator import *

from .answers import judge_all

DESCRIPTION = "Can the model do long exact arithmetic by mind, ten results without a wrong digit?"
TAGS = ["hard", "reasoning", "arithmetic"]

PROMPT = """Work out these numbers exactly, without running any code. Quotients are rounded down to a whole number; "mod" gives the remainder, from 0 to one
less than the number behind it.

{questions}

End your reply with ten lines such as

Q1: 8127
Q2: 55"""


def _number(chance: random.Random, digits: int) -> int:
    return chance.randrange(10 ** (digits - 1), 10**digits)


def _determinant(rows: list[list[int]]) -> int:
    """By fractions, column after column."""
    cells, result = [[Fraction(each) for each in row] for row in rows], Fraction(1)
    for column in range(len(cells)):
        at = next((n for n in range(column, len(cells)) if cells[n][column]), None)
        if at is None:
            return 0
        if at != column:
            cells[at], cells[column], result = cells[column], cells[at], -result
        result *= cells[column][column]
        for row in cells[column + 1 :]:
            share = row[column] / cells[column][column]
            row[:] = [a - share * b for a, b in zip(row, cells[column], strict=True)]
    return int(result)


@cache
def questions(seed: int) -> dict[str, tuple[str, int]]:
    """Name -> question and answer."""
    chance = random.Random(f"digits {seed}")
    number = partial(_number, chance)
    found: list[tuple[str, int]] = []
    for _ in range(2):
        a, b = number(19), number(17)
        found.append((f"{a} * {b}", a * b))
    a, b = number(34), number(13)
    found.append((f"{a} divided by {b}", a // b))
    a = number(41)
    found.append((f"the largest whole number whose square is at most {a}", isqrt(a)))
    base, power, modulus = number(6), number(7), number(6) | 1
    found.append((f"{base} to the power of {power}, mod {modulus}", pow(base, power, modulus)))
    while True:
        modulus, a = number(13), number(12)
        if gcd(a, modulus) == 1:
            break
    found.append((f"the x from 0 to {modulus - 1} with {a} * x = 1 mod {modulus}", pow(a, -1, modulus)))
    rows = [[chance.randint(-9, 9) for _ in range(7)] for _ in range(7)]
    shown = "; ".join(" ".join(map(str, row)) for row in rows)
    found.append((f"the determinant of the matrix of seven rows ({shown})", _determinant(rows)))
    factor = number(7) | 1
    a, b = factor * number(9), factor * number(9)
    found.append((f"the greatest common divisor of {a} and {b}", gcd(a, b)))
    signs = "".join(chance.choices("0123456789abcdef", k=26)).lstrip("0")
    found.append((f"the hexadecimal number {signs}, in decimal", int(signs, 16)))
    a, b, c, d = number(9), number(9), number(9), number(9)
    found.append((f"{a} * {b} * {c} - {d} * {d}", a * b * c - d * d))
    return {f"Q{n}": each for n, each in enumerate(found, 1)}


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return {name: answer for name, (_, answer) in questions(seed).items()}


def agrees(said: str, expected: int) -> bool:
    """The number, whatever separates its digits in groups of three."""
    plain = re.sub(r"(?<=\d)[ ,_'\u2009](?=\d{3})", "", said.replace("\u2212", "-"))
    found: list[str] = re.findall(r"-?\d+", plain)
    return [each.lstrip("0") or "0" for each in found[:2]] == [str(expected)]


def build(seed: int) -> Node:
    """The test of a seed."""
    asked = "\n".join(f"    {name}: {question}" for name, (question, _) in questions(seed).items())
    question = PROMPT.format(questions=asked)
    return question >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), agrees))
