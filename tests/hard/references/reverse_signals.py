"""Right and wrong replies to reverse_signals: the levels are read from the picture, and decoded edge by edge."""

from __future__ import annotations

from functools import cache

from ..reverse_signals import NOTHING, TASK
from .pixels import Pixels


@cache
def _seen(seed: int) -> dict[str, dict[str, str]]:
    """The levels of each wire, as text of 0 and 1."""
    pixels = Pixels(TASK.picture(seed))
    return {
        name: {
            wire: "".join(
                str(int(pixels.is_dark(TASK.left + (half + 0.5) * TASK.size, TASK.top(n, place))))
                for half in range(TASK.halves)
            )
            for place, wire in enumerate("SCD")
        }
        for n, name in enumerate(TASK.names)
    }


def _values(
    wires: dict[str, str], *, glitches: bool = False, parity: bool = True, falling: bool = False
) -> list[int]:
    """Word by word: the stretches in which S is low."""
    found, at = [], wires["S"].find("10") + 1
    while at > 0:
        end = wires["S"].find("1", at)
        end = len(wires["S"]) if end < 0 else end
        clock = wires["C"]
        edge, held = ("10", "1") if falling else ("01", "11")
        places = [t for t in range(at + 1, end) if clock[t - 1 : t + 1] == edge]
        if not falling and not glitches:
            places = [t for t in places if clock[t : t + 2] == held]
        bits = "".join(wires["D"][t] for t in places)
        size = int(bits[:3] or "0", 2) + 6
        word = bits[:size]
        if len(word) == size and (word.count("1") % 2 == 0 or not parity):
            found.append(int(word[3:-1], 2))
        at = wires["S"].find("10", end) + 1
    return found


def _said(seed: int, **options: bool) -> str:
    lines = (
        f"{name}: {' '.join(map(str, _values(wires, **options))) or NOTHING}"
        for name, wires in _seen(seed).items()
    )
    return "Edge by edge.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    said = _said(seed)
    return [
        said,
        "\n".join(f"- **{line[0]}**{line[1:]}" if line[1:2] == ":" else line for line in said.split("\n")),
    ]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    last = said.rsplit(" ", 1)[-1]
    return [
        _said(seed, glitches=True),
        _said(seed, parity=False) if _said(seed, parity=False) != said else said[:-1],
        _said(seed, falling=True),
        said.removesuffix(last) + str(int(last) + 1 if last.isdecimal() else 3),
        "\n".join(said.split("\n")[:-1]),
        "I cannot read the picture.",
    ]
