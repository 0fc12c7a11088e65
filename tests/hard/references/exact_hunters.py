"""Right and wrong replies to exact_hunters; here strengths are numbers in a list with a margin, hunters below zero."""

from __future__ import annotations

from ..exact_hunters import TASK, Hunt
from .states import near_misses, right_forms

WALL = 99


class Play:
    """A field as one list: hares are 1 to 5, hunters -1 to -8, empty cells 0, the margin 99."""

    def __init__(
        self,
        seed: int,
        task: Hunt,
        *,
        order: str = "urdl",
        hungry: bool = True,
        strongest: bool = True,
        weak_first: bool = True,
        stay: bool = True,
        alone: bool = True,
    ) -> None:
        self.n, self.w = task.size, task.size + 2
        self.task, self.cells = task, [WALL] * self.w**2
        for r, row in enumerate(task.puzzle(seed)[0], 1):
            for c, cell in enumerate(row, 1):
                self.cells[r * self.w + c] = (
                    0 if cell == "." else int(cell) if cell.isdigit() else 96 - ord(cell)
                )
        way = {"u": -self.w, "r": 1, "d": self.w, "l": -1}
        self.ways = [way[each] for each in order]
        self.hungry, self.strongest, self.weak_first = hungry, strongest, weak_first
        self.stay, self.alone = stay, alone

    def inner(self) -> list[int]:
        return [r * self.w + c for r in range(1, self.n + 1) for c in range(1, self.n + 1)]

    def eat(self) -> None:
        old, aims = self.cells, {}
        for k in self.inner():
            if old[k] < 0:
                best = max([old[k + d] for d in self.ways if 0 < old[k + d] < WALL], default=0)
                if best:
                    found = [k + d for d in self.ways if old[k + d] == best]
                    aims[k] = (
                        found[0]
                        if self.strongest
                        else next(k + d for d in self.ways if 0 < old[k + d] < WALL)
                    )
        self.cells = [each + 1 if each < 0 and self.hungry else each for each in old]
        for hare in set(aims.values()):
            rivals = [hare + d for d in self.ways if aims.get(hare + d) == hare]
            power = min(old[k] for k in rivals)
            winner = next(k for k in rivals if old[k] == power)
            self.cells[hare] = max(old[winner] - old[hare], -8)
            self.cells[winner] = 0

    def walk(self, hares: bool) -> None:
        old, aims = self.cells, {}

        def value(k: int) -> int:
            about = [old[k + d] for d in self.ways]
            return -sum(x < 0 for x in about) if hares else sum(x for x in about if 0 < x < WALL)

        for k in self.inner():
            if old[k] > 0 if hares else old[k] < 0:
                free = [k + d for d in self.ways if old[k + d] == 0]
                best = max(map(value, free), default=-WALL)
                if best > value(k) or (not self.stay and best == value(k)):
                    aims[k] = next(each for each in free if value(each) == best)
        self.cells = list(old)
        for goal in set(aims.values()):
            rivals = [goal + d for d in self.ways if aims.get(goal + d) == goal]
            power = (min if self.weak_first or not hares else max)(old[k] for k in rivals)
            winner = next(k for k in rivals if old[k] == power)
            self.cells[goal], self.cells[winner] = old[winner], 0

    def divide(self, hares: bool) -> None:
        old = self.cells
        new = list(old)
        for k in self.inner():
            if hares and not any(old[k + d] % WALL for d in (0, *self.ways)):
                new[k] = 1
            elif hares and 0 < old[k] < 5:
                new[k] += 1
            elif old[k] == 5 if hares else old[k] <= -7:
                new[k] = 2 if hares else old[k] + 3
                free = [k + d for d in self.ways if old[k + d] == 0]
                if free:
                    new[free[0]] = 1 if hares else -3
                elif not self.alone:
                    new[k] = old[k]
        self.cells = new

    def states(self) -> dict[str, list[str]]:
        found = {}
        for turn in range(1, self.task.asked[-1] + 1):
            self.eat()
            self.walk(True)
            self.walk(False)
            self.divide(True)
            self.divide(False)
            if turn in self.task.asked:
                signs = "".join(
                    "." if not x else str(x) if x > 0 else chr(96 - x)
                    for x in (self.cells[k] for k in self.inner())
                )
                found[f"After turn {turn}"] = [signs[k : k + self.n] for k in range(0, len(signs), self.n)]
        return found


def right(seed: int, task: Hunt = TASK) -> list[str]:
    return right_forms(Play(seed, task).states())


def wrong(seed: int, task: Hunt = TASK) -> list[str]:
    return near_misses(
        Play(seed, task).states(),
        Play(seed, task, order="uldr").states(),
        Play(seed, task, hungry=False).states(),
        Play(seed, task, strongest=False).states(),
        Play(seed, task, weak_first=False).states(),
        Play(seed, task, stay=False).states(),
        Play(seed, task, alone=False).states(),
    )
