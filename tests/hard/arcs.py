"""Thin arcs that cross each other steeply, so that each can be followed from end to end."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from .drawing import INK, Canvas, Point

STEP, COARSE = 6, 14  # pixels from one point of an arc that is looked at to the next
CELL = 5  # pixels between arcs that do not cross, at least
STEEP = math.radians(17)  # between arcs that cross
LONELY = 12  # pixels from an end of an arc within which it crosses no other
BOWS = (-0.16, -0.08, 0.08, 0.16)  # how far arcs may bend aside, in lengths
HEAD, EDGE = 10, 6  # pixels of an arrow's head; at the sides of a picture


@dataclass(frozen=True)
class Arc:
    """A parabola between two points that belong to nodes of these names; bent aside by `bow` times its length."""

    begin: Point
    end: Point
    bow: float
    nodes: tuple[int, int]

    @property
    def length(self) -> float:
        """From end to end, straight."""
        return math.dist(self.begin, self.end)

    def points(self, step: float) -> list[Point]:
        """Points that are at most about so many pixels apart."""
        (ax, ay), (bx, by) = self.begin, self.end
        px, py = self.bow * (ay - by), self.bow * (bx - ax)
        count = math.ceil(self.length * 1.1 / step)
        found = []
        for n in range(count + 1):
            t = n / count
            side = 4 * t * (1 - t)
            found.append((ax + t * (bx - ax) + side * px, ay + t * (by - ay) + side * py))
        return found

    def draw(self, canvas: Canvas) -> None:
        """Two pixels thick, with a head at its end."""
        dark = bytes.fromhex(INK[1:]) * 2
        for x, y in self.points(1.2):
            at, top = 3 * round(x - 1), round(y - 1)
            canvas.rows[top][at : at + 6] = canvas.rows[top + 1][at : at + 6] = dark
        *_, (ax, ay), (bx, by) = self.points(HEAD)
        along = math.hypot(bx - ax, by - ay)
        u, v = (bx - ax) / along, (by - ay) / along
        x, y = bx - HEAD * u, by - HEAD * v
        canvas.area([[(bx, by), (x - 4 * v, y + 4 * u), (x + 4 * v, y - 4 * u)]], INK)


@dataclass
class Plane:
    """The arcs laid so far: by cell, which arcs are near, in what direction, and whether near one of their ends."""

    width: int
    height: int
    arcs: list[Arc] = field(default_factory=list)
    near: defaultdict[tuple[int, int], list[tuple[int, float, bool]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    taken: dict[tuple[int, int], int] = field(default_factory=dict)  # cells of nodes

    def block(self, node: int, points: Iterable[Point]) -> None:
        """No arc but those of the node may pass these points."""
        self.taken.update({(int(x // CELL), int(y // CELL)): node for x, y in points})

    def add(self, arc: Arc) -> bool:
        """Lay the arc if it stays clear of all others."""
        if self._steps(arc, COARSE) is None:  # most that do not fit are seen at once
            return False
        steps = self._steps(arc, STEP)
        if steps is None:
            return False
        for n, ((column, row), angle, alone) in enumerate(steps):
            it = len(self.arcs), angle, alone
            far = 2 if n in (0, len(steps) - 1) else 1  # cells
            for across in range(column - far, column + far + 1):
                for down in range(row - far, row + far + 1):
                    self.near[across, down].append(it)
        self.arcs.append(arc)
        return True

    def _around(self, cell: tuple[int, int], far: int) -> Iterator[tuple[int, float, bool]]:
        """What is near in the cell, and in those that are so far away."""
        for across in range(cell[0] - far, cell[0] + far + 1):
            for down in range(cell[1] - far, cell[1] + far + 1):
                yield from self.near.get((across, down), ())

    def _steps(self, arc: Arc, step: int) -> list[tuple[tuple[int, int], float, bool]] | None:
        """Cells, directions and whether an end is near, along the arc; None if it does not stay clear."""
        points, margin, steps = arc.points(step), math.ceil(LONELY / step), []
        behind = 2 * points[0][0] - points[1][0], 2 * points[0][1] - points[1][1]
        for n, ((ax, ay), (bx, by)) in enumerate(pairwise([behind, *points])):
            if not (EDGE < bx < self.width - EDGE and EDGE < by < self.height - EDGE):
                return None
            cell, angle = (int(bx // CELL), int(by // CELL)), math.atan2(by - ay, bx - ax) % math.pi
            alone = n <= margin or n > len(points) - 1 - margin
            if self.taken.get(cell, arc.nodes[0]) not in arc.nodes:
                return None
            far = 1 if n in (0, len(points) - 1) else 0
            for other, direction, lonely in self._around(cell, far):
                if abs(angle - direction) < STEEP or abs(angle - direction) > math.pi - STEEP:
                    return None
                if (alone or lonely) and not {*arc.nodes} & {*self.arcs[other].nodes}:
                    return None
            steps.append((cell, angle, alone))
        return steps
