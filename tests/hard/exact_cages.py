"""A sudoku without a single digit given, in which cages with rules of several kinds decide everything."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

from evaluator import *

DESCRIPTION = (
    "Can the model solve a sudoku that gives no digits, only rules about sums, products and divisors?"
)
TAGS = ["hard", "reasoning", "puzzle"]

SIDE, BOX = 9, 3
LEAST, MOST = 12, 80  # digits that must be tried, and may be, until it is sure that there is one solution
BOTH = 10  # cages that have two rules from the beginning
DIVISORS = (7, 11, 13, 17, 19)
PROMPT = """A grid has 9 rows (1 to 9 from the top) and 9 columns (1 to 9 from the left). Each cell holds a digit from 1 to 9, so that each row, each column and each
of the nine boxes of 3 by 3 cells (rows and columns 1-3, 4-6, 7-9) has each digit once. The cells are divided into cages; in this picture
each cell shows the name of its cage:

{picture}

Each cage has one rule or two:

{rules}

- "sum" and "product" are those of all digits of the cage; "product ends in 4" means that its last digit is 4.
- "spread" is the largest digit of the cage less the smallest.
- "divisible by" means the number that the digits of the cage form when read row by row, from the top down, each row from the left: 3, 1, 9 form 319.
- Digits may repeat in a cage where rows, columns and boxes allow it.

There is exactly one solution. Find it without running any code. End your reply with one code block of nine lines, the rows from the top, of nine digits each."""

Cell = tuple[int, int]
Digits = tuple[int, ...]


@dataclass(frozen=True)
class Rule:
    """A kind of rule and its number."""

    kind: str
    number: int

    def holds(self, digits: Digits) -> bool:
        """Whether the digits of a cage, in reading order, follow it."""
        return _value(self, digits) == (0 if self.kind == "divisible by" else self.number)


def _value(rule: Rule, digits: Digits) -> int:
    if rule.kind == "sum":
        return sum(digits)
    if rule.kind == "spread":
        return max(digits) - min(digits)
    if rule.kind == "product ends in":
        last = 1
        for digit in digits:
            last = last * digit % 10
        return last
    return int("".join(map(str, digits))) % rule.number


@dataclass(frozen=True)
class Cage:
    """Cells in reading order, and the rules of their digits."""

    cells: tuple[Cell, ...]
    rules: tuple[Rule, ...]


Grid = tuple[Digits, ...]


def _units() -> list[list[int]]:
    """Rows, columns and boxes as numbers of cells."""
    rows = [[SIDE * y + x for x in range(SIDE)] for y in range(SIDE)]
    boxes = [
        [SIDE * (y + b) + x + a for b in range(BOX) for a in range(BOX)]
        for y in range(0, SIDE, BOX)
        for x in range(0, SIDE, BOX)
    ]
    return rows + [list(column) for column in zip(*rows, strict=True)] + boxes


UNITS = _units()
UNITS_OF = [[n for n, unit in enumerate(UNITS) if cell in unit] for cell in range(SIDE * SIDE)]
SEES = [{other for n in UNITS_OF[cell] for other in UNITS[n]} - {cell} for cell in range(SIDE * SIDE)]
ANY = (1 << SIDE) - 1


@cache
def _fits(rule: Rule, size: int) -> tuple[Digits, ...]:
    return tuple(digits for digits in product(range(1, SIDE + 1), repeat=size) if rule.holds(digits))


@cache
def ways(cage: Cage) -> tuple[int, ...]:
    """The ways to fill a cage, each as one number with nine bits for each cell."""
    cells = [SIDE * y + x for y, x in cage.cells]
    clashes = [(i, j) for i in range(len(cells)) for j in range(i) if cells[i] in SEES[cells[j]]]
    fits = _fits(cage.rules[0], len(cells)) if cage.rules else product(range(1, SIDE + 1), repeat=len(cells))
    return tuple(
        sum(1 << (SIDE * n + digit - 1) for n, digit in enumerate(digits))
        for digits in fits
        if all(digits[i] != digits[j] for i, j in clashes)
        and all(rule.holds(digits) for rule in cage.rules[1:])
    )


def another(cages: Sequence[Cage], grid: Digits, most: int) -> tuple[Digits | None, int]:
    """Another solution than this one, if there is any, and how many digits were tried until that was known, `most` + 1 at the most."""
    cells_of = [[SIDE * y + x for y, x in cage.cells] for cage in cages]
    cage_of = {cell: n for n, cells in enumerate(cells_of) for cell in cells}
    tried = 0

    def narrowed(may: list[int], fill: list[list[int]], todo: set[int]) -> bool:
        """Draw all conclusions from single cages and units; `todo`: cages, and units as numbers below 0."""
        while todo:
            n = todo.pop()
            changed: list[tuple[int, int]] = []
            if n >= 0:
                cells = cells_of[n]
                known = sum(may[cell] << (SIDE * k) for k, cell in enumerate(cells))
                fill[n] = [way for way in fill[n] if way & known == way]
                left = 0
                for way in fill[n]:
                    left |= way
                changed = [(cell, left >> (SIDE * k) & ANY) for k, cell in enumerate(cells)]
            else:
                unit = UNITS[-n - 1]
                once = several = 0
                for cell in unit:
                    several |= once & may[cell]
                    once |= may[cell]
                if once != ANY:
                    return False
                only = once & ~several
                for cell in unit:
                    mask = may[cell]
                    if mask & only and mask & (mask - 1):
                        changed.append((cell, mask & only))
                    elif not mask & (mask - 1):
                        changed += [
                            (other, ANY & ~mask) for other in unit if other != cell and may[other] & mask
                        ]
            for cell, mask in changed:
                mask &= may[cell]
                if mask == may[cell]:
                    continue
                if not mask:
                    return False
                may[cell] = mask
                todo.add(cage_of[cell])
                todo.update(-unit - 1 for unit in UNITS_OF[cell])
        return True

    def search(may: list[int], fill: list[list[int]], todo: set[int]) -> Digits | None:
        nonlocal tried
        if not narrowed(may, fill, todo):
            return None
        free = [cell for cell, mask in enumerate(may) if mask & (mask - 1)]
        if not free:
            found = tuple(mask.bit_length() for mask in may)
            return None if found == grid else found
        cell = min(free, key=lambda cell: (may[cell].bit_count(), len(fill[cage_of[cell]])))
        for digit in range(SIDE):
            if may[cell] >> digit & 1:
                tried += 1
                if tried > most:
                    return None
                again = {cage_of[cell], *(-unit - 1 for unit in UNITS_OF[cell])}
                found_ = search([*may[:cell], 1 << digit, *may[cell + 1 :]], fill[:], again)
                if found_ is not None:
                    return found_
        return None

    start = {*range(len(cages)), *(-n - 1 for n in range(len(UNITS)))}
    return search([ANY] * SIDE * SIDE, [list(ways(cage)) for cage in cages], start), tried


def _filled(chance: random.Random) -> Digits:
    """A grid in which every unit has every digit."""
    digits = [0] * SIDE * SIDE

    def goes_on() -> bool:
        free = [cell for cell in range(SIDE * SIDE) if not digits[cell]]
        if not free:
            return True
        may = {cell: set(range(1, SIDE + 1)) - {digits[other] for other in SEES[cell]} for cell in free}
        cell = min(free, key=lambda cell: len(may[cell]))
        for digit in chance.sample(sorted(may[cell]), len(may[cell])):
            digits[cell] = digit
            if goes_on():
                return True
        digits[cell] = 0
        return False

    goes_on()
    return tuple(digits)


def _divided(chance: random.Random) -> list[tuple[Cell, ...]]:
    """The grid in pieces of two to four cells."""
    free = {(y, x) for y in range(SIDE) for x in range(SIDE)}
    pieces: list[list[Cell]] = []
    while free:
        piece = [chance.choice(sorted(free))]
        free -= set(piece)
        size = chance.choice((2, 3, 3, 4, 4))
        while len(piece) < size:
            near = sorted(free.intersection((y + b, x + a) for y, x in piece for b, a in ((0, 1), (1, 0), (0, -1), (-1, 0))))  # fmt: skip
            if not near:
                break
            piece.append(chance.choice(near))
            free.discard(piece[-1])
        smallest = min(
            (each for each in pieces if any(abs(y - b) + abs(x - a) == 1 for y, x in piece for b, a in each)),
            key=len,
            default=piece,
        )
        if len(piece) == 1 and smallest is not piece:
            smallest += piece
        else:
            pieces.append(piece)
    return [tuple(sorted(piece)) for piece in pieces]


def _rules(digits: Digits, chance: random.Random) -> list[Rule]:
    """Rules that the digits follow, in any order."""
    rules = [Rule(kind, _value(Rule(kind, 0), digits)) for kind in ("sum", "spread", "product ends in")]
    number = int("".join(map(str, digits)))
    divisors = [Rule("divisible by", each) for each in DIVISORS if number % each == 0]
    chance.shuffle(rules)
    return divisors[:1] + rules if chance.random() < 0.8 else rules


@cache
def planted(seed: int) -> tuple[tuple[Cage, ...], Grid]:
    """Cages whose rules leave one solution, and that solution."""
    for attempt in range(1000):
        chance = random.Random(f"cages {seed} {attempt}")
        grid, pieces = _filled(chance), _divided(chance)
        if any(not 1 < len(piece) < 5 for piece in pieces):
            continue
        all_rules = [_rules(tuple(grid[SIDE * y + x] for y, x in piece), chance) for piece in pieces]
        both = chance.sample(range(len(pieces)), BOTH)
        cages = [Cage(piece, tuple(all_rules[n][: 1 + (n in both)])) for n, piece in enumerate(pieces)]
        while True:
            other, tried = another(cages, grid, MOST)
            if other is None and tried <= MOST:
                break
            order = [n for n, cage in enumerate(cages) if len(cage.rules) == 1]
            chance.shuffle(order)
            for n in order:
                its = tuple((other or grid)[SIDE * y + x] for y, x in pieces[n])
                broken = [rule for rule in all_rules[n][1:] if other is None or not rule.holds(its)]
                if broken:
                    cages[n] = Cage(pieces[n], (*cages[n].rules, broken[0]))
                    break
            else:
                break
        if other is None and LEAST <= tried <= MOST:
            cages.sort(key=lambda cage: cage.cells)
            return tuple(cages), tuple(grid[n : n + SIDE] for n in range(0, SIDE * SIDE, SIDE))
    raise ValueError(f"no cages for seed {seed}")


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of cells that are right; passed if all are."""
    _, grid = planted(seed)
    fences = re.findall(r"```[^\n]*\n(.*?)```", reply, re.DOTALL)
    said = [re.sub(r"\D", "", line) for line in (fences[-1] if fences else "").splitlines()[:100]]
    said = [line for line in said if line]
    if len(said) != SIDE or any(len(line) != SIDE for line in said):
        return Score(0.0, False), "not nine lines of nine digits"
    wrong = [
        f"row {y + 1}, column {x + 1}"
        for y in range(SIDE)
        for x in range(SIDE)
        if said[y][x] != str(grid[y][x])
    ]
    return Score(1 - len(wrong) / SIDE**2, not wrong), f"wrong: {'; '.join(wrong)}"


def build(seed: int) -> Node:
    """The test of a seed."""
    cages, _ = planted(seed)
    names = [("abcdefghijklmnopqrstuvwxyz"[n % 26] + str(n // 26 or "")).ljust(2) for n in range(len(cages))]
    name_of = {cell: name for name, cage in zip(names, cages, strict=True) for cell in cage.cells}
    rows = ("    " + " ".join(name_of[y, x] for x in range(SIDE)).rstrip() for y in range(SIDE))
    rules = (
        f"    {name.strip()}: {', '.join(f'{rule.kind} {rule.number}' for rule in cage.rules)}"
        for name, cage in zip(names, cages, strict=True)
    )
    question = PROMPT.format(picture="\n".join(rows), rules="\n".join(rules))
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
