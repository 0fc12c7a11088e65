"""A fine maze with one-way gaps in its walls: a shortest way from A to B."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .drawing import Canvas

DESCRIPTION = "Can the model find a shortest way through a fine maze with one-way gaps?"
TAGS = ["hard", "vision", "paths"]

EDGE, ARROW, WALL = 16, "#d42020", "#1c1c1c"
STEPS = {"R": (1, 0), "L": (-1, 0), "D": (0, 1), "U": (0, -1)}
BACK = dict(zip("RLDU", "LRUD", strict=True))
QUESTION = """The picture shows a maze from above: {columns} by {rows} square rooms with black walls, and a black post at each corner of a room. A step leads from a room to the one right of it (R), left of it (L), above it (U) or below it (D), through a gap in the wall between
them: a gap is a whole side of a room without a wall. A gap in which there is a red arrowhead can be passed only in the direction in which the arrowhead points; a gap without one can be passed both ways.

Find a way from the room with the blue A to the room with the blue B with as few steps as possible. End your reply with one line with all its steps, such as

WAY: RRDLDDRU"""

Room = tuple[int, int]  # column and row


@dataclass(frozen=True)
class Gaps:
    """`columns` by `rows` rooms of `size` pixels; the share of walls opened beyond a tree that grows from A, and of
    one-way gaps in the tree and beyond it; `length` steps, if the maze has such a way."""

    columns: int
    rows: int
    size: int
    extra: float
    oneway: tuple[float, float]
    length: int

    @cache  # noqa: B019 - there is one of them
    def gaps(self, seed: int) -> dict[Room, str]:
        """The steps that each room allows: a tree of long ways, then more gaps at random."""
        chance = random.Random(f"gaps {seed}")
        found = dict.fromkeys(((x, y) for y in range(self.rows) for x in range(self.columns)), "")
        tips = [self.begin(seed)]
        seen = {*tips}

        def open_gap(room: Room, way: str, at: Room, oneway: float) -> None:
            found[room] += way
            if chance.random() >= oneway:
                found[at] += BACK[way]

        while tips:
            place = -1 if chance.random() < 0.85 else chance.randrange(len(tips))
            room = tips[place]
            free = [(way, at) for way, at in self.near(room) if at not in seen]
            if not free:
                tips.pop(place)
                continue
            way, at = chance.choice(free)
            open_gap(room, way, at, self.oneway[0])
            seen.add(at)
            tips.append(at)
        tree = dict(found)
        for room in found:
            for way, at in self.near(room):
                if way not in tree[room] and BACK[way] not in tree[at] and chance.random() < self.extra / 2:
                    open_gap(room, way, at, self.oneway[1])
        return found

    def begin(self, seed: int) -> Room:
        """The room of A, near the left side."""
        chance = random.Random(f"gaps begin {seed}")
        return chance.randrange(5), chance.randrange(self.rows)

    def near(self, room: Room) -> list[tuple[str, Room]]:
        """The rooms beside a room, by the step to them."""
        x, y = room
        return [
            (way, (x + a, y + b))
            for way, (a, b) in STEPS.items()
            if 0 <= x + a < self.columns and 0 <= y + b < self.rows
        ]

    def far(self, seed: int, begin: Room) -> dict[Room, int]:
        """The least number of steps to each room that can be reached."""
        gaps, steps, ahead = self.gaps(seed), {begin: 0}, deque([begin])
        while ahead:
            x, y = room = ahead.popleft()
            for way in gaps[room]:
                at = x + STEPS[way][0], y + STEPS[way][1]
                if at not in steps:
                    steps[at] = steps[room] + 1
                    ahead.append(at)
        return steps

    @cache  # noqa: B019 - as above
    def ends(self, seed: int) -> tuple[Room, Room, int]:
        """A and B, and the least number of steps between them."""
        steps = self.far(seed, self.begin(seed))
        length = min(self.length, max(steps.values()))
        rooms = [room for room, number in steps.items() if number == length]
        return self.begin(seed), random.Random(f"gaps end {seed}").choice(rooms), length

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The maze."""
        size, gaps = self.size, self.gaps(seed)
        wide, high = self.columns * size, self.rows * size
        canvas = Canvas(2 * EDGE + wide, 2 * EDGE + high)
        ink = bytes.fromhex(WALL[1:]) * (size + 2)

        def wall(x: int, y: int, across: int, down: int) -> None:
            for row in range(EDGE + y - 1, EDGE + y + down + 1):
                at = 3 * (EDGE + x - 1)
                canvas.rows[row][at : at + 3 * (across + 2)] = ink[: 3 * (across + 2)]

        for name, (x, y) in zip("AB", self.ends(seed)[:2], strict=True):
            left, top = EDGE + x * size, EDGE + y * size
            canvas.rectangle(left + 2, top + 2, left + size - 2, top + size - 2, "#cfe0ff")
            canvas.text(EDGE + (x + 0.5) * size, EDGE + (y + 0.5) * size, name, "#1f4fc8", 2)
        for place in range(self.columns):
            wall(place * size, 0, size, 0)
            wall(place * size, high, size, 0)
        for place in range(self.rows):
            wall(0, place * size, 0, size)
            wall(wide, place * size, 0, size)
        for (x, y), ways in gaps.items():
            for row in (-1, 0):  # a post at the corner of each room
                canvas.span(EDGE + y * size + row, EDGE + x * size - 1, EDGE + x * size + 1, WALL)
            for way, at in self.near((x, y)):
                if way in "RD":
                    forth, back = way in ways, BACK[way] in gaps[at]
                    left, top = at[0] * size, at[1] * size
                    if not forth and not back:
                        wall(left, top, *((0, size) if way == "R" else (size, 0)))
                    elif not (forth and back):
                        half = size // 2
                        middle = (left, top + half) if way == "R" else (left + half, top)
                        self.arrow(canvas, EDGE + middle[0], EDGE + middle[1], way if forth else BACK[way])
        return canvas.png()

    @staticmethod
    def arrow(canvas: Canvas, x: int, y: int, way: str) -> None:
        """An arrowhead about a point, 8 pixels long and 10 wide."""
        for each in range(-5, 5):
            long = 2 * min(each + 5, 4 - each)  # of the row or column of pixels
            if way == "R":
                canvas.span(y + each, x - 4, x - 4 + long, ARROW)
            elif way == "L":
                canvas.span(y + each, x + 4 - long, x + 4, ARROW)
        for each in range(8):
            half = (8 - each + 1) // 2 if way == "D" else (each + 2) // 2
            if way in "DU":
                canvas.span(y - 4 + each, x - half, x + half, ARROW)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(columns=self.columns, rows=self.rows)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(self.judge, seed))
        )

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """Passed if the way is open and shortest; the score is the share of its steps before a wall."""
        gaps, (room, end, least) = self.gaps(seed), self.ends(seed)
        lines = re.findall(r"(?im)^[ \t*_`#>-]*way[ \t*_`]*:(.*)$", reply)
        said = re.sub(r"[\s,>*`-]", "", lines[-1][:9999].upper() if lines else "")
        if not re.fullmatch("[RLUD]+", said):
            return Score(0, False), f"no way: {said[:80]!r}"
        for number, way in enumerate(said[: 2 * least]):
            if way not in gaps[room]:
                return Score(0.8 * min(1, number / least), False), f"step {number + 1}, {way}, is not open"
            room = room[0] + STEPS[way][0], room[1] + STEPS[way][1]
        if room != end or len(said) > 2 * least:
            return Score(0.4, False), f"{len(said)} steps do not end at B, or are far too many"
        return Score(least / len(said), len(said) == least), f"{len(said)} steps; the least are {least}"


TASK = Gaps(columns=52, rows=46, size=20, extra=0.25, oneway=(0.4, 0.8), length=130)
build = TASK.build
