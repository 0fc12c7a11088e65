"""Forty-two threads joined by thin arrows that cross: what each sends on, and which wait for ever."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_words
from .arcs import BOWS, CELL, Arc, Plane
from .drawing import INK, Canvas, Point, circle

DESCRIPTION = (
    "Can the model follow numbers through a drawn net of threads and channels, and tell which threads hang?"
)
TAGS = ["hard", "vision", "channels"]

EDGE, RADIUS, GAP = 24, 14, 3  # pixels: beside the nodes; of a node; from it to its arcs
TRIES, SHORT, LONG = 6000, 200, 560  # of arcs; their length in pixels
FEW, MANY = 3, 6  # threads that hang
NEVER = "never"
QUESTION = """The picture shows {threads} threads, the numbered circles, and {channels} channels between them, thin arrows that bend a little. Where arrows cross they have nothing to do with each other: each goes on smoothly, without a
corner.

A thread waits until it has received one number through each of the channels that lead to it. Then it adds these up, adds 1, and sends the result once through each of the channels that lead away from it. A thread without
channels that lead to it has the result 1 at once. A thread that never receives all its numbers has no result.

What is the result of each thread? End your reply with {threads} lines, one for each thread, with its result or {never}, such as

1: 14
2: {never}"""


@dataclass(frozen=True)
class Nets:
    """`columns` by `rows` threads on fields of `size` pixels, and `channels` channels if they find room."""

    columns: int
    rows: int
    size: int
    channels: int

    @property
    def threads(self) -> int:
        """How many threads there are."""
        return self.columns * self.rows

    @property
    def sides(self) -> tuple[int, int]:
        """Of the picture."""
        return 2 * EDGE + self.columns * self.size, 2 * EDGE + self.rows * self.size

    @cache  # noqa: B019 - there is one of them
    def nodes(self, seed: int) -> dict[int, Point]:
        """Where the threads are."""
        chance = random.Random(f"channels nodes {seed}")
        names = chance.sample(range(1, self.threads + 1), self.threads)
        play = self.size / 2 - RADIUS - 12
        found = {}
        for n, name in enumerate(names):
            row, column = divmod(n, self.columns)
            found[name] = (
                EDGE + (column + 0.5) * self.size + chance.uniform(-play, play),
                EDGE + (row + 0.5) * self.size + chance.uniform(-play, play),
            )
        return dict(sorted(found.items()))

    @cache  # noqa: B019 - as above
    def net(self, seed: int) -> tuple[Arc, ...]:
        """The channels: forward in a hidden order of the threads, but for a few that close circles."""
        chance, nodes = random.Random(f"channels {seed}"), self.nodes(seed)
        arcs = self._arcs(chance, nodes)
        while True:
            rank = dict(zip(nodes, chance.sample([*nodes], self.threads), strict=True))
            back = chance.sample(range(len(arcs)), 3)
            pairs = [
                (one, other) if (rank[one] < rank[other]) != (n in back) else (other, one)
                for n, (one, other) in enumerate(arc.nodes for arc in arcs)
            ]
            if FEW <= [*results(pairs, self.threads).values()].count(None) <= MANY:
                return tuple(
                    arc if arc.nodes == pair else Arc(arc.end, arc.begin, -arc.bow, pair)
                    for arc, pair in zip(arcs, pairs, strict=True)
                )

    def _arcs(self, chance: random.Random, nodes: dict[int, Point]) -> list[Arc]:
        """Arcs between threads, of which no two have the same ends."""
        plane, pairs = Plane(*self.sides), set()
        around = range(-RADIUS - CELL, RADIUS + CELL + 1, CELL // 2)
        near = [(a, b) for a in around for b in around if math.hypot(a, b) < RADIUS + CELL]
        for name, (x, y) in nodes.items():
            plane.block(name, [(x + a, y + b) for a, b in near])
        for _ in range(TRIES):
            if len(plane.arcs) == self.channels:
                break
            one, other = sorted(chance.sample([*nodes], 2))
            length = math.dist(nodes[one], nodes[other])
            if (
                SHORT < length < LONG
                and (one, other) not in pairs
                and plane.add(joined(nodes, (one, other), chance.choice(BOWS)))
            ):
                pairs.add((one, other))
        return plane.arcs

    def wanted(self, seed: int) -> dict[str, str]:
        """What each thread sends."""
        sent = results([arc.nodes for arc in self.net(seed)], self.threads)
        return {str(name): NEVER if result is None else str(result) for name, result in sent.items()}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The net."""
        canvas = Canvas(*self.sides)
        for arc in self.net(seed):
            arc.draw(canvas)
        for name, (x, y) in self.nodes(seed).items():
            canvas.area([circle(x, y, RADIUS, 20), circle(x, y, RADIUS - 2, 20)], INK)
            canvas.text(x, y, str(name), "#c81e1e")
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(threads=self.threads, channels=len(self.net(seed)), never=NEVER)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_words))
        )


def joined(nodes: dict[int, Point], pair: tuple[int, int], bow: float) -> Arc:
    """The arc between two nodes, from border to border."""
    (ax, ay), (bx, by) = nodes[pair[0]], nodes[pair[1]]
    angle, turn, away = math.atan2(by - ay, bx - ax), math.atan(4 * bow), RADIUS + GAP
    return Arc(
        (ax + away * math.cos(angle + turn), ay + away * math.sin(angle + turn)),
        (bx - away * math.cos(angle - turn), by - away * math.sin(angle - turn)),
        bow,
        pair,
    )


def results(channels: list[tuple[int, int]], threads: int) -> dict[int, int | None]:
    """What each thread sends, None if it never does."""
    found: dict[int, int | None] = dict.fromkeys(range(1, threads + 1))
    inputs: dict[int, list[int]] = {name: [] for name in found}
    outputs: dict[int, list[int]] = {name: [] for name in found}
    for one, other in channels:
        outputs[one].append(other)
    ready = sorted({*found} - {other for _, other in channels})
    waits = Counter(other for _, other in channels)
    while ready:
        name = ready.pop()
        found[name] = sent = 1 + sum(inputs[name])
        for other in outputs[name]:
            inputs[other].append(sent)
            if len(inputs[other]) == waits[other]:
                ready.append(other)
    return found


TASK = Nets(columns=7, rows=6, size=150, channels=104)
build = TASK.build
