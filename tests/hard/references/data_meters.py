"""Right and wrong work on data_meters: a program reads the files by the notes, and its output is the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.records import Message
from evaluator import Call

from ..data_meters import world

SOLVER = """
import csv, re
from collections import defaultdict
from datetime import datetime, timedelta
notes = " ".join(open("NOTES.txt").read().split())
quart = int(re.search(r"quarts of (\\d+)", notes)[1])
late, fast_from, fast_to = re.search(r"was (\\d+) hours fast from (\\S+ \\S+) to (\\S+ \\S+) UTC", notes).groups()
model_from = datetime.fromisoformat(re.search(r"From (\\S+ \\S+) on", notes)[1])
late, fast_from, fast_to = int(late), datetime.fromisoformat(fast_from), datetime.fromisoformat(fast_to)
offset = {r["site"]: int(r["utc_offset"]) for r in csv.DictReader(open("sites.csv"))}
model = {r["meter"]: (r["unit"], int(r["digits"])) for r in csv.DictReader(open("models.csv"))}
fitted = list(csv.DictReader(open("fitted.csv")))
END = datetime(2027, 1, 1)
for r in fitted:
    r["from"] = datetime.fromisoformat(r["from"])
    r["to"] = datetime.fromisoformat(r["to"]) if r["to"] else END

def litres(meter, text, plain=False):
    unit, _ = model[meter]
    if unit == "m3":
        whole, dot, rest = text.partition(".")
        return int(whole) if plain else int(whole) * 1000 + int(rest)
    return int(text) * (quart if unit == "q" else 1)

def size(meter):
    unit, digits = model[meter]
    return 10 ** digits * {"l": 1, "m3": 1000, "q": quart}[unit]

def site_at(meter, at):
    return next((r["site"] for r in fitted if r["meter"] == meter and r["from"] <= at <= r["to"]), None)

best = {}
for name in ("north", "south", "harbour"):
    for r in csv.DictReader(open(f"readings_{name}.csv")):
        if r["mark"] == "T":
            continue
        meter, received, plain = r["meter"], datetime.fromisoformat(r["received_at"]), False
        if name == "south":
            local = datetime.fromisoformat(r["read_at"])
            if fast_from <= received <= fast_to:
                local -= timedelta(hours=LATE)
        else:
            if name == "harbour":
                utc = datetime(1970, 1, 1) + timedelta(seconds=int(r["read_at"]))
                plain = PLAIN
            else:
                utc = datetime.fromisoformat(r["read_at"])
            its = [each for each in fitted if each["meter"] == meter and each["from"] <= utc + timedelta(hours=offset[each["site"]]) <= each["to"]]
            if not its:
                continue
            local = utc + timedelta(hours=offset[its[0]["site"]])
        key = (meter, local)
        rank = (r["mark"] != "E", received) if ESTIMATES else (True, received)
        if key not in best or rank > best[key][0]:
            best[key] = (rank, litres(meter, r["value"], plain))

use, moved = defaultdict(dict), defaultdict(int)
for r in fitted:
    meter, site = r["meter"], r["site"]
    points = sorted((at, value) for (m, at), (_, value) in best.items() if m == meter and r["from"] <= at <= r["to"])
    if r["first"]:
        points.insert(0, (r["from"], litres(meter, r["first"])))
    if r["last"]:
        points.append((r["to"], litres(meter, r["last"])))
    for (a, x), (b, y) in zip(points, points[1:]):
        half = a.replace(hour=a.hour // 12 * 12, minute=0)
        amount = (y - x) % size(meter) if TURNS else y - x
        use[site][half] = use[site].get(half, 0) + amount
        moved[meter, half.month] += amount

def used(site, first, end):
    first, end = datetime.fromisoformat(first), datetime.fromisoformat(end)
    return sum(v for at, v in use[site].items() if first <= at < end)

def after(day):
    return (datetime.fromisoformat(day) + timedelta(days=1)).date().isoformat()

month = {"January": ("2026-01-01", "2026-02-01"), "February": ("2026-02-01", "2026-03-01"), "March": ("2026-03-01", "2026-04-01")}
most = max(offset, key=lambda site: used(site, DAY, after(DAY)))
days = [(datetime(2026, 1, 1) + timedelta(days=n)).date().isoformat() for n in range(90)]
print("MONTH:", used(SITE, *month[MONTH.split()[0]]))
print("MOST:", most)
print("LITRES:", used(most, DAY, after(DAY)))
print("PEAK:", max(days, key=lambda day: used(OTHER, day, after(day))))
print("TOTAL:", sum(used(site, FIRST, after(LAST)) for site in offset))
print("MOVED:", moved[MOVED, 2])
"""
RULES = {"LATE": "late", "PLAIN": "received >= model_from", "ESTIMATES": "True", "TURNS": "True"}
Work = Callable[[Sequence[Message]], Call | str]


def _worked(seed: int, **other: str) -> Work:
    asked = {name.upper(): repr(value) for name, value in world(seed).asked.items() if name != "moved_month"}
    values = "\n".join(f"{name} = {value}" for name, value in asked.items())
    program = SOLVER
    for name, code in (RULES | other).items():
        program = (
            program.replace(name, code) if name != "TURNS" else program.replace("if TURNS", f"if {code}")
        )
    command = (
        f"cat > /tmp/solve.py <<'END_OF_PROGRAM'\n{values}\n{program}END_OF_PROGRAM\npython3 /tmp/solve.py"
    )

    def reply(messages: Sequence[Message]) -> Call | str:
        if messages[-1].role == "user":
            return Call("shell", command=command)
        lines = [line for line in messages[-1].content.splitlines() if ":" in line]
        return "I followed the notes.\n\n" + "\n".join(lines)

    return reply


def right(seed: int) -> list[Work]:
    return [_worked(seed)]


def wrong(seed: int) -> list[Work | str]:
    return [
        _worked(seed, LATE="0"),
        _worked(seed, ESTIMATES="False"),
        _worked(seed, TURNS="False"),
        "MONTH: 1\nMOST: Elm\nLITRES: 2\nPEAK: 2026-01-02\nTOTAL: 3\nMOVED: 4",
    ]
