"""Hares and hunters with strength that flee, chase, eat and divide all at once: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = "Can the model let hares and hunters of a crowded field act all at once, turn after turn, with every cell in its place?"
TAGS = ["hard", "reasoning", "game"]

HARES, HUNTERS = "12345", "abcdefgh"
NEAR = ((-1, 0), (0, 1), (1, 0), (0, -1))  # in their order
Place = tuple[int, int]
Field = dict[Place, str]
PROMPT = """A field has {size} rows (1 is the top) and {size} columns (1 is at the left) of cells; it has edges. A cell is empty, which is written as a dot, or holds a
hare of strength 1 to 5, written as this digit, or a hunter of strength 1 to 8, written as a letter from a (1) to h (8). At the start:

{start}

The neighbours of a cell are, in this order: the one above, at the right, below, at the left, where they exist. "The first" of several neighbours means
this order. A turn has five phases. In each phase all decide by what the field is at the beginning of this phase, and then act at the same time.

1. Eating. Each hunter that has a hare as a neighbour goes for the strongest of these hares, the first if there are several. If several hunters go for the
   same hare, the strongest of them gets it, and if there are several such, the first of them among the neighbours of the hare. A hunter that gets a hare moves onto its cell and
   becomes as much stronger as the hare was strong, but not stronger than 8. All other hunters stay and become weaker by 1; a hunter of strength 1 dies
   in this way, and its cell is empty.
2. Fleeing. Danger of a cell is the number of its neighbours that are hunters. Each hare chooses among its empty neighbours the one with the least danger,
   the first if there are several, but only if its danger is less than that of the hare's own cell; otherwise it stays. If several hares choose the same cell, the
   weakest of them moves there, and if there are several such, the first of them among the neighbours of the cell; the others stay.
3. Chasing. Scent of a cell is the sum of the strengths of its neighbours that are hares. Each hunter chooses among its empty neighbours
   the one with the most scent, the first if there are several, but only if its scent is more than that of the hunter's own cell; otherwise it stays. If several
   hunters choose the same cell, the strongest of them moves there, and if there are several such, the first of them among the neighbours
   of the cell; the others stay.
4. Growing. Each hare of strength 1 to 4 becomes stronger by 1. Each hare of strength 5 becomes a hare of strength 2, and a hare of strength 1 is born in
   the first empty one of its neighbours, if it has any; if several would have one born in the same cell, one hare is born there. A hare of strength 1 is
   born also in each empty cell of which all neighbours are empty too.
5. Dividing. Each hunter of strength 7 or 8 becomes weaker by 3, and a hunter of strength 3 is born in the first empty one of its neighbours, if it has any; if
   several would have one born in the same cell, one hunter is born there.

{ending}"""


@dataclass(frozen=True)
class Hunt:
    """Fields of `size` rows and columns with so many hares and hunters; `asked`: the turns after which the field is
    asked for; `fewest`: hunters, and hares, after each turn."""

    size: int
    hares: int
    hunters: int
    asked: tuple[int, ...]
    fewest: tuple[int, int]

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
        """The field at the start, and those asked for."""
        cells = self._places()
        for attempt in range(1_000):
            chance = random.Random(f"hunters {seed} {attempt}")
            places = chance.sample(cells, self.hares + self.hunters)
            field = {each: chance.choice(HARES) for each in places[self.hunters :]}
            field |= {each: chance.choice(HUNTERS[1:6]) for each in places[: self.hunters]}
            start, found, enough = self.drawn(field), {}, True
            for turn in range(1, self.asked[-1] + 1):
                field = self.after(field)
                hunters = sum(each in HUNTERS for each in field.values())
                enough &= hunters >= self.fewest[0] and len(field) - hunters >= self.fewest[1]
                if turn in self.asked:
                    found[f"After turn {turn}"] = self.drawn(field)
            if enough:
                return start, found
        raise ValueError(f"no field for seed {seed}")

    def drawn(self, field: Field) -> tuple[str, ...]:
        """The rows of a field."""
        side = range(self.size)
        return tuple("".join(field.get((row, column), ".") for column in side) for row in side)

    def after(self, field: Field) -> Field:
        """The field after a turn."""
        field = self._eaten(field)
        field = self._moved(field, HARES, self._sums(field, dict.fromkeys(HUNTERS, 1)), 1)
        field = self._moved(field, HUNTERS, self._sums(field, {each: -int(each) for each in HARES}), -1)
        lonely = [each for each in self._places() if not {each, *self._near(each)} & set(field)]
        field = self._divided(field, HARES, {"5": "2"} | dict(zip("1234", "2345", strict=True)), "5", "1")
        field |= dict.fromkeys(lonely, "1")
        return self._divided(field, HUNTERS, {"g": "d", "h": "e"}, "gh", "c")

    def _places(self) -> list[Place]:
        return [(row, column) for row in range(self.size) for column in range(self.size)]

    def _near(self, place: Place) -> list[Place]:
        places = ((place[0] + down, place[1] + right) for down, right in NEAR)
        return [(r, c) for r, c in places if 0 <= r < self.size and 0 <= c < self.size]

    def _eaten(self, field: Field) -> Field:
        new, goals = dict(field), dict[Place, list[Place]]()
        for place, one in field.items():
            if one in HUNTERS:
                new[place] = HUNTERS[HUNTERS.index(one) - 1] if one > "a" else "."
                hares = [each for each in self._near(place) if field.get(each, ".") in HARES]
                if hares:
                    goals.setdefault(max(hares, key=field.__getitem__), []).append(place)
        for hare, hunters in goals.items():
            winner = max((each for each in self._near(hare) if each in hunters), key=field.__getitem__)
            new[hare] = HUNTERS[min(HUNTERS.index(field[winner]) + int(field[hare]), len(HUNTERS) - 1)]
            new[winner] = "."
        return {place: one for place, one in new.items() if one != "."}

    def _sums(self, field: Field, worth: dict[str, int]) -> dict[Place, int]:
        """What the neighbours of each cell are worth together."""
        cells = self._places()
        return {place: sum(worth.get(field.get(p, "."), 0) for p in self._near(place)) for place in cells}

    def _moved(self, field: Field, kind: str, burden: dict[Place, int], weakest: int) -> Field:
        """The field after a kind moved to where the burden is least."""
        goals: dict[Place, list[Place]] = {}
        for place, one in field.items():
            empty = [each for each in self._near(place) if each not in field]
            if one in kind and empty:
                goal = min(empty, key=burden.__getitem__)
                if burden[goal] < burden[place]:
                    goals.setdefault(goal, []).append(place)
        new = dict(field)
        for goal, places in goals.items():
            rivals = [each for each in self._near(goal) if each in places]
            winner = min(rivals, key=lambda each: weakest * kind.index(field[each]))
            new[goal] = new.pop(winner)
        return new

    def _divided(self, field: Field, kind: str, nexts: dict[str, str], parents: str, child: str) -> Field:
        """The field after a kind grew and parents had children."""
        new = {place: nexts.get(one, one) if one in kind else one for place, one in field.items()}
        for place, one in field.items():
            empty = [each for each in self._near(place) if each not in field]
            if one in parents and empty:
                new[empty[0]] = child
        return new

    def wanted(self, seed: int) -> dict[str, tuple[str, ...]]:
        """The fields asked for."""
        return self.puzzle(seed)[1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = PROMPT.format(
            size=self.size,
            start="\n".join(f"    {row}" for row in self.puzzle(seed)[0]),
            ending=ending("turn", self.asked, f"the {self.size} rows of the field as above"),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Hunt(size=12, hares=52, hunters=18, asked=(3, 6, 9), fewest=(15, 12))
build = TASK.build
