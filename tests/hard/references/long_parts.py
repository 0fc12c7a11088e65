"""Right and wrong costs for long_parts, by a reader of the prompt's own words."""

from __future__ import annotations

import re
from functools import cache

from ..long_parts import TASK
from .lines import near_misses, right_forms


class _Reader:
    """What the book says; `forgotten` is a rule that a hurried reader leaves out."""

    def __init__(self, text: str, forgotten: str) -> None:
        said = {
            int(number): what
            for number, what in re.findall(r"(?m)^(\d+)\. (\S.*)$", text.partition("THE BOOK")[2])
        }
        void = {int(each.split()[0]) for each in said.values() if each.endswith(" is void")}
        self.forgotten, self.lines = (
            forgotten,
            [said[n] for n in sorted(said, reverse=True) if forgotten == "void" or n not in void],
        )
        self.about: dict[str, list[tuple[int, str]]] = {}
        for line in self.lines:
            if m := re.fullmatch(
                r"from day (\d+): (\S+ (?:is made in|comes from|delivers in|costs)) (.*)", line
            ):
                about, what = m[2], m[3]
                if about.endswith("costs"):
                    what, _, supplier = what.partition(" at ")
                    about += f" at {supplier}"
                self.about.setdefault(about, []).append((int(m[1]), what))
        pattern = (
            r"from day (\d+) to day (\d+): (?:in (\w+) )?(\d) (\w+) replaces? each (\w+)(?: everywhere)?"
        )
        found = (re.fullmatch(pattern, line) for line in self.lines)
        self.replaced = [(int(m[1]), int(m[2]), m[3] or "", m[6], int(m[4]), m[5]) for m in found if m]

    def at(self, about: str, day: int) -> str:
        return max((first, what) for first, what in self.about[about] if first <= day)[1]

    def cost(self, item: str, day: int) -> int:
        if item.startswith("P"):
            supplier = self.at(f"{item} comes from", day)
            ordered = day - int(self.at(f"{supplier} delivers in", day).split()[0])
            return int(
                self.at(f"{item} costs at {supplier}", day if self.forgotten == "delivery" else ordered)
            )
        days, _, items = self.at(f"{item} is made in", day).partition(" days of ")
        begin = day if self.forgotten == "making" else day - int(days)
        total = 0
        for count, name in (each.split() for each in items.split(", ")):
            number = int(count)
            while its := self.replacement(name, item, begin):
                number *= its[0]
                name = its[1]
                if self.forgotten == "again":
                    break
            total += number * self.cost(name, begin)
        return total

    def replacement(self, name: str, whole: str, day: int) -> tuple[int, str] | None:
        its = [
            each
            for each in self.replaced
            if each[3] == name and each[0] <= day <= each[1] and each[2] in (whole, "")
        ]
        its.sort(key=lambda each: not each[2])  # those everywhere last; the highest number first
        return (its[0][4], its[0][5]) if its else None


@cache
def _costs(seed: int, forgotten: str = "") -> dict[str, int]:
    text = TASK.puzzle(seed)[0]
    reader = _Reader(text, forgotten)
    asked = re.findall(r"(?m)^(Q\d+): one (M\d+) on day (\d+)$", text)
    return {name: reader.cost(machine, int(day)) for name, machine, day in asked}


def right(seed: int) -> list[str]:
    return right_forms(_costs(seed))


def wrong(seed: int) -> list[str]:
    """One rule is forgotten."""
    return near_misses(
        _costs(seed), *(_costs(seed, each) for each in ("void", "delivery", "making", "again"))
    )
