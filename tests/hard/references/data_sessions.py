"""Right and wrong work on data_sessions: a program reads the log by README.md, and what it prints is the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.records import Message
from evaluator import Call

from ..data_sessions import rules_of

SOLVER = """
import json
from bisect import bisect_right
lines = [json.loads(line) for line in open("events.jsonl")]
history = {}
for line in lines:
    history.setdefault(line.get("id", line.get("withdraw")), []).append(line)
events = []
for number, its in history.items():
    cuts = [n for n, line in enumerate(its) if "withdraw" in line]
    if cuts and not COMES_BACK:
        continue
    left = its[cuts[-1] + 1:] if cuts else its
    if left:
        top = max(line.get("rev", 0) for line in left)
        same = [line for line in left if line.get("rev", 0) == top] if REVS else left
        events.append(same[0] if FIRST_OF_EQUAL else same[-1])
devices = {}
for event in events:
    devices.setdefault(event["device"], []).append(event)
people = {}
for device, its in devices.items():
    syncs = {}
    for event in sorted((e for e in its if e["kind"] == "sync"), key=lambda e: e["id"]):
        syncs[event["t"]] = event["real"] - event["t"]
    times = sorted(syncs)
    for event in its:
        at = bisect_right(times, event["t"])
        event["at"] = event["t"] + (syncs[times[max(at - 1, 0)]] if times and CLOCKS else 0)
    user = None
    for event in sorted(its, key=lambda e: (e["at"], e["id"])):
        if event["kind"] == "login":
            user = event["user"]
        if event["kind"] == "logout":
            user = None
        if event["kind"] in ("view", "buy"):
            who = event["user"] if OWN and "user" in event else user or "anon " + device
            people.setdefault(who, []).append(event)
visits = []
for who, its in people.items():
    its.sort(key=lambda e: (e["at"], e["id"]))
    new = True
    for n, event in enumerate(its):
        if n and its[n]["at"] - its[n - 1]["at"] > GAP:
            new = True
        if n and BUY_ENDS and its[n - 1]["kind"] == "buy" and its[n - 1]["amount"] > 0:
            new = True
        if new:
            visits.append([])
        new = False
        visits[-1].append(dict(event, who=who))
def money(its):
    return sum(e["amount"] for e in its if e["kind"] == "buy")
count, pages, sums = {}, {}, {}
for its in visits:
    who = its[0]["who"]
    count[who] = count.get(who, 0) + 1
    if not who.startswith("anon "):
        sums[who] = sums.get(who, 0) + money(its)
    for a, b in zip(its, its[1:]):
        if (a["kind"], b["kind"]) == ("view", "buy"):
            pages[a["page"]] = pages.get(a["page"], 0) + 1
answers = [
    len(visits), len([c for c in count.values() if c >= OFTEN]), max(its[-1]["at"] - its[0]["at"] for its in visits),
    sum(money(its) for its in visits if len([e for e in its if e["kind"] == "view"]) >= VIEWS),
    len([its for its in visits if len({e["device"] for e in its}) > 1]), max(pages, key=pages.get),
    len([e for its in visits for e in its if e["who"].startswith("anon ")]), max(sums, key=sums.get),
]
for n, answer in enumerate(answers, 1):
    print(f"Q{n}: {answer}")
"""
Work = Callable[[Sequence[Message]], Call | str]


def _worked(seed: int, **other: object) -> Work:
    rules = rules_of(seed)
    values = {
        "COMES_BACK": rules.comes_back, "FIRST_OF_EQUAL": rules.first_of_equal, "BUY_ENDS": rules.buy_ends, "GAP": rules.gap,
        "OFTEN": rules.often, "VIEWS": rules.views, "REVS": True, "CLOCKS": True, "OWN": True, **other,
    }  # fmt: skip
    head = "\n".join(f"{name} = {value!r}" for name, value in values.items())
    command = f"cat > /tmp/solve.py <<'END_OF_PROGRAM'\n{head}\n{SOLVER}END_OF_PROGRAM\npython3 /tmp/solve.py"

    def reply(messages: Sequence[Message]) -> Call | str:
        if messages[-1].role == "user":
            return Call("shell", command=command)
        lines = [line for line in messages[-1].content.splitlines() if line.startswith("Q")]
        return "I followed README.md.\n\n" + "\n".join(lines)

    return reply


def right(seed: int) -> list[Work]:
    return [_worked(seed)]


def wrong(seed: int) -> list[Work | str]:
    rules = rules_of(seed)
    return [
        _worked(seed, REVS=False),
        _worked(seed, CLOCKS=False),
        _worked(seed, OWN=False),
        _worked(seed, COMES_BACK=not rules.comes_back),
        _worked(seed, FIRST_OF_EQUAL=not rules.first_of_equal),
        _worked(seed, BUY_ENDS=not rules.buy_ends),
        "\n".join(f"Q{n}: {n}" for n in range(1, 9)),
    ]
