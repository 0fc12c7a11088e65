"""Right and wrong work on operate_meters: the numbers of the sheet, and digits taken for others."""

from __future__ import annotations

from ..operate_meters import FULL, before, bills, files_of, readings
from .written import refused, written


def _moved(read: dict[str, int], order: str) -> dict[str, int]:
    """The places of digits taken for each other."""
    return {name: int("".join(f"{number:04}"[int(n)] for n in order)) for name, number in read.items()}


def right(seed: int) -> list[object]:
    used = {}
    for name, number in readings(seed).items():
        then = before(seed)[name]
        used[name] = str(number - then if number >= then else number + FULL - then)
    return [written("bills.txt", used), written("bills.txt", dict(reversed(used.items())))]


def wrong(seed: int) -> list[object]:
    read = dict(readings(seed))
    slips = {
        name: (number + 10 if n % 30 == 4 else number) % FULL for n, (name, number) in enumerate(read.items())
    }
    return [
        written("bills.txt", bills(seed, read | {"F6": (read["F6"] + 100) % FULL})),
        written("bills.txt", bills(seed, slips)),
        written("bills.txt", bills(seed, _moved(read, "1032"))),
        written("bills.txt", bills(seed, _moved(read, "2301"))),
        written("bills.txt", {name: str(number - before(seed)[name]) for name, number in read.items()}),
        written("bills.txt", {name: str(number) for name, number in read.items()}),
        written("bills.txt", files_of(seed)["bills.txt"]),
        refused("bills.txt"),
    ]
