"""A tangle of strings: which ends belong together, and how often each string lies above."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial

from evaluator import *

from .drawing import Canvas, Point

DESCRIPTION = "Can the model follow strings through a tangle and tell at each crossing which one lies above?"
TAGS = ["hard", "vision", "tracing"]

WIDTH, HEIGHT, EDGE = 1040, 980, 34
STRINGS, LENGTH = 14, 1560  # pixels from end to end: the knob, the crossings grow with its square
STEP, BEND = 5, 1 / 28  # pixels; the sharpest bend
CLOSE, CLEAR = 9, 14  # pixels between strings that do not cross; from a crossing to any third string
STEEP = math.radians(36)  # between strings that cross
RECENT = 12  # steps of a string that cannot be in its own way
LABEL = 15  # pixels from an end to its number
THICK, GAP = 2.4, 3.4  # of a string; beside the one above
TRIES, ATTEMPTS = 400, 90  # arcs of a string; strings of a tangle
QUESTION = f"""The picture shows {STRINGS} strings, all of the same colour, that lie across each other and partly across themselves. Each has two ends, which are
discs with numbers beside them, 1 to {2 * STRINGS}. Where strings cross, the one that lies below is interrupted for a short bit, and goes on straight
behind the one above. Strings never touch in any other way; none has a corner, a fork or another gap.

For each string: which are its two ends, and at how many places does it lie above, over another string or over itself? End your reply
with {STRINGS} lines, one for each string: its two ends, the smaller number first, a colon, and the number of places, such as

3-19: 7
4-11: 12"""

Place = tuple[int, int]  # a string and a step of it
Step = tuple[float, float, float]  # a point, and the direction there


@dataclass
class Tangle:
    """Strings step by step, and their crossings: the place above first."""

    strings: list[list[Step]] = field(default_factory=list)
    ends: list[tuple[Point, Point]] = field(default_factory=list)  # of each string: where its numbers stand
    blocked: list[Point] = field(default_factory=list)  # where no string may go
    crossings: list[tuple[Place, Place]] = field(default_factory=list)
    cells: dict[tuple[int, int], list[Place]] = field(default_factory=dict)

    def near(self, x: float, y: float, far: float) -> Iterator[tuple[int, int, float, float]]:
        """The places around a point, with their direction and distance."""
        column, row = int(x // CLEAR), int(y // CLEAR)
        for across in (column - 1, column, column + 1):
            for down in (row - 1, row, row + 1):
                for string, step in self.cells.get((across, down), ()):
                    a, b, angle = self.strings[string][step]
                    distance = math.hypot(a - x, b - y)
                    if distance < far:
                        yield string, step, angle, distance

    def add(self, step: Step) -> None:
        """Lay the newest string one step on."""
        self.strings[-1].append(step)
        cell = int(step[0] // CLEAR), int(step[1] // CLEAR)
        self.cells.setdefault(cell, []).append((len(self.strings) - 1, len(self.strings[-1]) - 1))

    def take_back(self, keep: int) -> None:
        """Leave that many steps of the newest string."""
        while len(self.strings[-1]) > keep:
            x, y, _ = self.strings[-1].pop()
            self.cells[int(x // CLEAR), int(y // CLEAR)].pop()

    def may_pass(self, step: Step, alone: bool = False) -> bool:
        """Whether the newest string may go to a step: it crosses one other at most, and steeply; `alone`: none."""
        x, y, angle = step
        if not self.is_free(x, y):
            return False
        own, now = len(self.strings) - 1, len(self.strings[-1])
        first: Place | None = None
        for string, place, direction, distance in self.near(x, y, CLEAR):
            if string == own and now - place < RECENT:
                continue
            first = first or (string, place)
            if alone or string != first[0] or abs(place - first[1]) > 2 * CLEAR // STEP:
                return False
            if distance < CLOSE and apart(angle, direction) < STEEP:
                return False
        return True

    def is_free(self, x: float, y: float) -> bool:
        """Whether a point is inside, and away from ends and their numbers."""
        is_inside = EDGE < x < WIDTH - EDGE and EDGE < y < HEIGHT - EDGE
        return is_inside and all(math.hypot(a - x, b - y) >= CLEAR for a, b in self.blocked)


def onward(step: Step, length: float, bend: float = 0.0) -> Step:
    """The next step in a direction."""
    x, y, angle = step
    return x + length * math.cos(angle), y + length * math.sin(angle), angle + bend * length


def apart(one: float, other: float) -> float:
    """The angle between two lines, at most a right one."""
    between = abs(one - other) % math.pi
    return min(between, math.pi - between)


def string(tangle: Tangle, chance: random.Random) -> bool:
    """Lay one more string, arc by arc; where it cannot go on arcs are taken back."""
    tangle.strings.append([])
    begin = chance.uniform(EDGE, WIDTH - EDGE), chance.uniform(EDGE, HEIGHT - EDGE), chance.uniform(0, 6.28)
    label = onward(begin, -LABEL)
    if tangle.may_pass(begin, alone=True) and tangle.may_pass(label, alone=True):
        tangle.add(begin)
        arcs = [1]
        for tried in range(TRIES):
            if tried > 60 and len(tangle.strings[-1]) < tried // 2:  # it sits in a corner
                break
            bend = chance.choice((0.0, 0.0, chance.uniform(-0.4, 0.4), chance.uniform(-1, 1))) * BEND
            step, size = tangle.strings[-1][-1], len(tangle.strings[-1])
            for _ in range(chance.randint(6, 24)):
                step = onward(step, STEP, bend)
                behind = math.hypot(step[0] - label[0], step[1] - label[1]) < LABEL
                if behind or not tangle.may_pass(step):
                    break
                tangle.add(step)
            else:
                arcs.append(len(tangle.strings[-1]))
                end = onward(step, LABEL)
                if (
                    len(tangle.strings[-1]) * STEP >= LENGTH
                    and tangle.may_pass(step, alone=True)
                    and tangle.may_pass(end, alone=True)
                    and math.hypot(end[0] - label[0], end[1] - label[1]) > 2 * CLEAR
                ):
                    tangle.ends.append((label[:2], end[:2]))
                    tangle.blocked += [label[:2], begin[:2], end[:2], step[:2]]
                    return True
                continue
            tangle.take_back(size)
            if chance.random() < 0.15 and len(arcs) > 3:
                del arcs[-2:]
                tangle.take_back(arcs[-1])
    tangle.take_back(0)
    tangle.strings.pop()
    return False


def crossing(a: Step, b: Step, c: Step, d: Step) -> bool:
    """Whether the way from a to b crosses the one from c to d."""

    def side(p: Step, q: Step, r: Step) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


@cache
def tangle_of(seed: int) -> Tangle:
    """The tangle of a seed."""
    chance = random.Random(f"tangle {seed}")
    tangle = Tangle()
    while len(tangle.strings) < STRINGS:
        tangle = Tangle()
        for _ in range(ATTEMPTS):
            if len(tangle.strings) < STRINGS:
                string(tangle, chance)
    for one, steps in enumerate(tangle.strings):
        for at, (x, y, _) in enumerate(steps[:-1]):
            for other, place, _, _ in list(tangle.near(x, y, 2 * STEP)):
                its = tangle.strings[other]
                if (other, place) <= (one, at + 2) or place + 1 == len(its):
                    continue
                if crossing(steps[at], steps[at + 1], its[place], its[place + 1]):
                    pair = chance.sample([(one, at), (other, place)], 2)
                    tangle.crossings.append((pair[0], pair[1]))
    return tangle


def numbers(seed: int) -> list[int]:
    """The number of each end, in the order of the labels."""
    return random.Random(f"tangle ends {seed}").sample(range(1, 2 * STRINGS + 1), 2 * STRINGS)


def wanted(seed: int) -> dict[tuple[int, int], int]:
    """Both ends of each string, the smaller first, and how often it lies above."""
    tangle, ends = tangle_of(seed), numbers(seed)
    above = [string for (string, _), _ in tangle.crossings]
    return {
        (min(pair), max(pair)): above.count(n)
        for n, pair in enumerate(zip(ends[::2], ends[1::2], strict=True))
    }


@cache
def picture(seed: int) -> bytes:
    """The tangle."""
    tangle, canvas = tangle_of(seed), Canvas(WIDTH, HEIGHT)
    lines = [[(x, y) for x, y, _ in steps] for steps in tangle.strings]
    for points in lines:
        canvas.line(points, THICK)
    for (string, step), _ in tangle.crossings:
        canvas.line(lines[string][max(0, step - 1) : step + 3], THICK + 2 * GAP, "#ffffff")
        canvas.line(lines[string][max(0, step - 3) : step + 5], THICK)
    ends = iter(numbers(seed))
    for points, labels in zip(lines, tangle.ends, strict=True):
        for at, label in zip((points[0], points[-1]), labels, strict=True):
            canvas.disc(*at, 4, "#c81e1e")
            canvas.text(*label, str(next(ends)), "#c81e1e")
    return canvas.png()


def judge(seed: int, reply: str) -> Score:
    """The share of strings whose ends and number are right, in the last lines of the reply."""
    plain = re.sub(r"[*_`|]", " ", reply)
    said = re.findall(
        r"(?m)^[ \t>-]{0,9}(\d{1,2}) {0,3}[-\u2013] {0,3}(\d{1,2}) {0,3}: {0,9}(\d{1,3})\b", plain
    )
    found = {(min(int(a), int(b)), max(int(a), int(b))): int(n) for a, b, n in said[-STRINGS:]}
    true = wanted(seed)
    right = sum(found.get(pair) == above for pair, above in true.items())
    return Score(right / STRINGS, right == STRINGS)


def build(seed: int) -> Node:
    """The test of a seed."""
    return Image(partial(picture, seed)) >> LLMVisionRun(QUESTION, llm=LLM) >> PyFunc(partial(judge, seed))
