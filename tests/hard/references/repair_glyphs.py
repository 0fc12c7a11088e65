"""Right and wrong work on repair_glyphs."""

from __future__ import annotations

from evaluator import Call

from ..repair_glyphs import OTHER, SHEET, copied, entries, table
from .mended import Writes


def right(seed: int) -> list[object]:
    return [Writes("tablet.txt", lambda: table(entries(seed)))]


def wrong(seed: int) -> list[object]:
    true = entries(seed)
    sheet = list(SHEET.sheet(OTHER + seed).values())
    # a reader who takes signs that stand on their heads for mirrored ones
    upside = [f"{each.sign + 1}{'m' * (90 < each.turn < 270)}" for each in sheet]
    rows = [upside[n : n + SHEET.columns] for n in range(0, len(upside), SHEET.columns)]
    over = {True: "", False: "m"}
    slip = [[true[0][0][0] + over[len(true[0][0]) > 1], *true[0][1:]], *true[1:]]
    return [
        Writes("tablet.txt", lambda: table(slip)),
        Writes("tablet.txt", lambda: table(rows)),
        Writes("tablet.txt", lambda: table([*true[:9], *copied(seed)[9:]])),
        Writes("tablet.txt", lambda: table(copied(seed))),
        [Call("shell", command="cat tablet.txt"), "I cannot tell which are mirrored."],
    ]
