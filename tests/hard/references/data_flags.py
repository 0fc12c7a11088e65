"""Right and wrong work on data_flags: class by class, and with flags that are taken for their mirror image."""

from __future__ import annotations

from evaluator import Call

from ..data_flags import CLASSES, OFFICES, Log, cost, log, parcels, tariff
from .digitised import work


def _by_class(seed: int) -> dict[str, int]:
    found = dict.fromkeys(OFFICES, 0)
    for number in range(1, CLASSES + 1):
        places = [at for at, its in log(seed).items() if its == number]
        for office, zone, ounces in map(parcels(seed).__getitem__, places):
            found[office] += ounces * tariff(seed)[number, zone]
    return found


def _taken(seed: int, over: int, sense: int, by: int) -> Log:
    """Each class read as another one: turned over, turned the other way round, or by so many eighths."""
    return {
        at: 1 + 8 * ((number - 1) // 8 ^ over) + (sense * (number - 1) + by) % 8
        for at, number in log(seed).items()
    }


def right(seed: int) -> list[object]:
    return [work(cost(seed, log(seed))), work(_by_class(seed), "**", ",")]


def wrong(seed: int) -> list[object]:
    flags = log(seed)
    return [
        work(cost(seed, {**flags, "H8": 1 + flags["H8"] % CLASSES})),
        work(cost(seed, _taken(seed, 1, 1, 0))),
        work(cost(seed, _taken(seed, 0, -1, 0))),
        work(cost(seed, _taken(seed, 0, 1, 1))),
        work(dict(zip(OFFICES, [0, *list(_by_class(seed).values())[1:]], strict=True))),
        [Call("shell", command="cat tariff.csv"), "The flags are too small."],
    ]
