"""Water meters: three collectors, corrections, counters that turn over, meters that move."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_words

DESCRIPTION = "Can an agent compute water use from readings whose traps stand in the notes beside them?"
TAGS = ["hard", "python", "agent"]

NOTES = """Notes on the readings of the water works
========================================

1. sites.csv lists the sites with their offset from UTC in hours, the same all year. A "day" of a site is its local day, from local
   midnight to local midnight. Use is always meant in litres.
2. fitted.csv says which meter was fitted at which site, from when to when (local time of the site; "to" is empty if it is still
   there). A meter that was taken out may have been fitted at another site later. At a change of meters "first" is what the counter
   of the new meter showed when it was fitted, and "last" is what that of the old one showed when it was taken out, both in the unit
   of that meter (models.csv). No water flows while meters are changed.
3. models.csv: the unit of a meter's counter ("l": litres; "m3": cubic metres with three decimals; "q": quarts of {quart} litres, by our
   own definition) and the number of digits before the point. A counter that reaches its end begins at 0 again, with nothing
   lost, and may do so several times a quarter, but never more than once within {turn} hours.
4. readings_*.csv come from three collectors. Each row has meter, read_at, value, received_at and mark. received_at is in UTC.
   - north writes read_at in UTC.
   - south writes read_at in the local time of the site at which the meter was fitted then.
   - harbour writes read_at in seconds since 1970-01-01 00:00 UTC.
5. If there are several rows for the same meter and the same moment, from whatever collectors, the one received last counts. But a row
   marked E (estimated) never counts if there is one without an E, and rows marked T (a technician's test) never count at all.
6. The clock of south was {late} hours fast from {fast_from} to {fast_to} UTC (times of reception, both ends included): rows received then
   have a read_at that is {late} hours too late. Its received_at comes from another clock and is right.
7. From {model_from} on (received_at, UTC) harbour sends values of counters in m3 without the point: 12.345 as 12345.
8. Every midnight and every noon of a site, from 1 January 00:00 to 1 April 00:00, has a reading that counts, for the meter that is fitted
   there at that moment. The use of a site between two moments is what its meters counted.
"""
QUESTION = """In this folder are readings of water meters: NOTES.txt, sites.csv, fitted.csv, models.csv and readings_north.csv,
readings_south.csv, readings_harbour.csv. Read NOTES.txt first; all of it matters. Then answer:

MONTH: how many litres did {site} use in {month} (its local days)?
MOST: which site used most on its local day {day}?
LITRES: and how many litres did it use on that day?
PEAK: on which local date (YYYY-MM-DD) did {other} use most in the whole quarter, January to March 2026?
TOTAL: how many litres did all sites together use on their local days from {first} to {last}, both included?
MOVED: how many litres did meter {moved} count in {moved_month} (local days of the sites at which it was fitted)?

You have a shell and Python. End with a reply that has a line for each of the six, with the name, a colon and the plain number, name or
date."""
SITES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel")
START, DAYS = datetime(2026, 1, 1), 90
SLOTS = DAYS * 2  # half days
HALF = timedelta(hours=12)


@dataclass(frozen=True)
class Meter:
    """`base`: what its counter showed at first, in litres. `size`: litres after which it begins again."""

    name: str
    unit: str
    digits: int
    quart: int

    @property
    def litres(self) -> int:
        """Litres of one whole unit."""
        return {"l": 1, "m3": 1000, "q": self.quart}[self.unit]

    @property
    def size(self) -> int:
        """Litres after which the counter begins again."""
        return int(10**self.digits) * self.litres

    def shown(self, litres: int) -> str:
        """The counter after so many litres."""
        litres %= self.size
        return f"{litres / 1000:.3f}" if self.unit == "m3" else str(litres // self.litres)


@dataclass
class World:
    """Everything about a seed."""

    offsets: dict[str, int]
    uses: dict[str, list[int]]  # site -> litres of each half day
    files: dict[str, str]
    answers: dict[str, str]
    asked: dict[str, str]


def _date(slot: int) -> str:
    return (START + slot * HALF).date().isoformat()


@cache
def world(seed: int) -> World:
    """Everything about a seed, made once."""
    chance = random.Random(f"meters {seed}")
    quart, late, turn = chance.choice([4, 5]), chance.choice([2, 3]), 18
    sites = chance.sample(SITES, 7)
    offsets = {site: chance.choice([-5, -3, 0, 1, 2, 5, 9]) for site in sites}
    fast_from, fast_to = START + timedelta(days=20, hours=6), START + timedelta(days=34, hours=18)
    model_from = START + timedelta(days=chance.randint(45, 55), hours=chance.randint(1, 23))
    # each half day is a multiple of the quart, so that no counter rounds
    uses = {
        site: [quart * chance.randint(20, 400 if slot % 2 else 90) for slot in range(SLOTS)] for site in sites
    }
    meters = [
        Meter(f"W{chance.randint(100, 999)}{letter}", unit, digits, quart)
        for letter, unit, digits in zip(
            "abcdefghij", chance.sample(["l", "l", "l", "m3", "m3", "m3", "q", "q", "q", "q"], 10),
            [0] * 10, strict=True,
        )
    ]  # fmt: skip
    meters = [Meter(m.name, m.unit, {"l": 5, "m3": 2, "q": 4}[m.unit], quart) for m in meters]
    counts = {meter.name: chance.randrange(meter.size // quart) * quart for meter in meters}
    # meter 0 moves from the first site to the second in the middle, and others fill the gaps
    change, back = 2 * chance.randint(36, 48) + 1, 2 * chance.randint(60, 75) + 1
    plan: dict[str, list[tuple[int, int, Meter]]] = {
        site: [(0, SLOTS, meters[at + 3])] for at, site in enumerate(sites)
    }
    moved = meters[0]
    plan[sites[0]] = [(0, change, moved), (change, SLOTS, meters[1])]
    plan[sites[1]] = [
        (0, change + 6, meters[2]),
        (change + 6, back, moved),
        (back, SLOTS, plan[sites[1]][0][2]),
    ]
    fitted = ["meter,site,from,to,first,last"]
    rows: dict[str, list[tuple[str, str, str, str, str]]] = {"north": [], "south": [], "harbour": []}
    counted: dict[str, dict[int, int]] = {meter.name: {} for meter in meters}  # meter -> slot -> litres
    spans = sorted((begin, site, end, meter) for site, its in plan.items() for begin, end, meter in its)
    spans.sort(key=lambda each: each[0])
    for begin, site, end, meter in spans:
        count = counts[meter.name]
        middle = timedelta(hours=3)  # meters are changed at three in the morning or the afternoon
        first = meter.shown(count)
        # the use of the half day in which a meter is changed is cut at its fourth part
        for slot in range(begin, end + (end < SLOTS)):
            part = uses[site][slot] // quart
            before = part // 4 * quart
            if slot == begin and begin:
                amount = uses[site][slot] - before
            else:
                if slot > begin or not begin:
                    _read(
                        chance,
                        rows,
                        meter,
                        offsets[site],
                        slot,
                        count,
                        (fast_from, fast_to, late, model_from),
                    )
                amount = before if slot == end else uses[site][slot]
            count += amount
            counted[meter.name][slot] = counted[meter.name].get(slot, 0) + amount
        if end == SLOTS:
            _read(chance, rows, meter, offsets[site], SLOTS, count, (fast_from, fast_to, late, model_from))
        counts[meter.name] = count
        start = (START + begin * HALF + (middle if begin else timedelta())).isoformat(
            sep=" ", timespec="minutes"
        )
        stop = (START + end * HALF + middle).isoformat(sep=" ", timespec="minutes") if end < SLOTS else ""
        ended = meter.shown(count) if end < SLOTS else ""
        fitted.append(
            f"{meter.name},{site},{start if begin else '2025-11-30 09:00'},{stop},{first if begin else ''},{ended}"
        )
    files = {
        "NOTES.txt": NOTES.format(
            quart=quart, turn=turn, late=late, fast_from=fast_from, fast_to=fast_to, model_from=model_from
        ),
        "sites.csv": "\n".join(
            ["site,utc_offset", *(f"{site},{hours:+d}" for site, hours in offsets.items())]
        )
        + "\n",
        "fitted.csv": "\n".join([fitted[0], *sorted(fitted[1:])]) + "\n",
        "models.csv": "\n".join(["meter,unit,digits", *(f"{m.name},{m.unit},{m.digits}" for m in meters)])
        + "\n",
    }
    for name, its in rows.items():
        chance.shuffle(its)
        lines = ["meter,read_at,value,received_at,mark", *(",".join(each) for each in its)]
        files[f"readings_{name}.csv"] = "\n".join(lines) + "\n"
    return World(offsets, uses, files, *_questions(chance, sites, uses, moved, counted[moved.name], change))


def _read(
    chance: random.Random, rows: dict[str, list[tuple[str, str, str, str, str]]], meter: Meter, offset: int, slot: int,
    count: int, faults: tuple[datetime, datetime, int, datetime],
) -> None:  # fmt: skip
    """Rows about one moment: one that counts, and others that do not."""
    fast_from, fast_to, late, model_from = faults
    local = START + slot * HALF
    moment = local - timedelta(hours=offset)

    def add(litres: int, received: datetime, mark: str) -> None:
        collector = chance.choice(["north", "south", "harbour"])
        value = meter.shown(litres)
        if collector == "south":
            fast = fast_from <= received <= fast_to
            at = (local + timedelta(hours=late * fast)).isoformat(sep=" ")
        elif collector == "north":
            at = moment.isoformat(sep=" ")
        else:
            at = str(int(moment.replace(tzinfo=UTC).timestamp()))
            if meter.unit == "m3" and received >= model_from:
                value = str(litres % meter.size)
        rows[collector].append((meter.name, at, value, received.isoformat(sep=" "), mark))

    received = moment + timedelta(seconds=chance.randint(60, 20_000))
    off = meter.quart * chance.randint(3, 60)
    if chance.random() < 0.12:  # an earlier value, corrected later
        add(count + off, received, "")
        received += timedelta(seconds=chance.randint(3600, 400_000))
    add(count, received, "")
    if chance.random() < 0.1:  # an estimate, received later
        add(count - off, received + timedelta(seconds=chance.randint(60, 90_000)), "E")
    if chance.random() < 0.08:
        add(
            chance.randrange(meter.size // meter.quart) * meter.quart,
            received + timedelta(seconds=chance.randint(60, 90_000)),
            "T",
        )


def _questions(
    chance: random.Random, sites: list[str], uses: Mapping[str, list[int]], moved: Meter, counted: Mapping[int, int], change: int
) -> tuple[dict[str, str], dict[str, str]]:  # fmt: skip
    months = {"January": (0, 31), "February": (31, 59), "March": (59, 90)}

    def used(site: str, first: int, end: int) -> int:
        return sum(uses[site][2 * first : 2 * end])

    month = "March" if change > 118 else "February"

    def greatest(values: list[int]) -> bool:
        return values.count(max(values)) == 1

    days = [each for each in range(60, 81) if greatest([used(site, each, each + 1) for site in sites])]
    others = [site for site in sites[2:] if greatest([used(site, each, each + 1) for each in range(DAYS)])]
    day, other = chance.choice(days), chance.choice(others)
    most = max(sites, key=lambda site: used(site, day, day + 1))
    peak = max(range(DAYS), key=lambda each: used(other, each, each + 1))
    first = chance.randint(15, 25)
    last = first + 21
    answers = {
        "MONTH": str(used(sites[0], *months[month])),
        "MOST": most,
        "LITRES": str(used(most, day, day + 1)),
        "PEAK": _date(2 * peak),
        "TOTAL": str(sum(used(site, first, last + 1) for site in sites)),
        "MOVED": str(sum(amount for slot, amount in counted.items() if 62 <= slot < 118)),
    }
    asked = {
        "site": sites[0], "month": f"{month} 2026", "day": _date(2 * day), "other": other, "first": _date(2 * first),
        "last": _date(2 * last), "moved": moved.name, "moved_month": "February 2026",
    }  # fmt: skip
    return answers, asked


def files_of(seed: int) -> Mapping[str, str]:
    """The files of a seed."""
    return world(seed).files


def answers_of(seed: int) -> Mapping[str, str]:
    """The right answers of a seed."""
    return world(seed).answers


def build(seed: int) -> Node:
    """The test of a seed."""
    question = QUESTION.format(**world(seed).asked)
    work = Files(partial(files_of, seed)) >> question >> AgentRun([Shell(), Python()], max_turns=30)
    return work >> PyFunc(partial(judge_all, partial(answers_of, seed), same_words))
