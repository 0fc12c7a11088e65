"""A day-book of depots in which units, names and standing orders change, and entries are corrected or come late."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cache, partial
from typing import Any

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model keep the stock of depots by a day-book of two thousand entries that are corrected and come late?"
TAGS = ["hard", "reading", "stock"]

ENTRIES, DAYS, BEGIN = 2400, 330, date(1904, 2, 1)  # the knobs, with GOODS: entries of a stock
GOODS, DEPOTS = 20, 5
UNITS = ("crate", "sack", "bundle")
NAMES = (
    "amber", "borax", "camphor", "dates", "ebony", "felt", "ginger", "hemp", "indigo", "jute", "kapok", "lacquer", "madder", "nutmeg", "ochre", "pepper",
    "quinine", "resin", "saffron", "tallow", "umber", "vanilla", "wax", "yarn", "zinc", "cloves", "talc", "ivory",
)  # fmt: skip
PLACES = ("North Quay", "Mill Lane", "Old Yard", "Tower Hill", "Salt Row")
PROMPT = """Below is the day-book of five depots: {places}. At the beginning of {begin} all are empty. The rules:

1. Each entry has a number, and the day on which it was written. It counts for that day, unless it begins with "Late:" and names an earlier day, for which it counts then. On a day,
first the entries that count for it have effect, in the order of their numbers, and then the standing orders, in the order of their numbers.
2. Amounts are in pieces or in units. How many pieces a crate, sack or bundle of a good holds is laid down by entries, for each good and each unit. An amount in units is worth what the unit of that
good holds at the moment at which the amount has effect, by the order of rule 1. What is in stock stays the same when a unit changes.
3. Goods can get other names, and two goods can exchange theirs; a good keeps its stock and its units. Names mean what they mean at the place in the book where they are written, by the entry's number, also in
late entries and in corrections: if hemp is called jute from entry 40 on, then entries 41 and later call it jute, whatever day they count for. The same holds for depots, which keep their stocks as well. Entries about
names are never late, void or corrected.
4. A count lays down what the stock is, whatever it was by the book.
5. "A third of the hemp in Old Yard is spoilt" takes away a third of the stock at that time, rounded down to whole pieces; so with a half and a quarter; nothing if the stock is not above 0.
6. A standing order has effect on each day from its first to its last, both included. "Order 17 ends on 3 May" makes 3 May the last day of the standing order of entry 17.
7. An entry that corrects another one changes what that says from the beginning, as if it had been written so. "Entry 12 is void" makes it as if it had never been written. If an entry is corrected several times,
each correction replaces what it names, the latest by number wins, and a void entry stays void.
8. A stock can be below 0 in the book.

THE DAY-BOOK

{entries}

QUESTIONS

Goods and depots are called in the questions as after the last entry. Stocks are meant at the end of the day that is named, standing orders included, and by the whole book: late entries and
corrections count, however late they were written.

{questions}

Work it out by reading alone. End your reply with {count} lines, one for each question, with only a number, such as "Q1: 137" or "Q1: -20"."""


def shown(day: int) -> str:
    """A day in words; days are counted from the beginning."""
    at = BEGIN + timedelta(day)
    return f"{at.day} {at:%B}"


@dataclass(frozen=True)
class Entry:
    """`day`: for which it counts. `amount`: a number and a unit, or none for pieces."""

    kind: str  # in, out, move, count, spoilt, unit, order
    day: int
    good: int = 0
    depot: int = 0
    amount: tuple[int, str] = (0, "")
    other: int = 0  # the depot that gets it; the part that is spoilt; the pieces of a unit
    last: int = 0  # day of an order
    void: bool = False


@dataclass
class Book:
    """Entries by number, and what they come to."""

    entries: dict[int, Entry] = field(default_factory=dict)

    def stocks(
        self, day: int, watch: Callable[[int, dict[tuple[int, int], int]], None] | None = None
    ) -> dict[tuple[int, int], int]:
        """The pieces of each good in each depot at the end of a day; `watch` is called at the end of each day."""
        held: dict[tuple[int, int], int] = {}
        pieces: dict[tuple[int, str], int] = {}

        def put(depot: int, entry: Entry, sign: int) -> None:
            count, unit = entry.amount
            held[entry.good, depot] = held.get((entry.good, depot), 0) + sign * count * (
                pieces[entry.good, unit] if unit else 1
            )

        def do(entry: Entry) -> None:
            match entry.kind:
                case "in":
                    put(entry.depot, entry, 1)
                case "out" | "order":
                    put(entry.depot, entry, -1)
                case "move":
                    put(entry.depot, entry, -1)
                    put(entry.other, entry, 1)
                case "count":
                    count, unit = entry.amount
                    held[entry.good, entry.depot] = count * (pieces[entry.good, unit] if unit else 1)
                case "spoilt":
                    now = held.get((entry.good, entry.depot), 0)
                    held[entry.good, entry.depot] = now - max(0, now) // entry.other
                case "unit":
                    pieces[entry.good, entry.amount[1]] = entry.other

        by_day: dict[int, list[Entry]] = {}
        orders = []
        for number in sorted(self.entries):
            entry = self.entries[number]
            if entry.void:
                continue
            if entry.kind == "order":
                orders.append(entry)
            else:
                by_day.setdefault(entry.day, []).append(entry)
        for now in range(day + 1):
            for entry in by_day.get(now, ()):
                do(entry)
            for entry in orders:
                if entry.day <= now <= entry.last:
                    do(entry)
            if watch:
                watch(now, held)
        return held


class Writer:
    """Writes the day-book of a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"stores {seed}")
        self.book = Book()
        self.goods = self.chance.sample(NAMES, GOODS)
        self.depots = list(PLACES)
        self.lines: list[str] = []
        self.day = 0
        self.corrected: set[int] = set()
        self.units = {(good, unit): 0 for good in range(GOODS) for unit in UNITS}
        for good in range(GOODS):
            for unit in UNITS:
                self._unit(good, unit)
        begins = len(self.lines)
        while len(self.lines) < ENTRIES:
            self.day = (len(self.lines) - begins) * DAYS // (ENTRIES - begins)
            self._entry()

    def _add(self, entry: Entry | None, words: str) -> None:
        """Write down an entry; None for one that is about names or other entries."""
        number = len(self.lines) + 1
        late = (
            f"Late: on {shown(entry.day)}, "
            if entry and entry.kind != "order" and entry.day < self.day
            else ""
        )
        if entry:
            self.book.entries[number] = entry
        words = late + words if late else words[0].upper() + words[1:]
        self.lines.append(f"{number} ({shown(self.day)}). {words}")

    def _unit(self, good: int, unit: str) -> None:
        pieces = self.chance.choice(
            [
                each
                for each in (6, 8, 10, 12, 15, 16, 18, 20, 24, 25, 30, 36, 40, 48)
                if each != self.units[good, unit]
            ]
        )
        self.units[good, unit] = pieces
        entry = Entry("unit", self._when(), good, amount=(1, unit), other=pieces)
        self._add(entry, f"a {unit} of {self.goods[good]} holds {pieces} pieces.")

    def _when(self) -> int:
        """The day for which an entry counts: mostly today."""
        if self.day > 20 and self.chance.random() < 0.12:
            return self.day - self.chance.randint(1, 20)
        return self.day

    def _amount(self, most: int) -> tuple[int, str]:
        if self.chance.random() < 0.25:
            return self.chance.randint(5, 20 * most), ""
        return self.chance.randint(1, most), self.chance.choice(UNITS)

    def _entry(self) -> None:
        chance = self.chance
        kind = chance.choice(
            ("in",) * 16 + ("out",) * 14 + ("move",) * 10 + ("count",) * 2 + ("spoilt",) * 2 + ("unit",) * 4 + ("order",) * 2
            + ("correct",) * 7 + ("void",) * 2 + ("end",) + ("rename",) * 2 + ("exchange", "depots")
        )  # fmt: skip
        good, (depot, other) = chance.randrange(GOODS), chance.sample(range(DEPOTS), 2)
        name, place = self.goods[good], self.depots[depot]
        if kind in ("in", "out"):
            entry = Entry(kind, self._when(), good, depot, self._amount(14 if kind == "in" else 9))
            self._add(
                entry,
                f"{place} {'takes in' if kind == 'in' else 'gives out'} {said(entry.amount)} of {name}.",
            )
        elif kind == "move":
            entry = Entry(kind, self._when(), good, depot, self._amount(7), other)
            self._add(entry, f"{place} sends {said(entry.amount)} of {name} to {self.depots[other]}.")
        elif kind == "count":
            entry = Entry(kind, self._when(), good, depot, (chance.randint(40, 500), ""))
            self._add(entry, f"a count finds {said(entry.amount)} of {name} in {place}.")
        elif kind == "spoilt":
            part = chance.choice((2, 3, 4))
            self._add(
                Entry(kind, self._when(), good, depot, other=part),
                f"{PARTS[part]} of the {name} in {place} is spoilt.",
            )
        elif kind == "unit":
            self._unit(good, chance.choice(UNITS))
        elif kind == "order":
            entry = Entry(kind, self.day + chance.randint(0, 4), good, depot, (chance.randint(1, 9), ""))
            entry = replace(entry, last=entry.day + chance.randint(8, 45))
            words = f"standing order: each day from {shown(entry.day)} to {shown(entry.last)}, {place} gives out {said(entry.amount)} of {name}."
            if entry.last < DAYS:
                self._add(entry, words)
        elif kind == "rename":
            free = [each for each in NAMES if each not in self.goods]
            self.goods[good] = chance.choice(free)
            self._add(None, f"{name} is called {self.goods[good]} from now on.")
        elif kind == "exchange":
            second = chance.choice([each for each in range(GOODS) if each != good])
            self._add(None, f"{name} and {self.goods[second]} exchange their names from now on.")
            self.goods[good], self.goods[second] = self.goods[second], name
        elif kind == "depots":
            self._add(None, f"{place} and {self.depots[other]} exchange their names from now on.")
            self.depots[depot], self.depots[other] = self.depots[other], place
        else:
            self._about(kind)

    def _about(self, kind: str) -> None:
        """An entry about another one."""
        chance = self.chance
        first = max(3 * GOODS + 1, len(self.lines) - 500)
        kinds = ("order",) if kind == "end" else ("in", "out", "move", "count", "unit")
        known = [
            n
            for n in range(first, len(self.lines) + 1)
            if n in self.book.entries and not self.book.entries[n].void
        ]
        known = [
            n
            for n in known
            if self.book.entries[n].kind in kinds and (kind != "void" or self.book.entries[n].kind != "unit")
        ]
        if kind == "end":
            known = [
                n
                for n in known
                if self.book.entries[n].day + 2 < self.book.entries[n].last
                and self.day < self.book.entries[n].last
            ]
        if not known:
            return
        again = [n for n in known if n in self.corrected]
        number = chance.choice(again if again and chance.random() < 0.25 else known)
        entry = self.book.entries[number]
        if kind == "void":
            self.book.entries[number] = replace(entry, void=True)
            self._add(None, f"entry {number} is void.")
        elif kind == "end":
            last = chance.randint(entry.day + 1, entry.last - 1)
            self.book.entries[number] = replace(entry, last=last)
            self._add(None, f"order {number} ends on {shown(last)}.")
        else:
            self.corrected.add(number)
            changes = ["amount"] if entry.kind != "unit" else ["pieces"]
            changes += (
                ["good", "depot", "day"]
                if entry.kind in ("in", "out", "count")
                else ["good", "day"]
                if entry.kind == "move"
                else ["unit"]
            )
            what = chance.choice(changes)
            if what == "amount":
                amount = self._amount(12) if entry.kind != "count" else (chance.randint(40, 500), "")
                self.book.entries[number] = replace(entry, amount=amount)
                words = f"the amount is {said(amount)}"
            elif what == "pieces":
                pieces = chance.randint(5, 50)
                self.book.entries[number] = replace(entry, other=pieces)
                words = f"it holds {pieces} pieces"
            elif what == "unit":
                unit = chance.choice([each for each in UNITS if each != entry.amount[1]])
                self.book.entries[number] = replace(entry, amount=(1, unit))
                words = f"it is the {unit}, not the {entry.amount[1]}"
            elif what == "good":
                good = chance.choice([each for each in range(GOODS) if each != entry.good])
                self.book.entries[number] = replace(entry, good=good)
                words = f"the good is {self.goods[good]}"
            elif what == "depot":
                depot = chance.choice([each for each in range(DEPOTS) if each != entry.depot])
                self.book.entries[number] = replace(entry, depot=depot)
                words = f"the depot is {self.depots[depot]}"
            else:
                day = max(0, entry.day - chance.randint(1, 25))
                self.book.entries[number] = replace(entry, day=day)
                words = f"it counts for {shown(day)}"
            self._add(None, f"entry {number} is corrected: {words}.")


PARTS = {2: "a half", 3: "a third", 4: "a quarter"}


def said(amount: tuple[int, str]) -> str:
    """An amount in words."""
    count, unit = amount
    return f"{count} {unit or 'piece'}{'s' * (count != 1)}"


def total(stocks: dict[tuple[int, int], int], good: int) -> int:
    """The pieces of a good in all depots."""
    return sum(stocks.get((good, depot), 0) for depot in range(DEPOTS))


@cache
def text_of(seed: int) -> tuple[str, dict[str, Any]]:
    """The prompt and the answers of a seed."""
    writer = Writer(seed)
    chance = random.Random(f"stores questions {seed}")
    questions: list[str] = []
    wanted: dict[str, Any] = {}
    busy = [(entry.good, entry.depot) for n, entry in writer.book.entries.items() if n in writer.corrected]
    often = sorted(set(busy), key=lambda each: (-busy.count(each), each))
    places = chance.sample(often[:24], 6)

    def ask(question: str, answer: object) -> None:
        questions.append(f"Q{len(questions) + 1}: {question}")
        wanted[f"Q{len(questions)}"] = answer

    days = [*(DAYS * each // 10 + chance.randint(-9, 9) for each in (4, 6, 8, 9)), DAYS - 1]
    for day, (good, depot) in zip(days, places, strict=False):
        answer = writer.book.stocks(day).get((good, depot), 0)
        ask(f"How many pieces of {writer.goods[good]} are in {writer.depots[depot]} on {shown(day)}?", answer)
    for good in chance.sample(range(GOODS), 2):
        day = chance.randint(DAYS // 2, DAYS - 1)
        answer = total(writer.book.stocks(day), good)
        ask(f"How many pieces of {writer.goods[good]} are in all depots together on {shown(day)}?", answer)
    good = chance.randrange(GOODS)
    day = chance.randint(DAYS * 2 // 3, DAYS - 1)
    stocks = writer.book.stocks(day)
    held = [stocks.get((good, depot), 0) for depot in range(DEPOTS)]
    ask(
        f"Of the five depots, one has the most {writer.goods[good]} on {shown(day)}, and one the least. By how many pieces do these two stocks differ?",
        max(held) - min(held),
    )
    good, depot = places[5]
    course: list[int] = []
    writer.book.stocks(DAYS - 1, lambda _, now: course.append(now.get((good, depot), 0)))
    ask(
        f"What is the greatest stock of {writer.goods[good]} that {writer.depots[depot]} has at the end of any day from {shown(DAYS // 4)} to {shown(DAYS * 3 // 4)}, "
        "both included?",
        max(course[DAYS // 4 : DAYS * 3 // 4 + 1]),
    )
    good = chance.randrange(GOODS)
    day = chance.randint(DAYS * 2 // 3, DAYS - 1)
    pieces = sum(
        entry.amount[0] for entry in writer.book.entries.values()
        if not entry.void and entry.kind == "in" and entry.good == good and entry.day <= day and not entry.amount[1]
    )  # fmt: skip
    ask(
        f"How many pieces of {writer.goods[good]} did all depots together take in up to {shown(day)} by those entries (as corrected, not void, and for the day for which they count) "
        "that say that a depot takes in something and give the amount in pieces? What depots send each other is not meant.",
        pieces,
    )
    prompt = PROMPT.format(
        places=", ".join(PLACES),
        begin=f"{shown(0)} {BEGIN.year}",
        entries="\n".join(writer.lines),
        questions="\n".join(questions),
        count=len(questions),
    )
    return prompt, wanted


def wanted(seed: int) -> dict[str, Any]:
    """The answers of a seed."""
    return text_of(seed)[1]


def build(seed: int) -> Node:
    """The test of a seed."""
    return text_of(seed)[0] >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_number))
