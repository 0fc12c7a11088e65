"""A map of one-way roads: how far is each place by the shortest way?"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

from evaluator import *

from .answers import judge_all, same_set
from .drawing import INK, Canvas, Point

DESCRIPTION = "Can the model find the shortest ways through a map of one-way roads that cross?"
TAGS = ["hard", "vision", "graphs"]

EDGE, DISC, CLEAR = 26, 16, 26  # pixels: of places to the side; of a place; from a road to other places
STEEP, SPREAD = (
    math.radians(40),
    math.radians(24),
)  # between roads that cross, and those that begin at one place
LONG, HALF, FREE = 15, 7, 17  # pixels: of an arrow; half of its width; from its middle to other roads
QUESTION = """The picture shows {places} places, discs with the numbers 1 to {places}, and straight roads between them. Each road has one red arrow, the direction in which alone
it may be used. Where roads cross outside of a disc one leads over the other: there is no way from one to the other. No road passes through a disc; it ends there.

The way begins at place 1. How many roads must be used at least to get to each of the other places? Each can be reached, and the furthest needs
{far} roads. End your reply with {far} lines, one for each number of roads, with the places for which it is the least, such as

1: 7 32
2: 5 11 19"""

Road = tuple[int, int]  # two places by their index


@dataclass(frozen=True)
class Map:
    """Points of the places, and the roads from the first place to the second, each with the point of its arrow."""

    points: tuple[Point, ...]
    roads: dict[Road, Point]

    def distances(self) -> list[int]:
        """Roads from the first place to each; -1 where none lead."""
        found = [0] + [-1] * (len(self.points) - 1)
        todo = [0]
        for here in todo:
            for a, b in self.roads:
                if a == here and found[b] < 0:
                    found[b] = found[a] + 1
                    todo.append(b)
        return found


def meeting(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    """Where two lines cross."""
    turn = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if turn:
        s = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / turn
        t = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / turn
        if 0 <= s <= 1 and 0 <= t <= 1:
            return a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])
    return None


def beside(at: Point, a: Point, b: Point) -> float:
    """How far a point is from a line."""
    long = math.dist(a, b) ** 2
    part = ((at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1])) / long
    part = min(1, max(0, part))
    return math.dist(at, (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])))


def apart(a: Point, b: Point, c: Point, d: Point) -> float:
    """The angle between two directions."""
    between = abs(math.atan2(b[1] - a[1], b[0] - a[0]) - math.atan2(d[1] - c[1], d[0] - c[0]))
    return min(between, 2 * math.pi - between)


def directed(roads: list[Road], chance: random.Random) -> list[Road]:
    """Directions so that the first place is far from many: a winding tree leads outward, no other road is a short cut."""
    beside: dict[int, list[int]] = {}
    for a, b in roads:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    far, order = {0: 0}, [0]
    tree: set[Road] = set()
    while order:
        here = chance.choice(order[-6:])
        new = [each for each in beside[here] if each not in far]
        if not new:
            order.remove(here)
            continue
        there = chance.choice(new)
        far[there] = far[here] + 1
        order.append(there)
        tree.add((here, there))
    found = []
    for a, b in roads:
        is_free = abs(far.get(a, 0) - far.get(b, 0)) < 2 and not tree & {(a, b), (b, a)}
        is_outward = (a, b) in tree or ((b, a) not in tree and far.get(a, 0) > far.get(b, 0))
        found.append((a, b) if (chance.random() < 0.5 if is_free else is_outward) else (b, a))
    return found


@dataclass(frozen=True)
class OneWay:
    """`places` on `wide` by `high` pixels, joined by `roads`; the last place is from `least` to `most` roads away."""

    places: int
    roads: int
    wide: int
    high: int
    space: float  # pixels between places
    longest: float  # pixels of a road
    least: int
    most: int

    @cache  # noqa: B019 - there is one of them
    def map(self, seed: int) -> Map:
        """The map of a seed."""
        chance = random.Random(f"one way {seed}")
        while True:
            points = self.points(chance)
            roads = self.laid(points, chance)
            if len(roads) < self.roads:
                continue
            for _ in range(60):
                its = Map(
                    points, {road: roads[min(road), max(road)] for road in directed(list(roads), chance)}
                )
                found = its.distances()
                if min(found) == 0 and self.least <= max(found) <= self.most:
                    return its

    def points(self, chance: random.Random) -> tuple[Point, ...]:
        """Where the places are."""
        found: list[Point] = []
        while len(found) < self.places:
            x, y = chance.uniform(EDGE, self.wide - EDGE), chance.uniform(EDGE, self.high - EDGE)
            if all(math.dist((x, y), each) >= self.space for each in found):
                found.append((x, y))
        return tuple(found)

    def laid(self, points: tuple[Point, ...], chance: random.Random) -> dict[Road, Point]:
        """Roads that can be told apart everywhere, with room for an arrow each."""
        near = [
            (a, b)
            for a, b in combinations(range(len(points)), 2)
            if math.dist(points[a], points[b]) < self.longest
            and all(
                beside(at, points[a], points[b]) > CLEAR for n, at in enumerate(points) if n not in (a, b)
            )
        ]
        chance.shuffle(near)
        roads: dict[Road, Point] = {}
        for a, b in near:
            one, two = points[a], points[b]
            if len(roads) == self.roads or not all(self.is_clear(points, (a, b), road) for road in roads):
                continue
            lines = [(points[c], points[d]) for c, d in roads]
            parts = [0.5 + side * n / 20 for n in range(4) for side in (1, -1)]
            spots = [(one[0] + part * (two[0] - one[0]), one[1] + part * (two[1] - one[1])) for part in parts]
            if all(beside(at, one, two) > FREE for at in roads.values()):
                free = next((at for at in spots if all(beside(at, *line) > FREE for line in lines)), None)
                if free:
                    roads[a, b] = free
        return roads

    def is_clear(self, points: tuple[Point, ...], new: Road, old: Road) -> bool:
        """Whether two roads are easily told apart."""
        common = {*new} & {*old}
        (a, b), (c, d) = new, old
        if common:
            hub = common.pop()
            return apart(points[hub], points[a + b - hub], points[hub], points[c + d - hub]) > SPREAD
        angle = apart(points[a], points[b], points[c], points[d])
        return meeting(points[a], points[b], points[c], points[d]) is None or STEEP < angle < math.pi - STEEP

    @cache  # noqa: B019 - as above
    def numbers(self, seed: int) -> list[int]:
        """The number of each place."""
        return [
            1,
            *random.Random(f"one way numbers {seed}").sample(range(2, self.places + 1), self.places - 1),
        ]

    def wanted(self, seed: int) -> dict[str, list[int]]:
        """The places by their distance."""
        named = list(zip(self.map(seed).distances(), self.numbers(seed), strict=True))
        return {str(far): [n for at, n in named if at == far] for far in range(1, max(named)[0] + 1)}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The map."""
        its, canvas = self.map(seed), Canvas(self.wide, self.high)
        for a, b in its.roads:
            canvas.line([its.points[a], its.points[b]], 2)
        for (a, b), (x, y) in its.roads.items():
            (ax, ay), (bx, by) = its.points[a], its.points[b]
            long = math.dist((ax, ay), (bx, by))
            u, v = (bx - ax) / long, (by - ay) / long
            back = x - u * LONG / 2, y - v * LONG / 2
            tip = x + u * LONG / 2, y + v * LONG / 2
            wings = [(back[0] + side * HALF * v, back[1] - side * HALF * u) for side in (1, -1)]
            canvas.area([[tip, *wings]], "#d01c1c")
        for number, (x, y) in zip(self.numbers(seed), its.points, strict=True):
            canvas.disc(x, y, DISC, INK)
            canvas.disc(x, y, DISC - 2, "#ffe27a" if number == 1 else "#ffffff")
            canvas.text(x, y, str(number))
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(places=self.places, far=len(self.wanted(seed)))
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


TASK = OneWay(places=78, roads=174, wide=1060, high=1000, space=82, longest=250, least=15, most=20)
build = TASK.build
