"""Claims about bits: which hold for all values of eight bits, and which have a counterexample somewhere."""

from __future__ import annotations

import random
import re
from functools import partial

from evaluator import *

from .replies import judge_chosen

DESCRIPTION = (
    "Can the model tell claims about bit operations that always hold from those that fail for a few values?"
)
TAGS = ["medium", "reasoning", "math"]

# (claim, whether it holds); found by a random search, and proven for all values in references/
EQUAL = (
    ("~((x & 254) & (x & y)) == (~(x & y)) | ((y ^ x) ^ 1)", True),
    ("2 & ((x | y) - x) == (~(85 | x)) & ((y & 3) ^ (x & 2))", True),
    ("(-x - -y) - x == (-x << 1) - (-x + (x - y))", True),
    ("((x & y) ^ -y) & 1 == 1 & ((x | y) - (85 & x))", True),
    ("~((1 & x) & -y) == (~(x & y)) | ((1 ^ y) | (7 - x))", True),
    ("-((y & x) - (x - y)) == (-(x & y)) + (-y - -x)", True),
    ("((1 | x) & (x & y)) << 2 == ((y << 1) << 1) & (x << 2)", True),
    ("((x | y) ^ 128) << 2 == ((x | y) ^ (128 & x)) << 2", True),
    ("(y | (y & x)) << 4 == ((2 - x) | (254 | y)) & (y << 4)", True),
    ("((y - x) * -x) & 1 == ((y + x) & (y + 15)) & 1", True),
    ("(128 + (x | y)) << 3 == (x << 3) | ((x ^ y) << 3)", True),
    ("((y + x) + y) << 4 == ((128 | y) + (y + x)) << 4", True),
    ("((x ^ y) + (x & y)) << 2 == ((x | y) ^ (128 & x)) << 2", True),
    ("(~(y * x)) | (~(y & 1)) == (~(x & y)) | ((1 ^ y) | (7 - x))", True),
    ("(~y & (x ^ y)) >> 2 == ((x ^ 1) & (y ^ x)) >> 2", True),
    ("1 & (~x | (y - 7)) == (-x - ~x) & (~(x & y))", True),
    ("(~y | x) & (~y & 2) == (2 | (y & x)) & ((15 ^ y) & ~y)", True),
    ("(~y + (x | 1)) + y == (y + ~y) * (-x + (1 & x))", True),
    ("((x ^ y) & x) & 1 == (-x + y) & ((x & 3) & -x)", False),
    ("((x + 2) + -x) - y == (-(y + 254)) | ((y & 2) & (x + y))", False),
    ("((y + x) & (y + 15)) & 1 == (-x + y) & ((x & 3) & -x)", False),
    ("~((y >> 3) ^ (y + x)) == (~(x + y)) ^ ((1 + y) >> 3)", False),
    ("3 & ((2 ^ x) & (x * y)) == ((x | 15) & (x & y)) & 1", False),
    ("-x & ((y - 128) & (x & 3)) == (-y & (x & 3)) & (y | (x & y))", False),
    ("3 & ((2 ^ x) & (x * y)) == ((2 + x) & (y & 1)) & -x", False),
    ("~((x - 3) + (y - x)) == (-(y + 254)) | ((y & 2) & (x + y))", False),
    ("((y & x) >> 2) >> 2 == (~(x & 178)) & ((y & x) >> 4)", False),
    ("((2 | x) | (y + 2)) >> 4 == ((y ^ x) | (y & x)) >> 4", False),
    ("((y ^ x) | (y & x)) >> 4 == ((2 + y) | (y ^ x)) >> 4", False),
    ("y & (x & 128) == (~x ^ (3 + y)) & (-(128 & x))", False),
    ("~((x & 2) & (x - y)) == (~(x & 2)) | (y & (y & x))", False),
    ("(-x + y) & ((x & 3) & -x) == (-y + (x ^ y)) & ((y - x) & 1)", False),
    ("3 & ((2 ^ x) & (x * y)) == ((y & 1) & -x) & (-(y ^ 2))", False),
    ("(y & (x | y)) << 4 == ((2 - x) | (224 | y)) & (y << 4)", False),
)
AT_MOST = (
    ("(x ^ (x | y)) >> 3 <= y | ((x + y) | 1)", True),
    ("(-x & (x >> 3)) & (7 + (1 + y)) <= ((7 | x) << 2) | ((y ^ 15) - ~x)", True),
    ("~((y ^ 2) | (3 & x)) <= (~(y | 2)) | (~(x << 2))", True),
    ("(~x - (1 & y)) >> 4 <= (~(y << 3)) | ((x ^ y) | (y + x))", True),
    ("((y ^ x) & (y + 7)) >> 4 <= ((3 | x) ^ (x ^ y)) | y", True),
    ("((15 - x) ^ ~y) & (-x >> 3) <= y | (1 ^ -x)", True),
    ("((y + 1) + (x >> 4)) & (~(1 | x)) <= ((y ^ x) * (15 - x)) | ~x", True),
    ("(2 & (x ^ 2)) & ((y + x) | -x) <= (~(128 ^ x)) & ((y ^ x) | ~x)", True),
    ("((x - 1) | (x ^ y)) & x <= x | (~(y << 1))", True),
    ("((y >> 4) & (1 + x)) & y <= y | ((x & y) >> 4)", True),
    ("((x | 3) + -y) >> 4 <= ((y & x) << 1) | 85", True),
    ("(y * (y >> 3)) & ((x * y) & 1) <= ((y - 128) | 7) & ((x + 15) ^ y)", True),
    ("x & (y >> 1) <= x | ((85 + y) & (y ^ x))", True),
    ("(-(x & y)) >> 2 <= (~(x & y)) | (~x ^ (y >> 3))", True),
    ("((15 & y) & (3 ^ x)) >> 1 <= (-y ^ x) | (-(15 - x))", True),
    ("(-x & (15 + x)) & y <= ((x & 1) ^ y) | (-(7 + x))", True),
    ("(-(x >> 1)) & ((y & x) ^ (x ^ 1)) <= x | (-y | (y ^ 15))", True),
    ("-y & ((y & x) << 1) <= ((x - 1) | (x & y)) | (y - ~y)", True),
    ("(x & (y >> 4)) >> 2 <= x - (~y >> 2)", False),
    ("x - (15 - (y * 85)) <= ((x + y) & 1) - 2", False),
    ("x & (-(y | x)) <= ((2 + y) ^ (x & y)) - (1 ^ ~y)", False),
    ("((y | 7) >> 4) & ((y >> 2) + x) <= ((1 & y) & (x ^ y)) - ~y", False),
    ("((7 | x) + (1 - y)) >> 4 <= (~(x ^ 3)) | ((x & 3) ^ ~y)", False),
    ("-(~x | -y) <= ~(-y & (x + 2))", False),
    ("1 + ((y >> 2) & (7 + x)) <= ((x << 1) & (x * y)) | (-(x >> 1))", False),
    ("(y & (1 & x)) << 2 <= -((y - x) ^ ~x)", False),
    ("((128 & x) | (128 & y)) >> 3 <= (-x ^ (y | x)) << 2", False),
    ("((x - 7) >> 2) & (~x | -y) <= ((x | y) << 2) | ((x << 4) & ~x)", False),
    ("(y >> 2) & x <= x + ((y & 1) | 1)", False),
    ("((x << 2) & y) & ((x >> 2) >> 3) <= (~(y - 1)) + ((x | y) + (x >> 2))", False),
    ("((15 | y) ^ y) | ((2 & x) << 2) <= ((254 ^ y) | (y + x)) ^ 7", False),
    ("~(-y | (x ^ y)) <= x | ((7 - y) >> 2)", False),
    ("(-y & (128 - x)) << 4 <= ((x - y) & (y - x)) ^ (~(1 & y))", False),
    ("-(-x | (y >> 2)) <= ((y << 1) | (2 ^ x)) | (-(y >> 4))", False),
    ("((y & x) << 4) >> 3 <= y | (~(x << 4))", False),
    ("((7 ^ x) - (2 & y)) >> 1 <= (~(y - x)) | y", False),
)
ONCE = (
    ("(~(x ^ 1)) ^ (x >> 3)", True),
    ("-((x & 1) | x)", True),
    ("((x << 2) & (7 & x)) | x", True),
    ("~((x ^ 1) & (x | 7))", True),
    ("x | (x & (x >> 1))", True),
    ("((1 | x) << 1) + (-(128 + x))", True),
    ("((x << 3) >> 4) ^ x", True),
    ("((x | 2) >> 1) ^ x", True),
    ("x - ((x & 3) << 3)", True),
    ("~((x & 1) | x)", True),
    ("(~(7 | x)) | (~(x ^ 2))", True),
    ("x | (x | (x & 2))", True),
    ("(~(2 + x)) ^ ((1 | x) << 4)", True),
    ("~((x >> 4) ^ (x ^ 1))", True),
    ("(15 | (x >> 4)) ^ x", True),
    ("(~(x >> 3)) ^ x", True),
    ("x - ((1 | x) >> 3)", False),
    ("((1 | x) >> 1) - ~x", False),
    ("~((x >> 3) + (x ^ 1))", False),
    ("(x ^ (7 & x)) | (1 + (x - 2))", False),
    ("-(x + (x >> 4))", False),
    ("(2 + (x + 2)) + (-x >> 3)", False),
    ("((x >> 4) - (1 + x)) ^ 128", False),
    ("x + (x >> 3)", False),
    ("x ^ ((x + 7) >> 3)", False),
    ("x - ((7 - x) >> 1)", False),
    ("(x >> 1) + x", False),
    ("((x ^ 2) >> 1) ^ ((3 + x) - -x)", False),
    ("((x + 3) + (x >> 2)) ^ 15", False),
    ("x + ((x - 1) >> 4)", False),
    ("(~x >> 4) ^ -x", False),
    ("x + ((x | 1) >> 2)", False),
    ("-((x | 7) & (2 + x))", False),
    ("((x << 1) >> 4) + x", False),
)
NUMBER = 24
PROMPT = """All values here are whole numbers of eight bits, 0 to 255, without a sign. + - * and unary - are taken modulo 256; ~ inverts the
eight bits; & | ^ are bit by bit; << drops what leaves the eight bits at the top, >> fills with zeros at the top. Constants are such
values, too. Decide about each claim.

In claims 1 to {first_end}, "L = R" says that both sides are equal for all values of {a} and {b}, and "L <= R" that the left side is at most the
right side for all of them. Claims {second} to {number} name a function of {a}; the claim is that it takes different values for different {a}.

{claims}

Many of the claims that are false fail for few values only. Work it out without running any code. End your reply with a line that begins
with "True:" and has the numbers of all claims that hold, separated by commas; it passes if exactly these are named."""


def claims_of(seed: int) -> tuple[list[tuple[str, bool]], int, str, str]:
    """The claims, how many of them have two sides, and the names of the variables."""
    chance = random.Random(f"bits {seed}")
    two = [*chance.sample(EQUAL, NUMBER // 3), *chance.sample(AT_MOST, NUMBER // 3)]
    chance.shuffle(two)
    a, b = chance.choice([("x", "y"), ("a", "b"), ("m", "n"), ("p", "q"), ("u", "v")])

    def renamed(claim: str) -> str:
        return re.sub("[xy]", lambda found: a if found[0] == "x" else b, claim)

    claims = [(renamed(claim), holds) for claim, holds in (*two, *chance.sample(ONCE, NUMBER - len(two)))]
    return claims, len(two), a, b


def build(seed: int) -> Node:
    """The test of a seed."""
    claims, two, a, b = claims_of(seed)
    lines = (f"{n:>4}. {claim.replace('==', '=')}" for n, (claim, _) in enumerate(claims, 1))
    question = PROMPT.format(claims="\n".join(lines), first_end=two, second=two + 1, number=NUMBER, a=a, b=b)
    wanted = [n for n, (_, holds) in enumerate(claims, 1) if holds]
    return question >> LLMRun() >> PyFunc(partial(judge_chosen, "True", lambda: wanted, NUMBER))
