"""The traces of eighteen threads in signs that are turned and mirrored: which locks are taken under which?"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all
from .drawing import INK, Canvas, Point
from .stamps import stamp

DESCRIPTION = (
    "Can the model count, from traces drawn in turned and mirrored signs, which locks are taken under which?"
)
TAGS = ["hard", "vision", "locks"]

LOCKS = "ABCDEFGH"
SIDE, TOP, EDGE = 26, 70, 34  # pixels of a sign, of the legend, left of the signs
# A staff with a long arm to one side and a short one to the other, to the right and down from the middle.
FORM = ((8, -9), (-2, -9), (-2, 9), (-6, 9))
LEAN, WAVER, HANDS = 6, 0.5, 5  # degrees; pixels; ways in which each sign is written
QUESTION = """The picture shows what {threads} threads did, each in a row of its own, from left to right. Every sign is a lock: the line at the top of the picture shows the eight signs, which differ in
how one form is turned and mirrored, and the names of their locks. (They are written by hand, and waver a little.) At a sign, the thread takes the lock if it does not hold it then, and lets it go if it
does. At the beginning no thread holds any lock, and each thread counts for itself alone: different rows never meet.

For locks X and Y, let n(X, Y) be the number of times that a thread took Y while it held X, in all rows together. End your reply with eight lines, one for each X, with
n(X, A) to n(X, H) in this order and 0 for n(X, X), such as

A: 0 12 7 9 30 4 11 8"""

Trace = tuple[str, ...]


@dataclass(frozen=True)
class Orders:
    """`threads` rows of `events` signs, `apart` by `lane` pixels from one to the next."""

    threads: int
    events: int
    apart: int
    lane: int

    @cache  # noqa: B019 - there is one of them
    def traces(self, seed: int) -> tuple[Trace, ...]:
        """The locks of each row's signs. Three locks or so are held at a time."""
        chance = random.Random(f"order {seed}")
        traces = []
        for _ in range(self.threads):
            held: set[str] = set()
            trace = []
            for _ in range(self.events):
                frees = chance.random() < 0.18 * len(held)
                lock = chance.choice(sorted(held) if frees else sorted(set(LOCKS) - held))
                held ^= {lock}
                trace.append(lock)
            traces.append(tuple(trace))
        return tuple(traces)

    @cache  # noqa: B019 - as above
    def signs(self, seed: int) -> dict[str, int]:
        """Which way of turning is which lock's sign."""
        return dict(zip(LOCKS, random.Random(f"order signs {seed}").sample(range(8), 8), strict=True))

    def wanted(self, seed: int) -> dict[str, list[int]]:
        """n(X, A) to n(X, H) of each X."""
        return table(self.traces(seed))

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The legend and the rows."""
        canvas = Canvas(EDGE + self.events * self.apart + 8, TOP + self.threads * self.lane + 4)
        chance, signs = random.Random(f"order hand {seed}"), self.signs(seed)
        for n, (lock, turn) in enumerate(signs.items()):
            x = round(EDGE + (n + 0.5) * (canvas.width - EDGE) / 8)
            stamp(canvas, x - SIDE // 2, 20, sign(turn, None))
            canvas.text(x - 28, 20 + SIDE / 2, lock, "#c81e1e")
        canvas.rectangle(8, TOP - 8, canvas.width - 8, TOP - 6, INK)
        hands = {lock: [sign(turn, chance) for _ in range(HANDS)] for lock, turn in signs.items()}
        for n, trace in enumerate(self.traces(seed)):
            left, top = self.corner(n, 0)
            canvas.text(EDGE / 2, top + SIDE / 2, str(n + 1), "#808080")
            for place, lock in enumerate(trace):
                left, top = self.corner(n, place)
                stamp(canvas, left, top, chance.choice(hands[lock]))
        return canvas.png()

    def corner(self, thread: int, place: int) -> tuple[int, int]:
        """The left and the top of a sign."""
        return (
            EDGE + place * self.apart + (self.apart - SIDE) // 2,
            TOP + thread * self.lane + (self.lane - SIDE) // 2,
        )

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(QUESTION.format(threads=self.threads), llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_numbers))
        )


def turned(point: Point, turn: int) -> Point:
    """A point of the form in one of its eight ways: four turns, then four of its mirror image."""
    x, y = point if turn < 4 else (-point[0], point[1])
    for _ in range(turn % 4):
        x, y = -y, x
    return x, y


def sign(turn: int, chance: random.Random | None) -> Canvas:
    """The form turned, by hand or exactly."""
    canvas = Canvas(SIDE, SIDE)
    lean = math.radians(chance.uniform(-LEAN, LEAN)) if chance else 0
    points = []
    for point in FORM:
        x, y = (each + (chance.uniform(-WAVER, WAVER) if chance else 0) for each in turned(point, turn))
        points.append((
            SIDE / 2 + x * math.cos(lean) - y * math.sin(lean),
            SIDE / 2 + x * math.sin(lean) + y * math.cos(lean),
        ))  # fmt: skip
    canvas.line(points, 2.4)
    return canvas


def table(traces: Iterable[Sequence[str]]) -> dict[str, list[int]]:
    """How often each lock was taken while another was held."""
    found: Counter[tuple[str, str]] = Counter()
    for trace in traces:
        held: set[str] = set()
        for lock in trace:
            if lock not in held:
                found.update((other, lock) for other in held)
            held ^= {lock}
    return {one: [found[one, other] for other in LOCKS] for one in LOCKS}


def same_numbers(said: str, wanted: list[int]) -> bool:
    """Whether these numbers are said in this order; a dash is 0."""
    return [
        int(each) if each.isdigit() else 0 for each in re.findall(r"[0-9]+|[-\u2013\u2014]", said)
    ] == wanted


TASK = Orders(threads=18, events=34, apart=29, lane=46)
build = TASK.build
