"""A quilt that would be the same after a quarter turn but for a few patches: which are they?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import Canvas, Point

DESCRIPTION = "Can the model find the patches that break the quarter turn of a quilt?"
TAGS = ["hard", "vision", "symmetry"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EDGE = 34
CLOTHS = ("#f2c14e", "#3a6ea5", "#c0392b", "#3f8f5f", "#f4efe6", "#33312f")
SEAM = "#8a8a8a"
# Pieces of a patch 12 wide, on a ground. None of the patterns is the same after a turn, or turned over.
PATTERNS: tuple[tuple[tuple[Point, ...], ...], ...] = (
    (((0, 0), (12, 0), (0, 12)), ((12, 4), (12, 12), (8, 8))),
    (((0, 0), (6, 0), (6, 12), (0, 12)), ((6, 0), (12, 0), (12, 6))),
    (((0, 0), (12, 0), (6, 6)), ((6, 6), (12, 12), (6, 12))),
    (((0, 0), (6, 0), (12, 12), (6, 12)), ((8, 0), (12, 0), (12, 8))),
    (((0, 0), (6, 0), (6, 6), (0, 6)), ((6, 6), (12, 6), (12, 12))),
    (((0, 4), (12, 4), (12, 8), (0, 8)), ((0, 8), (8, 8), (0, 12))),
)
QUESTION = """The picture shows a quilt of {size} columns, A to {last}, and {size} rows, 1 to {size}. As it was planned, it looks the same after it is turned by a quarter (90 degrees)
about its middle: each patch, together with what is drawn on it, comes to lie on one that looks the same. Turned on, each patch thus has its place with three others that
should all look like it, each turned by a quarter more. In some of these groups of four, one patch (never more) does not fit the other three: it was sewn in turned
or turned over, or with another cloth, or two of its cloths have changed places.

Which patches are wrong? End your reply with two lines, their number and their names (column and row), such as

NUMBER: 3
WRONG: A14 D2 J9"""


@dataclass(frozen=True)
class Patch:
    """A pattern, its cloths (of the ground, then of the pieces), quarter turns clockwise, and whether it is turned over first."""

    pattern: int
    cloths: tuple[str, str, str]
    turn: int
    over: bool

    def pieces(self) -> list[tuple[list[Point], str]]:
        """The pieces on a field 1 wide, and their cloths."""
        found = []
        for piece, cloth in zip(PATTERNS[self.pattern], self.cloths[1:], strict=True):
            ring = [(12 - x if self.over else x, y) for x, y in piece]
            for _ in range(self.turn):
                ring = [(12 - y, x) for x, y in ring]
            found.append(([(x / 12, y / 12) for x, y in ring], cloth))
        return found


@dataclass(frozen=True)
class Quilts:
    """Quilts of `size` by `size` patches of `side` pixels, from `least` to `most` of which are wrong."""

    size: int
    side: int
    least: int
    most: int

    @cache  # noqa: B019 - there is one of them
    def quilt(self, seed: int) -> tuple[dict[str, Patch], frozenset[str]]:
        """The patches by name, and which are wrong."""
        chance = random.Random(f"quilt {seed}")
        half = self.size // 2
        corners = [(x, y) for x in range(half) for y in range(half)]
        flawed = set(chance.sample(corners, chance.randint(self.least, self.most)))
        patches, wrong = {}, set()
        for x, y in corners:
            ground, one, two = chance.sample(CLOTHS, 3)
            plan = Patch(
                chance.randrange(len(PATTERNS)),
                (ground, one, two),
                chance.randrange(4),
                chance.random() < 0.5,
            )
            odd = chance.randrange(4) if (x, y) in flawed else None
            for quarter in range(4):
                name = f"{LETTERS[x]}{y + 1}"
                patch = Patch(plan.pattern, plan.cloths, (plan.turn + quarter) % 4, plan.over)
                if quarter == odd:
                    patch = spoilt(patch, chance)
                    wrong.add(name)
                patches[name] = patch
                x, y = self.size - 1 - y, x
        return patches, frozenset(wrong)

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The quilt and the names of its columns and rows."""
        wide = EDGE + self.side * self.size + 8
        canvas = Canvas(wide, wide)
        for name, patch in self.quilt(seed)[0].items():
            left, top = self.place(name)
            for row in range(self.side):
                canvas.span(top + row, left, left + self.side, patch.cloths[0])
            for ring, cloth in patch.pieces():
                canvas.area([[(left + self.side * x, top + self.side * y) for x, y in ring]], cloth)
        for n in range(self.size + 1):
            at = EDGE + self.side * n
            canvas.rectangle(at - 1, EDGE, at + 1, EDGE + self.side * self.size, SEAM)
            canvas.rectangle(EDGE, at - 1, EDGE + self.side * self.size, at + 1, SEAM)
        for n in range(self.size):
            middle = EDGE + self.side * (n + 0.5)
            canvas.text(middle, EDGE / 2, LETTERS[n])
            canvas.text(EDGE / 2, middle, str(n + 1))
        return canvas.png()

    def place(self, name: str) -> tuple[int, int]:
        """The left top of a patch in the picture."""
        return EDGE + self.side * LETTERS.index(name[0]), EDGE + self.side * (int(name[1:]) - 1)

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The answers of a seed."""
        wrong = self.quilt(seed)[1]
        return {"NUMBER": [str(len(wrong))], "WRONG": sorted(wrong)}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(size=self.size, last=LETTERS[self.size - 1])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


def spoilt(patch: Patch, chance: random.Random) -> Patch:
    """A patch that is sewn in wrong."""
    ground, one, two = patch.cloths
    other = chance.choice([cloth for cloth in CLOTHS if cloth not in patch.cloths])
    kinds = {
        "turned": (patch.cloths, (patch.turn + chance.randint(1, 3)) % 4, patch.over),
        "over": (patch.cloths, patch.turn, not patch.over),
        "cloth": ((ground, one, other), patch.turn, patch.over),
        "changed": ((ground, two, one), patch.turn, patch.over),
    }
    return Patch(patch.pattern, *kinds[chance.choice([*kinds])])


TASK = Quilts(size=18, side=56, least=10, most=16)
build = TASK.build
