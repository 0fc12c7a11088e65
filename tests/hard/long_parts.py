"""What machines cost whose lists of parts, replacements, suppliers and prices change, each with a day of its own."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model price machines whose lists, replacements, suppliers and prices each hold on days of their own?"
TAGS = ["hard", "reading", "register"]

DAYS = 300
SUPPLIERS = ("Abt", "Brand", "Cramer", "Dorn", "Ebel", "Frey")
PROMPT = """Below is the book of a workshop, which makes machines (M) from kits (K) and parts (P), and kits from parts. Its entries are in no order. These are the rules:

1. An entry that another one declares void is as if it had never been made. (No entry that declares one void is void itself.)
2. What begins "from day 40:" holds from day 40 on, until a day from which another such entry about the same thing holds. Things are: what a certain machine or kit is made of (and in how many days), from whom
a certain part comes, in how many days a certain supplier delivers, what a certain part costs at a certain supplier.
3. A machine or kit that is to be ready on a day is made by the entry that holds on that day. If it is made in 6 days, all that it is made of has to be ready 6 days before.
4. Replacements hold on the days named, the first and the last one included; the day that counts is the one on which the thing to be replaced would have to be ready. If "in K4 2 P20 replace each P12", a K4 (and no other kit or machine)
gets 2 P20 in place of each P12. If "2 P20 replace each P12 everywhere", it is so in all kits and machines, but not if a replacement of P12 in that very kit or machine holds on that day. What comes
by a replacement may be replaced in turn by the same rules, on the same day, as if it had stood in the list, and so on. If there are several replacements of the same thing in
the same kit or machine for a day, only the one with the highest entry number counts, and likewise of those everywhere.
5. A part comes from the supplier from whom it comes on the day on which it has to be ready, and is ordered as many days before as that supplier takes to deliver by the entry that holds on the day on which the part has to be ready. It costs what it costs
at that supplier on the day of the order.
6. Kits are not bought but made, each time as many as are needed. A machine costs as much as all parts for it, those in its kits included.

THE BOOK

{entries}

QUESTIONS

How much does one machine cost that is to be ready on that day?

{questions}

Work it out by reading alone. End your reply with {count} lines, one for each question, with only the number, such as "Q1: 812"."""


@dataclass(frozen=True)
class Made:
    """A list: what goes into a machine or kit, and in how many days."""

    days: int
    items: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"made in {self.days} days of " + ", ".join(f"{count} {item}" for count, item in self.items)


@dataclass(frozen=True)
class Entry:
    """`what` holds about a thing from day `first` on, or until `last` if it is a replacement (new things, and how many of them)."""

    first: int
    thing: tuple[str, ...]
    what: Any
    last: int = 0

    def __str__(self) -> str:
        since = f"from day {self.first}"
        match self.thing, self.what:
            case ("list", one), what:
                return f"{since}: {one} is {what}"
            case ("supplier", one), what:
                return f"{since}: {one} comes from {what}"
            case ("delivery", one), what:
                return f"{since}: {one} delivers in {what} days"
            case ("price", one, supplier), what:
                return f"{since}: {one} costs {what} at {supplier}"
            case ("replaced", one, whole), (count, new):
                what = f"{count} {new} replace{'s' * (count == 1)} each {one}"
                return (
                    f"{since} to day {self.last}: {f'in {whole} {what}' if whole else f'{what} everywhere'}"
                )
        raise ValueError(self)


@dataclass
class Book:
    """Entries by thing; of replacements in the order of their numbers."""

    entries: list[Entry]
    found: dict[tuple[str, ...], list[Entry]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for entry in self.entries:
            self.found.setdefault(entry.thing, []).append(entry)

    def at(self, day: int, *thing: str) -> Any:
        """What holds about a thing on a day."""
        return max(
            (each for each in self.found[thing] if each.first <= day), key=lambda each: each.first
        ).what

    def replaced(self, day: int, item: str, whole: str) -> tuple[int, str]:
        """What is there in place of an item, and how many of it."""
        count = 1
        while True:
            for where in (whole, ""):
                its = [
                    each
                    for each in self.found.get(("replaced", item, where), [])
                    if each.first <= day <= each.last
                ]
                if its:
                    break
            else:
                return count, item
            times, item = its[-1].what
            count *= times

    def cost(self, item: str, day: int) -> int:
        """What an item costs that is to be ready on a day; nothing replaces it."""
        if item[0] == "P":
            supplier = str(self.at(day, "supplier", item))
            return int(self.at(day - int(self.at(day, "delivery", supplier)), "price", item, supplier))
        made = self.at(day, "list", item)
        assert isinstance(made, Made)
        total, begin = 0, day - made.days
        for count, each in made.items:
            times, new = self.replaced(begin, each, item)
            total += count * times * self.cost(new, begin)
        return total


@dataclass(frozen=True)
class Workshop:
    """So many parts, kits, machines and questions; how many entries there are for each thing besides the first, and of replacements and void ones."""

    parts: int
    kits: int
    machines: int
    questions: int
    lists: int
    suppliers: int
    prices: int
    replaced: int
    void: int

    def entries(self, chance: random.Random) -> list[Entry]:
        """All entries, in no order."""
        parts = [f"P{n}" for n in chance.sample(range(10, 100), self.parts)]
        kits = [f"K{n}" for n in range(1, self.kits + 1)]
        machines = [f"M{n}" for n in range(1, self.machines + 1)]
        found: list[Entry] = []

        def since(count: int) -> list[int]:
            return [1, *chance.sample(range(20, DAYS), count)]

        for whole in kits + machines:
            for day in since(self.lists):
                inside = chance.sample(kits, 2) if whole in machines else []
                inside += chance.sample(parts, 2 if inside else 3)
                items = tuple((chance.randint(1, 3 if item[0] == "P" else 2), item) for item in inside)
                found.append(Entry(day, ("list", whole), Made(chance.randint(2, 15), items)))
        lists = [each for each in found if isinstance(each.what, Made)]
        for supplier in SUPPLIERS:
            found += [Entry(day, ("delivery", supplier), chance.randint(3, 30)) for day in since(4)]
        for part in parts:
            sellers, last = chance.sample(SUPPLIERS, 3), ""
            for day in sorted(since(self.suppliers)):
                last = chance.choice([each for each in sellers if each != last])
                found.append(Entry(day, ("supplier", part), last))
            for supplier in sellers:
                found += [
                    Entry(day, ("price", part, supplier), chance.randint(2, 49)) for day in since(self.prices)
                ]
        for n in range(self.replaced):  # by what stands later in its row, so that nothing replaces itself
            its = chance.choice(lists)
            item = chance.choice([each for _, each in its.what.items])
            row = parts if item in parts else kits
            later = row[row.index(item) + 1 :]
            if later:
                day = chance.randint(2, DAYS - 20)
                new = chance.choice((1, 1, 2)), chance.choice(later)
                whole = its.thing[1] if n % 2 else ""
                found.append(
                    Entry(day, ("replaced", item, whole), new, min(DAYS, day + chance.randint(15, 120)))
                )
        chance.shuffle(found)
        return found

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[str, dict[str, int]]:
        """The prompt and the answers."""
        chance = random.Random(f"parts {seed}")
        entries = self.entries(chance)
        void = chance.sample([each for each in entries if each.first > 1], self.void)
        numbers = list(range(1, len(entries) + self.void + 1))
        places = sorted(chance.sample(numbers, len(entries)))
        lines = dict(zip(places, map(str, entries), strict=True))
        number = {id(each): n for n, each in zip(places, entries, strict=True)}
        for place, each in zip(sorted(set(numbers) - lines.keys()), void, strict=True):
            lines[place] = f"{number[id(each)]} is void"
        gone = {id(each) for each in void}
        book = Book([each for each in entries if id(each) not in gone])
        asked: dict[str, int] = {}
        while len(asked) < self.questions:
            machine, day = f"M{chance.randint(1, self.machines)}", chance.randint(DAYS // 3, DAYS)
            asked[f"one {machine} on day {day}"] = book.cost(machine, day)
        prompt = PROMPT.format(
            entries="\n".join(f"{n}. {lines[n]}" for n in numbers), count=self.questions,
            questions="\n".join(f"Q{n}: {each}" for n, each in enumerate(asked, 1)),
        )  # fmt: skip
        return prompt, {f"Q{n}": each for n, each in enumerate(asked.values(), 1)}

    def wanted(self, seed: int) -> dict[str, int]:
        """The answers."""
        return self.puzzle(seed)[1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            self.puzzle(seed)[0]
            >> LLMRun()
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Workshop(
    parts=40, kits=12, machines=10, questions=20, lists=3, suppliers=4, prices=3, replaced=220, void=70
)
build = TASK.build
