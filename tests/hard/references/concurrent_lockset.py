"""Right and wrong replies to concurrent_lockset: the signs are read from the picture, and looked back from each use."""

from __future__ import annotations

from functools import cache

from ..concurrent_lockset import COLOURS, EDGE, NONE, TASK
from ..drawing import FONT
from .pixels import Pixels

INKS = {ink: colour for colour, ink in COLOURS.items()}


@cache
def _lanes(seed: int) -> list[list[str]]:
    """Each event as text: '+GT' takes the green triangle, '-GT' lets it go, 'A' uses a variable."""
    pixels, lanes = Pixels(TASK.picture(seed)), []
    for lane in range(TASK.threads):
        y = 6 + (lane + 0.5) * TASK.lane
        found = []
        for place in range(TASK.events):
            x = EDGE + (place + 0.5) * TASK.size
            rows = [[pixels.colour(x + a, y + b) for a in range(-11, 12)] for b in range(-11, 12)]
            inked = [[each in INKS for each in row] for row in rows]
            ink = next((each for row in rows for each in row if each in INKS), "")
            if not ink:
                left, top = round(x - 5), round(y - 7)
                dark = [
                    sum(pixels.is_dark(left + 2 * c, top + 2 * r) << r for r in range(8)) for c in range(5)
                ]
                found.append(
                    next(
                        sign
                        for sign, bits in FONT.items()
                        if bytes.fromhex(bits) == bytes(dark) and sign != " "
                    )
                )
                continue
            shape = "T" if not any(inked[16]) else "S" if not any(inked[3]) else "C"
            found.append(("+" if inked[11][11] else "-") + INKS[ink] + shape)
        lanes.append(found)
    return lanes


def _said(seed: int, *, counted: bool = True, some: bool = False) -> str:
    locks: dict[str, list[set[str]]] = {name: [] for name in TASK.names}
    for lane in _lanes(seed):
        for place, event in enumerate(lane):
            if event in locks:
                before = lane[:place]
                names = {each[1:] for each in before if each[0] == "+"}
                locks[event].append({
                    each for each in names
                    if (before.count("+" + each) > before.count("-" + each) if counted
                        else "-" + each not in before[len(before) - 1 - before[::-1].index("+" + each):])
                    and (counted or "-" + each not in before)
                })  # fmt: skip
    lines = []
    for name, sets in locks.items():
        its = set.union(*sets) if some else set.intersection(*sets)
        lines.append(f"{name}: {' '.join(sorted(its)) or NONE}")
    return "Lane by lane.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    said = _said(seed)
    return [said, said.replace(" ", ", ").replace(":,", ":").replace("Lane,", "Lane")]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    first = next(line for line in said.split("\n") if ": " in line and NONE not in line)
    return [
        _said(seed, counted=False),
        _said(seed, some=True),
        said.replace(first, f"{first[:2]} {NONE}"),
        said.replace(
            first, first + " " + ("GT" if "GT" not in first else "RC" if "RC" not in first else "BS")
        ),
        said.rsplit("\n", 1)[0],
        "No variable is guarded.",
    ]
