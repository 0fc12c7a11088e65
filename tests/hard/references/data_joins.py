"""Right and wrong work on data_joins, by a program that reads the files alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from assay.records import Message
from evaluator import Call

from ..data_joins import world

SOLVER = r"""
import csv, glob, json, re
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
def local(at):
    summer = datetime(2025, 3, 30, 1) <= at < datetime(2025, 10, 26, 1)
    return at + timedelta(hours=2 if summer else 1)
def plain(key):
    key = key.strip()
    if "@" not in key:
        return key
    name, domain = key.lower().split("@")
    name = name.split("+")[0]
    if domain == "mail.example": domain = "post.example"
    return (name.replace(".", "") if domain == "post.example" and DOTS else name) + "@" + domain
links = set()
for line in open("people/links.txt"):
    sign, a, b = line.split()
    pair = frozenset((plain(a), plain(b)))
    (links.add if sign == "+" else links.discard if UNLINK else len)(pair)
facts = defaultdict(list)
for kind, *fact in json.loads(FACTS):
    facts[kind].append(fact)
for a, b in facts["same"]: links.add(frozenset((a, b)))
parent = {}
def root(key):
    parent.setdefault(key, key)
    while parent[key] != key:
        parent[key] = parent[parent[key]]
        key = parent[key]
    return key
for pair in links:
    a, b = (list(pair) * 2)[:2]
    parent[root(a)] = root(b)
regions = defaultdict(list)
keys = set(parent)
for row in csv.reader(open("people/crm.csv"), delimiter=";"):
    if row[0] != "email":
        day = datetime.strptime(row[2], "%d.%m.%Y").date()
        regions[plain(row[0])].append((day, 0, row[1].lower()))
for number, since, region in re.findall(r'no="(\d+)" since="([\d-]+)" region="(\w+)"', open("people/cards.xml").read()):
    regions["C" + number].append((date.fromisoformat(since), 1 if CARDS else -1, region.lower()))
for key, region_name, since in facts["region"]: regions[key].append((date.fromisoformat(since), 2, region_name))
codes = defaultdict(list)
for row in list(csv.reader(open("products/codes.csv"), delimiter=";"))[1:]:
    codes[row[0]].append((date.fromisoformat(row[2]), date.fromisoformat(row[3]), row[1]))
category = dict(list(csv.reader(open("products/products.csv"), delimiter=";"))[1:])
cases = defaultdict(list)
for code, start, pieces in list(csv.reader(open("products/cases.csv"), delimiter=";"))[1:]:
    cases[code].append((datetime.strptime(start, "%d.%m.%Y").date(), int(pieces)))
for its in cases.values(): its.sort()
rates = {int(row[0][5:]): int(row[1].replace(",", "")) for row in list(csv.reader(open("bank/chf.csv"), delimiter=";"))[1:]}
def product(code, day):
    if code in category: return code
    for first, last, new in codes.get(code, []):
        if first <= day <= last: return new
revisions = {}
for path in glob.glob("shop/*.jsonl"):
    for line in open(path):
        it = json.loads(line)
        ref = re.sub(r"\D", "", it["ref"])
        if it["rev"] > 0 or not ZERO:
            key = ((it["rev"] if it["rev"] else 99), it["saved"])
            if ref not in revisions or key > revisions[ref][0]:
                revisions[ref] = key, it
orders = {}
for ref, (_, it) in revisions.items():
    at = it["at"]
    if isinstance(at, int):
        at = local(datetime(1970, 1, 1) + timedelta(milliseconds=at))
    elif "T" in at:
        at = local(datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone(timezone.utc).replace(tzinfo=None))
    else:
        at = datetime.strptime(at, "%d.%m.%Y %H:%M")
    day = at.date()
    lines = {}
    for each in it["lines"]:
        p = product(each["sku"], day)
        price = each["cents"] if "cents" in each else int(each["price"].replace(".", ""))
        lines[p] = (lines.get(p, (0, 0))[0] + each["n"], price)
    orders[ref] = dict(ref=ref, day=day, who=root(plain(it["who"])), cur=it["cur"], lines=lines, off=it.get("state", "").lower() == "cancelled",
                       sent=defaultdict(int), back=defaultdict(int), first=None, depot=False, got=[])
for ref, off in facts["cancel"]: orders[ref]["off"] = off
for ref, code, price in facts["price"]: orders[ref]["lines"][code] = orders[ref]["lines"][code][0], price
moved = {f"{serial:08d}": ref for serial, ref in facts["line"]}
meant = dict(facts["pay"])
rows, cancels = {}, {}
for path in sorted(glob.glob("depot/*.dat")):
    for line in open(path, encoding="cp1252"):
        rows[line[1:9]] = line.rstrip("\n")
        if line[0] == "X": cancels.setdefault(line[15:23], []).append(line[1:9])
def valid(serial):
    return not any(valid(each) for each in cancels.get(serial, [])) if NESTED else serial not in cancels
for serial, line in rows.items():
    if line[0] == "X" or not valid(serial): continue
    day = datetime.strptime(line[9:15], "%d%m%y").date()
    ref, code, unit, number = line[15:23], line[23:31].strip(), line[31], int(line[32:38])
    if any(first <= int(serial) <= last for first, last in facts["unit"]): unit = "C"
    ref = moved.get(serial, ref)
    if ref in orders: tries = [ref]
    elif "?" in ref: tries = [ref.replace("?", d) for d in "0123456789"]
    elif REPAIR: tries = {ref[:i] + ref[i + 1] + ref[i] + ref[i + 2:] for i in range(7)}
    else: tries = []
    fits = []
    for each in tries:
        if each in orders:
            p = product(code, orders[each]["day"] if line[0] == "R" and SLIP else day)
            if p in orders[each]["lines"]: fits.append((orders[each], p))
    if len(fits) != 1: continue
    order, p = fits[0]
    pieces = number * ([n for start, n in cases[p] if start <= day][-1] if unit == "C" else 1)
    order["depot"] = True
    if line[0] == "R":
        order["back"][p] += pieces
        order["sent"][p] -= pieces
    else:
        order["sent"][p] += pieces
        order["first"] = min(order["first"] or day, day)
def counts(order, p):
    if order["depot"]: return order["sent"][p]
    return 0 if order["off"] else order["lines"][p][0]
for order in orders.values():
    order["due"] = sum(counts(order, p) * price for p, (_, price) in order["lines"].items())
bookings = {}
for path in glob.glob("bank/[1-4].csv"):
    for row in list(csv.reader(open(path), delimiter=";"))[1:]:
        bookings[row[0]] = (datetime.strptime(row[1], "%d.%m.%Y").date(), row[0], int(row[2].replace(".", "").replace(",", "")), row[3], row[4])
by_due = defaultdict(list)
for order in orders.values(): by_due[order["who"], order["cur"], order["due"]].append(order)
given, stray = {}, []
for day, number, amount, cur, purpose in sorted(bookings.values()):
    if purpose.startswith("RETURN"):
        for order, part in given.get(purpose.split()[1], []) if CHARGEBACKS else []: order["got"].append((day, -part))
        continue
    if meant.get(number) == "": continue
    named = [orders[meant[number]]] if number in meant else []
    for found in [] if named else re.finditer(r"(?<!\d)(\d{4}[ ./-]?\d{4}|\d{6}[ ./-]?\d{2})(?!\d)", purpose):
        ref = re.sub(r"\D", "", found[0])
        if ref in orders and orders[ref] not in named: named.append(orders[ref])
    if not named and purpose.startswith("from "):
        its = by_due.get((root(plain(purpose.split()[1])), cur, amount), [])
        named = its if len(its) == 1 else []
    named = [each for each in named if each["cur"] == cur]
    if not named:
        stray.append((cur, amount))
        continue
    rest, given[number] = amount, []
    for order in named:
        part = rest if order is named[-1] else min(rest, max(0, order["due"] - sum(a for _, a in order["got"])))
        rest -= part
        order["got"].append((day, part))
        given[number].append((order, part))
def eur(order, cents):
    return cents if order["cur"] == "EUR" else (cents * rates[order["day"].month] + 5000) // 10000
live = [order for order in orders.values() if order["due"] > 0]
groups = defaultdict(list)
for key in list(parent): groups[root(key)].append(key)
def name(who):
    return min(groups[who], key=lambda key: ("@" in key, key))
def region(who):
    every = [each for key in groups[who] for each in regions[key] if each[0] <= date(2025, 12, 31)]
    return max(every)[2] if every else "unknown"
spent = defaultdict(int)
for order in live: spent[order["who"]] += eur(order, order["due"])
opened = [(order, order["due"] - sum(a for _, a in order["got"])) for order in orders.values()]
back = defaultdict(int)
for order in orders.values():
    for p, n in order["back"].items(): back[p] += n
CATEGORY, MONTH, PRODUCT, REGION = ASKED
answers = [
    len({order["who"] for order in live}), name(max(spent, key=spent.get)),
    sum(o["due"] for o in orders.values() if o["cur"] == "EUR"), sum(o["due"] for o in orders.values() if o["cur"] == "CHF"),
    sum(eur(o, counts(o, p) * price) for o in orders.values() if o["day"].month == MONTH for p, (_, price) in o["lines"].items() if category[p] == CATEGORY),
    sum(counts(o, PRODUCT) for o in orders.values() if PRODUCT in o["lines"]),
    sum(any(counts(o, p) != (0 if o["off"] else n) for p, (n, _) in o["lines"].items()) for o in orders.values() if o["depot"]),
    len(stray), sum(a for cur, a in stray if cur == "EUR"),
    sum(r for o, r in opened if o["cur"] == "EUR" and r > 0), sum(r < 0 for _, r in opened),
    len({o["who"] for o in live if o["day"].month in (4, 5, 6) and region(o["who"]) == REGION}),
    sum((o["first"] - o["day"]).days for o in orders.values() if o["first"]),
    min(back, key=lambda p: (-back[p], p)),
    sum(sum(a for day, a in o["got"] if day <= o["day"] + timedelta(days=14)) >= o["due"] for o in live),
]
for number, each in enumerate(answers, 1): print(f"Q{number}: {each}")
"""
SETTINGS = dict.fromkeys(
    ("DOTS", "UNLINK", "CARDS", "ZERO", "NESTED", "REPAIR", "SLIP", "CHARGEBACKS"), "True"
)
Work = Callable[[Sequence[Message]], Call | str]


def _worked(seed: int, forgets: str = "", **other: str) -> Work:
    asked = world(seed).questions
    category, month = asked[4].split(" of ")[1].split(" in month ")
    words = (
        category,
        int(month.split(",")[0]),
        asked[5].split("product ")[1].split()[0],
        asked[11].split("region ")[1].split()[0],
    )
    head = (
        "\n".join(f"{name} = {value}" for name, value in (SETTINGS | other).items())
        + f"\nASKED = {words!r}\n"
    )
    known = [fact for fact in world(seed).facts if fact[0] != forgets]
    head += f"FACTS = {json.dumps(known)!r}\n"
    command = f"cat > /tmp/solve.py <<'END_OF_PROGRAM'\n{head}{SOLVER}END_OF_PROGRAM\npython3 /tmp/solve.py"

    def reply(messages: Sequence[Message]) -> Call | str:
        if messages[-1].role == "user":
            return Call("shell", command=command)
        return "By the rules:\n\n" + messages[-1].content

    return reply


def right(seed: int) -> list[Work]:
    return [_worked(seed)]


def wrong(seed: int) -> list[Work | str]:
    return [
        *(_worked(seed, **{name: "False"}) for name in SETTINGS),
        *(_worked(seed, kind) for kind in ("cancel", "price", "unit", "line", "pay")),
        "The sources contradict each other, so nothing follows.",
    ]
