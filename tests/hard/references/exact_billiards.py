"""Right and wrong replies to exact_billiards; here places are points of the plane, and each cell looks who is in it."""

from __future__ import annotations

from ..exact_billiards import TASK, Billiards
from .states import near_misses, right_forms


def play(
    seed: int,
    task: Billiards,
    *,
    rebound: bool = True,
    odd: bool = True,
    ordered: bool = True,
    crowd: bool = True,
    stay: bool = True,
    fixed: bool = False,
) -> dict[str, list[str]]:
    start, gates, _ = task.puzzle(seed)
    n, names, found = task.size, [], {}
    at, ways, turns = [], [], {(c - 1) + (r - 1) * 1j: number for (r, c), number in gates.items()}
    right, down = 1 + 0j, 1j
    moves = [right, down, down - right]  # the other three are opposite
    for row in start:
        name, r, c, way = row.split()
        names.append(name)
        at.append(complex(int(c) - 1, int(r) - 1))
        ways.append(int(way))
    for number in range(1, task.asked[-1] + 1):
        stayed = set()
        for k, (place, way) in enumerate(zip(at, ways, strict=True)):
            to = place + moves[way % 3] * (1 if way < 3 else -1)
            if 0 <= to.real < n and 0 <= to.imag < n:
                at[k] = to
            else:
                stayed.add(k)
                ways[k] = (way + 3) % 6 if rebound else (6 - way) % 6
        for y in range(n):
            for x in range(n):
                here = [k for k, place in enumerate(at) if place == complex(x, y)]  # by name
                gate = turns.get(complex(x, y))
                if not ordered:
                    here.reverse()
                if len(here) > 1:
                    for place, k in enumerate(here):
                        ways[k] += (5 - place if len(here) % 2 and odd else place + 1) % 6
                if gate and here and (len(here) == 1 or not crowd) and (stay or here[0] not in stayed):
                    ways[here[0]] += gate
                    turns[complex(x, y)] = gate if fixed else [0, 2, 3, 4, 5, 1][gate]
        ways = [each % 6 for each in ways]
        if number in task.asked:
            said = [
                f"{name} {place.imag + 1:.0f} {place.real + 1:.0f} {way}"
                for name, place, way in zip(names, at, ways, strict=True)
            ]
            marks = [turns[complex(c - 1, r - 1)] for r, c in sorted(gates)]
            found[f"After step {number}"] = [*said, "gates " + " ".join(map(str, marks))]
    return found


def right(seed: int, task: Billiards = TASK) -> list[str]:
    return right_forms(play(seed, task))


def wrong(seed: int, task: Billiards = TASK) -> list[str]:
    return near_misses(
        play(seed, task),
        play(seed, task, rebound=False),
        play(seed, task, odd=False),
        play(seed, task, ordered=False),
        play(seed, task, crowd=False),
        play(seed, task, stay=False),
        play(seed, task, fixed=True),
    )
