"""Molecules drawn as skeletons: the formula of each."""

from __future__ import annotations

import math
import random
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all
from .drawing import Canvas, Point

DESCRIPTION = "Can the model count the atoms of large molecules that are drawn as skeletons?"
TAGS = ["hard", "vision", "counting"]

VALENCES = {"C": 4, "N": 3, "O": 2, "S": 2}
BEYOND, SHORT, LETTER = (
    5.5,
    6,
    10,
)  # pixels: to the second line of a bond; by which it is shorter; around a letter
QUESTION = """The picture shows {count} large molecules, A to {last}, as skeletons. Each end of a line, each corner and each place where lines meet is an atom: the one whose
letter stands there (N, O or S), or carbon (C) if there is none. A line is a single bond and two lines side by side are a double bond (the shorter one
adds no atoms). Hydrogen (H) is not drawn: each atom has as many hydrogen atoms as it needs, so that its bonds, those with hydrogen too, are 4 in all for C, 3 for N, and 2 for O and S. A double bond
counts as 2. The molecules are invented.

Which formula has each molecule? End your reply with {count} lines with the numbers of all atoms, elements that it lacks left out, such as

A: C21 H30 N2 O3
B: C7 H8 S1"""

Spot = tuple[
    int, int
]  # of a honeycomb: an atom has neighbours left, right, and below if the sum is even, above if odd
Bond = tuple[Spot, Spot]


def beside(spot: Spot) -> list[Spot]:
    """The three neighbours of an atom's place."""
    x, y = spot
    return [(x - 1, y), (x + 1, y), (x, y - 1 if (x + y) % 2 else y + 1)]


def ring(spot: Spot) -> list[Spot]:
    """The six places of the cell whose upper left corner is a place with an even sum."""
    x, y = spot
    return [(x + across, y + down) for across in (0, 1, 2) for down in (0, 1)]


@dataclass(frozen=True)
class Molecule:
    """Its atoms' elements, and whether its bonds are double."""

    atoms: dict[Spot, str]
    bonds: dict[Bond, bool]

    def formula(self) -> dict[str, int]:
        """How many atoms it has of each element, with those of hydrogen."""
        free = sum(VALENCES[element] for element in self.atoms.values())
        return {
            "H": free - 2 * sum(1 + double for double in self.bonds.values()),
            **Counter(self.atoms.values()),
        }

    def degree(self, spot: Spot) -> int:
        """How many bonds an atom has."""
        return sum(spot in bond for bond in self.bonds)

    def points(self, size: float, turn: float) -> dict[Spot, Point]:
        """Where its atoms are drawn about the point (0, 0), with bonds of a size."""
        cos, sin = math.cos(turn) * size, math.sin(turn) * size
        flat = {(x, y): (x * math.sqrt(0.75), y * 1.5 + (x + y) % 2 * -0.5) for x, y in self.atoms}
        turned = {spot: (a * cos - b * sin, a * sin + b * cos) for spot, (a, b) in flat.items()}
        across, down = zip(*turned.values(), strict=True)
        x, y = (max(across) + min(across)) / 2, (max(down) + min(down)) / 2
        return {spot: (a - x, b - y) for spot, (a, b) in turned.items()}


def molecule(chance: random.Random, rings: int, atoms: int) -> Molecule:
    """Rings that share sides or are joined by a bond, with side chains, of so many atoms without those of hydrogen."""
    found: set[Spot] = set(ring((0, 0)))
    done = 1
    while done < rings or len(found) < atoms:
        near = chance.choice(sorted(found))
        if done < rings and chance.random() < 0.4:
            x, y = near[0] - chance.randrange(3), near[1] - chance.randrange(2)
            if (x + y) % 2 == 0 and len(found.intersection(ring((x, y)))) in (1, 2, 3):
                found.update(ring((x, y)))
                done += 1
        else:
            spot = chance.choice(beside(near))
            if sum(each in found for each in (spot, *beside(spot))) == 1:
                found.add(spot)
    bonds = [(a, b) for a in sorted(found) for b in sorted(beside(a)) if a < b and b in found]
    its = Molecule(dict.fromkeys(sorted(found), "C"), dict.fromkeys(bonds, False))
    order = sorted(bonds)
    chance.shuffle(order)
    doubled: set[Spot] = set()
    for bond in order:
        if not doubled & {*bond} and chance.random() < 0.55:
            its.bonds[bond] = True
            doubled |= {*bond}
    for spot in its.atoms:
        used = its.degree(spot) + (spot in doubled)
        fitting = [element for element, valence in VALENCES.items() if valence >= used and element != "C"]
        if fitting and chance.random() < 0.22:
            its.atoms[spot] = chance.choice(fitting)
    return its


@dataclass(frozen=True)
class Molecules:
    """`columns` by `rows` molecules on fields of some `field` pixels."""

    columns: int
    rows: int
    field: int
    bond: float
    atoms: tuple[int, int]

    @property
    def names(self) -> str:
        """The letters of the molecules."""
        return "ABCDEFGHIJKL"[: self.columns * self.rows]

    @cache  # noqa: B019 - there is one of them
    def molecules(self, seed: int) -> dict[str, tuple[Molecule, dict[Spot, Point]]]:
        """The molecules by name, and where their atoms are drawn on their fields."""
        chance = random.Random(f"molecules {seed}")
        found: dict[str, tuple[Molecule, dict[Spot, Point]]] = {}
        while len(found) < len(self.names):
            its = molecule(chance, chance.randint(3, 5), chance.randint(*self.atoms))
            points = its.points(self.bond, chance.uniform(0, 2 * math.pi))
            edge = self.field / 2 - 20
            # not under its name, which stands in the corner
            if all(max(abs(x), abs(y)) < edge and x + y > 50 - 2 * edge for x, y in points.values()):
                found[self.names[len(found)]] = its, points
        return found

    def wanted(self, seed: int) -> dict[str, str]:
        """The formulas."""
        return {
            name: " ".join(f"{element}{number}" for element, number in sorted(its.formula().items()))
            for name, (its, _) in self.molecules(seed).items()
        }

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The molecules and their names."""
        canvas = Canvas(self.field * self.columns, self.field * self.rows)
        for n, (name, (its, places)) in enumerate(self.molecules(seed).items()):
            left, top = self.field * (n % self.columns), self.field * (n // self.columns)
            x, y = left + self.field / 2, top + self.field / 2
            points = {spot: (x + a, y + b) for spot, (a, b) in places.items()}
            for (one, other), double in its.bonds.items():
                (ax, ay), (bx, by) = points[one], points[other]
                canvas.line([(ax, ay), (bx, by)], 2)
                if double:
                    # on the side on which more other atoms are near: within a ring
                    away = (by - ay) / self.bond, (ax - bx) / self.bond
                    near = [points[spot] for end in (one, other) for spot in beside(end) if spot in points]
                    side = sum((a - ax) * away[0] + (b - ay) * away[1] for a, b in near)
                    u, v = ((each if side >= 0 else -each) * BEYOND for each in away)
                    p, q = (bx - ax) / self.bond * SHORT, (by - ay) / self.bond * SHORT
                    canvas.line([(ax + u + p, ay + v + q), (bx + u - p, by + v - q)], 2)
            for spot, element in its.atoms.items():
                if element != "C":
                    canvas.disc(*points[spot], LETTER, "#ffffff")
                    canvas.text(*points[spot], element, "#c81e1e")
            canvas.text(left + 16, top + 18, name, "#0030d0", 3)
            if n % self.columns:
                canvas.rectangle(left - 0.5, top, left + 0.5, top + self.field, "#c4c4c4")
            if n >= self.columns:
                canvas.rectangle(left, top - 0.5, left + self.field, top + 0.5, "#c4c4c4")
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(count=len(self.names), last=self.names[-1])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), agrees))
        )


def agrees(said: str, wanted: str) -> bool:
    """Whether a formula has those numbers; small digits and brackets around them do not matter."""
    plain = re.sub(r"[\s{}$_]", "", unicodedata.normalize("NFKC", said))
    if not re.fullmatch(r"(?:[A-Z]\d{0,3},?)+\.?", plain):
        return False
    atoms: Counter[str] = Counter()
    for element, number in re.findall(r"([A-Z])(\d*)", plain):
        atoms[element] += int(number or 1)
    return +atoms == Counter({each[0]: int(each[1:]) for each in wanted.split()})


TASK = Molecules(columns=3, rows=3, field=350, bond=31, atoms=(30, 38))
build = TASK.build
