"""A router whose rules are lost: they must be found again from its log."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from evaluator import *

DESCRIPTION = "Can an agent rebuild a router's lost rules from a log in which they hide each other?"
TAGS = ["medium", "log", "agent"]
DETERMINISTIC = True

RULES, LINES, HIDDEN, ENOUGH = 52, 40_000, 2500, 0.996
SPARE = 0.02  # of the lines of the log have any pool
# of requests: that a rule decides; for which each of its conditions counts
LEAST, MOST, SEEN = 0.006, 0.018, 0.003
QUESTION = f"""The rules of a router are lost; log.csv in this folder is its log, and README.md says how it works. Write rules.conf such that the router sends requests where it did. {HIDDEN:,}
hidden requests, which were drawn as those of the log were, are put to your rules; at least {ENOUGH:.1%} of them must be sent to the right pool. You have a shell with Python (numpy, scipy)."""
README = f"""# The router

rules.conf has a rule a line, such as

    host alder birch & area not shop & size 512 2048 & id % 7 0 3 -> p4
    -> p1

The first rule whose conditions all hold decides the pool; a rule without a condition always holds. There may be at most 64 rules (lost were {RULES} with conditions, and a last one without).
`not` before the values turns a condition around. route.py is the router; it does not change.

| field | condition |
| --- | --- |
| `method`, `host`, `area`, `page`, `tier` | is one of these words |
| `size` | A B: at least A, less than B |
| `time` | A B: at least A, before B; where A is later than B over midnight |
| `client` | N/BITS: has the same first BITS of 16 bits as N |
| `id` | % M R ...: its remainder by M is one of these |

The lost rules had three to five conditions each, never two of the same field. Their sizes were multiples of 256, their times full hours, their nets had 1 to 3 bits, and M was 3, 5, 7 or 11.
All fields of a request are independent of each other, and all their values equally frequent. Each rule decided at least {LEAST:.1%} of the requests, and without any single one of its
conditions at least {SEEN:.1%} of all requests would have gone elsewhere. The log is right except for {SPARE:.0%} of its lines: these requests were sent a second time, to any pool.
"""
WORDS: Mapping[str, Sequence[str]] = {
    "method": ("get", "post", "put", "delete", "head"),
    "host": ("alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine"),
    "area": ("shop", "blog", "help", "user", "admin", "media", "stats", "forum"),
    "page": ("list", "show", "edit", "find", "copy", "sort", "save", "move", "tree"),
    "tier": ("gold", "silver", "bronze", "free"),
}
POOLS = tuple(f"p{n}" for n in range(1, 12))
FOLDER = Path(__file__).parent / "files" / "operate_router"
Row = dict[str, str]


@cache
def router() -> Any:
    """The router as a module."""
    spec = importlib.util.spec_from_file_location("router_of_ours", FOLDER / "route.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row_of(chance: random.Random) -> Row:
    """A request."""
    client, time = chance.randrange(65536), chance.randrange(1440)
    words = {field: chance.choice(values) for field, values in WORDS.items()}
    numbers = {"id": str(chance.randrange(10_000, 1_000_000)), "size": str(chance.randrange(4096))}
    return {
        **numbers,
        **words,
        "client": f"{client // 256}.{client % 256}",
        "time": f"{time // 60}:{time % 60:02}",
    }


def condition_of(field: str, chance: random.Random) -> str:
    """A condition that a third to three quarters of the requests fulfil."""
    turned = "not " if chance.random() < 0.3 else ""
    if field in WORDS:
        words = WORDS[field]
        count = chance.randint((len(words) + 1) // 3, (len(words) + 1) // 2)
        return f"{field} {turned}{' '.join(sorted(chance.sample(words, count)))}"
    if field == "size":
        first = chance.randrange(0, 11)
        return f"size {first * 256} {min(16, first + chance.randint(4, 9)) * 256}"
    if field == "time":
        first = chance.randrange(24)
        return f"time {first}:00 {(first + chance.randint(7, 15)) % 24}:00"
    if field == "client":
        bits = chance.choice([1, 1, 2, 2, 3])
        net = chance.randrange(1 << bits) << 16 - bits
        return f"client {'not ' if bits > 1 and chance.random() < 0.5 else ''}{net // 256}.{net % 256}/{bits}"
    size = chance.choice([3, 5, 7, 11])
    rests = sorted(chance.sample(range(size), chance.randint((size + 1) // 3, (size + 1) // 2)))
    return f"id {turned}% {size} {' '.join(map(str, rests))}"


@cache
def rules_of(seed: int) -> Sequence[str]:
    """The lost rules: each decides enough, and each condition is seen to count, by sets of requests as bits."""
    chance, count = random.Random(f"router {seed}"), 3500
    kinds: dict[str, Sequence[Any]] = {**WORDS, "size": range(0, 4096, 256), "time": range(0, 1440, 60)}
    kinds |= {"client": range(0, 65536, 8192), "id": range(3 * 5 * 7 * 11)}
    bits = {field: dict.fromkeys(values, 0) for field, values in kinds.items()}
    for field, values in kinds.items():
        for at, value in enumerate(chance.choices(values, k=count)):
            bits[field][value] |= 1 << at
    left, rules = (1 << count) - 1, list[str]()
    pools = [pool for _ in range(RULES // 10 + 1) for pool in chance.sample(POOLS[1:], len(POOLS) - 1)]
    low, high, seen = LEAST * count * 1.25, MOST * count, SEEN * count * 1.7
    while len(rules) < RULES:
        fields = chance.sample(list(kinds), chance.choice([3, 4, 4, 5]))
        conditions = [condition_of(field, chance) for field in fields]
        once, twice, each = 0, 0, list[int]()  # requests for which one condition at least fails, and two
        for field, test in map(router().condition, conditions):
            fails = 0
            for value, its in bits[field].items():
                fails |= 0 if test(value) else its & left
            once, twice = once | fails, twice | once & fails
            each.append(fails)
        counts = all((fails & ~twice).bit_count() >= seen for fails in each)
        if counts and low <= (left & ~once).bit_count() <= high:
            rules.append(f"{' & '.join(conditions)} -> {pools[len(rules)]}")
            left &= once
    return [*rules, f"-> {POOLS[0]}"]


@cache
def files_of(seed: int) -> dict[str, str]:
    """The folder."""
    chance, rules = random.Random(f"router log {seed}"), router().parse("\n".join(rules_of(seed)))
    lines = []
    for _ in range(LINES):
        row = row_of(chance)
        pool = router().route(rules, router().request(row))
        lines.append(",".join([*row.values(), chance.choice(POOLS) if chance.random() < SPARE else pool]))
    head = ",".join([*row, "pool"])
    code = (FOLDER / "route.py").read_text(encoding="utf-8")
    return {"README.md": README, "route.py": code, "log.csv": "\n".join([head, *lines, ""])}


def judge(seed: int, said: str) -> tuple[Score, str]:
    """The share of hidden requests that the rules send where the lost ones do."""
    chance, right = random.Random(f"router hidden {seed}"), router().parse("\n".join(rules_of(seed)))
    try:
        rules = router().parse(said[:200_000])
    except (ValueError, IndexError, ZeroDivisionError) as error:
        return Score(0.0, False), f"rules.conf cannot be read: {error}"[:300]
    hits = 0
    for _ in range(HIDDEN):
        fields = router().request(row_of(chance))
        try:
            hits += router().route(rules, fields) == router().route(right, fields)
        except (ValueError, ZeroDivisionError) as error:
            return Score(0.0, False), f"the router stops: {error}"[:300]
    return Score(hits / HIDDEN, hits >= ENOUGH * HIDDEN), f"{hits} of {HIDDEN} requests are sent rightly"


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell()], max_turns=40)
    return work >> "head -c 200000 rules.conf" >> TerminalRun(time_limit_s=10) >> PyFunc(partial(judge, seed))
