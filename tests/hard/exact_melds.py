"""Hands of tiles of which each is laid out for the most points, under rules by which melds help and hinder each other: by mind."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, permutations

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model lay out twenty hands of tiles for the most points that each of them is worth?"
TAGS = ["hard", "reasoning", "search"]

COLOURS = "rgby"
Tile = tuple[int, str]
Meld = tuple[str, tuple[Tile, ...]]
SETS = {3: 12, 4: 19}
RUNS = {3: 11, 4: 17, 5: 24, 6: 32, 7: 41}
STAIR, SAME_LOWEST, CLEAN, ALL_KINDS, SAME_COLOUR = 16, -5, 6, 8, -3
PROMPT = """A tile has a number from 1 to {highest} and a colour: r, g, b or y. No two tiles of a hand are the same. A hand is laid out as melds, and a tile belongs to one meld at most; the other
tiles of the hand are left over. These are the melds and their points:

- A set: three or four tiles of the same number. Three are {set3} points, four are {set4}.
- A run: three or more tiles of one colour with consecutive numbers. Three are {run3} points, four are {run4}, five are {run5}, six are {run6}, seven are {run7}.
- A stair: exactly four tiles of four different colours with consecutive numbers. It is {stair} points.

To the points of all melds of a layout are added or subtracted:

- Each tile left over costs as many points as its number.
- For each colour of which the hand has tiles, but no tile is left over, there are {clean} points more.
- If the layout has a set, a run and a stair, there are {kinds} points more (once).
- For each two melds whose lowest numbers are the same, {lowest} points are lost. (The lowest number of a set is its only one.)
- For each two runs of the same colour, {colour} points are lost.

What is the most that each of these hands can be worth?

{hands}

Work it out without running any code. End your reply with {count} lines, one for each hand, such as "H1: 57"."""


def melds(hand: Iterable[Tile], highest: int) -> list[Meld]:
    """All melds of a hand."""
    tiles, numbers = set(hand), range(1, highest + 1)
    wanted: list[Meld] = []
    for number in numbers:
        wanted += [
            ("set", tuple((number, c) for c in colours))
            for k in (3, 4)
            for colours in combinations(COLOURS, k)
        ]
        for colour in COLOURS:
            wanted += [
                ("run", tuple((n, colour) for n in range(number, last + 1)))
                for last in range(number + 2, highest + 1)
            ]
        wanted += [
            ("stair", tuple(zip(range(number, number + 4), colours, strict=True)))
            for colours in permutations(COLOURS)
        ]
    return [each for each in wanted if tiles.issuperset(each[1])]


def points(meld: Meld) -> int:
    """What a meld is worth by itself."""
    kind, tiles = meld
    return STAIR if kind == "stair" else (SETS if kind == "set" else RUNS)[len(tiles)]


def worth(chosen: Iterable[Meld], hand: Iterable[Tile]) -> int:
    """What a layout is worth."""
    its = list(chosen)
    left = set(hand).difference(*(tiles for _, tiles in its))
    total = sum(map(points, its)) - sum(number for number, _ in left)
    total += CLEAN * len({colour for _, colour in hand} - {colour for _, colour in left})
    total += ALL_KINDS * (len({kind for kind, _ in its}) == 3)
    total += sum(loss(one, other) for one, other in combinations(its, 2))
    return total


def loss(one: Meld, other: Meld) -> int:
    """What two melds of a layout take from each other (a number below 0, or 0)."""
    runs = one[0] == other[0] == "run" and one[1][0][1] == other[1][0][1]
    return SAME_LOWEST * (one[1][0][0] == other[1][0][0]) + SAME_COLOUR * runs


def totals(hand: tuple[Tile, ...], highest: int) -> list[int]:
    """What each layout is worth: the lowest tile is left over or begins a meld, and so on."""
    its = melds(hand, highest)
    first: dict[int, list[tuple[int, int]]] = {}
    for n, meld in enumerate(its):
        bits = sum(1 << hand.index(tile) for tile in meld[1])
        first.setdefault(bits & -bits, []).append((bits, n))
    worths, losses = list(map(points, its)), [[loss(one, other) for other in its] for one in its]
    kinds = [1 << ("set", "run", "stair").index(kind) for kind, _ in its]
    costs = {1 << n: number for n, (number, _) in enumerate(hand)}
    colours = [sum(1 << n for n, tile in enumerate(hand) if tile[1] == colour) for colour in COLOURS]
    found = []
    todo: list[tuple[int, int, int, int, tuple[int, ...]]] = [((1 << len(hand)) - 1, 0, 0, 0, ())]
    while todo:
        free, left, total, seen, chosen = todo.pop()
        if not free:
            total += CLEAN * sum(not left & each and each > 0 for each in colours) + ALL_KINDS * (seen == 7)
            found.append(total)
            continue
        lowest = free & -free
        todo.append((free ^ lowest, left | lowest, total - costs[lowest], seen, chosen))
        for bits, n in first.get(lowest, ()):
            if bits & free == bits:
                more = worths[n] + sum(map(losses[n].__getitem__, chosen))
                todo.append((free ^ bits, left, total + more, seen | kinds[n], (*chosen, n)))
    return found


def greedy(hand: tuple[Tile, ...], highest: int) -> int:
    """What comes of laying the best meld first."""
    chosen: list[Meld] = []
    for meld in sorted(melds(hand, highest), key=points, reverse=True):
        if not {tile for _, tiles in chosen for tile in tiles}.intersection(meld[1]):
            chosen.append(meld)
    return worth(chosen, hand)


@dataclass(frozen=True)
class Melds:
    """So many hands of so many tiles with numbers up to `highest`; `close`: layouts nearly as good as the best one, at least."""

    hands: int
    tiles: int
    highest: int
    close: int

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[tuple[tuple[Tile, ...], int], ...]:
        """The hands, and what each is worth: never what comes of laying the best melds first."""
        chance = random.Random(f"melds {seed}")
        every = [(number, colour) for number in range(1, self.highest + 1) for colour in COLOURS]
        found: list[tuple[tuple[Tile, ...], int]] = []
        while len(found) < self.hands:
            hand = tuple(
                sorted(chance.sample(every, self.tiles), key=lambda tile: (tile[0], COLOURS.index(tile[1])))
            )
            its = totals(hand, self.highest)
            best = max(its)
            near = sum(best - 5 <= total < best for total in its)
            if greedy(hand, self.highest) < best and near >= self.close:
                found.append((hand, best))
        return tuple(found)

    def wanted(self, seed: int) -> dict[str, int]:
        """The answers."""
        return {f"H{n}": best for n, (_, best) in enumerate(self.puzzle(seed), 1)}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        hands = [
            f"H{n}: " + " ".join(f"{number}{colour}" for number, colour in hand)
            for n, (hand, _) in enumerate(self.puzzle(seed), 1)
        ]
        question = PROMPT.format(
            highest=self.highest, stair=STAIR, clean=CLEAN, kinds=ALL_KINDS, lowest=-SAME_LOWEST, colour=-SAME_COLOUR,
            hands="\n".join(hands), count=self.hands,
            **{f"set{n}": each for n, each in SETS.items()}, **{f"run{n}": each for n, each in RUNS.items()},
        )  # fmt: skip
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))


TASK = Melds(hands=20, tiles=18, highest=7, close=3)
build = TASK.build
