"""A stock database that lost its counts: they stand on scanned sheets, and went on changing after these were written."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .data_scans import COLUMNS, LETTERS, PAGES, book, picture

DESCRIPTION = "Can an agent bring a stock database up to date from scanned sheets and the moves since then?"
TAGS = ["hard", "vision", "sql", "agent"]
REQUIRES = ["chromium", "sqlite3"]

OTHER = 4_000_000  # its sheets are not those of data_scans
ENOUGH = 0.995
QUESTION = f"""stock.db in this folder, an sqlite database, has lost what is in stock. sheet1.png to sheet{PAGES}.png are scans of the sheets on which it was counted by hand, and README.md says what must hold in the end. Bring
stock.db to that state. Every row is checked; of the {PAGES * len(LETTERS) * COLUMNS} rows of the table item at least {ENOUGH:.1%} must be right, and in all other tables everything. You have a shell with Python (numpy, scipy,
Pillow) and sqlite3, and a browser in which you see pictures of this folder."""
README = """# The stock

## Tables

- item: id, sheet, cell (such as C7), before (what was there at midnight), now (lost: NULL).
- move: id, at (minutes after midnight), item, delta, target, undoes.
- counted: sheet, at (minutes after midnight, when the sheet was written).

## The sheets

- Each item has a cell on a sheet. A sheet has rows A to K and columns 1 to 12, whose names are printed in red at the left and below the legend. In each cell stands a number of four digits in a made-up
  script: one sign, a long upright staff with strokes for its digits in four places. The legend above the line shows the digits 1 to 9 as units, which are at the right of the top of the
  staff. Tens are at the left of the top, mirrored left to right; hundreds at the right of the bottom, mirrored top to bottom; thousands at the left of the bottom,
  mirrored both ways. An empty place is the digit 0. At the right end of the legend the digit 1 stands alone as 1, 10, 100 and 1000, as an example.
- Each sheet was written by someone else, with other strokes for the digits: its own legend holds. The signs of the legend are exact, the others were written by hand: strokes waver and lean.
- Sheets were scanned carelessly: they may be upside down or seen from behind, are askew, and have specks. The printed names show how a sheet lies.
- A count with a zigzag line across the whole sign is crossed out and counts for nothing.

## What must hold

1. item.now is what was counted, changed by all moves of the item later than the count of its sheet. Where the count is crossed out it is `before`, changed by all moves of the item.
2. A move changes its item by delta; one with a target changes the target by -delta, too, at the same time, whatever sheet that is on.
3. A move whose undoes is not NULL changes nothing by itself. It makes the move with that id as if it had never been, with its target; if that one undoes another itself, the other one counts again, and so on.
   A move counts if none of the moves that undo it counts. What was counted on the sheets stays as it is, whatever is undone.
4. A new table shelf (sheet, row, now) has a line for each row of a sheet with the sum of `now` of its items, as your table item has it; row is the letter.
5. Items whose `now` would be below 0 have 0, in the sums as well.
6. Everything else stays as it is.
"""
SHOW = (
    "sqlite3 -readonly stock.db 'select id, sheet, cell, before, now from item order by id; select 0; "
    "select sheet, row, now from shelf order by 1, 2; select 0; select * from move order by id; select 0; select * from counted order by 1'"
)


@dataclass(frozen=True)
class Move:
    """A row of the table move."""

    number: int
    at: int
    item: int
    delta: int
    target: int | None
    undoes: int | None


@dataclass(frozen=True)
class Stock:
    """The tables of a seed."""

    items: Mapping[int, tuple[int, str, int]]  # sheet, cell and before
    moves: Sequence[Move]
    counted: Mapping[int, int]


@cache
def stock_of(seed: int) -> Stock:
    """What the database holds."""
    chance = random.Random(f"stock {seed}")
    places = [(sheet, cell) for sheet, (_, cells) in enumerate(book(seed + OTHER), 1) for cell in cells]
    items = dict(zip(chance.sample(range(1000, 9999), len(places)), places, strict=True))
    moves, numbers = list[Move](), chance.sample(range(10_000, 99_999), 4000)
    for number in numbers:
        item, target = chance.sample(list(items), 2)
        at, delta = chance.randrange(1440), chance.choice([-1, 1]) * chance.randint(1, 400)
        undoes = chance.choice(moves).number if moves and chance.random() < 0.12 else None
        moves.append(
            Move(number, at, item, delta, target if chance.random() < 0.3 and not undoes else None, undoes)
        )
    counted = {sheet: chance.randint(300, 1100) for sheet in range(1, PAGES + 1)}
    return Stock({n: (*place, chance.randint(500, 9500)) for n, place in items.items()}, moves, counted)


def now_of(seed: int) -> dict[int, int]:
    """What is in stock of each item."""
    stock, void = stock_of(seed), set[int]()
    for move in reversed(stock.moves):  # a move undoes only one made before it
        if move.undoes is not None and move.number not in void:
            void.add(move.undoes)
    found = {}
    begin: dict[int, int] = {}
    for item, (sheet, cell, before) in stock.items.items():
        value, crossed = book(seed + OTHER)[sheet - 1][1][cell]
        found[item], begin[item] = (before, -1) if crossed else (value, stock.counted[sheet])
    for move in stock.moves:
        if move.undoes is None and move.number not in void:
            for end, delta in ((move.item, move.delta), (move.target, -move.delta)):
                if end is not None and move.at > begin[end]:
                    found[end] += delta
    return {item: max(0, now) for item, now in found.items()}


@cache
def files_of(seed: int) -> dict[str, str | bytes]:
    """The folder."""
    stock = stock_of(seed)
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(
            "create table item (id integer primary key, sheet integer, cell text, before integer, now integer)"
        )
        base.execute(
            "create table move (id integer primary key, at integer, item integer, delta integer, target integer, undoes integer)"
        )
        base.execute("create table counted (sheet integer, at integer)")
        base.executemany(
            "insert into item values (?, ?, ?, ?, NULL)", [(n, *its) for n, its in stock.items.items()]
        )
        rows = [
            (each.number, each.at, each.item, each.delta, each.target, each.undoes) for each in stock.moves
        ]
        base.executemany("insert into move values (?, ?, ?, ?, ?, ?)", rows)
        base.executemany("insert into counted values (?, ?)", stock.counted.items())
        base.commit()
        data = base.serialize()
    sheets = {f"sheet{n + 1}.png": picture(seed + OTHER, n) for n in range(PAGES)}
    return {"README.md": README, "stock.db": data, **sheets}


def shown(seed: int, now: Mapping[int, int]) -> str:
    """What SHOW prints of a database with these counts."""
    stock, shelves = stock_of(seed), dict[tuple[int, str], int]()
    for item, (sheet, cell, _) in stock.items.items():
        shelves[sheet, cell[0]] = shelves.get((sheet, cell[0]), 0) + now[item]
    lines = [
        f"{item}|{sheet}|{cell}|{before}|{now[item]}"
        for item, (sheet, cell, before) in sorted(stock.items.items())
    ]
    lines += ["0", *(f"{sheet}|{row}|{total}" for (sheet, row), total in sorted(shelves.items())), "0"]
    for each in sorted(stock.moves, key=lambda move: move.number):
        ends = ("" if end is None else str(end) for end in (each.target, each.undoes))
        lines.append(f"{each.number}|{each.at}|{each.item}|{each.delta}|{'|'.join(ends)}")
    return "\n".join([*lines, "0", *(f"{sheet}|{at}" for sheet, at in sorted(stock.counted.items()))])


def judge(seed: int, printed: str) -> tuple[Score, str]:
    """The share of items that are right. The sums must be those of the database's own items."""
    stock = stock_of(seed)
    said = printed[:2_000_000].strip().partition("\n0\n")[0].splitlines()
    wanted = shown(seed, now_of(seed)).partition("\n0\n")[0].splitlines()
    right = len(set(said) & set(wanted)) / len(wanted)
    if len(said) != len(wanted):
        return Score(min(right, 0.99), False), "the table item has other rows, or the database cannot be read"
    own = {}
    for line in said:
        number, count = line.partition("|")[0], line.rpartition("|")[2]
        if number.isdecimal() and count.isdecimal() and len(count) < 9:
            own[int(number)] = int(count)
    if set(own) != set(stock.items):
        return Score(min(right, 0.99), False), "not all items have a count"
    rest = printed.strip() == shown(seed, own)
    told = "" if rest else "; the sums of shelves are not those of the items, or another table has changed"
    return Score(
        right if rest else min(right, 0.99), rest and right >= ENOUGH
    ), f"{right:.2%} of the items are right{told}"


def build(seed: int) -> Node:
    """The test of a seed."""
    work = (
        Files(partial(files_of, seed))
        >> QUESTION
        >> AgentRun([Shell(), Browser()], max_turns=40, time_limit_s=3600)
    )
    return work >> SHOW >> TerminalRun(time_limit_s=20) >> PyFunc(partial(judge, seed))
