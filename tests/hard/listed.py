"""Replies with a line for each question: states written in digits, or numbers that are weighed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from evaluator import Score

MOST = 4000  # characters of an answer


def said_of(reply: str, names: Collection[str]) -> dict[str, str]:
    """What is said last behind each name and a colon, without marks of Markdown; lists may go on in the next line."""
    found: dict[str, str] = {}
    open_name = ""
    for line in re.sub(r"[*_`|$]", " ", reply).splitlines():
        name, colon, said = line[:MOST].partition(":")
        name = name.strip(" -#\t>").upper()
        if colon and name in names:
            found[name], open_name = said, name
        elif (
            open_name
            and re.fullmatch(r"[\d\s,;()]*\d[\d\s,;()]*", line[:MOST])
            and len(found[open_name]) < MOST
        ):
            found[open_name] += f" {line[:MOST]}"
        else:
            open_name = ""
    return found


def states_in(said: str, width: int) -> set[str]:
    """The states that are named, each as its digits; whatever stands between digits does not matter."""
    digits = "".join(re.findall(r"[0-9]", said))
    return {digits[at : at + width] for at in range(0, len(digits), width)}


def whole_numbers(said: str) -> list[int]:
    """The whole numbers that are said, without the names of what they are, as in "x1 = -3"."""
    plain = re.sub(r"\b[A-Za-z]+\d*\s*=", " ", said.replace("\u2212", "-"))
    return [int(each) for each in re.findall(r"[+-]?\d{1,12}", re.sub(r"([+-])\s+(?=\d)", r"\1", plain))]


def judge_each(names: Collection[str], against: Callable[[str, str], str], reply: str) -> tuple[Score, str]:
    """The share of right answers; passed if all are right. `against(name, said)` is what is wrong with one, or nothing."""
    said = said_of(reply, names)
    found = {name: against(name, said[name]) if name in said else "no answer" for name in names}
    wrong = [f"{name}: {why}" for name, why in found.items() if why]
    return Score(1 - len(wrong) / len(names), not wrong), "; ".join(wrong)


def judge_lists(wanted: Callable[[], Mapping[str, Collection[str]]], reply: str) -> tuple[Score, str]:
    """The share of lists that name exactly the wanted states, which all have as many digits; passed if all do."""
    lists = wanted()

    def against(name: str, said: str) -> str:
        right = set(lists[name])
        named = states_in(said, len(min(right)))
        missing, other = sorted(right - named), sorted(named - right)
        told = [f"without {' '.join(missing[:9])}"] * bool(missing) + [f"with {' '.join(other[:9])}"] * bool(
            other
        )
        return f"{len(right)} states, but the list is {' and '.join(told)}" if told else ""

    return judge_each(lists, against, reply)
