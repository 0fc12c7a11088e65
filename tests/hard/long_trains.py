"""Timetables of trains without any order, with notices that change them, and travellers who change three times."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, pairwise
from typing import Any

from evaluator import *

from .answers import judge_all

DESCRIPTION = (
    "Can the model find which trains travellers catch, from timetables and notices that change each other?"
)
TAGS = ["hard", "reading", "timetable"]

WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FIRST_WEEKDAY, LAST = 4, 28  # 1 May is a Friday; days of the timetable
RUNNING = {
    "daily": "Mon Tue Wed Thu Fri Sat Sun",
    "Mon to Fri": "Mon Tue Wed Thu Fri",
    "Sat and Sun": "Sat Sun",
    "not on Wed": "Mon Tue Thu Fri Sat Sun",
    "not on Sun": "Mon Tue Wed Thu Fri Sat",
    "Mon, Thu and Sat": "Mon Thu Sat",
}
STATIONS = (
    "Aldern", "Brome", "Carrow", "Dunmere", "Elstow", "Farley", "Garth", "Hexton", "Ickle", "Jarrow", "Kelso", "Lorne",
)  # fmt: skip
PROMPT = """Below are the timetables of a railway for 1 to {last} May, and notices that change them. 1 May is a Friday. These are the rules:

1. A train's line has its number, the days of the week on which it runs, and where it stops: the station, when it arrives and when it leaves, and in brackets the platform. The first stop has only the time
when it leaves, the last one only the time when it arrives.
2. A notice holds on all days that it names, the first and the last one included. If a train "does not run" on a day by one notice, it does not run, even if by another one it "runs also" then (which means: although the
timetable does not have it run on that day of the week).
3. If a train leaves a station some minutes late, it arrives at and leaves all its later stops as many minutes late, also if it does not stop at the station that the notice names on that day. Several such notices
for one train and day add up. When it arrives at the station named is not changed by that notice.
4. Of several notices that name another platform for the same train, station and day the one with the highest number counts.
5. A notice that "does not hold" is as if it had never been given. One that "holds until" a day "only" has that day as its last one instead of its own. One that "is about train" another number is about that
train instead of its own. These changes count wherever they stand.
6. Who changes trains needs the time that the table says for the station: from a platform to the same one 2 minutes; between two platforms of one pair (1 and 2, 3 and 4, 5 and 6, 7 and 8) 5 minutes; else as many as the table
says. Some notices make all three times longer, and such notices add up. The platforms are those where the train arrives and where the next one leaves on that day.
7. A traveller's journey names the day, where and when it begins, and the stations on the way in their order. At the first station the traveller needs no time to change. At each station but the last one the traveller
takes, of all trains that he or she can reach there and that stop there and later (maybe after other stops) at the next station named, the one that leaves first, whichever arrives first. At each station named the traveller
leaves the train, and needs the time to change even if the same train goes on. A train can be reached if it leaves when the traveller is ready or later.

CHANGING

{changing}

TRAINS

{trains}

NOTICES

{notices}

JOURNEYS

{journeys}

When does each traveller arrive at the last station? Work it out by reading alone. End your reply with {count} lines, one for each journey, such as "Q1: 17:05"."""


def clock(minutes: int) -> str:
    """A time of day."""
    return f"{minutes // 60}:{minutes % 60:02}"


def span(first: int, last: int) -> str:
    """Days in words."""
    return f"on {first} May" if first == last else f"from {first} to {last} May"


@dataclass(frozen=True)
class Stop:
    """A station, and when a train arrives and leaves there."""

    station: str
    arrives: int
    leaves: int
    platform: int


@dataclass(frozen=True)
class Train:
    """`runs`: the days of the week in words."""

    number: int
    runs: str
    stops: tuple[Stop, ...]

    def __str__(self) -> str:
        last = len(self.stops) - 1
        said = [
            f"{stop.station} {'' if n == 0 else clock(stop.arrives)}{'-' if 0 < n < last else ''}{'' if n == last else clock(stop.leaves)} ({stop.platform})"
            for n, stop in enumerate(self.stops)
        ]
        return f"{self.number}, {self.runs}: {', '.join(said)}"


@dataclass(frozen=True)
class Notice:
    """`value`: minutes, a platform, or for notices about another one the day or train; `about` is its number."""

    number: int
    kind: str
    train: int
    station: str
    value: int
    first: int
    last: int
    about: int = 0

    def __str__(self) -> str:
        days = span(self.first, self.last)
        return (
            f"N{self.number}: "
            + {
                "off": f"train {self.train} does not run {days}",
                "also": f"train {self.train} runs also {days}",
                "late": f"train {self.train} leaves {self.station} {self.value} minutes late {days}",
                "platform": f"train {self.train} stops at platform {self.value} in {self.station} {days}",
                "through": f"train {self.train} does not stop in {self.station} {days}",
                "changing": f"changing in {self.station} takes {self.value} minutes more {days}",
                "void": f"N{self.about} does not hold",
                "until": f"N{self.about} holds until {self.value} May only",
                "other": f"N{self.about} is about train {self.value}",
            }[self.kind]
        )


@dataclass(eq=False)
class Railway:
    """The minutes that changing takes, trains, notices by number."""

    changing: dict[str, int]
    trains: tuple[Train, ...]
    notices: tuple[Notice, ...]

    @cache  # noqa: B019 - there are few of them
    def holding(self, day: int) -> list[Notice]:
        """The notices of a day."""
        changes = {each.about: each for each in self.notices if each.about}
        found = []
        for each in self.notices:
            change = changes.get(each.number)
            if change and change.kind == "until":
                each = replace(each, last=change.value)
            elif change and change.kind == "other":
                each = replace(each, train=change.value)
            if not each.about and not (change and change.kind == "void") and each.first <= day <= each.last:
                found.append(each)
        return found

    def running(self, day: int) -> list[Train]:
        """The trains of a day, as notices change them."""
        by_train: dict[int, list[Notice]] = {}
        for notice in self.holding(day):
            by_train.setdefault(notice.train, []).append(notice)
        weekday, found = WEEK[(FIRST_WEEKDAY + day - 1) % 7], []
        for train in self.trains:
            its = by_train.get(train.number, [])
            kinds = {each.kind for each in its}
            if "off" in kinds or not ("also" in kinds or weekday in RUNNING[train.runs]):
                continue
            late, stops = 0, []
            for stop in train.stops:
                arrives, platform = stop.arrives + late, stop.platform
                here = [each for each in its if each.station == stop.station]
                late += sum(each.value for each in here if each.kind == "late")
                platform = ([platform] + [each.value for each in here if each.kind == "platform"])[-1]
                if not any(each.kind == "through" for each in here):
                    stops.append(Stop(stop.station, arrives, stop.leaves + late, platform))
            found.append(Train(train.number, train.runs, tuple(stops)))
        return found

    @cache  # noqa: B019 - there are few of them
    def legs(self, day: int) -> dict[tuple[str, str], list[tuple[int, int, int, int]]]:
        """From station to station when trains leave and arrive, and the platforms there."""
        found: dict[tuple[str, str], list[tuple[int, int, int, int]]] = {}
        for train in self.running(day):
            for one, other in combinations(train.stops, 2):
                leg = one.leaves, other.arrives, one.platform, other.platform
                found.setdefault((one.station, other.station), []).append(leg)
        return {way: sorted(its) for way, its in found.items()}

    @cache  # noqa: B019
    def change(self, day: int, station: str, one: int, other: int) -> int:
        """How long it takes to change at a station."""
        pair = (one + 1) // 2 == (other + 1) // 2
        more = sum(
            each.value for each in self.holding(day) if each.kind == "changing" and each.station == station
        )
        return more + (2 if one == other else 5 if pair else self.changing[station])

    def journey(self, day: int, ready: int, via: Sequence[str]) -> int | None:
        """When it ends; None if it does not on that day, or if two trains leave at the same time."""
        legs, platform = self.legs(day), 0
        for here, there in pairwise(via):
            its = [
                each
                for each in legs.get((here, there), ())
                if each[0] >= ready + (self.change(day, here, platform, each[2]) if platform else 0)
            ][:2]
            if not its or [each[0] for each in its] == [its[0][0]] * 2:
                return None
            _, ready, _, platform = its[0]
        return ready


@dataclass(frozen=True)
class Trains:
    """So many trains, notices, notices about notices, and journeys of so many legs."""

    trains: int
    notices: int
    about: int
    journeys: int
    legs: int

    def railway(self, chance: random.Random) -> Railway:
        """Timetables and notices."""
        places = {each: (chance.randint(0, 40), chance.randint(0, 40)) for each in STATIONS}
        trains = []
        for number in sorted(chance.sample(range(100, 1000), self.trains)):
            time, stops, before = chance.randint(280, 1080), list[Stop](), ""
            for station in chance.sample(STATIONS, chance.choice((4, 5, 5, 6))):
                if before:
                    (a, b), (c, d) = places[before], places[station]
                    time += 8 + abs(a - c) + abs(b - d) + chance.randint(0, 5)
                leaves = time + chance.randint(2, 9)
                stops.append(Stop(station, time, leaves, chance.randint(1, 8)))
                time, before = leaves, station
            runs = chance.choice(("daily", "daily", *RUNNING))
            trains.append(Train(number, runs, tuple(stops)))
        notices = []
        kinds = (
            ("off",) * 4
            + ("late",) * 5
            + ("platform",) * 4
            + ("through",) * 2
            + ("also",) * 2
            + ("changing",)
        )
        for _ in range(self.notices):
            kind, train, first = chance.choice(kinds), chance.choice(trains), chance.randint(1, LAST - 1)
            last = min(LAST, first + chance.choice((0, 1, 2, 4, 6, 9)))
            stop = chance.choice(train.stops[:-1])
            value = chance.randint(3, 50) if kind == "late" else chance.randint(2, 8)
            if kind == "platform" and value == stop.platform:
                value = value % 8 + 1
            about = 0 if kind == "changing" else train.number
            notices.append(Notice(0, kind, about, stop.station, value, first, last))
        targets = chance.sample(range(self.notices), self.about)
        order = chance.sample(range(self.notices + self.about), self.notices + self.about)
        numbers = [n + 1 for n in order]  # of the notices in their list, and of those about them
        notices = [replace(each, number=numbers[n]) for n, each in enumerate(notices)]
        for n, target in enumerate(targets, self.notices):
            its = notices[target]
            kind = chance.choice(("void", "until", "other"))
            if its.first == its.last and kind == "until":
                kind = "void"
            value = chance.randrange(its.first, its.last) if kind == "until" else 0
            if kind == "other":  # one that stops there too
                also = [
                    each.number
                    for each in trains
                    if its.station in [stop.station for stop in each.stops[:-1]] and each.number != its.train
                ]
                kind, value = ("void", 0) if its.kind == "changing" else (kind, chance.choice(also))
            notices.append(Notice(numbers[n], kind, 0, "", value, 1, LAST, its.number))
        return Railway(
            {each: chance.randint(7, 16) for each in STATIONS},
            tuple(trains),
            tuple(sorted(notices, key=lambda each: each.number)),
        )

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[str, dict[str, str]]:
        """The prompt and the answers."""
        chance = random.Random(f"trains {seed}")
        its = self.railway(chance)
        plain = replace(its, notices=())
        days = chance.sample(range(2, LAST + 1), 12)
        asked, wanted = list[str](), dict[str, str]()
        while len(asked) < self.journeys:
            day, ready = days[len(asked) % len(days)], chance.randint(290, 540)
            via = [chance.choice(STATIONS)]
            while len(via) <= self.legs:
                via.append(chance.choice([each for each in STATIONS if each not in via]))
            arrival = its.journey(day, ready, via)
            if arrival is not None and arrival < 1440 and plain.journey(day, ready, via) != arrival:
                name = f"Q{len(asked) + 1}"
                asked.append(f"{name}: {day} May, {via[0]} {clock(ready)}, {', '.join(via[1:])}")
                wanted[name] = clock(arrival)
        prompt = PROMPT.format(
            last=LAST, count=self.journeys, journeys="\n".join(asked),
            changing="\n".join(f"{name}: 2, 5, else {minutes}" for name, minutes in its.changing.items()),
            trains="\n".join(map(str, its.trains)), notices="\n".join(map(str, its.notices)),
        )  # fmt: skip
        return prompt, wanted

    def wanted(self, seed: int) -> dict[str, str]:
        """The answers."""
        return self.puzzle(seed)[1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            self.puzzle(seed)[0]
            >> LLMRun()
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_time))
        )


def same_time(said: str, wanted: Any) -> bool:
    """Whether it is the same time of day, with a dot instead of a colon or not."""
    found = re.findall(r"\b(\d{1,2})[:.h](\d\d)\b", said)
    return [(int(hours), int(minutes)) for hours, minutes in found] == [tuple(map(int, wanted.split(":")))]


TASK = Trains(trains=170, notices=150, about=40, journeys=36, legs=4)
build = TASK.build
