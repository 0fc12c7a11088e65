"""A list of linked rings that is wrong for many pairs, and a drawing of the heap."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import combinations

from evaluator import *

from .look_rings import TASK as HEAP
from .mended import mended, program

DESCRIPTION = "Can an agent mend a list of linked rings by a drawing of the heap in which they lie?"
TAGS = ["hard", "vision", "agent"]

OTHER = 3_000_000  # the heaps are not those of look_rings
WRONG = 0.36  # the part of the pairs of rings that cross of which the list says the wrong thing
COMMAND = "python3 heap.py"
TASK = f"""heap (README.md) tells which rings of a heap hang in each other. A smith writes: "When I lift a ring, others come up than your program says. links.txt has many pairs that only lie upon each other, and many that are
linked are missing. I send you the drawing of the heap." The drawing is the picture, and right; it is not in the folder. Mend links.txt by it: hidden commands decide, and every pair must be right. The rest of the
program is right.

The drawing shows {HEAP.count} rings, all of the same colour. The name of each, A to Z, stands in a gap of its line. Where two rings cross, the one that lies below is interrupted for a short bit. Two rings cross at two places or not at
all. They are linked if each of them lies above the other at one of these two places; if one of them lies above at both, they are not linked."""
Links = frozenset[tuple[str, str]]


@cache
def links(seed: int) -> Links:
    """The pairs of linked rings."""
    found = HEAP.wanted(OTHER + seed)
    return frozenset(
        (one, other) for one, its in found.items() for other in its if other in found and one < other
    )


@cache
def listed(seed: int) -> Links:
    """The list as it is."""
    names = HEAP.names(OTHER + seed)
    crossing = {
        (min(names[a], names[b]), max(names[a], names[b])) for a, b, _ in HEAP.heap(OTHER + seed).crossings
    }
    wrong = random.Random(f"rings listed {seed}").sample(sorted(crossing), round(WRONG * len(crossing)))
    return links(seed) ^ frozenset(wrong)


def table(its: Links) -> str:
    """The file of links."""
    return "".join(f"{one} {other}\n" for one, other in sorted(its))


def files_of(seed: int) -> Mapping[str, str]:
    """The program and its links."""
    return {**program("repair_rings"), "links.txt": table(listed(seed))}


def pieces(names: Sequence[str], its: Links) -> list[set[str]]:
    """The rings that hang together."""
    found = [{name} for name in names]
    for pair in its:
        if {*pair} <= {*names}:
            joined = [piece for piece in found if piece & {*pair}]
            found = [piece for piece in found if piece not in joined] + [set[str]().union(*joined)]
    return found


def cases(seed: int) -> Sequence[tuple[str, str]]:
    """All rings, and all pairs of rings."""
    its, names = links(seed), sorted(HEAP.names(OTHER + seed))
    near = {name: {each for pair in its if name in pair for each in pair} - {name} for name in names}
    linked, lifts, common = {}, {}, {}
    for name in names:
        whole = next(piece for piece in pieces(names, its) if name in piece)
        linked[f"linked {name}"] = " ".join(sorted(near[name])) or "none"
        lifts[f"lift {name}"] = str(len(whole))
        lifts[f"cut {name}"] = str(len(pieces(sorted(whole - {name}), its)))
    for one, other in combinations(names, 2):
        common[f"common {one} {other}"] = " ".join(sorted(near[one] & near[other])) or "none"
    return [
        ("".join(f"{each}\n" for each in its_case), "\n".join(its_case.values()))
        for its_case in (linked, lifts, common)
    ]


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(HEAP.picture, OTHER + seed)
    return mended(picture, partial(files_of, seed), TASK, COMMAND, partial(cases, seed))
