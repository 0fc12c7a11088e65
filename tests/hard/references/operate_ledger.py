"""Right and wrong work on operate_ledger, by a program that reads the database and the rules alone."""

from __future__ import annotations

from evaluator import Call, Script

SOLVER = r"""
import re, sqlite3
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
text = open("MOVE.md").read()
hours, way = re.search(r"which is (\d+) hours (ahead|behind)", text).groups()
offset = timedelta(hours=int(hours) * (1 if way == "ahead" else -1))
cents_from = int(re.search(r"From booking (\d+) on", text)[1])
closed, first = re.search(r"months up to (\S+) are closed", text)[1], re.search(r"From (\S+) on there is a row", text)[1]
base = sqlite3.connect("club.db")
ask = lambda sql, *values: base.execute(sql, values).fetchall()
def local(text):
    return datetime.fromisoformat(text) - offset
def utc(text):
    return datetime.fromisoformat(text.rstrip("Z"))
into = dict(ask("SELECT id, into_id FROM member WHERE into_id IS NOT NULL"))
def end(member):
    while member in into:
        member = into[member]
        if ONCE: break
    return member
codes = {code.upper(): number for number, code in ask("SELECT id, code FROM member")}
rates = ask("SELECT from_day, cents FROM rate ORDER BY from_day")
copies = {}
for number, old in ask("SELECT id, old_id FROM entry WHERE old_id IS NOT NULL ORDER BY id"):
    copies.setdefault(old, []).append(number)
old_of = {number: old for old, its in copies.items() for number in its}
gone = {}
for number, old, at in ask("SELECT entry_id, old_id, at FROM gone"):
    if old is not None:
        if not KEPT_ONLY: old_of[number] = old
        gone.setdefault(old, []).append(utc(at))
edits = {}
for number, entry, at, field, value in ask("SELECT id, entry_id, at, field, value FROM edit ORDER BY at, id"):
    if entry in old_of:
        edits.setdefault(old_of[entry], []).append((utc(at), field, value))
highest = max(row[0] for row in ask("SELECT seq FROM sqlite_sequence UNION SELECT entry_id FROM gone")) if USED else ask("SELECT max(id) FROM entry")[0][0]

def day_of(text):
    if "-" in text:
        return text
    d, m, y = text.split(".")
    return f"20{y}-{int(m):02d}-{int(d):02d}"

def cents_of(number, amount, day):
    minus, amount = "-" in amount, amount.replace("-", "")
    tokens = amount.endswith("T")
    plain = Decimal(amount.rstrip("T").replace(".", "").replace(",", "."))
    if tokens:
        cents = plain * [worth for start, worth in rates if start <= day][-1]
    elif "," not in amount and number >= cents_from:
        cents = plain
    else:
        cents = plain * 100
    cents = int(cents.quantize(Decimal(1), ROUNDING))
    return -cents if minus else cents

from decimal import ROUND_HALF_EVEN
result, pairs, kept = {}, {}, {}
for number, day, code, amount, kind, pair, note, changed, void in ask("SELECT * FROM booking ORDER BY id"):
    made = local(changed)
    events = [(made, 0, 0)]
    if void: events.append((local(void), 0, 1))
    events += [(at, 1, 0) for at, _, _ in edits.get(number, [])]
    if number not in copies or ANY_GONE:
        events += [(at, 1, 1) for at in gone.get(number, [])]
    last = {field: value for at, field, value in edits.get(number, []) if at >= made}
    kind = last.get("kind", kind)
    own = day_of(day)
    if "cents" in last:
        cents = int(last["cents"])
    else:
        cents = cents_of(number, amount, last.get("day", own) if EDITED_DAY else own)
        cents = {"F": -abs(cents), "D": abs(cents)}.get(kind, cents)
    member = int(last["member_id"]) if "member_id" in last else codes.get(code.strip().upper(), 0)
    note = last["note"] if "note" in last else (note or "").strip() or None
    result[number] = [max(events)[2] == 0 and kind != "T", end(member), last.get("day", own), cents, kind, note]
    if pair is not None: pairs.setdefault(pair, []).append(number)
for one, two in pairs.values() if PAIRS else []:
    a, b = result[one], result[two]
    a[0] = b[0] = a[0] and b[0]
    b[2], b[3] = a[2], -a[3]
triggers = ask("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
if QUIET:
    for name, _ in triggers: base.execute(f"DROP TRIGGER {name}")
for number, member in ask("SELECT id, member_id FROM entry WHERE old_id IS NULL"):
    base.execute("UPDATE entry SET member_id = ? WHERE id = ?", (end(member), number))
base.execute("DELETE FROM entry WHERE old_id IS NOT NULL")
fresh = []
for number, (lives, *values) in result.items():
    if lives and number in copies:
        base.execute("INSERT INTO entry (id, old_id, member_id, day, cents, kind, note) VALUES (?, ?, ?, ?, ?, ?, ?)", (min(copies[number]), number, *values))
    elif lives:
        fresh.append((values[1], number, values))
for at, (_, number, values) in enumerate(sorted(fresh, key=lambda one: one[:2]), highest + 1):
    base.execute("INSERT INTO entry (id, old_id, member_id, day, cents, kind, note) VALUES (?, ?, ?, ?, ?, ?, ?)", (at, number, *values))
base.execute("DELETE FROM month WHERE month > ?", (closed,))
base.execute("INSERT INTO month SELECT member_id, substr(day, 1, 7) m, sum(cents) FROM entry WHERE m > ? GROUP BY 1, 2", (closed,))
more = {}
for member, cents in ask("SELECT member_id, cents FROM entry WHERE substr(day, 1, 7) <= ?", closed):
    more[member] = more.get(member, 0) + cents
for member, cents in ask("SELECT member_id, cents FROM month WHERE month <= ?", closed):
    more[end(member)] = more.get(end(member), 0) - cents
for member, cents in more.items():
    if cents:
        base.execute("INSERT INTO month VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cents = cents + excluded.cents", (member, first, cents))
if QUIET:
    for _, sql in triggers: base.execute(sql)
base.commit()
"""
RULES = {
    "ONCE": "False",
    "KEPT_ONLY": "False",
    "USED": "True",
    "ANY_GONE": "False",
    "EDITED_DAY": "False",
    "PAIRS": "True",
    "QUIET": "True",
    "ROUNDING": "'ROUND_HALF_UP'",
}


def _script(**other: str) -> Script:
    head = "\n".join(f"{name} = {value}" for name, value in (RULES | other).items())
    return Script(
        f"cat > /tmp/solve.py <<'END_OF_PROGRAM'\n{head}\n{SOLVER}END_OF_PROGRAM\npython3 /tmp/solve.py"
    )


def right(seed: int) -> list[Script]:
    return [_script()]


def wrong(seed: int) -> list[object]:
    return [
        _script(ONCE="True"),
        _script(KEPT_ONLY="True"),
        _script(USED="False"),
        _script(ANY_GONE="True"),
        _script(EDITED_DAY="True"),
        _script(PAIRS="False"),
        _script(QUIET="False"),
        _script(ROUNDING="'ROUND_HALF_EVEN'"),
        [Call("shell", command="sqlite3 club.db .schema; cat MOVE.md"), "All rows are right by now."],
    ]
