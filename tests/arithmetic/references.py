"""What proves the suite: the oracle's answers, right in every dressing, and the saboteur's, each wrong in
its own way. They answer the question that is asked, so they hold for any seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial

from assay.records import Message, TrialKey

from .dressings import DRESSINGS
from .problems import EXACT, FOUR_PLACES, SYMBOLS, solve

Reply = Callable[[Sequence[Message]], str]
EXPRESSION = re.compile(r"(\S+) ([+×÷-]) (\S+)\Z")
NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def answer_to(question: str) -> Decimal:
    """The right answer to a question of this suite. Raises ValueError for any other text."""
    found = EXPRESSION.search(question)
    if found is None:
        raise ValueError(f"no question of this suite: {question[-80:]!r}")
    operation = next(name for name, symbol in SYMBOLS.items() if symbol == found[2])
    correct = solve(operation, Decimal(found[1]), Decimal(found[3]))
    if "." in found[1]:
        return correct.quantize(FOUR_PLACES, context=EXACT) if operation in ("mul", "div") else correct
    return correct


def off_by_one(right: Decimal) -> Decimal:
    """The last digit is another one."""
    unit = Decimal(1).scaleb(int(right.as_tuple().exponent))
    up, down = EXACT.add(right, unit), EXACT.subtract(right, unit)
    return down if str(right).endswith("9") else up


def in_words(right: Decimal) -> str:
    said = {"-": "minus", ".": "point"} | {str(digit): name for digit, name in enumerate(NAMES)}
    return " ".join(said[sign] for sign in f"{right:f}")


def as_fraction(right: Decimal) -> tuple[Decimal, int]:
    """Numerator and denominator; the latter is not by chance the answer."""
    below = 7 if right != 7 else 9
    return EXACT.multiply(right, Decimal(below)), below


def _fraction(right: Decimal) -> str:
    return "{:f}/{}".format(*as_fraction(right))


def _latex_fraction(right: Decimal) -> str:
    return r"\[ \frac{{{:f}}}{{{}}} \]".format(*as_fraction(right))


WRONG: dict[str, Callable[[Decimal], str]] = {
    "off by one in the last digit": lambda right: f"{off_by_one(right):f}",
    "off by one, boxed": lambda right: rf"It is \boxed{{{off_by_one(right):,f}}}, and not {right:f}",
    "right in the middle, wrong at the end": lambda right: f"{right:f}? I checked it: {off_by_one(right):f}",
    "right first, wrong in the box": lambda right: (
        rf"\boxed{{{right:f}}}, or \boxed{{{off_by_one(right):f}}}"
    ),
    "not quite": lambda right: f"{EXACT.add(right, FOUR_PLACES):f}",
    "more than a half more": lambda right: f"{EXACT.add(right, Decimal('0.58')):f}",
    "ten times as much": lambda right: f"{EXACT.add(EXACT.scaleb(right, 1), Decimal(1)):f}",
    "fraction": _fraction,
    "fraction in LaTeX": _latex_fraction,
    "in words": in_words,
    "only thought": lambda right: f"<think>It is {right:f}.</think> I would rather not say.",
    "still thinking": lambda right: f"<think>It must be {right:f}",
    "empty": lambda right: "",
    "only spaces": lambda right: " \n\t ",
    "refusal": lambda right: "I cannot help with that.",
    "a thousand digits": lambda right: "8" * 1000,
    "a thousand zeros more": lambda right: f"{right:f}".partition(".")[0] + "0" * 1000 + "1",
    "huge exponent": lambda right: f"{right:f}e999999999",
    "tiny exponent": lambda right: rf"{right:f} \times 10^{{-999999999}}",
    "empty box": lambda right: r"\boxed{}",
    "wrong sign": lambda right: f"{EXACT.subtract(EXACT.minus(right), Decimal(1)):f}",
}


def _reply(write: Callable[[Decimal], str], messages: Sequence[Message]) -> str:
    return write(answer_to(messages[-1].content))


def references(trial: TrialKey, right: bool) -> list[Reply]:
    """A reply for each dressing, or for each way to be wrong."""
    return [partial(_reply, write) for write in (DRESSINGS if right else WRONG).values()]
