"""Right and wrong replies to exact_floods; here shares are computed by division, each cell from its neighbours."""

from __future__ import annotations

from ..exact_floods import TASK, Floods
from .states import near_misses, right_forms


def play(
    seed: int,
    task: Floods,
    *,
    order: tuple[complex, ...] = (-1j, 1, 1j, -1),
    ranked: bool = True,
    half: bool = False,
    ground: bool = True,
    early: bool = False,
) -> dict[str, list[str]]:
    start, rain, drains, _ = task.puzzle(seed)
    n, found = task.size, {}
    cells = [complex(x, y) for y in range(n) for x in range(n)]
    words = [each.split(":") for row in start for each in row.split()]
    height = {cell: int(word[0]) for cell, word in zip(cells, words, strict=True)}
    water = {cell: int(word[1]) for cell, word in zip(cells, words, strict=True)}
    holes = [complex(c - 1, r - 1) for r, c in drains]
    for number, (row, column) in enumerate(rain, 1):
        water[complex(column - 1, row - 1)] += task.rain
        flows = {}  # from, to: units
        for cell in cells:
            own = height[cell] + water[cell]
            lower = [cell + way for way in order if cell + way in height]
            falls = [own - height[each] - water[each] for each in lower]
            below = [(fall, each) for fall, each in zip(falls, lower, strict=True) if fall > 0]
            if not below:
                continue
            most = max(fall for fall, _ in below)
            total = min(water[cell], (most + 1) // 2 if half else most)
            whole, rest = divmod(total, len(below))
            for k, (fall, each) in enumerate(below):
                before = sum(other > fall for other, _ in below) + sum(
                    other == fall for other, _ in below[:k]
                )
                flows[cell, each] = whole + ((before if ranked else k) < rest)
        if early:
            water |= dict.fromkeys(holes, 0)
        gave, got = dict.fromkeys(cells, 0), dict.fromkeys(cells, 0)
        for (source, to), units in flows.items():
            gave[source] += units
            got[to] += units
        for cell in cells:
            water[cell] += got[cell] - gave[cell]
            sinks, rises = gave[cell] >= task.much, got[cell] >= task.much
            if ground:
                height[cell] = max(height[cell] - (sinks and not rises), 0) + (rises and not sinks)
        if not early:
            water |= dict.fromkeys(holes, 0)
        if number in task.asked:
            said = [f"{height[cell]}:{water[cell]}" for cell in cells]
            found[f"After round {number}"] = [" ".join(said[k : k + n]) for k in range(0, n * n, n)]
    return found


def right(seed: int, task: Floods = TASK) -> list[str]:
    return right_forms(play(seed, task))


def wrong(seed: int, task: Floods = TASK) -> list[str]:
    return near_misses(
        play(seed, task),
        play(seed, task, order=(-1j, 1j, -1, 1)),
        play(seed, task, ranked=False),
        play(seed, task, half=True),
        play(seed, task, ground=False),
        play(seed, task, early=True),
    )
