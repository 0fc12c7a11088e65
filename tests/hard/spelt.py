"""Messages of digits that are spelt out, for ciphers to hide, and the judge of a reply that says the digits."""

from __future__ import annotations

import random
import re

from evaluator import *

from .answers import answers

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LETTERS = "efghinorstuvwxz"  # those of the words


def drawn(chance: random.Random, count: int) -> str:
    """A message of so many digits, each at least twice, so that no letter's meaning stays open."""
    digits = [*range(10), *range(10), *(chance.randrange(10) for _ in range(count - 20))]
    chance.shuffle(digits)
    return "".join(map(str, digits))


def spelt(digits: str) -> str:
    """The digits as words without blanks."""
    return "".join(WORDS[int(digit)] for digit in digits)


def grouped(text: str, size: int = 5, groups: int = 14) -> str:
    """The text in groups, so many a line."""
    parts = [text[n : n + size] for n in range(0, len(text), size)]
    return "\n".join(f"    {' '.join(parts[n : n + groups])}" for n in range(0, len(parts), groups))


def judge_digits(digits: str, reply: str) -> tuple[Score, str]:
    """The share of digits that are right at their place; passed if all are."""
    said = re.sub("[^0-9]", "", answers(reply, {"MESSAGE": digits}).get("MESSAGE", ""))
    right = sum(one == other for one, other in zip(said, digits, strict=False))
    return Score(right / max(len(said), len(digits)), said == digits), f"{said or 'nothing'}, not {digits}"


def wrong_digits(digits: str) -> list[str]:
    """Replies that are wrong for every message, for references."""
    other = str((int(digits[0]) + 1) % 10)
    said = (other + digits[1:], digits[:-1], digits[::-1], digits[-1] + digits, spelt(digits))
    # A message that reads the same backwards would make the third one right.
    return [f"I tried some keys.\n\nMessage: {each}" for each in said if each != digits] + ["It is lost."]
