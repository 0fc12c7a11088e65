"""A register of firms in which names change, are taken by other firms, and people change theirs too."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from evaluator import *

from .answers import judge_all, same_words

DESCRIPTION = "Can the model follow firms through a register in which names change hands?"
TAGS = ["medium", "reading", "register"]

ENTRIES, BEGIN, YEARS, LIVE = 840, 1871, 60, 34
FIRST = ("Anchor", "Beacon", "Crown", "Delta", "Falcon", "Globe", "Harvest", "Meteor", "Union")
SECOND = ("Foundry", "Mills", "Rope Works", "Brewery", "Tannery", "Press")
GIVEN = ("Ada", "Bruno", "Clara", "Dietz", "Edda", "Fritz", "Greta", "Hugo", "Irma", "Jonas", "Klara", "Ludo")
FAMILY = ("Abt", "Brand", "Cramer", "Dorn", "Ebel", "Frey", "Gahl", "Hein", "Imhof", "Jung", "Kolb", "Lenz")
TOWNS = (
    "Altenau", "Bernau", "Celle", "Dohna", "Erkner", "Forst", "Gera", "Husum", "Ilmenau", "Jena", "Kamenz", "Lauban",
    "Mirow", "Nossen", "Oschatz", "Pirna",
)  # fmt: skip
PROMPT = """Below is a register of firms and their owners, from {begin} to {end}. Each entry has a number and a year. These are the rules:

1. An entry means firms and people by the names that they bear just before that entry. At any one time no two firms have the same name, and no two
people have; but a name that is free again may be taken by another firm or person.
2. A firm that is struck off, or taken up by another firm, ends, and its name is free again. A firm that is renamed gives its old name
free; so does a person. Two firms may also exchange their names.
3. An entry that is declared void is as if it had never been made, from the beginning.
4. Each firm has one owner. A person whose name changes goes on owning what he or she owns. When a firm is taken up, its owner loses it; the other
firm stays with its own owner.
5. "At the end of" a year means after the last entry of that year, "at the end" after the last entry of all. Void entries never count,
also not in the years before they were declared void.

THE REGISTER

{entries}

QUESTIONS

{questions}

Work it out by reading alone. End your reply with {count} lines, one for each question, with only what is asked for:
a name and a number for the first, such as "Q1: Globe Mills 17", and a name, a town or a number for each other, such as "Q2: Ada Dorn"."""


class Register:
    """A seed's entries and questions."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"register {seed}")
        self.firms: list[dict[str, Any]] = []
        self.people: list[list[tuple[int, str]]] = []  # of each person the names, with the entry that gave it
        self.lines: list[str] = []
        self.years = sorted(self.chance.randint(0, YEARS - 1) for _ in range(ENTRIES))
        self.void: set[int] = set()
        while len(self.lines) < ENTRIES:
            now = len(self.lines)
            said = self._entry(now)
            self.lines.append(f"{now + 1} ({BEGIN + self.years[now]}): {said}")
        self._ask()

    def _alive(self) -> list[dict[str, Any]]:
        return [each for each in self.firms if each["end"] is None]

    def _free_name(self) -> str:
        """A firm's name that nobody bears, seldom one that was never borne."""
        borne = {each["names"][-1][1] for each in self._alive()}
        return self.chance.choice([f"{a} {b}" for a in FIRST for b in SECOND if f"{a} {b}" not in borne])

    def _free_person(self, given: str = "") -> str:
        borne = {each[-1][1] for each in self.people}
        pool = [f"{a} {b}" for a in ([given] if given else GIVEN) for b in FAMILY if f"{a} {b}" not in borne]
        return self.chance.choice(pool)

    def _person(self, now: int) -> int:
        """Somebody known, or new."""
        if len(self.people) < 24 or self.chance.random() < 0.1:
            self.people.append([(now, self._free_person())])
            return len(self.people) - 1
        return self.chance.randrange(len(self.people))

    def _found(self, now: int) -> dict[str, Any]:
        owner = self._person(now)
        firm = {
            "names": [(now, self._free_name())], "seats": [(now, self.chance.choice(TOWNS))],
            "owners": [(now, owner)], "end": None, "into": None,
        }  # fmt: skip
        self.firms.append(firm)
        return firm

    def _entry(self, now: int) -> str:
        """Make the next entry, in words."""
        chance, alive = self.chance, self._alive()
        kinds = (
            ["rename"] * 6 + ["exchange"] * 2 + ["move"] * 4 + ["sell"] * 5 + ["person"] * 3 + ["take up"] * 2
        )
        kind = chance.choice([*kinds, "strike", "split", "split", "void", "void", "found"])
        if len(alive) < LIVE and (len(alive) < 12 or chance.random() < 0.35):
            kind = "found"
        elif len(alive) > LIVE + 6 and kind in ("found", "split"):
            kind = "take up"
        firm, other = chance.sample(alive, 2) if len(alive) > 1 else (None, None)
        if kind == "found" or firm is None or other is None:
            new = self._found(now)
            return f"{new['names'][0][1]} is founded; seat {new['seats'][0][1]}, owner {self._called(new)}."
        name, second = firm["names"][-1][1], other["names"][-1][1]
        if kind == "rename":
            new_name = self._free_name()
            firm["names"].append((now, new_name))
            return f"{name} is renamed {new_name}."
        if kind == "exchange":
            firm["names"].append((now, second))
            other["names"].append((now, name))
            return f"{name} and {second} exchange their names."
        if kind == "move":
            town = chance.choice([each for each in TOWNS if each != firm["seats"][-1][1]])
            firm["seats"].append((now, town))
            return f"{name} moves its seat to {town}."
        if kind == "sell":
            firm["owners"].append((now, self._person(now)))
            return f"{name} is sold to {self._called(firm)}."
        if kind == "person":
            person = chance.choice(self.people)
            old = person[-1][1]
            person.append((now, self._free_person(old.split()[0])))
            return f"{old} is from now on called {person[-1][1]}."
        if kind == "take up":
            firm["end"], firm["into"] = now, other
            return f"{name} is taken up by {second}."
        if kind == "strike":
            firm["end"] = now
            return f"{name} is struck off."
        if kind == "split":
            new = self._found(now)
            return (
                f"{name} gives a part of its works to a new firm, {new['names'][0][1]}; seat {new['seats'][0][1]}, owner "
                f"{self._called(new)}."
            )
        changes = [
            number for each in alive for number, _ in (*each["seats"][1:], *each["owners"][1:])
            if number not in self.void and number > now - 150
        ]  # fmt: skip
        if not changes:
            return "The register was inspected."
        number = chance.choice(changes)
        self.void.add(number)
        return f"Entry {number + 1} is declared void."

    def _called(self, firm: dict[str, Any]) -> str:
        """The name of the owner now."""
        return str(self.people[firm["owners"][-1][1]][-1][1])

    def _at(self, values: list[tuple[int, Any]], when: int) -> Any:
        """What held after entry `when`."""
        return [value for number, value in values if number <= when and number not in self.void][-1]

    def _last_of(self, year: int) -> int:
        return max(number for number, each in enumerate(self.years) if each <= year - BEGIN)

    def _ask(self) -> None:
        chance = self.chance
        self.questions: list[str] = []
        self.wanted: dict[str, str] = {}
        end = ENTRIES - 1
        year = BEGIN + YEARS // 3
        early, late = self._last_of(year), self._last_of(year + 25)
        alive = self._alive()
        old = sorted(alive, key=lambda each: -len(each["names"]))

        def name(firm: dict[str, Any], when: int) -> str:
            return str(self._at(firm["names"], when))

        def fate(firm: dict[str, Any]) -> dict[str, Any]:
            while firm["into"] is not None:
                firm = firm["into"]
            return firm

        first = old[0]
        self._add(
            f"Which name did the firm bear when it was founded that is called {name(first, end)} at the end? Say it with the number "
            "of its first entry, such as Globe Mills 17.",
            f"{first['names'][0][1]} {first['names'][0][0] + 1}",
        )
        long_lived = [
            each for each in self.firms if each["names"][0][0] <= early and (each["end"] or end) >= late
        ]
        long_lived.sort(key=lambda each: -len(each["names"]))
        for each in long_lived[:2]:
            owner = self._at(each["owners"], late)
            self._add(
                f"By which name was the person called at the end of {year + 25} who then owned the firm that was called "
                f"{name(each, early)} at the end of {year}?",
                [called for number, called in self.people[owner] if number <= late][-1],
            )
        for each in old[1:3]:
            self._add(
                f"Where was the seat at the end of {year + 25} of the firm that is called {name(each, end)} at the end? "
                'If it was not yet there, say "none".',
                self._at(each["seats"], late) if each["names"][0][0] <= late else "none",
            )
        taken = [
            each for each in self.firms
            if each["into"] is not None and each["names"][0][0] <= early < each["end"] and fate(each)["end"] is None
        ]  # fmt: skip
        taken.sort(
            key=lambda each: (
                -(len(each["names"]) + len(fate(each)["names"]) + 9 * (each["into"]["into"] is not None))
            )
        )
        for each in taken[:1]:
            self._add(
                f"The firm that was called {name(each, early)} at the end of {year} was later taken up by another, which may have been taken "
                "up in turn, and so on. What is the firm called at the end in which it finally went up?",
                name(fate(each), end),
            )
        owned = {
            person: sum(self._at(each["owners"], end) == person for each in alive)
            for person in range(len(self.people))
            if self.people[person][0][0] not in self.void
        }
        rich = max(
            (each for each in owned if len(self.people[each]) > 2 or owned[each] > 1),
            key=lambda each: owned[each] + len(self.people[each]),
        )
        called = self.people[rich]
        self._add(
            f"How many firms does the person own at the end who came into the register in entry {called[0][0] + 1} as "
            f"{called[0][1]}?",
            str(owned[rich]),
        )
        counted = chance.choice(long_lived[2:8])
        names = [each for number, each in counted["names"] if number <= late]
        self._add(
            f"How many different names had the firm borne up to the end of {year + 25}, that one included, that was called "
            f"{name(counted, late)} at the end of {year + 25}?",
            str(len(set(names))),
        )

    def _add(self, question: str, answer: str) -> None:
        self.questions.append(f"Q{len(self.questions) + 1}: {question}")
        self.wanted[f"Q{len(self.questions)}"] = answer


def prompt(seed: int) -> str:
    """The rules, the register and the questions."""
    register = Register(seed)
    return PROMPT.format(
        begin=BEGIN,
        end=BEGIN + YEARS - 1,
        entries="\n".join(register.lines),
        questions="\n".join(register.questions),
        count=len(register.questions),
    )


def wanted(seed: int) -> dict[str, str]:
    """The answers of a seed."""
    return Register(seed).wanted


def build(seed: int) -> Node:
    """The test of a seed."""
    return prompt(seed) >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_words))
