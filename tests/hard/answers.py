"""Replies that end with a line for each question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from evaluator import *

MOST = 200  # characters of an answer


def answers(reply: str, names: Mapping[str, Any]) -> dict[str, str]:
    """What is said last behind each name and a colon, without marks of Markdown."""
    plain = re.sub(r"[*_`|]", " ", reply)
    found = {}
    for line in plain.splitlines():
        name, colon, said = line[: MOST + 50].partition(":")
        name = name.strip(" -#\t>").upper()
        if colon and name in names:
            found[name] = said.strip()
    return found


def plainly(said: str) -> str:
    """Small letters and digits with single blanks between words; 1,204 is 1204."""
    said = re.sub(r"(?<=\d),(?=\d{3}\b)", "", said)
    return " ".join(re.findall(r"[a-z0-9+-]+", said.lower()))


def same_words(said: str, wanted: Any) -> bool:
    """Whether the words are the same, whatever stands between them."""
    return plainly(said) == plainly(str(wanted))


def same_number(said: str, wanted: Any) -> bool:
    """Whether one whole number is said, with a unit or without, and it is the wanted one."""
    found = re.findall(r"[+-]?\d+", plainly(said.replace("\u2212", "-")))
    return len(found) == 1 and int(found[0]) == wanted


def same_set(said: str, wanted: Any) -> bool:
    """Whether the same words are named, in whatever order."""
    return set(plainly(said.replace(",", " ")).split()) == {plainly(str(each)) for each in wanted}


def judge_all(
    wanted: Callable[[], Mapping[str, Any]], agrees: Callable[[str, Any], bool], reply: str
) -> tuple[Score, str]:
    """The share of right answers; passed if all are right. `wanted` is called on the host when it is needed."""
    expected = wanted()
    said = answers(reply, expected)
    wrong = [name for name, value in expected.items() if not agrees(said.get(name, ""), value)]
    told = "; ".join(f"{name}: {said.get(name, 'nothing')[:60]!r}, not {expected[name]}" for name in wrong)
    return Score(1 - len(wrong) / len(expected), not wrong), told
