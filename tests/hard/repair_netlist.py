"""A list of wires with many wrong ones, and the drawing of the rack on which a hundred thin wires cross."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import combinations

from evaluator import *

from .concurrent_channels import Nets
from .mended import mended, program

DESCRIPTION = "Can an agent mend a list of wires by a drawing of a hundred wires that cross?"
TAGS = ["hard", "vision", "agent"]

OTHER = 3_000_000  # the drawings are not those of concurrent_channels
RACK = Nets(columns=7, rows=6, size=150, channels=104)
CELL = 8  # pixels within which wires that have points there are taken for crossing
CROSSED, TURNED = 15, 12  # pairs of wires that exchanged their ends, and wires that are the wrong way around
COMMAND = "python3 patch.py"
TASK = f"""patch (README.md) simulates a rack of modules. Its owner writes: "Pulses run wrong ways in your program. Whoever typed wires.txt went astray where wires cross, and took some for running the other way around. I
send you the drawing of the rack." The drawing is the picture, and right; it is not in the folder. Mend wires.txt by it: hidden commands decide, and every wire must be right. The rest of the program is right.

The drawing shows the {RACK.threads} modules, the numbered circles, and the wires between them, thin arrows that bend a little. Where arrows cross they have nothing to do with each other: each goes on smoothly, without a corner."""
Wires = tuple[tuple[int, int], ...]


@cache
def wires(seed: int) -> Wires:
    """Where each wire begins and ends."""
    return tuple(arc.nodes for arc in RACK.net(OTHER + seed))


@cache
def typed(seed: int) -> Wires:
    """The list as it is."""
    chance, at = random.Random(f"netlist {seed}"), dict[tuple[int, int], set[int]]()
    for n, arc in enumerate(RACK.net(OTHER + seed)):
        for x, y in arc.points(CELL / 2)[5:-5]:
            at.setdefault((int(x // CELL), int(y // CELL)), set()).add(n)
    meetings = sorted({pair for its in at.values() for pair in combinations(sorted(its), 2)})
    found, done = list(wires(seed)), set[int]()
    for n, m in chance.sample(meetings, len(meetings)):
        (a, b), (c, d) = found[n], found[m]
        new = {(a, d), (c, b)}
        clash = any({*pair} in map(set, (*found, *wires(seed))) for pair in new)
        if len(done) < 2 * CROSSED and not done & {n, m} and len({a, b, c, d}) == 4 and not clash:
            found[n], found[m] = (a, d), (c, b)
            done |= {n, m}
    for n in chance.sample(sorted({*range(len(found))} - done), TURNED):
        found[n] = found[n][::-1]
    return tuple(found)


def table(its: Sequence[tuple[int, int]]) -> str:
    """The file of wires."""
    return "".join(f"{one} {other}\n" for one, other in sorted(its))


def files_of(seed: int) -> Mapping[str, str]:
    """The program and its wires."""
    return {**program("repair_netlist"), "wires.txt": table(typed(seed))}


def cases(seed: int) -> Sequence[tuple[str, str]]:
    """All modules, from all sides."""
    its, every = wires(seed), range(1, RACK.threads + 1)

    def listed(modules: list[int]) -> str:
        return " ".join(map(str, sorted(modules))) or "none"

    asked: list[dict[str, str]] = [{}, {}, {}]
    ways, reached = dict.fromkeys(every, 1), {n: {n} for n in every}
    for _ in every:
        for one, other in its:
            reached[one] |= reached[other]
    for n in every:
        asked[0][f"from {n}"] = listed([one for one, other in its if other == n])
        asked[0][f"to {n}"] = listed([other for one, other in its if one == n])
        asked[1][f"pulse {n}"] = str(len(reached[n]))
    for count in (1, 2, 3):
        ways = {n: sum(ways[other] for one, other in its if one == n) for n in every}
        asked[2] |= {f"paths {n} {count}": str(way) for n, way in ways.items()}
    return [
        ("".join(f"{each}\n" for each in each_case), "\n".join(each_case.values())) for each_case in asked
    ]


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(RACK.picture, OTHER + seed)
    return mended(picture, partial(files_of, seed), TASK, COMMAND, partial(cases, seed))
