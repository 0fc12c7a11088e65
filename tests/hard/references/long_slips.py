"""Right and wrong replies to long_slips: the flags are read from the picture and summed up by article."""

from __future__ import annotations

from collections import Counter
from functools import cache

from ..hand import flag
from ..long_slips import TASK
from .hand import Reader
from .pixels import Pixels


@cache
def _reader() -> Reader:
    return Reader(TASK.hand, {str(position): flag(position) for position in range(8)})


@cache
def _read(seed: int) -> dict[str, list[str]]:
    """The digits of each note of each paper."""
    pixels, positions = Pixels(TASK.picture(seed)), TASK.legend(seed)
    return {
        paper: [
            "".join(str(positions.index(int(_reader().read(pixels, x, y, 22, 26))) + 1) for x, y in digits)
            for digits in notes
        ]
        for paper, notes in TASK.places(seed).items()
    }


def _said(seed: int, *, pieces: bool = True, turned: bool = False, less: int = 0) -> str:
    papers = {
        paper: [each.translate(str.maketrans("12345678", "87654321")) for each in notes] if turned else notes
        for paper, notes in _read(seed).items()
    }
    town, price = ({each[:2]: int(each[2:]) for each in papers[paper]} for paper in ("customers", "articles"))
    sold: Counter[tuple[int, str]] = Counter()
    for slip in papers["slips"][: TASK.slips - less]:
        sold[town[slip[:2]], slip[2:4]] += int(slip[4]) if pieces else 1
    sums: Counter[int] = Counter()
    for (where, article), number in sold.items():
        sums[where] += price[article] * number
    return "\n".join(f"{where}: {sums[where]}" for where in range(1, TASK.towns + 1))


def right(seed: int) -> list[str]:
    said = _said(seed)
    lines = [line.split(": ") for line in said.split("\n")]
    return [f"Town by town.\n\n{said}", "\n".join(f"- **{town}:** {int(paid):,}" for town, paid in lines)]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    return [
        _said(seed, pieces=False),
        _said(seed, turned=True),
        _said(seed, less=1),
        said.rsplit("\n", 1)[0],
        said[:-1] + str((int(said[-1]) + 5) % 10),
        "I cannot tell the flags apart.",
    ]
