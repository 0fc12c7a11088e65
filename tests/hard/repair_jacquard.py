"""The cards of a loom, some of which lift wrong threads, and a photograph of the back of the right cloth."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import groupby

from evaluator import *

from .mended import mended, program
from .squares import field_of

DESCRIPTION = "Can an agent mend the cards of a loom by a photograph of the back of the cloth?"
TAGS = ["hard", "vision", "agent"]

SIDE, SIZE = 40, 21  # cards and threads; pixels of a square
WRONG = 54  # threads of some card each that are lifted and should not be, or the other way around
COMMAND = "python3 loom.py"
TASK = f"""loom (README.md) plays a hand loom. A weaver writes: "What your program weaves is not my cloth. All over it, threads are lifted that should not be, and the other way around! I have photographed the back of
the cloth, which was woven with the right cards." The photograph is the picture; it is not in the folder. Mend cards.txt by it: hidden commands decide, and every thread of every card must be right. The rest of
the program is right.

The photograph shows all {SIDE} cards and {SIDE} threads from behind, upright: the first card is the top row, but the left and the right side are exchanged, so that thread 1 is the right column and thread {SIDE} the left one;
and black and white are exchanged, as README.md says of the back. The blue lines and numbers were put on the photograph afterwards and count its rows and columns from the left top."""
Field = tuple[tuple[int, ...], ...]


@cache
def cards(seed: int) -> Field:
    """Of each card and thread, 1 if it is lifted."""
    chance = random.Random(f"jacquard {seed}")
    return tuple(tuple(chance.randrange(2) for _ in range(SIDE)) for _ in range(SIDE))


@cache
def damaged(seed: int) -> Field:
    """The cards as they are."""
    chance, found = random.Random(f"jacquard damaged {seed}"), [list(card) for card in cards(seed)]
    for place in chance.sample(range(SIDE * SIDE), WRONG):
        found[place // SIDE][place % SIDE] ^= 1
    return tuple(map(tuple, found))


def table(field: Field) -> str:
    """The file of cards."""
    return "".join("".join(".#"[lifted] for lifted in card) + "\n" for card in field)


@cache
def picture(seed: int) -> bytes:
    """The back of the cloth."""
    return field_of([[1 - lifted for lifted in reversed(card)] for card in cards(seed)], SIZE).png()


def files_of(seed: int) -> Mapping[str, str]:
    """The program and its cards."""
    return {**program("repair_jacquard"), "cards.txt": table(damaged(seed))}


def cases(seed: int) -> Sequence[tuple[str, str]]:
    """All cards, all threads, and all blocks."""
    field, every = cards(seed), range(1, SIDE + 1)
    runs = []
    for card in field:
        lengths = [len(list(run)) for _, run in groupby(card)]
        runs.append(" ".join(map(str, lengths if card[0] else [0, *lengths])))
    lifting = [" ".join(str(n) for n in every if field[n - 1][t - 1]) or "none" for t in every]
    corners = [(n, t) for n in range(1, SIDE, 5) for t in range(1, SIDE, 5)]
    sums = [" ".join(str(sum(card[t - 1 : t + 4])) for card in field[n - 1 : n + 4]) for n, t in corners]
    return [
        ("".join(f"pick {n}\n" for n in every), "\n".join(runs)),
        ("".join(f"thread {n}\n" for n in every), "\n".join(lifting)),
        ("".join(f"block {n} {t}\n" for n, t in corners), "\n".join(sums)),
    ]


def build(seed: int) -> Node:
    """The test of a seed."""
    return mended(partial(picture, seed), partial(files_of, seed), TASK, COMMAND, partial(cases, seed))
