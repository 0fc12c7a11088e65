"""A market in a language of which there is nothing but a description, with two dozen faults that this language hides."""

# fmt: off
from __future__ import annotations

import random
import re
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path

from evaluator import *

from .cases import Cases
from .loom import run

DESCRIPTION = "Can an agent find 24 faults of a program in a language that it can run only with an interpreter of its own?"
TAGS = ["medium", "code", "agent"]

FOLDER = Path(__file__).parent / "files" / "repair_loom"
COUNT, TURNS, SCRIPTS, STEPS = 24, 6, 160, 45
COMMAND = f"python3 -I -c {shlex.quote(Path(__file__).with_name('loom.py').read_text(encoding='utf-8'))} market.loom"
QUESTION = f"""In this folder is market.loom, a program in Loom. LOOM.md describes this language, of which you have no interpreter; MARKET.md and NEXT.md say what the program must do (where they differ, NEXT.md holds). It does
not do so: somebody who thought that Loom was like other languages has worked on it, and in {COUNT} places it does something else than the documents say, in most of them only when rare things meet. Mend market.loom, so that
everything in both holds. Leave the documents as they are. It is run by a Loom machine that follows LOOM.md exactly, on hidden scripts that make every rule meet every other, and every line must be right.
You have at most {TURNS} turns (replies, each with as many calls as you like); the last change of market.loom counts."""

# what is right, and what is planted
FAULTS = (
    ("| (price % 5) > 0", "| price % 5 > 0"), ("(units < 1) | (price < 1) |", "units < 1 | (price < 1) |"), ("far(price - last) > last / 10", "(price - last) > last / 10"),
    ("if (found = 0) | better(i, found)", "if found = 0 | better(i, found)"), ("give orders.n.6 < orders.m.6", "give orders.n.1 < orders.m.1"),
    ("(999 + value * rate) / 1000", "1 + (value * rate) / 1000"), ("if purse(o.3, 3) >= 100", "if purse(o.3, 3) > 100"), ("orders.n.7 = orders.n.4 & c.8", "orders.n.7 = c.8"),
    ("      places = places + 1\n      orders.n.6 = places\n", ""), ("= [owner, sum, count]", "= [owner, sum, 0]"), ("if (number > 0) & orders.k.1 = number", "if orders.k.1 = number"),
    ("if (number > 0) & stops.k.1 = number", "if stops.k.1 = number"), ("if (price = o.5) & units <= o.4", "if (price = o.5) & units < o.4"), ("    orders.at.7 = o.7 & units\n", ""),
    ("    stays = 1\n    do place(o)\n    do wake()", "    stays = 1\n    do place(o)"), ("    stays = 1\n    do place(o)", "    do place(o)"), ("      stays = 1\n      do place([o.1", "      do place([o.1"),
    ("[o.2, o.5, visible(o), 1]", "[o.2, o.5, o.4, 1]"), ("levels.j.3 + visible(o)", "levels.j.3 + o.4"), ("meets([0, side, owner, units, price], i) & orders.i.3 <> owner", "meets([0, side, owner, units, price], i)"),
    ("  if wrong(units, price)\n    print \"bad\"\n  else\n    if sum < units\n      print \"no\"\n", "  if sum < units\n    print \"no\"\n  else\n    if wrong(units, price)\n      print \"bad\"\n"),
    ('limit = "any"', "limit = 1000000"), ("wrong(units, price) | trigger < 1", "wrong(units, price)"), ("price, trigger]\n    do wake()\n", "price, trigger]\n"), ("if (o = 0) | last = 0", "if o = 0"),
    ("if (next = 0) & ripe(stops.k)", "if ripe(stops.k)"), ("o.7 = o.4 & o.8", "o.7 = o.8"), ("limit, 0, 0, 0])\n    do wake()\n", "limit, 0, 0, 0])\n"), ("    places = places + 1\n  o.6 = places"[2:], "  o.6 = numbers"),
    ("if (at > 0) & stops.at.3 = owner", "if at > 0 & stops.at.3 = owner"),
)


def program(full: bool = True) -> dict[str, str]:
    """The program without faults and its documents; not full: before NEXT.md. Marks at the ends of its lines tell what is in which."""
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir())}
    lines = [line for line in found["market.loom"].split("\n") if not line.endswith(";-" if full else ";+")]
    return {**found, "market.loom": re.sub(r"\n{3,}", "\n\n", "\n".join(re.sub(r" *;[+-]$", "", line) for line in lines)).rstrip() + "\n"}


def planted(seed: int) -> list[tuple[str, str]]:
    """The faults of a seed, each in another place."""
    found: list[tuple[str, str]] = []
    for fault in random.Random(f"loom {seed}").sample(FAULTS, len(FAULTS)):
        if len(found) < COUNT and not any(fault[0] in right or right in fault[0] for right, _ in found):
            found.append(fault)
    return found


def with_faults(faults: list[tuple[str, str]]) -> dict[str, str]:
    """The program with these faults."""
    files = program()
    for right, wrong in faults:
        assert files["market.loom"].count(right) == 1, right
        files["market.loom"] = files["market.loom"].replace(right, wrong)
    return files


def script(chance: random.Random) -> str:
    """Commands in a small market, so that everything meets."""
    middle = chance.choice([20, 50, 100, 100, 400, 2000000])
    lines: list[str] = []
    owners = ["ann", "bob", "cid", "d"][: chance.choice([2, 3, 4, 4])]

    def price() -> int:
        return max(0, middle + 5 * chance.randint(-2, 2) if chance.random() < 0.93 else chance.choice([0, 1, 3, middle + 7, middle * 2, middle // 2, middle + middle // 10 + 5, middle - middle // 10]))

    def new() -> str:
        return f"{chance.choice(['buy', 'sell'])} {chance.choice(owners)} {chance.choice([1, 2, 3, 5, 8, 10, 20, 40, 0 if chance.random() < 0.2 else 100])}"

    kinds: list[tuple[Callable[[], str], int]] = [(lambda: f"{new()} {price()}", 12), (lambda: f"ice {new()} {price()} {chance.choice([1, 2, 3, 3, 5, 0])}", 7), (lambda: f"fill {new()} {price()}", 3), (lambda: f"take {new()}", 2),
             (lambda: f"stop {new()} {price()} {chance.choice([0, price(), price(), price(), price()])}", 6), (lambda: f"clear {chance.choice(owners)}", 1), (lambda: f"cancel {chance.randint(0, len(lines) // 2 + 1)}", 2),
             (lambda: f"amend {chance.randint(0, len(lines) // 2 + 1)} {chance.choice([1, 2, 3, 4, 8, 20])} {price()}", 9), (lambda: "book", 6), (lambda: f"money {chance.choice(owners)}", 3)]
    if chance.random() < 0.3:
        lines += chance.sample(["cancel 0", "amend 0 1 5", "book", "clear ann", "money ann", f"stop sell ann 2 {middle} {middle}", f"stop buy bob 2 {middle} {middle}", "take buy ann 1", "cancel 1"], 4)
    p, q, n = middle, middle + 5, chance.choice
    opening = n([
        [f"sell ann 5 {p}", f"sell bob 5 {p}", f"amend 1 {n([4, 5, 5, 6])} {p}", f"buy cid 3 {p}", "book"], [f"ice sell ann 9 {p} 4", f"sell bob 3 {p}", f"amend 1 {n([2, 3, 4, 9])} {p}", "book", f"buy cid 8 {p}", "book"],
        [f"buy ann 2 {p}", f"buy bob 3 {p}", "take sell cid 9", f"buy ann 3 {p}", f"amend 3 {n([5, 3, 7])} {n([p, q])}", f"amend 4 {n([5, 3, 7])} {n([p, q])}", "book"],
        [f"buy ann {n([50, 99, 100])} {p}", f"sell bob {n([50, 100])} {p}", "money bob", f"sell ann {n([1, 20])} {p}", f"buy bob {n([1, 20])} {p}", "money ann", "money bob", f"buy d 3 {p}", "take sell ann 3", "money ann"],
        [f"stop sell ann 4 {p} {p}", f"stop sell bob 4 {p} {q}", f"stop buy cid 9 {q} {p}", f"buy cid 3 {p}", f"take sell d {n([3, 8])}", "book", "clear bob", "book"],
        [f"sell ann 3 {p}", f"stop buy bob {n([3, 9])} {q} {p}", f"buy cid 2 {p - 5}", "amend 3 2 " + str(n([p, q])), "book"], [f"buy ann 7 {p}", f"ice buy bob 20 {p} {n([3, 6])}", f"fill sell ann {n([7, 20, 21, 27])} {p}", "book", f"fill sell bob {n([0, 60])} {n([p, p + 1])}"],
    ])
    lines += [line for line in opening if chance.random() < 0.93]
    while len(lines) < STEPS:
        make = chance.choices([each for each, _ in kinds], [weight for _, weight in kinds])[0]
        lines.append(make())
    return "\n".join([*lines, "book", *(f"money {each}" for each in owners), "clear ann", "clear bob", "book"]) + "\n"


def cases(seed: int) -> list[tuple[str, str]]:
    """Scripts, and what the program without faults prints."""
    chance = random.Random(f"loom cases {seed}")
    return [(text, run(program()["market.loom"], text)) for text in (script(chance) for _ in range(SCRIPTS))]


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(lambda: with_faults(planted(seed))) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=TURNS)
    return work >> Cases(COMMAND, partial(cases, seed), files=["market.loom"])
