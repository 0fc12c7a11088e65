"""Water on uneven ground that flows to all sides at once in whole units, and moves the ground: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = "Can the model let water flow from a hundred cells at once, round after round, with every unit in its place?"
TAGS = ["hard", "reasoning", "game"]

NEAR = ((-1, 0), (0, 1), (1, 0), (0, -1))
Place = tuple[int, int]
PROMPT = """A land has {size} rows (1 is the top) and {size} columns (1 is at the left) of cells. Each has a height and holds units of water: 7:3 is a cell of height 7
with 3 units. The level of a cell is its height plus its water. At the start:

{start}

The neighbours of a cell are those above, at the right, below and at the left; no water flows over the edge of the land. Each round goes like this:

1. Rain: {rain} units are added to the cell of this round (see below).
2. All cells flow at the same time, by the levels after the rain. A cell that has water looks at its lower neighbours, which are those whose level is less than
   its own. If there are any, it gives away as many units as its level is above the level of the lowest of them, but never more than its
   water. It deals them out one by one: the first unit to the lower neighbour with the lowest level, the second to the one with the next lowest level and so
   on through all lower neighbours, and then from the beginning again until all are dealt. Of neighbours with the same level the one above comes first,
   then the one at the right, below, at the left.
3. Ground: the height of each cell that gave {much} units or more in this round and got fewer than {much} becomes lower by 1 (but not below 0). The height
   of each cell that got {much} units or more and gave fewer than {much} becomes higher by 1. Its water is not changed by this.
4. Drains: the cells {drains} lose their water, all of it.

The cells of the rain, round by round, as row,column: {cells}

{ending}"""


@dataclass
class Land:
    """Heights and water of cells."""

    heights: dict[Place, int]
    water: dict[Place, int]
    much: int
    drains: tuple[Place, ...]
    gave: int = 0  # cells that gave in the last round

    def flow(self) -> None:
        """A round after its rain."""
        level = {place: height + self.water[place] for place, height in self.heights.items()}
        given, got = dict.fromkeys(level, 0), dict.fromkeys(level, 0)
        for place, own in level.items():
            near = [(place[0] + down, place[1] + right) for down, right in NEAR]
            lower = sorted((each for each in near if level.get(each, own) < own), key=level.__getitem__)
            if lower:
                given[place] = min(self.water[place], own - level[lower[0]])
                for unit in range(given[place]):
                    got[lower[unit % len(lower)]] += 1
        for place in level:
            self.water[place] += got[place] - given[place]
            if given[place] >= self.much > got[place]:
                self.heights[place] = max(0, self.heights[place] - 1)
            elif got[place] >= self.much > given[place]:
                self.heights[place] += 1
        self.water |= dict.fromkeys(self.drains, 0)
        self.gave = sum(each > 0 for each in given.values())

    def rows(self, size: int) -> tuple[str, ...]:
        """Heights and water as the prompt writes them."""
        side = range(1, size + 1)
        return tuple(" ".join(f"{self.heights[r, c]}:{self.water[r, c]}" for c in side) for r in side)


@dataclass(frozen=True)
class Floods:
    """Lands of `size` rows and columns; `asked`: the rounds after which the land is asked for; `active`: the mean
    number of cells that give water in a round, at the least."""

    size: int
    rain: int
    much: int
    drains: int
    asked: tuple[int, ...]
    active: int

    @cache  # noqa: B019 - there are few of them
    def puzzle(
        self, seed: int
    ) -> tuple[tuple[str, ...], list[Place], tuple[Place, ...], dict[str, tuple[str, ...]]]:
        """The land at the start, the cells of the rain, the drains, and the lands asked for."""
        side = range(1, self.size + 1)
        cells = [(row, column) for row in side for column in side]
        for attempt in range(1_000):
            chance = random.Random(f"floods {seed} {attempt}")
            heights = {each: chance.randint(0, 9) for each in cells}
            water = {each: chance.choice((0, 2, 4, 6, 7, 8, 9)) for each in cells}
            drains = tuple(sorted(chance.sample(cells, self.drains)))
            water |= dict.fromkeys(drains, 0)
            land, found, gave, rain = Land(heights, water, self.much, drains), {}, 0, list[Place]()
            start = land.rows(self.size)
            for number in range(1, self.asked[-1] + 1):
                rain.append(chance.choice([each for each in cells if each not in drains]))
                land.water[rain[-1]] += self.rain
                land.flow()
                gave += land.gave
                if number in self.asked:
                    found[f"After round {number}"] = land.rows(self.size)
            if gave >= self.active * self.asked[-1]:
                return start, rain, drains, found
        raise ValueError(f"no land for seed {seed}")

    def wanted(self, seed: int) -> dict[str, tuple[str, ...]]:
        """The lands asked for."""
        return self.puzzle(seed)[-1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        start, rain, drains, _ = self.puzzle(seed)
        places = [f"{row},{column}" for row, column in drains]
        question = PROMPT.format(
            size=self.size,
            start="\n".join("    " + " ".join(f"{cell:4}" for cell in row.split()).rstrip() for row in start),
            rain=self.rain,
            much=self.much,
            drains="; ".join(places[:-1]) + " and " + places[-1],
            cells="  ".join(f"{row},{column}" for row, column in rain),
            ending=ending("round", self.asked, f"the {self.size} rows of the land as above"),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Floods(size=10, rain=9, much=4, drains=3, asked=(4, 8, 12, 16), active=48)
build = TASK.build
