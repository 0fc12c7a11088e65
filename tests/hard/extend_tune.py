"""A tune for four ringers, written by hand in signs of four strokes, is to be added to a program."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from evaluator import *

from .extended import OTHER, work
from .look_numerals import Numerals

DESCRIPTION = "Can an agent add a tune to a program, whose beats are written by hand in a made-up script?"
TAGS = ["hard", "vision", "agent"]

SHEET = Numerals(rows=11, columns=10, wide=980, high=998, unit=9, waver=0.16, lean=9)
RINGERS = ("bass", "tenor", "alto", "treble")
COMMAND = "python3 carillon.py"
QUESTION = """In this folder is carillon, a small Python program about tunes for nine bells and four ringers; README.md has its rules. The picture shows a sheet of a new tune, which is not in the folder. Add it under the name dusk, as tunes/dusk.txt.

Each beat is one sign: a long upright staff with strokes in four places, which say the bells of the four ringers. The top of the picture shows the strokes for the bells 1 to 9 as they are written for the treble, at the right of the staff, at its top. The alto is at the left of the top, as in a mirror; the tenor is at the right of the
bottom, turned upside down as in a mirror that lies below; the bass is at the left of the bottom, mirrored both ways. So the sign is the number of the beat in its file: treble, alto, tenor and bass are its units, tens, hundreds and thousands. An empty place is a rest. At the right end of the legend stand, as examples, bell 1 alone for the treble
(1), the alto (10), the tenor (100) and the bass (1000). The signs are written by hand: strokes lean and waver a little.

Below the line are the 110 beats of the tune, in 11 rows, A to K, of 10 beats, each read from left to right.

Everything in README.md must go on to hold, for the other tunes as well. Hidden commands ask for every beat, and all their answers must be right. The program is run as `python3 carillon.py` in this folder."""


@cache
def beats(seed: int) -> Sequence[str]:
    """The tune."""
    return [f"{number:04}" for row in SHEET.sheet(OTHER + seed).values() for number in row]


@cache
def cases(seed: int) -> Sequence[tuple[str, str]]:
    """Every beat, parts, counts, and the old tunes."""
    tune = beats(seed)
    script = []
    for n, beat in enumerate(tune, 1):
        rung = [f"{ringer} {bell}" for ringer, bell in zip(RINGERS, beat, strict=True) if bell != "0"]
        script.append((f"beat dusk {n}", ", ".join(rung) or "rest"))
    parts = [
        (f"part Dusk {ringer}", " ".join(each.replace("0", "-") for each in part))
        for ringer, part in zip(RINGERS, zip(*tune, strict=True), strict=True)
    ]
    parts.append(("count dusk", " ".join(str("".join(tune).count(bell)) for bell in "123456789")))
    chords = [
        (f"chord dusk {n}", " ".join(sorted({*tune[n - 1]} - {"0"})) or "rest") for n in range(3, 111, 9)
    ]
    listed = ("LIST", f"dawn 12, dusk {len(tune)}, noon 8")
    scripts = [script[n : n + 22] for n in range(0, 110, 22)] + [[*parts, *chords], [*OLD, listed]]
    return [tuple("\n".join(side) for side in zip(*its, strict=True)) for its in scripts]  # type: ignore[misc]


OLD = [
    ("beat dawn 2", "tenor 3"),
    ("beat dawn 6", "rest"),
    ("part noon alto", "1 2 3 4 0 5 0 6".replace("0", "-")),
    ("count dawn", "3 2 4 2 3 2 0 1 4"),
    ("chord dawn 9", "2 4 6"),
    ("chord noon 2", "2"),
]


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(SHEET.picture, OTHER + seed)
    return work("extend_tune", picture, QUESTION, COMMAND, partial(cases, seed))
