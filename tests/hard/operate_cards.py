"""Punched cards of a loom in a photograph, to be keyed into a database again."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache, partial

from evaluator import *

from .photographed import judge_rows, pictured
from .squares import field_of

DESCRIPTION = "Can an agent key punched cards into a database by a photograph of them?"
TAGS = ["hard", "vision", "sql", "agent"]
REQUIRES = ["sqlite3"]

CARDS, COLUMNS, SIZE = 44, 48, 20
FIELDS, SHORTEST = 6, 5  # of a card; columns of a field
NAMES = ("warp", "weft", "lift", "draw", "box", "beat")
QUESTION = f"""The picture is a photograph of {CARDS} punched cards of a loom, one a row, from card 1 at the top to card {CARDS} at the bottom. Each has {COLUMNS} columns, 1 to {COLUMNS} from left to right; a black square is a hole. Blue lines after every fifth row
and column, and their numbers, help with counting.

In the folder, loom.db is an sqlite database that has lost what was on the cards. Its table field says how a card is read: each field (name) is the columns from first to last, which are bits of a whole number; a hole is 1. With leading = 'first' the column `first` is the highest bit and
the column `last` the lowest one (worth 1), with leading = 'last' the other way round. The table card has a row for each card: its number in the column card, and a column for each field, in which NULL stands for what is lost. Set all these fields to what the photograph shows, and change
nothing else. The picture is not in the folder; you have a shell with Python and sqlite3. All rows must be right."""
SHOW = (
    f"sqlite3 -readonly -separator ' ' loom.db \"select 'card:' || card, {', '.join(NAMES)} from card; "
    "select 'field:' || name, first, last, leading from field\""
)


@cache
def holes(seed: int) -> Sequence[Sequence[int]]:
    """The cards, 1 for a hole."""
    chance = random.Random(f"cards of a loom {seed}")
    return [[int(chance.random() < 0.45) for _ in range(COLUMNS)] for _ in range(CARDS)]


@cache
def fields(seed: int) -> Sequence[tuple[str, int, int, str]]:
    """Name, first and last column of each field, and which of them is the highest bit."""
    chance = random.Random(f"fields of a loom {seed}")
    spare = COLUMNS - FIELDS * SHORTEST
    cuts = [0, *sorted(chance.sample(range(1, spare), FIELDS - 1)), spare]
    ends = [cut + n * SHORTEST for n, cut in enumerate(cuts)]
    sides = chance.sample(["first", "last"] * (FIELDS // 2), FIELDS)
    names = chance.sample(NAMES, FIELDS)
    return [(names[n], ends[n] + 1, ends[n + 1], sides[n]) for n in range(FIELDS)]


def read(seed: int, cards: Sequence[Sequence[int]]) -> list[dict[str, int]]:
    """What cards with these holes say, field by field."""
    found: list[dict[str, int]] = []
    for card in cards:
        found.append({})
        for name, first, last, leading in fields(seed):
            bits = card[first - 1 : last] if leading == "first" else card[first - 1 : last][::-1]
            found[-1][name] = int("".join(map(str, bits)), 2)
    return found


def wanted(seed: int) -> Mapping[str, str]:
    """What SHOW prints."""
    rows = {
        f"card:{n}": " ".join(str(card[name]) for name in NAMES)
        for n, card in enumerate(read(seed, holes(seed)), 1)
    }
    return rows | {
        f"field:{name}": f"{first} {last} {leading}" for name, first, last, leading in fields(seed)
    }


def files_of(seed: int) -> dict[str, str | bytes]:
    """The folder."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("create table field (name text primary key, first integer, last integer, leading text)")
        base.executemany("insert into field values (?, ?, ?, ?)", fields(seed))
        columns = ", ".join(f"{name} integer" for name, *_ in fields(seed))
        base.execute(f"create table card (card integer primary key, {columns})")
        base.executemany("insert into card (card) values (?)", [(n + 1,) for n in range(CARDS)])
        base.commit()
        return {"loom.db": base.serialize()}


@cache
def picture(seed: int) -> bytes:
    """The photograph."""
    return field_of(holes(seed), SIZE).png()


def build(seed: int) -> Node:
    """The test of a seed."""
    return pictured(
        partial(picture, seed),
        partial(files_of, seed),
        QUESTION,
        SHOW,
        partial(judge_rows, partial(wanted, seed)),
    )
