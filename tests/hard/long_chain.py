"""A journal of a harbour in which each crate of an answer has to be followed through eight kinds of entries."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = (
    "Can the model add up crates of a long journal whose packer, port, office and number stand elsewhere?"
)
TAGS = ["hard", "reading", "register"]

DAYS, CRATES, BADGES, PEOPLE, ROUTES = 360, 780, 110, 130, 60
MOVES, VOIDS = {"badge": 330, "crew": 200, "loan": 240, "route": 100, "port": 160, "range": 90}, 180
"""How many entries of a kind there are, besides those of the first day; how many are void."""
ASKED, CRATES_EACH = 12, 12
REPLACED, AGAIN, CORRECTED = (
    0.35,
    0.4,
    0.3,
)  # how many crates have a new seal, how many of these another, how many are corrected
GIVEN = ("Ada", "Bruno", "Clara", "Dietz", "Edda", "Fritz", "Greta", "Hugo", "Irma", "Jonas", "Klara", "Ludo")
FAMILY = ("Abt", "Brand", "Cramer", "Dorn", "Ebel", "Frey", "Gahl", "Hein", "Imhof", "Jung", "Kolb", "Lenz")
CREWS = ("Heron", "Otter", "Lynx", "Badger", "Plover", "Marten")
DISTRICTS = ("North", "East", "South", "West")
OFFICES = ("Amber", "Birch", "Cedar", "Dune", "Elder")
PORTS = (
    "Altenau", "Bernau", "Celle", "Dohna", "Erkner", "Forst", "Gera", "Husum", "Ilmenau", "Jena", "Kamenz", "Lauban",
    "Mirow", "Nossen", "Oschatz", "Pirna",
)  # fmt: skip
GOODS = (
    "lamps", "nails", "bowls", "ropes", "clocks", "boots", "candles", "hinges", "brushes", "kettles", "saws", "mirrors",
    "hats", "bells", "spoons", "locks", "drums", "flutes", "buckets", "combs", "needles", "plates", "jars", "tiles",
    "gloves", "ladders", "anvils", "violins", "pipes", "chisels", "scarves", "kites", "inks", "dice", "oars", "sieves",
    "corks", "belts", "globes", "lenses",
)  # fmt: skip
PROMPT = """Below is the journal of a harbour for days 1 to {days}. Each line has the number of the entry, the day, and what is entered. These are the rules:

1. An entry that another one declares void is as if it had never been made, wherever either of them stands. (No entry that declares one void is void itself.)
2. "Goes to", "joins" and "belongs to" hold from the beginning of their day until the next such entry about the same badge, person, route, port or range of seals. If there
are two about the same on one day, only the one with the higher number counts.
3. A crate is packed on the day of its entry by the person who holds its badge on that day.
4. A person is of the crew that he or she has joined last. But from the day of an entry that lends the person to a crew, up to and including the day named there, he or she counts
as of that crew only. Who joins a crew during that time counts as of it after that time.
5. A crate goes to the port of its route on the day of packing, and is under way for as many days as the route takes by the same entry, and for more days if an entry says so for its
port and its day of packing. It is for the district to which that port belongs on the day of its arrival (the day of packing plus all days under way).
6. A crate's seal is the one in its entry; if that is replaced, the new one, which may be replaced as well, and so on to the last, whatever the days. It is of the office to which
the range with its last seal belongs on the day of packing.
7. A crate holds as many pieces as its entry says, or as the last entry that corrects it.

THE JOURNAL

{entries}

QUESTIONS

{questions}

Work it out by reading alone. End your reply with {count} lines, one for each question, with only the number, such as "Q1: 204"."""


@dataclass(eq=False)
class Entry:
    """A line of the journal. `about`: the thing whose state it changes."""

    day: int
    kind: str
    about: str
    to: str = ""
    number: int = 0
    """Pieces, days under way, or the last day of a loan."""
    days: tuple[int, int] = (0, 0)
    """When crates are packed that take longer."""
    voids: Entry | None = None
    place: int = 0
    void: bool = False

    def __str__(self) -> str:
        match self.kind:
            case "badge":
                return f"badge {self.about} goes to {self.to}"
            case "crew":
                return f"{self.about} joins crew {self.to}"
            case "loan":
                return f"{self.about} is lent to crew {self.to} up to and including day {self.number}"
            case "route":
                return f"route {self.about} goes to {self.to} in {self.number} days"
            case "port":
                return f"{self.about} belongs to district {self.to}"
            case "late":
                return f"crates for {self.about} packed on days {self.days[0]} to {self.days[1]} take {self.number} days more"
            case "range":
                return f"seals {self.about}00 to {self.about}99 belong to office {self.to}"
            case "seal":
                return f"seal {self.about} is replaced by seal {self.to}"
            case "pieces":
                return f"crate {self.about} holds {self.number} pieces"
        return f"entry {self.voids.place if self.voids else 0} is void"


@dataclass(eq=False)
class Crate(Entry):
    """A crate's entry; `about` is its name."""

    goods: str = ""
    badge: str = ""
    route: str = ""
    seal: str = ""

    def __str__(self) -> str:
        return f"crate {self.about}: {self.number} {self.goods}, badge {self.badge}, route {self.route}, seal {self.seal}"


@dataclass(frozen=True)
class Question:
    """Goods, and the crews, districts and offices that count."""

    goods: str
    crews: tuple[str, ...]
    districts: tuple[str, ...]
    offices: tuple[str, ...]

    def __str__(self) -> str:
        def either(names: Iterable[str]) -> str:
            *first, last = names
            return f"{', '.join(first)} or {last}"

        return (
            f"How many {self.goods} in all are in the crates that people of crew {either(self.crews)} packed, that are for district "
            f"{either(self.districts)}, and whose last seal is of office {either(self.offices)}?"
        )


@dataclass
class Journal:
    """The entries that are not void, by kind and thing."""

    entries: Sequence[Entry]
    found: dict[tuple[str, str], list[Entry]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for entry in self.entries:
            if not entry.void:
                self.found.setdefault((entry.kind, entry.about), []).append(entry)

    def at(self, kind: str, about: str, day: int) -> Entry:
        """The entry that holds on a day."""
        return [entry for entry in self.found[kind, about] if entry.day <= day][-1]

    def crew(self, person: str, day: int) -> str:
        """A person's crew on a day."""
        loans = [each for each in self.found.get(("loan", person), []) if each.day <= day <= each.number]
        return (loans or [self.at("crew", person, day)])[-1].to

    def traced(self, crate: Crate) -> tuple[str, str, str, int]:
        """A crate's crew, district, office and pieces."""
        route = self.at("route", crate.route, crate.day)
        late = [
            each
            for each in self.found.get(("late", route.to), [])
            if each.days[0] <= crate.day <= each.days[1]
        ]
        arrival = crate.day + route.number + sum(each.number for each in late)
        seal = crate.seal
        while ("seal", seal) in self.found:
            seal = self.found["seal", seal][-1].to
        corrected = self.found.get(("pieces", crate.about), [crate])
        return (
            self.crew(self.at("badge", crate.badge, crate.day).to, crate.day),
            self.at("port", route.to, arrival).to,
            self.at("range", seal[:-2], crate.day).to,
            corrected[-1].number,
        )

    def answer(self, question: Question) -> int:
        """How many pieces are asked for."""
        total = 0
        for entry in self.entries:
            if isinstance(entry, Crate) and not entry.void and entry.goods == question.goods:
                crew, district, office, pieces = self.traced(entry)
                if crew in question.crews and district in question.districts and office in question.offices:
                    total += pieces
        return total


def _things(chance: random.Random) -> dict[str, tuple[list[str], Sequence[str]]]:
    """For each kind of entry the things whose state it changes, and the states."""
    names = [f"{given} {family}" for given in GIVEN for family in FAMILY]
    people = chance.sample(names, PEOPLE)
    letters = "ABCDEFGHKLMNPQRSTUVWXZ"
    routes = chance.sample([a + b for a in letters for b in letters], ROUTES)
    badges = [str(n) for n in chance.sample(range(100, 400), BADGES)]
    return {
        "badge": (badges, people),
        "crew": (people, CREWS),
        "route": (routes, PORTS),
        "port": (list(PORTS), DISTRICTS),
        "range": ([str(n) for n in range(20, 80)], OFFICES),
    }


def _changes(things: dict[str, tuple[list[str], Sequence[str]]], chance: random.Random) -> list[Entry]:
    """What holds on the first day and what changes later; loans and delays."""
    entries = []
    state: dict[tuple[str, str], str] = {}
    for kind, (abouts, states) in things.items():
        changed = [(1, about) for about in abouts]
        changed += sorted((chance.randint(2, DAYS), chance.choice(abouts)) for _ in range(MOVES[kind]))
        for day, about in changed:
            to = chance.choice([each for each in states if each != state.get((kind, about))])
            state[kind, about] = to
            entries.append(Entry(day, kind, about, to, chance.randint(3, 40) if kind == "route" else 0))
    lent: set[tuple[str, int]] = set()
    people = things["crew"][0]
    while sum(entry.kind == "loan" for entry in entries) < MOVES["loan"]:
        person, day, long = chance.choice(people), chance.randint(2, DAYS - 10), chance.randint(10, 45)
        days = {(person, each) for each in range(day, day + long + 1)}
        if not days & lent:
            lent |= days
            entries.append(Entry(day, "loan", person, chance.choice(CREWS), day + long))
    for port in PORTS:
        for begin in range(0, DAYS, 120):
            first = begin + chance.randint(2, 50)
            last = first + chance.randint(25, 65)
            day = chance.randint(first, min(DAYS, last + 40))
            entries.append(Entry(day, "late", port, number=chance.randint(8, 60), days=(first, last)))
    return entries


def _crates(
    things: dict[str, tuple[list[str], Sequence[str]]], asked: Sequence[str], chance: random.Random
) -> list[Entry]:
    """The crates, with their corrections and new seals."""
    goods = [each for each in asked for _ in range(CRATES_EACH)]
    others = [each for each in GOODS if each not in asked]
    goods += chance.choices(others, k=CRATES - len(goods))
    chance.shuffle(goods)
    seals = [str(n) for n in chance.sample(range(2000, 8000), 2 * CRATES)]
    entries: list[Entry] = []
    days = sorted(chance.randint(2, DAYS) for _ in goods)
    for n, (each, day) in enumerate(zip(goods, days, strict=True), 1):
        badge, route, seal = chance.choice(things["badge"][0]), chance.choice(things["route"][0]), seals.pop()
        crate = Crate(
            day,
            "crate",
            f"C{n:04}",
            number=chance.randint(11, 99),
            goods=each,
            badge=badge,
            route=route,
            seal=seal,
        )
        entries.append(crate)
        again, later = REPLACED, day
        while chance.random() < again:
            new, later = seals.pop(), min(DAYS, later + chance.randint(0, 60))
            entries.append(Entry(later, "seal", seal, new))
            seal, again = new, AGAIN
        again = CORRECTED
        while chance.random() < again:
            later = min(DAYS, later + chance.randint(0, 60))
            entries.append(Entry(later, "pieces", crate.about, number=chance.randint(11, 99)))
    return entries


@cache
def journal(seed: int) -> tuple[Journal, tuple[Question, ...]]:
    """The entries in their order, and the questions."""
    chance = random.Random(f"chain {seed}")
    things = _things(chance)
    asked = chance.sample(GOODS, ASKED)
    entries = _changes(things, chance) + _crates(things, asked, chance)
    for entry in chance.sample([each for each in entries if each.day > 1], VOIDS):
        entry.void = True
        entries.append(Entry(min(DAYS, entry.day + chance.randint(0, 90)), "void", "", voids=entry))
    chance.shuffle(entries)
    entries.sort(key=lambda entry: entry.day)
    for place, entry in enumerate(entries, 1):
        entry.place = place

    def some(names: Sequence[str], count: int) -> tuple[str, ...]:
        chosen = chance.sample(names, count)
        return tuple(name for name in names if name in chosen)

    questions = tuple(
        Question(goods, some(CREWS, 4), some(DISTRICTS, 3), some(OFFICES, 4)) for goods in asked
    )
    return Journal(entries), questions


def wanted(seed: int) -> dict[str, int]:
    """The answers."""
    its, questions = journal(seed)
    return {f"Q{n}": its.answer(question) for n, question in enumerate(questions, 1)}


def asked_of(seed: int) -> str:
    """The whole prompt."""
    its, questions = journal(seed)
    return PROMPT.format(
        days=DAYS,
        entries="\n".join(f"{entry.place} day {entry.day}: {entry}" for entry in its.entries),
        questions="\n".join(f"Q{n}: {each}" for n, each in enumerate(questions, 1)),
        count=ASKED,
    )


def build(seed: int) -> Node:
    """The test of a seed."""
    return asked_of(seed) >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_number))
