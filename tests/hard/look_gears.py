"""Trains of gears: how many teeth has each, and which way does it turn?"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all
from .drawing import INK, Canvas, Point, circle

DESCRIPTION = "Can the model count the teeth of gears and tell which way each of them turns?"
TAGS = ["hard", "vision", "mechanics"]

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
METALS = ("#c9d3dc", "#e3d3ae", "#cfe0c8", "#e2cbd6")
GROUND, BELT, RED = "#ffffff", "#2563c9", "#d01c1c"
TALL, DEEP = 0.85, 1.05  # of a tooth above and below the circle on which gears meet, in modules
CLEAR, EDGE = 9, 14  # pixels between gears that do not mesh; to the side of the picture
PULLEY = 17
QUESTION = """The picture shows {count} toothed gears, A to {last}, that turn about their middles. Two gears mesh where the teeth of one stand between those of the other;
they then turn in opposite directions. Gears between which there is a gap have nothing to do with each other, also if it is narrow. Blue belts join the pulleys (blue rings) of two gears,
passing in front of whatever lies between; the gears at the ends of a belt turn in the same direction if its two lines run side by side, and in opposite directions if they cross. The red arrow
shows in which direction {first} turns, and all other gears are moved by it through teeth and belts.

How many teeth has each gear, and does it turn clockwise (CW) or counterclockwise (CCW)? End your reply with {count} lines such as

A: 17 CW
B: 31 CCW"""


@dataclass(frozen=True)
class Gear:
    """A gear about (x, y). `phase`: the direction of the middle of a tooth; `module`: pixels of radius per two teeth."""

    x: float
    y: float
    teeth: int
    module: float
    phase: float
    clockwise: bool
    train: int

    @property
    def radius(self) -> float:
        """Of the circle on which gears meet."""
        return self.teeth * self.module / 2

    @property
    def reach(self) -> float:
        """To the tip of a tooth."""
        return self.radius + TALL * self.module

    def ring(self) -> list[Point]:
        """The outline: four corners for each tooth."""
        steps = (
            (-0.37, self.radius - DEEP * self.module),
            (-0.17, self.reach),
            (0.17, self.reach),
            (0.37, self.radius - DEEP * self.module),
        )
        part = 2 * math.pi / self.teeth
        return [
            (
                self.x + far * math.cos(self.phase + part * (n + at)),
                self.y + far * math.sin(self.phase + part * (n + at)),
            )
            for n in range(self.teeth)
            for at, far in steps
        ]

    def meshed(self, teeth: int, angle: float) -> Gear:
        """A gear that meshes with this one in a direction."""
        far = (self.teeth + teeth) * self.module / 2
        # how far the tooth that is next has passed the line between the middles; the other has a gap there
        passed = (angle - self.phase) / (2 * math.pi / self.teeth) % 1
        phase = angle + math.pi - (0.5 - passed) * 2 * math.pi / teeth
        x, y = self.x + far * math.cos(angle), self.y + far * math.sin(angle)
        return Gear(x, y, teeth, self.module, phase, not self.clockwise, self.train)


@dataclass(frozen=True)
class Belt:
    """A belt between two gears, by their places."""

    one: int
    other: int
    crossed: bool


@dataclass(frozen=True)
class Works:
    """All gears, the first is the driver, and the belts."""

    gears: tuple[Gear, ...]
    belts: tuple[Belt, ...]
    meshes: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Gears:
    """`trains` of `each` gears, with `least` to `most` teeth, joined by belts."""

    trains: int
    each: int
    least: int
    most: int
    wide: int
    high: int

    @cache  # noqa: B019 - there is one of them
    def works(self, seed: int) -> Works:
        """The gears of a seed."""
        chance = random.Random(f"gears {seed}")
        found = None
        while not found:
            found = self.tried(chance)
        return found

    def tried(self, chance: random.Random) -> Works | None:
        """Trains that grow gear by gear; None where there is no room left."""
        gears: list[Gear] = []
        belts: list[Belt] = []
        meshes: list[tuple[int, int]] = []
        modules = chance.sample([6.0, 6.7, 7.5, 8.4], self.trains)
        for train, module in enumerate(modules):
            own = len(gears)
            for _ in range(400):
                teeth = chance.randint(self.least, self.most)
                if len(gears) == own:
                    x, y = chance.uniform(0, self.wide), chance.uniform(0, self.high)
                    new = Gear(x, y, teeth, module, chance.uniform(0, 6.28), chance.random() < 0.5, train)
                    partner = None
                else:
                    partner = chance.randrange(own, len(gears))
                    new = gears[partner].meshed(teeth, chance.uniform(0, 2 * math.pi))
                if not self.has_room(new, partner, gears) or any(
                    is_under(new, gears[belt.one], gears[belt.other]) for belt in belts
                ):
                    continue
                if partner is None and train:
                    joined = self.belt(len(gears), new, gears, belts, chance)
                    if joined is None:
                        continue
                    belts.append(joined)
                    clockwise = gears[joined.other].clockwise != joined.crossed
                    new = Gear(new.x, new.y, teeth, module, new.phase, clockwise, train)
                elif partner is not None:
                    meshes.append((partner, len(gears)))
                gears.append(new)
                if len(gears) == own + self.each:
                    break
            else:
                return None
        return Works(tuple(gears), tuple(belts), tuple(meshes))

    def has_room(self, new: Gear, partner: int | None, gears: list[Gear]) -> bool:
        """Whether a gear lies in the picture and meshes with none but its partner."""
        far = new.reach + EDGE
        if not (far < new.x < self.wide - far and far < new.y < self.high - far):
            return False
        return all(
            math.dist((new.x, new.y), (each.x, each.y)) > new.reach + each.reach + CLEAR
            for n, each in enumerate(gears)
            if n != partner
        )

    def belt(
        self, place: int, new: Gear, gears: list[Gear], belts: list[Belt], chance: random.Random
    ) -> Belt | None:
        """A belt from a new gear to one that is there and has none yet, clear of the middles of others."""
        taken = {each for belt in belts for each in (belt.one, belt.other)}
        order = [n for n in range(len(gears)) if n not in taken]
        chance.shuffle(order)
        for other in order:
            long = math.dist((new.x, new.y), (gears[other].x, gears[other].y))
            under = any(is_under(each, new, gears[other]) for n, each in enumerate(gears) if n != other)
            if long > 180 and not under:
                return Belt(place, other, chance.random() < 0.5)
        return None

    def names(self, seed: int) -> list[str]:
        """The letter of each gear."""
        count = self.trains * self.each
        return random.Random(f"gears names {seed}").sample(NAMES[:count], count)

    def wanted(self, seed: int) -> dict[str, str]:
        """Teeth and direction of each gear."""
        named = sorted(zip(self.names(seed), self.works(seed).gears, strict=True), key=lambda pair: pair[0])
        return {name: f"{gear.teeth} {'CW' if gear.clockwise else 'CCW'}" for name, gear in named}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """Gears, belts and names."""
        works = self.works(seed)
        canvas = Canvas(self.wide, self.high, GROUND)
        for gear in works.gears:
            ring = gear.ring()
            canvas.area([ring], METALS[gear.train])
            canvas.line([*ring, ring[0]], 1.5)
        for belt in works.belts:
            for line in lines_of(works.gears[belt.one], works.gears[belt.other], belt.crossed):
                canvas.line(line, 2.6, BELT)
        pulleys = {n for belt in works.belts for n in (belt.one, belt.other)}
        for n, (name, gear) in enumerate(zip(self.names(seed), works.gears, strict=True)):
            if n in pulleys:
                canvas.disc(gear.x, gear.y, PULLEY + 1.3, BELT)
            canvas.disc(gear.x, gear.y, PULLEY - 2, GROUND)
            canvas.text(gear.x, gear.y, name, INK, 2)
        driver = works.gears[0]
        arc = [circle(driver.x, driver.y, PULLEY + 8, 72)[n] for n in range(10, 60)]
        arc = arc if driver.clockwise else arc[::-1]
        canvas.line(arc, 3, RED)
        (ax, ay), (bx, by) = arc[-4], arc[-1]
        long = math.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / long, (by - ay) / long
        tip = [(bx + 9 * ux, by + 9 * uy), (bx - 7 * uy, by + 7 * ux), (bx + 7 * uy, by - 7 * ux)]
        canvas.area([tip], RED)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        count = self.trains * self.each
        question = QUESTION.format(count=count, last=NAMES[count - 1], first=self.names(seed)[0])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), agrees))
        )


def is_under(gear: Gear, one: Gear, other: Gear) -> bool:
    """Whether a belt between two gears would pass over the middle of another one."""
    long = math.dist((one.x, one.y), (other.x, other.y))
    ux, uy = (other.x - one.x) / long, (other.y - one.y) / long
    dx, dy = gear.x - one.x, gear.y - one.y
    beside, along = abs(dx * uy - dy * ux), dx * ux + dy * uy
    return beside < 2.3 * PULLEY and -2 * PULLEY < along < long + 2 * PULLEY


def lines_of(one: Gear, other: Gear, crossed: bool) -> Iterator[list[Point]]:
    """The two lines of a belt between pulleys."""
    long = math.dist((one.x, one.y), (other.x, other.y))
    along = math.atan2(other.y - one.y, other.x - one.x)
    # from the line between the middles to where a line leaves the pulley
    turn = math.acos(2 * PULLEY / long) if crossed else math.pi / 2
    for side in (-1, 1):
        a, b = along + side * turn, along + side * turn + (math.pi if crossed else 0)
        yield [
            (one.x + PULLEY * math.cos(a), one.y + PULLEY * math.sin(a)),
            (other.x + PULLEY * math.cos(b), other.y + PULLEY * math.sin(b)),
        ]


def agrees(said: str, wanted: str) -> bool:
    """Teeth and direction in any order, also in full words."""
    teeth, direction = wanted.split()
    plain = re.sub(r"[^a-z0-9]+", " ", said.lower())
    plain = re.sub(r"\b(?:counter|anti) ?clockwise\b|\bacw\b", "ccw", plain).replace("clockwise", "cw")
    numbers, ways = re.findall(r"\d+", plain), re.findall(r"\bc?cw\b", plain)
    return numbers == [teeth] and ways == [direction.lower()]


TASK = Gears(trains=3, each=6, least=8, most=29, wide=1300, high=980)
build = TASK.build
