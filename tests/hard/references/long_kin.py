"""Right and wrong names for long_kin, by a reader of the prompt's own words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from ..long_kin import TASK
from .lines import near_misses, right_forms

NAME = r"([A-Z]\w+ [A-Z]\w+)"


@cache
def _parsed(text: str) -> tuple[str, list[str], list[tuple[str, str]]]:
    """What happens, to whom, and who gets which name."""
    called = re.findall(rf"(\w+) is called {NAME}", text)
    what = text.partition(" is called ")[0] if "; " not in text else text.partition("; ")[0]
    kind = next(
        (each for each in ("born", "marry", "adopt", "ends") if f" {each} " in f"{what} ".replace(",", " ")),
        "",
    )
    return "born" if what.endswith("comes to the valley") else kind, re.findall(NAME, what), called


@dataclass(eq=False)
class _Person:
    name: str
    birth: tuple[_Person, ...] = ()
    parents: tuple[_Person, ...] = ()
    spouses: list[_Person] = field(default_factory=list)


class _Reader:
    """What the register says until the end of a year."""

    def __init__(self, entries: list[tuple[str, str]], year: int, forgotten: str) -> None:
        self.people: list[_Person] = []
        self.by_name: dict[str, _Person] = {}
        for when, text in entries:
            if int(when) > year:
                break
            self._read(text, forgotten)

    def _new(self, name: str, *parents: _Person) -> None:
        self.by_name[name] = _Person(name, parents, parents)
        self.people.append(self.by_name[name])

    def _read(self, text: str, forgotten: str) -> None:
        kind, names, called = _parsed(text)
        if kind == "born":
            self._new(names[0], *(self.by_name[name] for name in names[1:]))
            return
        its = [self.by_name[name] for name in names]
        if kind == "marry":
            its[0].spouses.append(its[1])
            its[1].spouses.append(its[0])
        elif kind == "adopt" and forgotten != "adoptions":
            its[2].parents = (its[0], its[1])
        elif kind == "ends" and forgotten != "ends":
            its[0].parents = its[0].birth
        for who, name in called:
            self._call(its[{"he": 1, "she": 0}[who] if kind == "marry" else -1], name)

    def _call(self, person: _Person, name: str) -> None:
        if self.by_name.get(person.name) is person:
            del self.by_name[person.name]
        person.name = name
        self.by_name[name] = person

    def step(self, person: _Person, how: str) -> _Person:
        children = [each for each in self.people if person in each.parents]
        siblings = [each for each in self.people if each.parents and each.parents[:1] == person.parents[:1]]
        way, _, whom = how.rpartition(" ")
        if whom in ("mother", "father"):
            return person.parents[whom == "father"]
        if whom == "sibling":
            return siblings[siblings.index(person) + (1 if "younger" in way else -1)]
        return (children if whom == "child" else person.spouses)[
            {"eldest": 0, "first": 0, "second": 1}.get(way, -1)
        ]


@cache
def _names(seed: int, forgotten: str = "") -> dict[str, str]:
    text = TASK.puzzle(seed)[0]
    entries = re.findall(r"(?m)^(\d{4}): (.*)$", text)
    readers: dict[int, _Reader] = {}
    found = {}
    for name, start, begin, year, steps in re.findall(
        rf"(?m)^(Q\d+): {NAME} of (\d+), as of (\d+): (.*)$", text
    ):
        person: _Person
        for each in (int(begin), int(year)):
            readers.setdefault(each, _Reader(entries, each, forgotten))
        try:
            at = readers[int(begin)].people.index(readers[int(begin)].by_name[start])
            person = readers[int(year)].people[at]
            for step in steps.split(", "):
                person = readers[int(year)].step(person, step)
            found[name] = person.name
        except (KeyError, IndexError, ValueError):
            found[name] = start  # who misreads loses the thread
    return found


def right(seed: int) -> list[str]:
    return right_forms(_names(seed))


def wrong(seed: int) -> list[str]:
    """A hurried reader forgets adoptions, or that they end; a chain stops too early."""
    return near_misses(_names(seed), _names(seed, "adoptions"), _names(seed, "ends"))
