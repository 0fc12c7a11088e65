"""Right and wrong work on operate_stock: counts as written on the sheets, and a program that adds the moves."""

from __future__ import annotations

import json

from evaluator import Call, Script

from ..data_scans import book
from ..operate_stock import OTHER

SOLVER = """
import json, sqlite3
base = sqlite3.connect("stock.db")
read = json.loads(READ)
moves = {row[0]: row for row in base.execute("select id, at, item, delta, target, undoes from move")}
undone = {}
for number, *_, undoes in moves.values():
    undone.setdefault(undoes, []).append(number)
known = {}
def counts(number):
    if number not in known:
        known[number] = not CHAINS or not any(counts(other) for other in undone.get(number, ()))
        if not CHAINS:
            known[number] = number not in undone
    return known[number]
when = dict(base.execute("select sheet, at from counted"))
shelves = {}
for item, sheet, cell, before in base.execute("select id, sheet, cell, before from item").fetchall():
    number = read[f"{sheet} {cell}"]
    now, since = (before, -1) if number is None else (number, when[sheet])
    for move, at, its, delta, target, undoes in moves.values():
        if undoes is None and at > since and counts(move):
            now += delta if its == item else -delta if target == item and TARGETS else 0
    now = max(now, 0) if FLOOR else now
    base.execute("update item set now = ? where id = ?", (now, item))
    shelves[sheet, cell[0]] = shelves.get((sheet, cell[0]), 0) + now
if SHELVES:
    base.execute("create table shelf (sheet integer, row text, now integer)")
    base.executemany("insert into shelf values (?, ?, ?)", [(*key, now) for key, now in shelves.items()])
base.commit()
"""


def _work(seed: int, slips: int = 0, zigzags: bool = True, **other: bool) -> Script:
    read: dict[str, int | None] = {}
    for sheet, (_, cells) in enumerate(book(seed + OTHER), 1):
        for n, (cell, (value, crossed)) in enumerate(cells.items()):
            # a slip takes one digit of the last cells for another
            slip = 0 if n < len(cells) - slips else -10 if value // 10 % 10 == 9 else 10
            read[f"{sheet} {cell}"] = None if crossed and zigzags else value + slip
    values = {"CHAINS": True, "TARGETS": True, "FLOOR": True, "SHELVES": True} | other
    head = (
        "\n".join(f"{name} = {value}" for name, value in values.items()) + f"\nREAD = {json.dumps(read)!r}\n"
    )
    return Script(
        f"cat > /tmp/solve.py <<'END_OF_PROGRAM'\n{head}{SOLVER}END_OF_PROGRAM\npython3 /tmp/solve.py"
    )


def right(seed: int) -> list[Script]:
    return [_work(seed)]


def wrong(seed: int) -> list[object]:
    return [
        _work(seed, slips=2),
        _work(seed, zigzags=False),
        _work(seed, CHAINS=False),
        _work(seed, TARGETS=False),
        _work(seed, FLOOR=False),
        _work(seed, SHELVES=False),
        [Call("shell", command="sqlite3 stock.db .schema"), "The counts are lost."],
    ]
