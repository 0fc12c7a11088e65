"""A font of thirty-two made-up signs, charted in half stitches and seen from the back, is to be added to a program."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .drawing import Canvas
from .extended import program, work
from .hand import pen
from .stamps import sheet, square

DESCRIPTION = "Can an agent add a font of sixteen hundred squares to a program from a chart of stitches?"
TAGS = ["hard", "vision", "agent"]

SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
ACROSS, WIDE, HIGH, SIZE = 8, 5, 10, 22  # signs in a row of the sheet, squares of a sign, pixels of a square
INK, VARIANTS = 0.46, 8  # the part of the squares; hands of each stitch
COMMAND = "python3 banner.py"
QUESTION = """In this folder is banner, a small Python program that writes texts in large letters; README.md has its rules. The picture shows an embroiderer's chart of a new font, which is not in the folder. Add it under the name runes, as fonts/runes.txt.

The chart has 40 rows and 40 columns of squares; blue numbers count every fifth. On it stand the 32 signs A to Z and 0 to 5 of a made-up script, each 5 squares wide and 10 high, without gaps: A to H from left to right in rows 1 to 10, I to P in rows 11 to 20, Q to X in
rows 21 to 30, and Y, Z, 0, 1, 2, 3, 4, 5 in rows 31 to 40. Each square holds a half stitch, drawn by hand: a stroke that rises to the right, like /, is ink, and one that falls to the right, like \\, is paper. Each sign is charted as it is seen from the back of the cloth: of the 5 squares in each of its rows,
the last one on the chart is the first one in print. (The signs stand in the order named, only each in itself is reversed; read the strokes as they are drawn.) In the file, write the signs in the order named and as they are printed.

Everything in README.md must go on to hold, for the other fonts as well. Hidden commands print every sign, and all their answers must be right. The program is run as `python3 banner.py` in this folder."""

Forms = Mapping[str, Sequence[str]]


@cache
def forms(seed: int) -> Forms:
    """The rows of each sign, as they are printed."""
    chance, found = random.Random(f"extend font {seed}"), dict[str, list[str]]()
    for sign in SIGNS:
        found[sign] = ["".join(".#"[chance.random() < INK] for _ in range(WIDE)) for _ in range(HIGH)]
    return found


def chart(printed: Forms) -> list[list[int]]:
    """The squares as drawn, 1 for ink: signs side by side, each reversed."""
    lines = []
    for first in range(0, len(SIGNS), ACROSS):
        its = [printed[sign] for sign in SIGNS[first : first + ACROSS]]
        lines += [[int(square == "#") for form in its for square in form[row][::-1]] for row in range(HIGH)]
    return lines


def stitch(is_ink: bool, chance: random.Random) -> Canvas:
    """A square with a stroke by hand."""
    field, middle = square(SIZE), SIZE / 2
    a, b, c, d, x, y = (chance.uniform(-1.2, 1.2) for _ in range(6))
    side = 5.5 if is_ink else -5.5
    ends = [(middle + x + a - side, middle + y + b + 5.5), (middle + x + c + side, middle + y + d - 5.5)]
    pen(field, ends, bytes.fromhex("1c1c1c") * 2)
    return field


@cache
def picture(seed: int) -> bytes:
    """The chart."""
    chance = random.Random(f"extend font hand {seed}")
    hands = [stitch(is_ink, chance) for is_ink in (False, True) for _ in range(VARIANTS)]
    lines = chart(forms(seed))
    return sheet(
        [[VARIANTS * each + chance.randrange(VARIANTS) for each in line] for line in lines], hands
    ).png()


def listed(printed: Forms) -> str:
    """The file of a font."""
    high = len(next(iter(printed.values())))
    return "\n".join([f"{''.join(printed)} {high}", *("\n".join([*form, ""]) for form in printed.values())])


def before(name: str) -> Forms:
    """A font that was there."""
    lines = [
        line for line in program("extend_font")[f"fonts/{name}.txt"].split("\n") if line[:1] not in ("", ";")
    ]
    signs, high = lines[0].split()[0], int(lines[0].split()[1])
    return {sign: lines[1 + n * high : 1 + (n + 1) * high] for n, sign in enumerate(signs)}


def rows(font: Forms, text: str) -> list[str]:
    """A text in a font."""
    form = next(iter(font.values()))
    wide, high = len(form[0]), len(form)
    frame = ["#" * wide if row in (0, high - 1) else f"#{'.' * (wide - 2)}#" for row in range(high)]
    return [".".join(font.get(sign, frame)[row] for sign in text) for row in range(high)]


@cache
def cases(seed: int) -> Sequence[tuple[str, str]]:
    """Each sign in print, some seen from behind, how many squares they have, and the old fonts."""
    runes, old, chance = forms(seed), {name: before(name) for name in ("block", "small")}, random.Random(seed)
    found = [
        (f"print runes {text}", "\n".join(rows(runes, text)))
        for text in (SIGNS[n : n + 4] for n in range(0, 32, 4))
    ]
    text = "".join(chance.sample(SIGNS, 9)) + "9"
    found.append((f"back runes {text.lower()}", "\n".join(row[::-1] for row in rows(runes, text))))
    found.append((f"ink runes {SIGNS}", " ".join(str("".join(form).count("#")) for form in runes.values())))
    last = [(f"print {name} {text}", "\n".join(rows(font, text))) for name, font in old.items()]
    told = [*last, ("list", "block 36 5x7, runes 32 5x10, small 10 3x5"), ("like block Q", "O 5")]
    return [*found, ("\n".join(each for each, _ in told), "\n".join(each for _, each in told))]


def build(seed: int) -> Node:
    """The test of a seed."""
    return work("extend_font", partial(picture, seed), QUESTION, COMMAND, partial(cases, seed))
