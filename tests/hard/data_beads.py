"""Strings of beads that obey hidden rules of five to eight beads: lost beads are to be found from the others."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can an agent find rules that bind many columns at once, and restore what is lost by them?"
TAGS = ["medium", "python", "agent"]
DETERMINISTIC = True

BEADS, COLOURS = 28, "abcde"
SIZES = (5, 5, 6, 6, 6, 6, 7, 7, 7, 8, 8, 8)  # of the rules: each decides one bead by the others
WHOLE, DAMAGED, LOST = 5000, 1500, 6
ENOUGH = 0.96  # of the lost beads
WRONG = (0.0125, 0.002)  # of the beads that are left, in whole and in damaged strings
QUESTION = f"""Machines make strings of {BEADS} beads, each of which has one of five colours, {COLOURS[0]} to {COLOURS[-1]}. A string that is well made obeys several rules, always the same. Nobody remembers them; only this: each rule
concerns certain places of a string and no others, and if all of these places but one are known, the rule says which colour is at that one, whichever it is. Otherwise colours are at random.

whole.txt in this folder has {WHOLE} well made strings, damaged.txt {DAMAGED} others, each with {LOST} lost beads, which are written as "?". About one bead in {round(1 / WRONG[0])} of whole.txt was written down
wrongly, and of the others in damaged.txt one in {round(1 / WRONG[1])}.
Write restored.txt: for each line of damaged.txt a line with its {LOST} lost colours, from left to right, as {LOST} letters. By the rules all of them can be known. At least {ENOUGH:.0%} of all lost beads must be right.
You have a shell with Python (numpy, scipy, numba)."""


@dataclass(frozen=True)
class Rule:
    """The numbers of the colours at its places add up to 0, by fives. The last place is the one that it decides."""

    places: tuple[int, ...]
    numbers: tuple[tuple[int, ...], ...]  # of each colour, for each place

    def fill(self, beads: list[int], place: int) -> None:
        """Set the bead at one of its places, from the others."""
        total = sum(its[beads[at]] for at, its in zip(self.places, self.numbers, strict=True) if at != place)
        beads[place] = self.numbers[self.places.index(place)].index(-total % 5)


@cache
def rules_of(seed: int) -> Sequence[Rule]:
    """The rules, in the order in which a string is made."""
    chance = random.Random(f"beads {seed}")
    order, found = chance.sample(range(BEADS), BEADS), list[Rule]()
    sizes = chance.sample(SIZES, len(SIZES))
    while len(found) < len(SIZES):
        done = BEADS - len(SIZES) + len(found)
        places = (*chance.sample(order[:done], sizes[len(found)] - 1), order[done])
        if all(len({*places} & {*rule.places}) <= 2 for rule in found):
            found.append(Rule(places, tuple(tuple(chance.sample(range(5), 5)) for _ in places)))
    return found


def order_of(rules: Iterable[Rule], lost: Iterable[int]) -> list[tuple[Rule, int]]:
    """By which rules lost beads can be found one after the other, as far as they can."""
    rules, missing, steps = list(rules), set(lost), list[tuple[Rule, int]]()
    while True:
        usable = ((rule, missing.intersection(rule.places)) for rule in rules)
        step = next(((rule, its.pop()) for rule, its in usable if len(its) == 1), None)
        if not step:
            return steps
        steps.append(step)
        missing.remove(step[1])


@cache
def strings(seed: int) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """Whole strings, damaged ones, and what was lost."""
    chance, rules = random.Random(f"beads strings {seed}"), rules_of(seed)
    written, damaged, truth = list[str](), list[str](), list[str]()
    for n in range(WHOLE + DAMAGED):
        beads = [chance.randrange(5) for _ in range(BEADS)]
        for rule in rules:
            rule.fill(beads, rule.places[-1])
        wrong = WRONG[n >= WHOLE] * 1.25  # a fifth of them stay right
        seen = [COLOURS[chance.randrange(5) if chance.random() < wrong else bead] for bead in beads]
        if n < WHOLE:
            written.append("".join(seen))
            continue
        lost: list[int] = []
        while not lost or len(order_of(rules, lost)) < LOST:
            lost = sorted(chance.sample(range(BEADS), LOST))
        truth.append("".join(COLOURS[beads[at]] for at in lost))
        damaged.append("".join("?" if at in lost else bead for at, bead in enumerate(seen)))
    return written, damaged, truth


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    written, damaged, _ = strings(seed)
    return {"whole.txt": "\n".join([*written, ""]), "damaged.txt": "\n".join([*damaged, ""])}


def judge(seed: int, said: str) -> tuple[Score, str]:
    """The share of lost beads that are right."""
    _, _, truth = strings(seed)
    lines = [line.strip().lower() for line in said[: 50 * DAMAGED].splitlines()]
    right = sum(
        a == b
        for line, true in zip(lines, truth, strict=False)
        if len(line) == LOST
        for a, b in zip(line, true, strict=True)
    )
    share = right / (LOST * DAMAGED)
    return Score(share, share >= ENOUGH), f"{right} of {LOST * DAMAGED} beads are right"


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell()], max_turns=40, time_limit_s=3600)
    return (
        work >> "head -c 200000 restored.txt" >> TerminalRun(time_limit_s=10) >> PyFunc(partial(judge, seed))
    )
