"""Right and wrong work on data_race: what the notes say as one who understood them writes it down, and a program for the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from assay.records import Message
from evaluator import Call

from ..data_race import world

SOLVER = r"""
import csv, re
text = open("RULES.txt").read()
rule = lambda pattern: int(re.search(pattern, " ".join(text.split()))[1])
FREE, LACK = rule(r"whole race, (\d+) cost"), rule(r"each further one costs (\d+)")
COST = {"litter": rule(r"litter (\d+)"), "bib": rule(r"covered bib (\d+)"), "cut": rule(r"short cut (\d+)")}
TEAM = rule(r"sum of the (\d+) lowest")
people = {int(row["bib"]): row for row in csv.DictReader(open("starters.csv"))}
waves = {int(row["bib"]): row for row in csv.DictReader(open("waves.csv"))}
for fact in facts.get("born", []):
    people[fact["bib"]]["born"] = fact["born"]
MATS = "SABCDEF"
def clock(text):
    h, m, s = map(int, text.split(":"))
    return h * 3600 + m * 60 + s
def parse(day, line):
    if day == 1:
        mat, chip, at = line.split(";")
        return mat, int(chip, 16), clock(at)
    if day == 2:
        chip, mat, at = line.split(",")
        return mat, int(chip, 16), int(at)
    if day == 3:
        at, mat, chip = line.split()
        return mat, int(chip[:-1], 16), clock(at)
    if day == 4:
        mat, chip, at = line.split("|")
        at, half = at.split()
        seconds = clock(at)
        return mat, int(chip), seconds % 43200 + 43200 * (half == "pm")
    mat, chip, minutes, seconds = line.split(",")
    return mat, int(chip, 16), 28800 + int(minutes) * 60 + int(seconds)
guns = {(day, wave): 28800 + 1200 * (wave - 1) for day in range(1, 6) for wave in (1, 2, 3)}
for fact in facts.get("gun", []):
    guns[fact["day"], fact["wave"]] = fact["at"]
passed, stage = {}, {}
for day in range(1, 6):
    owner = {}
    for bib, row in people.items():
        for mat in MATS:
            owner[mat, int(row["chip"], 16)] = bib
    for fact in facts.get("spare", []):
        for on, mat in fact["places"]:
            if on == day:
                del owner[mat, int(people[fact["bib"]]["chip"], 16)]
                owner[mat, fact["chip"]] = fact["bib"]
    for fact in facts.get("swap", []) if SWAPS else []:
        if fact["day"] == day:
            for mat in fact["mats"]:
                one, two = (int(people[fact[name]]["chip"], 16) for name in ("one", "two"))
                owner[mat, one], owner[mat, two] = fact["two"], fact["one"]
    clocks = {fact["mat"]: fact for fact in facts.get("clock", []) if fact["day"] == day}
    lines = [parse(day, line) for line in open(f"day{day}.csv").read().splitlines() if not line.startswith("#")]
    for mat, chip, at in lines:
        if chip == 0 and mat not in clocks and TESTS:
            clocks[mat] = {"slow": 25200 - at, "until": 0}
    reads = {}
    for mat, chip, at in lines:
        wrong = clocks.get(mat)
        if wrong and (not wrong["until"] or at <= wrong["until"]):
            at += wrong["slow"]
        bib = owner.get((mat, chip))
        if bib is not None:
            reads.setdefault((bib, mat), []).append(at)
    seen = {(fact["bib"], fact["mat"]): fact["at"] for fact in facts.get("seen", []) if fact["day"] == day}
    for bib in people:
        last = gun = guns[day, int(waves[bib][f"day{day}"])]
        for mat in MATS[1:]:
            at = seen.get((bib, mat))
            if at is None:
                at = min((each for each in reads.get((bib, mat), []) if each >= last + GAP), default=None)
            if at is not None:
                passed[bib, day, mat] = last = at
        if (bib, day, "F") in passed:
            stage[bib, day] = passed[bib, day, "F"] - gun
out = {fact["bib"] for fact in facts.get("out", [])}
ranked = sorted(bib for bib in people if bib not in out and all((bib, day) in stage for day in range(1, 6)))
def category(bib):
    age = 2026 - int(people[bib]["born"])
    return people[bib]["sex"] + ("" if age <= 39 else "40" if age <= 54 else "55")
total = {}
for bib in ranked:
    lacking = sum((bib, day, mat) not in passed for day in range(1, 6) for mat in "ABCDE")
    total[bib] = sum(stage[bib, day] for day in range(1, 6)) + LACK * max(0, lacking - FREE)
for fact in facts.get("unnamed", []):
    place = fact["day"], fact["mat"]
    its = [(passed[bib, *place], bib) for bib in people if (bib, *place) in passed and waves[bib][f"day{place[0]}"] == str(fact["wave"])]
    fact["bib"] = min(its)[1]
    facts.setdefault("offence" if "sort" in fact else "credit", []).append(fact)
for fact in facts.get("group", []):
    for bib, row in people.items():
        if row["club"] == fact["club"] and waves[bib][f"day{fact['day']}"] == str(fact["wave"]) and bib != fact["kept"]:
            facts["credit"].append({"bib": bib, "seconds": fact["seconds"]})
done = {}
for fact in facts.get("offence", []):
    key = fact["bib"], fact["sort"]
    if fact["bib"] in total:
        total[fact["bib"]] += COST[fact["sort"]] * 2 ** done.get(key, 0) if DOUBLES else COST[fact["sort"]]
    done[key] = done.get(key, 0) + 1
for fact in facts.get("credit", []):
    if fact["bib"] in total:
        total[fact["bib"]] -= fact["seconds"]
for fact in facts.get("neutral", []):
    for bib in ranked:
        if fact["who"] in (None, category(bib)):
            total[bib] -= passed.get((bib, fact["day"], fact["last"]), 0) - passed.get((bib, fact["day"], fact["first"]), 0)
for day in range(1, 6):
    groups = {}
    for bib in ranked:
        if (bib, day, "C") in passed:
            groups.setdefault(category(bib), []).append((passed[bib, day, "C"] - guns[day, int(waves[bib][f"day{day}"])], bib))
    for its in groups.values():
        for (_, bib), bonus in zip(sorted(its), (30, 20, 10)):
            total[bib] -= bonus
results = []
for each in ("M", "M40", "M55", "W", "W40", "W55"):
    its = sorted((seconds, bib) for bib, seconds in total.items() if category(bib) == each)
    results += [its[0][1], len(its), sum(seconds for seconds, _ in its)]
clubs = {}
for club in {row["club"] for row in people.values()}:
    best = sorted(seconds for bib, seconds in total.items() if people[bib]["club"] == club)
    if len(best) >= TEAM:
        clubs[club] = sum(best[:TEAM])
results += [min(clubs, key=clubs.get), sum(clubs.values())]
results += [total.get(bib, 0) for bib in ASKED]
for number, each in enumerate(results, 1):
    print(f"Q{number}: {each}")
"""
SETTINGS = {"SWAPS": "True", "TESTS": "True", "DOUBLES": "True", "GAP": "60"}
Work = Callable[[Sequence[Message]], Call | str]


def _worked(seed: int, change: Callable[[dict[str, Any]], None] = lambda facts: None, **other: str) -> Work:
    facts = json.loads(json.dumps(world(seed).facts))
    change(facts)
    asked = [
        int(text.split()[-1].rstrip("?"))
        for text in world(seed).questions
        if "bib" in text and "total" in text
    ]
    head = "\n".join(f"{name} = {value}" for name, value in (SETTINGS | other).items())
    head += f"\nimport json\nfacts = json.loads({json.dumps(facts)!r})\nASKED = {asked}\n"
    command = f"cat > /tmp/solve.py <<'END_OF_PROGRAM'\n{head}{SOLVER}END_OF_PROGRAM\npython3 /tmp/solve.py"

    def reply(messages: Sequence[Message]) -> Call | str:
        if messages[-1].role == "user":
            return Call("shell", command=command)
        return "I have read all notes.\n\n" + messages[-1].content

    return reply


def _forgets(kind: str) -> Callable[[dict[str, Any]], None]:
    def change(facts: dict[str, Any]) -> None:
        facts[kind] = facts[kind][:-6]

    return change


def right(seed: int) -> list[Work]:
    return [_worked(seed)]


def wrong(seed: int) -> list[Work | str]:
    return [
        _worked(seed, SWAPS="False"),
        _worked(seed, TESTS="False"),
        _worked(seed, DOUBLES="False"),
        _worked(seed, GAP="1"),
        _worked(seed, _forgets("offence")),
        _worked(seed, _forgets("unnamed")),
        _worked(seed, _forgets("gun")),
        _worked(seed, _forgets("born")),
        "The notes contradict each other.",
    ]
