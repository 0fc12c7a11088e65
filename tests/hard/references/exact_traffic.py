"""Right and wrong replies to exact_traffic; here each empty crossing looks who comes."""

from __future__ import annotations

from ..exact_traffic import TASK, Traffic
from .states import near_misses, right_forms

BACK = {"n": 1, "e": -1, "s": -1, "w": 1}  # from a crossing to the one from which such a car comes


def play(
    seed: int,
    task: Traffic,
    *,
    orders: tuple[str, str] = ("wsen", "nesw"),
    patience: bool = True,
    right: str = "nesw",
    calm: bool = True,
) -> dict[str, list[str]]:
    n, town = task.size, "".join(task.puzzle(seed)[0])
    found = {}
    for turn in range(1, task.asked[-1] + 1):
        new = list(town)
        for cell, car in enumerate(town):
            if car != ".":
                turned = right[(right.index(car.lower()) + 1) % 4]
                new[cell] = turned if car.isupper() or not patience else car.upper()
        for cell, car in enumerate(town):
            if car != ".":
                continue
            row, column = divmod(cell, n)
            for way in orders[turn % 2]:
                source = (
                    (row + BACK[way]) % n * n + column if way in "ns" else row * n + (column + BACK[way]) % n
                )
                if town[source].lower() == way:
                    new[source] = "."
                    new[cell] = way if calm else town[source]
                    break
        town = "".join(new)
        if turn in task.asked:
            found[f"After turn {turn}"] = [town[k : k + n] for k in range(0, n * n, n)]
    return found


def right(seed: int, task: Traffic = TASK) -> list[str]:
    return right_forms(play(seed, task))


def wrong(seed: int, task: Traffic = TASK) -> list[str]:
    return near_misses(
        play(seed, task),
        play(seed, task, orders=("nesw", "nesw")),
        play(seed, task, orders=("nesw", "wsen")),
        play(seed, task, right="nwse"),
        play(seed, task, patience=False),
        play(seed, task, calm=False),
    )
