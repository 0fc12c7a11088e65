"""Visits to a shop, from devices whose clocks are wrong, with revisions and withdrawals: what did people do?"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from typing import Any

from evaluator import *

from .answers import judge_all, same_words

DESCRIPTION = "Can an agent count visits in a log of devices with wrong clocks, revisions and withdrawals, by written rules?"
TAGS = ["hard", "log", "agent"]

QUESTION = """events.jsonl holds the events of a shop, a JSON object a line, in the order in which they arrived. README.md says how they are read.

{questions}

End your reply with {count} lines, one for each question, with only the answer, such as "Q1: 204"."""
README = """# How events.jsonl is read

1. An event has an `id`, a `device`, `t` (the device's clock, in seconds) and a `kind`. Lines with `"withdraw": ID` are no events: they withdraw the event
   ID, {withdraw}.
2. Of several lines with one id, the one with the greatest `rev` counts, whole; of lines with the same id and rev the {twice} to arrive. A line without
   `rev` has rev 0.
3. The device's clock is wrong by some seconds, which change now and then. An event of kind `sync` says in `real` what the time really was at its `t`. The
   real time of any other event of this device is its own `t` plus (`real` - `t`) of the device's last sync whose `t` is not greater than the event's `t`; of
   syncs with the same `t` the one with the greater id counts. Before the first sync of a device, the first one is used. What rules 1 and 2
   remove is no sync. The clock of a device without any sync is right.
4. The events of a device are ordered by real time, at the same real time by id. `login` says in `user` who uses the device from then on, until the
   next `login` or `logout` there. An event of kind `view` or `buy` belongs to that user; if it has a `user` of its own, to that one (this changes nothing
   for later events); if there is neither, to the person "anon " and the device's name.
5. A visit: take all events of kinds view and buy of a person, on all devices, by real time, at the same real time by id. A visit ends where more than {gap}
   seconds pass until the person's next event{ends}.
6. `buy` has an `amount` in cents. A `buy` with a negative amount is a return: it counts as an event, its amount is added as it is.
7. Ids are compared as numbers.
"""
QUESTIONS = (
    "How many visits were there?",
    "How many persons (anonymous ones too) had at least {often} visits?",
    "How many seconds did the longest visit take, from its first to its last event?",
    "What is the sum of all amounts, in cents, of visits with at least {views} views?",
    "How many visits have events on more than one device?",
    "Which page was viewed directly before a buy most often, both in the same visit with no other event between them? (There is no tie.)",
    "How many view and buy events belong to anonymous persons?",
    "Which user has the greatest sum of amounts? (There is no tie.)",
)
PAGES = ("home", "search", "lamp", "desk", "chair", "shelf", "cart", "help")


@dataclass(frozen=True)
class Rules:
    """What a seed decides."""

    comes_back: bool  # a line after a withdrawal brings an event back
    first_of_equal: bool
    gap: int
    buy_ends: bool
    often: int
    views: int
    revs: bool = True  # False: misread

    def text(self) -> str:
        """README.md."""
        return README.format(
            withdraw="unless a line with that id arrives later; only what arrives after the last withdrawal counts then" if self.comes_back
            else "whatever else arrives about it, before or later",
            twice="first" if self.first_of_equal else "last",
            gap=self.gap,
            ends=", and after each buy that is not a return" if self.buy_ends else "",
        )  # fmt: skip


def rules_of(seed: int) -> Rules:
    """The rules of a seed."""
    chance = random.Random(f"sessions rules {seed}")
    return Rules(
        chance.random() < 0.5, chance.random() < 0.5, chance.choice([600, 900, 1200]), chance.random() < 0.5,
        chance.choice([12, 15]), chance.choice([4, 5]),
    )  # fmt: skip


def lines_of(seed: int, attempt: int) -> list[dict[str, Any]]:
    """The log: people who go from device to device, whose clocks jump."""
    chance = random.Random(f"sessions {seed} {attempt}")
    users = [f"u{n}" for n in range(1, 41)]
    devices = [f"d{n}" for n in range(1, 31)]
    drift = {each: chance.randint(-4000, 4000) for each in devices}
    sent: list[tuple[float, dict[str, Any]]] = []
    ids = iter(chance.sample(range(10_000, 99_999), 20_000))

    def send(at: int, device: str, kind: str, **more: Any) -> dict[str, Any]:
        event = {"id": next(ids), "device": device, "t": at + drift[device], "kind": kind, **more}
        late = chance.choice([0, 0, 1, 30, 400]) if chance.random() < 0.9 else chance.randint(1000, 40_000)
        sent.append((at + late, event))
        return event

    for device in devices:
        now = chance.randint(0, 3000)
        user = ""
        send(now + chance.randint(0, 900), device, "sync", real=0)
        while now < 200_000:
            now += chance.choice([20, 60, 200, 500, 590, 1000, 1190, 5000, 9000])
            draw = chance.random()
            if draw < 0.05:
                drift[device] += chance.randint(-700, 700)
                send(now, device, "sync", real=now)
            elif draw < 0.1:
                user = chance.choice(users)
                send(now, device, "login", user=user)
            elif draw < 0.12:
                send(now, device, "logout")
            elif draw < 0.88:
                more = {"user": chance.choice(users)} if chance.random() < 0.06 else {}
                send(now, device, "view", page=chance.choice(PAGES), **more)
            else:
                amount = chance.randint(100, 9000) * (-1 if chance.random() < 0.12 else 1)
                send(now, device, "buy", amount=amount)
    for _, event in list(sent):
        if event["kind"] == "sync" and event["real"] == 0:
            event["real"] = event["t"] - drift[event["device"]] + chance.randint(-2000, 2000)
    for arrived, event in chance.sample(sent, len(sent) // 8):
        changed = dict(event, rev=chance.choice([0, 1, 1, 2]))
        if event["kind"] == "buy":
            changed["amount"] += chance.randint(-50, 50)
        elif event["kind"] == "view":
            changed["page"] = chance.choice(PAGES)
            changed["t"] += chance.choice([0, 0, -1, 5, 300])
        sent.append((arrived + chance.choice([0.5, 100, 5000, -900]), changed))
    for arrived, event in chance.sample(sent, len(sent) // 25):
        sent.append((arrived + chance.choice([-3000, 0.2, 0.7, 200, 6000]), {"withdraw": event["id"]}))
    return [event for _, event in sorted(sent, key=lambda each: each[0])]


def events_of(lines: list[dict[str, Any]], rules: Rules) -> list[dict[str, Any]]:
    """The events that count: rules 1 and 2."""
    found: dict[int, dict[str, Any]] = {}
    gone: set[int] = set()
    for line in lines:
        if "withdraw" in line:
            found.pop(line["withdraw"], None)
            if not rules.comes_back:
                gone.add(line["withdraw"])
            continue
        old = found.get(line["id"])
        rev, had = line.get("rev", 0) * rules.revs, old.get("rev", 0) * rules.revs if old else -1
        if line["id"] not in gone and (rev > had or (rev == had and not rules.first_of_equal)):
            found[line["id"]] = line
    return list(found.values())


def timed(events: list[dict[str, Any]]) -> Iterator[tuple[int, int, str, dict[str, Any]]]:
    """Real time, id, person and event of each view and buy: rules 3 and 4."""
    for device in sorted({each["device"] for each in events}):
        its = [each for each in events if each["device"] == device]
        syncs = sorted(
            (each["t"], each["id"], each["real"] - each["t"]) for each in its if each["kind"] == "sync"
        )
        ordered = []
        for each in its:
            before = [change for t, _, change in syncs if t <= each["t"]]
            first = [change for t, _, change in syncs if t == syncs[0][0]][-1] if syncs else 0
            real = each["t"] + (before[-1] if before else first)
            ordered.append((each["real"] if each["kind"] == "sync" else real, each["id"], each))
        user = ""
        for real, number, each in sorted(ordered, key=lambda some: some[:2]):
            if each["kind"] in ("login", "logout"):
                user = each.get("user", "")
            elif each["kind"] != "sync":
                yield real, number, each.get("user") or user or f"anon {device}", each


def visits_of(
    lines: list[dict[str, Any]], rules: Rules
) -> list[tuple[str, list[tuple[int, dict[str, Any]]]]]:
    """Person and events with real times of each visit: rule 5."""
    people: dict[str, list[tuple[int, int, dict[str, Any]]]] = {}
    for real, number, who, event in timed(events_of(lines, rules)):
        people.setdefault(who, []).append((real, number, event))
    visits: list[tuple[str, list[tuple[int, dict[str, Any]]]]] = []
    for who, its in people.items():
        last: tuple[int, dict[str, Any]] | None = None
        for real, _, event in sorted(its, key=lambda some: some[:2]):
            over = last is None or real - last[0] > rules.gap
            if over or (rules.buy_ends and last and last[1].get("amount", 0) > 0):
                visits.append((who, []))
            last = (real, event)
            visits[-1][1].append(last)
    return visits


@cache
def world(seed: int) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The files of a seed, and its answers."""
    rules = rules_of(seed)
    others = (
        replace(rules, comes_back=not rules.comes_back),
        replace(rules, first_of_equal=not rules.first_of_equal),
        replace(rules, buy_ends=not rules.buy_ends),
        replace(rules, revs=False),
    )
    for attempt in range(100):
        lines = lines_of(seed, attempt)
        found = _world(rules, lines)
        misread = [_world(each, lines) for each in others]
        if found and all(each is None or each[1] != found[1] for each in misread):
            return found
    raise ValueError(f"no log for seed {seed}")


def _world(rules: Rules, lines: list[dict[str, Any]]) -> tuple[Mapping[str, str], Mapping[str, str]] | None:
    """Files and answers; None if a question has two."""
    visits = visits_of(lines, rules)
    bought = Counter(
        a["page"]
        for _, its in visits
        for (_, a), (_, b) in pairwise(its)
        if a["kind"] == "view" and b["kind"] == "buy"
    )
    spent: Counter[str] = Counter()
    for who, its in visits:
        spent[who] += sum(each.get("amount", 0) for _, each in its) if not who.startswith("anon ") else 0
    views = [sum(each["kind"] == "view" for _, each in its) for _, its in visits]
    answers: list[Any] = [
        len(visits),
        sum(count >= rules.often for count in Counter(who for who, _ in visits).values()),
        max(its[-1][0] - its[0][0] for _, its in visits),
        sum(
            each.get("amount", 0)
            for n, (_, its) in zip(views, visits, strict=True)
            if n >= rules.views
            for _, each in its
        ),
        sum(len({each["device"] for _, each in its}) > 1 for _, its in visits),
        bought.most_common(1)[0][0],
        sum(len(its) for who, its in visits if who.startswith("anon ")),
        spent.most_common(1)[0][0],
    ]
    if any(first[1] == second[1] for first, second in (bought.most_common(2), spent.most_common(2))):
        return None
    files = {"README.md": rules.text(), "events.jsonl": "".join(json.dumps(each) + "\n" for each in lines)}
    return files, {f"Q{n}": str(each) for n, each in enumerate(answers, 1)}


def files_of(seed: int) -> Mapping[str, str]:
    """The files of a seed."""
    return world(seed)[0]


def answers_of(seed: int) -> Mapping[str, str]:
    """The right answers of a seed."""
    return world(seed)[1]


def build(seed: int) -> Node:
    """The test of a seed."""
    rules = rules_of(seed)
    asked = "\n".join(
        f"Q{n}: {each.format(often=rules.often, views=rules.views)}" for n, each in enumerate(QUESTIONS, 1)
    )
    question = QUESTION.format(questions=asked, count=len(QUESTIONS))
    work = Files(partial(files_of, seed)) >> question >> AgentRun([Shell(), Python()], max_turns=30)
    return work >> PyFunc(partial(judge_all, partial(answers_of, seed), same_words))
