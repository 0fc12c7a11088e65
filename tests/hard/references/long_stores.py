"""Right and wrong replies to long_stores, by a reader of the prompt's own words: all that happens to a stock is put in order, then done."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from ..long_stores import BEGIN, text_of

PARTS = {"half": 2, "third": 3, "quarter": 4}
ENTRY = re.compile(r"^(\d+) \((\d+ \w+)\)\. (?:Late: on (\d+ \w+), )?(.*)$", re.M)
AMOUNT = r"(\d+) (piece|crate|sack|bundle)s?"
Amount = tuple[int, str]


def _day(words: str) -> date:
    return datetime.strptime(f"{words} {BEGIN.year}", "%d %B %Y").date()


class _Reader:
    """Facts by entry: the kind, the day, and what else the entry says; goods and depots are numbers."""

    def __init__(self, prompt: str, mistake: str) -> None:
        self.mistake = mistake
        self.facts: dict[int, dict[str, Any]] = {}
        names: dict[str, int] = {}
        self.void: set[int] = set()

        def of(name: str) -> int:
            return names.setdefault(name.lower(), len(names))

        def amount(found: re.Match[str], at: int) -> Amount:
            return int(found[at]), found[at + 1]

        for place in re.findall(r"day-book of five depots: (.*?)\. At", prompt)[0].split(", "):
            of(place)
        for number, written, late, said in ENTRY.findall(prompt):
            n, when = int(number), _day(late or written)
            if mistake == "never late":
                when = _day(written)
            if m := re.fullmatch(r"[Aa] (\w+) of (\w+) holds (\d+) pieces\.", said):
                fact = {"kind": "unit", "good": of(m[2]), "unit": m[1], "holds": int(m[3])}
            elif m := re.fullmatch(rf"(.+) (takes in|gives out) {AMOUNT} of (\w+)\.", said):
                if said.startswith("Standing"):
                    m = re.fullmatch(
                        rf"Standing order: each day from (.*) to (.*), (.*) gives out {AMOUNT} of (\w+)\.",
                        said,
                    )
                    assert m
                    fact = {
                        "kind": "order",
                        "good": of(m[6]),
                        "depot": of(m[3]),
                        "amount": amount(m, 4),
                        "last": _day(m[2]),
                    }
                    when = _day(m[1])
                else:
                    fact = {"kind": m[2], "good": of(m[5]), "depot": of(m[1]), "amount": amount(m, 3)}
            elif m := re.fullmatch(rf"(.+) sends {AMOUNT} of (\w+) to (.+)\.", said):
                fact = {
                    "kind": "sends",
                    "good": of(m[4]),
                    "depot": of(m[1]),
                    "amount": amount(m, 2),
                    "to": of(m[5]),
                }
            elif m := re.fullmatch(rf"[Aa] count finds {AMOUNT} of (\w+) in (.+)\.", said):
                fact = {"kind": "count", "good": of(m[3]), "depot": of(m[4]), "amount": amount(m, 1)}
            elif m := re.fullmatch(r"[Aa] (half|third|quarter) of the (\w+) in (.+) is spoilt\.", said):
                fact = {"kind": "spoilt", "good": of(m[2]), "depot": of(m[3]), "part": PARTS[m[1]]}
            elif m := re.fullmatch(r"(.+) is called (\w+) from now on\.", said):
                names[m[2].lower()] = names.pop(m[1].lower())
                continue
            elif m := re.fullmatch(r"(.+) and (.+) exchange their names from now on\.", said):
                if mistake != "no exchange":
                    one, other = m[1].lower(), m[2].lower()
                    names[one], names[other] = names[other], names[one]
                continue
            elif m := re.fullmatch(r"Entry (\d+) is void\.", said):
                self.void.add(int(m[1]))
                continue
            elif m := re.fullmatch(r"Order (\d+) ends on (.*)\.", said):
                self.facts[int(m[1])]["last"] = _day(m[2])
                continue
            elif m := re.fullmatch(r"Entry (\d+) is corrected: (.*)\.", said):
                its = self.facts[int(m[1])]
                if mistake == "no corrections":
                    continue
                if c := re.fullmatch(rf"the amount is {AMOUNT}", m[2]):
                    its["amount"] = amount(c, 1)
                elif c := re.fullmatch(r"it holds (\d+) pieces", m[2]):
                    its["holds"] = int(c[1])
                elif c := re.fullmatch(r"it is the (\w+), not the \w+", m[2]):
                    its["unit"] = c[1]
                elif c := re.fullmatch(r"the (good|depot) is (.*)", m[2]):
                    its[c[1]] = of(c[2])
                elif c := re.fullmatch(r"it counts for (.*)", m[2]):
                    its["day"] = _day(c[1])
                continue
            else:
                raise ValueError(said)
            self.facts[n] = {"day": when, **fact}
        self.names = names

    def course(self, good: int, depot: int, end: date) -> list[tuple[date, int]]:
        """The stock at the end of each day."""
        happens: dict[date, list[dict[str, Any]]] = {}
        orders = []
        for n in sorted(self.facts):
            its = self.facts[n]
            if its["good"] != good or (n in self.void and self.mistake != "no voids"):
                continue
            if its["kind"] == "order":
                orders.append(its)
            elif its["kind"] == "unit" or depot in (its["depot"], its.get("to")):
                happens.setdefault(its["day"], []).append(its)
        stock, holds, found = 0, {"piece": 1}, []
        day = BEGIN
        while day <= end:
            for its in happens.get(day, ()):
                number, unit = its.get("amount", (0, "piece"))
                worth = number * holds[unit]
                match its["kind"]:
                    case "unit":
                        if self.mistake != "first units" or its["unit"] not in holds:
                            holds[its["unit"]] = its["holds"]
                    case "takes in":
                        stock += worth
                    case "gives out":
                        stock -= worth
                    case "sends":
                        stock += worth if its["to"] == depot else -worth
                    case "count":
                        stock = worth
                    case "spoilt":
                        stock -= max(stock, 0) // its["part"]
            if self.mistake != "no orders":
                stock -= sum(
                    its["amount"][0]
                    for its in orders
                    if its["depot"] == depot and its["day"] <= day <= its["last"]
                )
            found.append((day, stock))
            day += timedelta(1)
        return found


@cache
def _answers(seed: int, mistake: str = "") -> tuple[int, ...]:
    prompt = text_of(seed)[0]
    reader = _Reader(prompt, mistake)
    depots = [
        reader.names[name.lower()]
        for name in re.findall(r"day-book of five depots: (.*?)\. At", prompt)[0].split(", ")
    ]

    def stock(good: int, depot: int, day: date) -> int:
        return reader.course(good, depot, day)[-1][1]

    found = []
    for question in re.findall(r"^Q\d+: (.*)$", prompt, re.M):
        days = [_day(each) for each in re.findall(r"\d+ [A-Z][a-z]+", question)]
        if m := re.search(r"pieces of (\w+) are in all depots", question):
            found.append(sum(stock(reader.names[m[1]], each, days[0]) for each in depots))
        elif m := re.search(r"pieces of (\w+) are in (.*) on", question):
            found.append(stock(reader.names[m[1]], reader.names[m[2].lower()], days[0]))
        elif m := re.search(r"has the most (\w+) on", question):
            its = [stock(reader.names[m[1]], each, days[0]) for each in depots]
            found.append(max(its) - min(its))
        elif m := re.search(r"greatest stock of (\w+) that (.*) has", question):
            course = reader.course(reader.names[m[1]], reader.names[m[2].lower()], days[1])
            found.append(max(each for day, each in course if day >= days[0]))
        elif m := re.search(r"pieces of (\w+) did all", question):
            found.append(
                sum(
                    its["amount"][0]
                    for n, its in reader.facts.items()
                    if n not in reader.void and its["kind"] == "takes in" and its["good"] == reader.names[m[1]]
                    and its["day"] <= days[0] and its["amount"][1] == "piece"
                )
            )  # fmt: skip
    return tuple(found)


def _reply(numbers: tuple[int, ...]) -> str:
    return "Entry by entry:\n\n" + "\n".join(f"Q{n}: {each}" for n, each in enumerate(numbers, 1))


def right(seed: int) -> list[str]:
    numbers = _answers(seed)
    return [
        _reply(numbers),
        "\n".join(
            f"- **Q{n}:** {each} pieces".replace("-", "\u2212") for n, each in enumerate(numbers, 1)
        ).replace("\u2212 **", "- **"),
    ]


def wrong(seed: int) -> list[str]:
    numbers = _answers(seed)
    mistakes = ("no exchange", "no corrections", "no voids", "first units")
    return [
        *(_reply(_answers(seed, each)) for each in mistakes),
        _reply((*numbers[:-1], numbers[-1] + 1)),
        _reply(numbers[:-1]),
        "The book is too long.",
    ]
