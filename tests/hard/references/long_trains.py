"""Right and wrong arrivals for long_trains, by a reader of the prompt's own words."""

from __future__ import annotations

import re
from functools import cache

from ..long_trains import RUNNING, TASK
from .lines import near_misses, right_forms

WEEK = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")


def _minutes(time: str) -> int:
    hours, minutes = time.split(":")
    return 60 * int(hours) + int(minutes)


def _notices(text: str, forgotten: str) -> list[tuple[str, str, int, int]]:
    """What is said, of which train or station, and from when to when."""
    said = dict(re.findall(r"(?m)^(N\d+): (.*)$", text))
    found = {}
    for name, each in said.items():
        if m := re.fullmatch(r"(.*) (?:on|from) (\d+)(?: to (\d+))? May", each):
            train = re.match(r"train (\d+)", each)
            found[name] = [m[1], train[1] if train else "", int(m[2]), int(m[3] or m[2])]
    for each in said.values() if forgotten != "notices about notices" else ():
        if m := re.fullmatch(r"(N\d+) (does not hold|holds until|is about train) ?(\d*).*", each):
            if m[2] == "does not hold":
                del found[m[1]]
            else:
                found[m[1]][1 if "train" in m[2] else 3] = m[3] if "train" in m[2] else int(m[3])
    return [tuple(each) for each in found.values()]  # type: ignore[misc]


@cache
def _trains(text: str) -> list[tuple[str, str, list[tuple[str, int, int, int]]]]:
    """Number, days of the week, and of each stop the station, when the train arrives and leaves, and the platform."""
    found = []
    for number, runs, stops in re.findall(r"(?m)^(\d{3}), (.+?): (.*)$", text):
        its = []
        for station, times, platform in re.findall(r"(\w+) ([\d:-]+) \((\d)\)", stops):
            arrives, _, leaves = times.partition("-")
            its.append((station, _minutes(arrives), _minutes(leaves or arrives), int(platform)))
        found.append((number, runs, its))
    return found


def _day(
    text: str, notices: list[tuple[str, str, int, int]], day: int, forgotten: str
) -> list[dict[str, tuple[int, int, int]]]:
    """Of each train of a day when it arrives and leaves, and the platform, by station."""
    trains = []
    of: dict[str, list[str]] = {}
    for what, train, first, last in notices:
        if first <= day <= last:
            of.setdefault(train, []).append(what)
    for number, runs, stops in _trains(text):
        its = of.get(number, [])
        regular = WEEK[(day + 4) % 7] in RUNNING[runs] or any(" runs also" in each for each in its)
        if not regular or any(each.endswith("does not run") for each in its):
            continue
        late, found = 0, {}
        for station, arrives, leaves, platform in stops:
            came = arrives + late
            for each in its if forgotten != "late" else ():
                late += sum(map(int, re.findall(rf"leaves {station} (\d+) minutes late", each)))
            for each in its if forgotten != "platforms" else ():
                platform = int((re.findall(rf"at platform (\d) in {station}", each) or [platform])[0])
            if not any(each.endswith(f"does not stop in {station}") for each in its):
                found[station] = (came, leaves + late, platform)
        trains.append(found)
    return trains


@cache
def _arrivals(seed: int, forgotten: str = "") -> dict[str, str]:
    text = TASK.puzzle(seed)[0]
    changing = {name: int(minutes) for name, minutes in re.findall(r"(?m)^(\w+): 2, 5, else (\d+)$", text)}
    notices, days, found = _notices(text, forgotten), dict[int, list[dict[str, tuple[int, int, int]]]](), {}
    for name, day_, start, begin, via in re.findall(r"(?m)^(Q\d+): (\d+) May, (\w+) ([\d:]+), (.*)$", text):
        day, now, at, here = int(day_), _minutes(begin), 0, start
        if day not in days:
            days[day] = _day(text, notices, day, forgotten)
        for there in via.split(", "):
            more = [
                re.fullmatch(rf"changing in {here} takes (\d+) minutes more", each[0])
                for each in notices
                if each[2] <= day <= each[3]
            ]
            extra = sum(int(each[1]) for each in more if each)
            best = (10_000, 0, 0)
            for its in days[day]:
                if here in its and there in its and its[here][1] < its[there][0]:
                    new = its[here][2]
                    need = (
                        2 if new == at else 5 if (new - 1) // 2 == (at - 1) // 2 else changing[here]
                    ) + extra
                    if forgotten == "changing":
                        need = 0
                    if its[here][1] >= now + need * bool(at):
                        best = min(best, (its[here][1], its[there][0], its[there][2]))
            _, now, at = best
            here = there
        found[name] = f"{now // 60}:{now % 60:02}"
    return found


def right(seed: int) -> list[str]:
    return right_forms(_arrivals(seed))


def wrong(seed: int) -> list[str]:
    """A hurried reader forgets one of the rules."""
    return near_misses(
        _arrivals(seed),
        *(_arrivals(seed, each) for each in ("notices about notices", "late", "platforms", "changing")),
    )
