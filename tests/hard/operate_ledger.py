"""A cash book in sqlite whose move to a new form stopped in the middle, while people went on working in both forms."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial

from evaluator import *

from .cases import Cases

DESCRIPTION = "Can an agent bring a half moved database to the one state that its rules allow, row by row?"
TAGS = ["hard", "sql", "agent"]
REQUIRES = ["sqlite3"]

QUESTION = """club.db in this folder is the cash book of a club, an sqlite database. It was being moved from an old form to a new one when the
program that copied it died. MOVE.md says how things are and what must hold in the end. Bring club.db to that state. Hidden queries
will compare every row of every table. You have a shell with sqlite3 and Python."""
RULES = """The cash book and its move
==========================

Table `booking` is the old form, table `entry` the new one. For some weeks people worked with the old program (on `booking`) and with the
new one (on `entry`) at the same time. A third program copied bookings into entries. It had several faults, was started again several
times, and died before its end: some bookings have two or three entries (copies), some none, and no value that it copied can be trusted.
Copying is no edit.

What the tables hold
--------------------
- booking: id, day, member (a code), amount, kind, pair, note, changed (when the old program made it or changed it last), void (when the old
  program deleted it, else NULL; `changed` does not change then).
- entry: id, old_id (the id of the booking whose copy it is; NULL if it was made by the new program), member_id, day, cents, kind, note.
- member: id, code, into_id (the member that it was merged into, else NULL; that one may have been merged, too).
- rate: what a token is worth, in cents, from a day on.
- edit: each edit of an entry in the new program: id, entry_id, at, field (member_id, day, cents, kind or note), value (as text).
- gone: each entry that was deleted in the new program: entry_id, old_id, at.
- month: member_id, month (YYYY-MM), cents.

`changed` and `void` are written by the club's wall clock, which is {offset} all year. `at` is in UTC.
edit and gone are filled by triggers.

What must hold in the end
-------------------------
1. booking, member, rate, edit and gone hold exactly what they hold now, and the schema is the same, with the same triggers.
2. Entries with old_id NULL stay, whatever they look like. Only their member_id may change (rule 9).
3. Each booking that lives (rules 4 and 5) has exactly one entry, any other booking none.
4. What was done to a booking are these events: it was made or changed in the old form (`changed`), it was deleted there (`void`), one of its
   copies was edited in the new form (`edit`), it was deleted there (`gone`). A deletion in `gone` counts only if no copy of the booking is
   left in entry; otherwise somebody removed a duplicate, which means nothing. It lives if the last of these events is not a deletion.
   In the same second the new form comes after the old one, and in the same form a deletion after an edit.
5. A booking whose kind is T in the end (a test; rule 6) does not live. Two bookings with the same pair that is not NULL are the two legs of a
   transfer: if one of them does not live, the other does not either.
6. Each field of the entry of a booking is decided for itself. If an edit of this field, in whatever copy, also in one that is gone,
   is not before `changed`, then the last such edit gives its value (in the same second, that with the higher id).
   Otherwise the booking gives it, by rule 7.
7. From the booking:
   a. day: written as YYYY-MM-DD or as D.M.YY (of this century). An entry has YYYY-MM-DD.
   b. cents: the amount is in euros, with a decimal comma and with dots between thousands, if any; 7,5 is 7 euros 50. A minus may stand
      before or behind it. From booking {cents_from} on, an amount without a comma is in cents (1.204 is 1204 cents). A T at the end means that it
      is in tokens, and the number before it is written as in euros, for all bookings. A token is worth the rate of the booking's own day (7a),
      not of a day that was edited: the rate with the latest from_day that is not after it. Half cents are rounded away from zero.
   c. The sign: fees (kind F) are negative and deposits (D) positive, whatever the amount's sign, by the kind that the entry has in the end.
      C and X keep the sign that is written. An edit of cents is taken as it is, whatever the kind.
   d. kind: as it is.
   e. note: without blanks at its ends; NULL if nothing is left. (The value of an edit of note is taken as it is.)
   f. member_id: the member whose code it is, whatever the case of its letters and with blanks at its ends left out; member 0 if there is none.
8. Of a transfer the leg with the higher booking id has the day of the other leg's entry and minus its cents, whatever rules 6 and 7 say.
9. Every entry, also those with old_id NULL, has a member_id of a member that was not merged: follow into_id to its end.
10. If copies of the booking are left in entry, its one entry has the lowest id of these. Otherwise it gets a new id. New ids go up without a gap
    from one above the highest id that any entry has ever had, in the order of the entry's final day and, on one day, of the booking's id.
11. month: months up to {closed} are closed: their rows stay as they are, also of members that were merged. From {first} on there is a row
    for each member and month with at least one entry, with the sum of the cents, and no other row, but for rule 12.
12. For each member that was not merged: what its entries in closed months sum up to, minus what the closed rows of it and of all members that
    were merged into it (directly or not) sum up to, is added to its row of {first}. If there is no such row and the difference is not
    0, there is one.
"""
SCHEMA = """
CREATE TABLE booking (id INTEGER PRIMARY KEY, day TEXT, member TEXT, amount TEXT, kind TEXT, pair TEXT, note TEXT, changed TEXT, void TEXT);
CREATE TABLE member (id INTEGER PRIMARY KEY, code TEXT, into_id INTEGER);
CREATE TABLE entry (id INTEGER PRIMARY KEY AUTOINCREMENT, old_id INTEGER, member_id INTEGER, day TEXT, cents INTEGER, kind TEXT, note TEXT);
CREATE TABLE rate (from_day TEXT PRIMARY KEY, cents INTEGER);
CREATE TABLE edit (id INTEGER PRIMARY KEY, entry_id INTEGER, at TEXT, field TEXT, value TEXT);
CREATE TABLE gone (entry_id INTEGER PRIMARY KEY, old_id INTEGER, at TEXT);
CREATE TABLE month (member_id INTEGER, month TEXT, cents INTEGER, PRIMARY KEY (member_id, month));
"""
FIELDS = ("member_id", "day", "cents", "kind", "note")
TRIGGERS = "CREATE TRIGGER entry_gone AFTER DELETE ON entry BEGIN INSERT INTO gone VALUES (OLD.id, OLD.old_id, strftime('%Y-%m-%dT%H:%M:%SZ')); END;\n" + "\n".join(
    f"CREATE TRIGGER entry_{name} AFTER UPDATE OF {name} ON entry WHEN NEW.{name} IS NOT OLD.{name} BEGIN "
    f"INSERT INTO edit (entry_id, at, field, value) VALUES (NEW.id, strftime('%Y-%m-%dT%H:%M:%SZ'), '{name}', NEW.{name}); END;"
    for name in FIELDS
)  # fmt: skip
CODES = ("ABE", "BOX", "CLU", "DEA", "EVI", "FAY", "GIL", "HAL", "IDA", "JON", "KAT", "LEO", "MIA", "NED")
NOTES = ("spring tour", "helmet", "two  tyres", "lamp", "key", "coffee", "chain", "boat rack")
BOOKINGS, NATIVE = 420, 45
MONTHS = [f"2025-{number:02d}" for number in range(1, 13)]


@dataclass
class Event:
    """`at`: seconds since 1970. `field` is empty for what concerns the whole booking."""

    at: int
    new: bool
    deletes: bool
    field: str = ""
    value: str = ""

    @property
    def key(self) -> tuple[int, bool, bool]:
        return self.at, self.new, self.deletes


@dataclass
class Booking:
    """A booking as it was meant, beside what the old form says of it."""

    id: int
    day: date
    member: int
    half_cents: int  # with the sign that is written
    kind: str
    note: str | None
    row: tuple[object, ...] = ()
    pair: str | None = None
    changed: int = 0
    events: list[Event] = field(default_factory=list)
    copies: list[int] = field(default_factory=list)  # left in entry


@dataclass
class World:
    """Everything about a seed: tables as they are found, and `entries` and `months` as they must be."""

    rules: str
    tables: dict[str, list[tuple[object, ...]]]
    highest: int
    entries: list[tuple[object, ...]]
    months: list[tuple[object, ...]]


def _amount(chance: random.Random, cents: int, in_cents: bool) -> str:
    """An amount as the old program wrote it."""
    whole, part = divmod(abs(cents), 100)
    dots = f"{whole:,}".replace(",", ".") if chance.random() < 0.7 else str(whole)
    styles = [f"{dots},{part:02d}"]
    if part % 10 == 0:
        styles += [f"{dots},{part // 10}"] * 2
    if in_cents:
        styles += [str(abs(cents)), f"{abs(cents):,}".replace(",", ".")]
    elif not part:
        styles += [dots] * 3
    text = chance.choice(styles)
    return text if cents >= 0 else chance.choice([f"-{text}", f"{text}-"])


def _signed(cents: int, kind: str) -> int:
    return {"F": -abs(cents), "D": abs(cents)}.get(kind, cents)


@cache
def world(seed: int) -> World:
    """Everything about a seed, made once."""
    chance = random.Random(f"ledger {seed}")
    offset = chance.choice([-7, -5, 3, 5, 8])
    cents_from = chance.randint(190, 240)
    closed = chance.randint(4, 6)  # months
    codes = chance.sample(CODES, len(CODES))
    into = {3: 8, 8: 11, 5: 2, 13: 3, 9: 1}
    members = [(0, "?", None), *((at, code, into.get(at)) for at, code in enumerate(codes, 1))]

    def final(member: int) -> int:
        while member in into:
            member = into[member]
        return member

    rates: dict[date, int] = {date(2024, 12, 1): chance.randint(40, 80) * 2 + 1}
    for number in range(4):
        rates[date(2025, 3 * number + 1, chance.randint(5, 25))] = chance.randint(60, 180) * 2 + number % 2

    def rate(day: date) -> int:
        return rates[max(each for each in rates if each <= day)]

    def local(at: int) -> str:
        return (datetime.fromtimestamp(at, UTC) + timedelta(hours=offset)).strftime("%Y-%m-%d %H:%M:%S")

    def utc(at: int) -> str:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    made = int(datetime(2026, 1, 5, tzinfo=UTC).timestamp())
    bookings: list[Booking] = []
    number = 0
    while len(bookings) < BOOKINGS:
        number += chance.choice([1, 1, 1, 2])
        day = date(2025, 1, 1) + timedelta(days=chance.randrange(365))
        kind = chance.choices("FDCT", [8, 8, 5, 2])[0]
        pair = f"p{number}" if chance.random() < 0.12 else None
        for leg in (0, 1) if pair else (0,):
            number += leg * chance.choice([1, 2])
            if pair:
                kind, day = "X", day + timedelta(days=leg * chance.choice([0, 0, 1, 9]))
                day = min(day, date(2025, 12, 31))
            member = chance.choice(
                [chance.randrange(1, 15), chance.randrange(1, 15), chance.choice([3, 5, 8, 13])]
            )
            if chance.random() < 0.04:
                member = 0
            tokens = chance.random() < 0.25
            sign = chance.choice([1, 1, 1, -1])
            if tokens:
                halves = chance.randint(1, 60) * sign
                half_cents = halves * rate(day)
                text = f"{abs(halves) // 2}" + (",5" if halves % 2 else chance.choice(["", ",0"]))
                amount = f"-{text}T" if sign < 0 else f"{text}T"
            else:
                cents = chance.choice(
                    [chance.randint(1, 300_000), chance.randint(1, 3000) * 100, chance.randint(1, 900) * 10]
                )
                half_cents = 2 * cents * sign
                amount = _amount(chance, cents * sign, number >= cents_from)
            code = codes[member - 1] if member else chance.choice(["ZZZ", "", "OLD"])
            code = chance.choice([code, code, code.lower(), f" {code.title()}", f"{code} "])
            note = chance.choice([None, *NOTES])
            written = note if note is None else chance.choice([note, f" {note}", f"{note}  "])
            if note is None and chance.random() < 0.5:
                written = chance.choice(["", "  "])
            each = Booking(number, day, member, half_cents, kind, note, pair=pair)
            each.changed = made + chance.randrange(40 * 86400)
            shown = day.isoformat() if chance.random() < 0.5 else f"{day.day}.{day.month}.{day:%y}"
            each.row = (number, shown, code, amount, kind, pair, written)
            bookings.append(each)
    # native entries and copies get their ids in the order in which they came
    copies: list[Booking | None] = [None] * NATIVE
    reached = BOOKINGS * 3 // 4
    for at, each in enumerate(bookings[:reached]):
        if chance.random() < 0.93:
            again = 0.7 if reached // 3 < at < reached // 2 else 0.06
            copies += [each] * (1 + (chance.random() < again) + (chance.random() < again / 3))
    chance.shuffle(copies)
    entries: dict[int, list[object]] = {}
    natives: set[int] = set()
    gone: list[tuple[object, ...]] = []
    edits: list[tuple[int, int, str, str]] = []
    owner: dict[int, Booking] = {}
    number = 100
    for copy in copies:
        number += chance.choice([1, 1, 1, 3])
        if copy is None:
            like = chance.choice(bookings)
            natives.add(number)
            entries[number] = [
                None, chance.choice([like.member, chance.randrange(1, 15)]), like.day.isoformat(),
                _signed(like.half_cents // 2, like.kind), like.kind, like.note,
            ]  # fmt: skip
            continue
        owner[number] = copy
        cents = _signed(copy.half_cents // 2, copy.kind)
        if chance.random() < 0.2:
            cents = chance.choice([cents // 10, -cents, cents + 5])
        entries[number] = [copy.id, copy.member, copy.day.isoformat(), cents, copy.kind, copy.note]
    owned: dict[int, list[int]] = {}
    for entry, each in owner.items():
        owned.setdefault(each.id, []).append(entry)
    lost: set[int] = set()
    for each in bookings:
        mine = owned.get(each.id, [])

        def near(at: int) -> int:
            """A moment shortly before or after, often within the hours of the offset."""
            return at + chance.choice(
                [0, 1, -1, chance.randint(-40_000, 40_000), chance.randint(-16_000, 16_000), 90_000]
            )

        times = [each.changed]
        each.events.append(Event(each.changed, False, False))
        for entry in mine:
            for _ in range(chance.choice([0, 0, 0, 1, 2, 3])):
                name = chance.choice(FIELDS if each.kind != "X" else [one for one in FIELDS if one != "kind"])
                value = {
                    "member_id": str(chance.randrange(1, 15)),
                    "day": (each.day + timedelta(days=chance.randint(-40, 40))).isoformat(),
                    "cents": str(chance.randint(-9999, 99_999)),
                    "kind": chance.choice("FFDDCT"),
                    "note": chance.choice([*NOTES, "new lamp ", ""]),
                }[name]
                if name == "day" and not value.startswith("2025"):
                    value = each.day.isoformat()
                at = near(each.changed)
                times.append(at)
                edits.append((at, entry, name, value))
                each.events.append(Event(at, True, False, name, value))
        each.copies = list(mine)
        if chance.random() < 0.13:
            at = near(chance.choice(times))
            each.events.append(Event(at, False, True))
            each.row += (local(each.changed), local(at))
        else:
            each.row += (local(each.changed), None)
        if mine and chance.random() < (0.3 if len(mine) > 1 else 0.12):
            out = mine if chance.random() < 0.5 else chance.sample(mine, 1)
            for entry in out:
                last = max([at for at, one, _, _ in edits if one == entry], default=0)
                at = max(last + chance.choice([0, 1, 500]), near(chance.choice(times)))
                gone.append((entry, each.id, utc(at)))
                each.copies.remove(entry)
                lost.add(entry)
                if out is mine:
                    each.events.append(Event(at, True, True))
            if not each.copies and out is not mine:  # the only copy
                each.events.append(Event(at, True, True))
    for entry in chance.sample(sorted(natives), 4):
        gone.append((entry, None, utc(made + chance.randrange(40 * 86400))))
        lost.add(entry)
        natives.remove(entry)
    for _ in range(3):  # the highest ids are used up
        number += 1
        gone.append((number, None, utc(made + chance.randrange(40 * 86400))))
    edits.sort(key=lambda one: one[0])
    # edits of one second are told apart by their order
    shown_edits = [
        (at + 1, entry, utc(when), name, value) for at, (when, entry, name, value) in enumerate(edits)
    ]
    order = {(when, name, value): at for at, (when, _, name, value) in enumerate(edits)}
    for _, entry, name, value in edits:
        place = 1 + FIELDS.index(name)
        entries[entry][place] = int(value) if name in ("member_id", "cents") else value
    found = sorted((entry, *values) for entry, values in entries.items() if entry not in lost)

    # what must be
    wanted = {
        entry: [entry, None, final(int(str(entries[entry][1]))), *entries[entry][2:]] for entry in natives
    }
    results: dict[int, tuple[bool, list[object]]] = {}
    legs: dict[str, list[Booking]] = {}
    for each in bookings:
        lives = not max(each.events, key=lambda event: event.key).deletes
        values: dict[str, object] = {}
        for event in sorted(
            each.events, key=lambda event: (event.at, order.get((event.at, event.field, event.value), -1))
        ):
            if event.field and event.at >= each.changed:
                values[event.field] = event.value
        kind = str(values.get("kind", each.kind))
        whole = (abs(each.half_cents) + 1) // 2 * (1 if each.half_cents > 0 else -1)
        cents = int(str(values["cents"])) if "cents" in values else _signed(whole, kind)
        results[each.id] = (
            lives and kind != "T",
            [final(int(str(values.get("member_id", each.member)))), values.get("day", each.day.isoformat()), cents, kind,
             values.get("note", each.note)],
        )  # fmt: skip
        if each.pair:
            legs.setdefault(each.pair, []).append(each)
    for one, two in legs.values():
        alive = results[one.id][0] and results[two.id][0]
        first, second = results[one.id][1], results[two.id][1]
        second[1], second[2] = first[1], -int(str(first[2]))
        results[one.id], results[two.id] = (alive, first), (alive, second)
    fresh = []
    for each in bookings:
        alive, result = results[each.id]
        if alive and each.copies:
            wanted[min(each.copies)] = [min(each.copies), each.id, *result]
        elif alive:
            fresh.append((str(result[1]), each.id, result))
    highest = number
    for at, (_, old, result) in enumerate(sorted(fresh, key=lambda one: one[:2]), highest + 1):
        wanted[at] = [at, old, *result]
    # months as they are found: closed ones hold what was believed, open ones nonsense
    ended, first_open = MONTHS[closed - 1], MONTHS[closed]
    months = [
        (member, month, chance.randint(-50_000, 90_000))
        for month in MONTHS for member in range(15) if chance.random() < (0.5 if month <= ended else 0.7)
    ]  # fmt: skip
    frozen = [row for row in months if row[1] <= ended]
    sums: dict[tuple[int, str], int] = {}
    differences = dict.fromkeys((member for member in range(15) if member not in into), 0)
    for row in wanted.values():
        member, month, cents = int(str(row[2])), str(row[3])[:7], int(str(row[4]))
        if month > ended:
            sums[member, month] = sums.get((member, month), 0) + cents
        else:
            differences[member] += cents
    for member, _, cents in frozen:
        differences[final(member)] -= cents
    for member, cents in differences.items():
        if cents:
            sums[member, first_open] = sums.get((member, first_open), 0) + cents
    hours = f"{abs(offset)} hours {'ahead of' if offset > 0 else 'behind'} UTC"
    return World(
        RULES.format(offset=hours, cents_from=cents_from, closed=ended, first=first_open),
        {
            "booking": [each.row for each in bookings],
            "member": list(members),
            "rate": [(day.isoformat(), cents) for day, cents in rates.items()],
            "entry": found,
            "edit": list(shown_edits),
            "gone": sorted(gone, key=lambda row: int(str(row[0]))),
            "month": list(months),
        },
        highest,
        [tuple(wanted[entry]) for entry in sorted(wanted)],
        sorted([*frozen, *((member, month, cents) for (member, month), cents in sums.items())]),
    )


def database(tables: Mapping[str, list[tuple[object, ...]]], highest: int) -> sqlite3.Connection:
    """The tables as a database in memory."""
    base = sqlite3.connect(":memory:")
    base.executescript(SCHEMA)
    for name, rows in tables.items():
        base.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    base.execute("UPDATE sqlite_sequence SET seq = ?", [highest])
    base.executescript(TRIGGERS)
    base.commit()
    return base


def files_of(seed: int) -> Mapping[str, str | bytes]:
    """The rules and the database as it is found."""
    made = world(seed)
    with closing(database(made.tables, made.highest)) as base:
        return {"MOVE.md": made.rules, "club.db": base.serialize()}


def _plain(value: object) -> str:
    """A value as sqlite3's mode quote shows it."""
    if isinstance(value, str):
        quoted = value.replace("'", "''")
        return f"'{quoted}'"
    return "NULL" if value is None else str(value)


def _queries(seed: int) -> list[str]:
    made = world(seed)
    last = int(str(made.tables["booking"][-1][0]))
    parts = [
        f"SELECT * FROM entry WHERE old_id BETWEEN {at} AND {at + 24} ORDER BY old_id, id"
        for at in range(1, last + 1, 25)
    ]
    parts.append("SELECT * FROM entry WHERE old_id IS NULL ORDER BY id")
    parts += [f"SELECT * FROM month WHERE month = '{month}' ORDER BY member_id" for month in MONTHS]
    parts += [f"SELECT * FROM {name} ORDER BY 1" for name in ("booking", "member", "rate", "edit", "gone")]
    parts.append("SELECT count(*), min(month), max(month) FROM month")
    parts.append("SELECT count(*) FROM entry")
    parts.append(
        "SELECT type, name, replace(replace(sql, ' ', ''), char(10), '') FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2"
    )
    return parts


def cases(seed: int) -> list[tuple[str, str]]:
    """Queries, and the rows that they must give."""
    made = world(seed)
    tables = {**made.tables, "entry": made.entries, "month": made.months}
    with closing(database(tables, made.highest)) as base:
        return [
            (f".mode quote\n{query};\n", "\n".join(",".join(map(_plain, row)) for row in base.execute(query)))
            for query in _queries(seed)
        ]


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=40)
    return work >> Cases("sqlite3 -batch club.db", partial(cases, seed))
