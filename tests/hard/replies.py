"""Reading a reply that ends in a line of numbers, and its score."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from evaluator import Score


def numbers_after(label: str, reply: str) -> list[int] | None:
    """The whole numbers of the last line that begins with the label and a colon; None without one.

    Bold, bullets, commas and blanks do not matter, and "none" is an empty list.
    """
    found = re.findall(rf"(?im)^[ \t#>.-]*{re.escape(label)}[ \t]*:([^\n]*)", re.sub(r"[*_`$]", "", reply))
    return [int(each) for each in re.findall(r"\d{1,6}", found[-1])] if found else None


def judge_chosen(label: str, wanted: Callable[[], Sequence[int]], items: int, reply: str) -> Score:
    """The share of items 1 to `items` that are rightly named or left out; passed if all are."""
    said = numbers_after(label, reply)
    if said is None:
        return Score(0.0, False)
    wrong = set(said) ^ set(wanted())
    return Score(max(0.0, 1 - len(wrong) / items), not wrong)
