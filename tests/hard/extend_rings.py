"""A heap of rings, some of which are linked and others only lie upon each other, is to be added to a program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import combinations

from evaluator import *

from .extended import OTHER, work
from .look_rings import LETTERS, TASK

DESCRIPTION = "Can an agent add a heap of rings to a program, of which a picture shows how they are linked?"
TAGS = ["hard", "vision", "agent"]

RINGS = LETTERS[: TASK.count]
COMMAND = "python3 tangles.py"
QUESTION = """In this folder is tangles, a small Python program about heaps of linked rings; README.md has its rules. The picture shows a new heap, which is not in the folder. Add it under the name chest, as heaps/chest.txt.

The heap has the 26 rings A to Z, all of the same colour. The name of each stands in a gap of its line. Where two rings cross, the one that lies below is interrupted for a short bit. Two rings cross at two places or not at all. They are linked if each of them lies above the other at one of these two places; if one of them
lies above at both, they are not linked.

Everything in README.md must go on to hold, for the other heaps as well. Hidden commands ask for every ring, and all their answers must be right. The program is run as `python3 tangles.py` in this folder."""

Pair = tuple[str, str]


@cache
def crossed(seed: int) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """The pairs of rings that cross, and those of them that are linked."""
    names = TASK.names(OTHER + seed)
    upon = {(names[a], names[b]) for a, b, _ in TASK.heap(OTHER + seed).crossings}
    pairs = {(min(pair), max(pair)) for pair in upon}
    return frozenset(pairs), frozenset((a, b) for a, b in pairs if {(a, b), (b, a)} <= upon)


def listed(pairs: Iterable[Pair]) -> str:
    """The file of the heap."""
    return "\n".join([f"rings {RINGS}", *(" ".join(pair) for pair in sorted(pairs)), ""])


def parts(pairs: Iterable[Pair], rings: Iterable[str]) -> list[set[str]]:
    """What hangs together of these rings."""
    found = [{ring} for ring in rings]
    for pair in pairs:
        touched = [part for part in found if part & {*pair}]
        if {*pair} <= set().union(*touched):
            found = [part for part in found if part not in touched] + [set().union(*touched)]
    return found


@cache
def cases(seed: int) -> Sequence[tuple[str, str]]:
    """Every ring alone, what hangs together, and the old heaps."""
    _, pairs = crossed(seed)
    beside = {ring: sorted({*"".join("".join(p) for p in pairs if ring in p)} - {ring}) for ring in RINGS}
    script = [(f"with chest {ring}", " ".join(beside[ring]) or "none") for ring in RINGS]
    lift = []
    for ring in RINGS[::4]:
        own = next(part for part in parts(pairs, RINGS) if ring in part)
        lift.append((f"LIFT chest {ring.lower()}", " ".join(sorted(own))))
    for taken in ("AB", "CDEFG", "HIKMXZ", "NOPQRST", "ACEGIKMO"):
        rest = [ring for ring in RINGS if ring not in taken]
        lift.append((f"parts Chest {taken}", str(len(parts([p for p in pairs if {*p} <= {*rest}], rest)))))
    for one, other in combinations(RINGS[1::5], 2):
        found, steps = {one}, 1
        while other not in found and steps < 27:
            found |= {each for ring in found for each in beside[ring]}
            steps += 1
        lift.append((f"chain chest {one} {other}", str(steps) if other in found else "none"))
    listed_ = ("list", f"box 6 5, chest 26 {len(pairs)}, hook 3 1")
    scripts = [*(script[n : n + 7] for n in range(0, 26, 7)), lift, [*OLD, listed_]]
    return [tuple("\n".join(side) for side in zip(*its, strict=True)) for its in scripts]  # type: ignore[misc]


OLD = [
    ("with box c", "A B D"),
    ("lift box D", "A B C D"),
    ("parts box C", "3"),
    ("parts box AF", "2"),
    ("chain box D B", "3"),
    ("chain box d F", "none"),
    ("with hook m", "none"),
]


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(TASK.picture, OTHER + seed)
    return work("extend_rings", picture, QUESTION, COMMAND, partial(cases, seed))
