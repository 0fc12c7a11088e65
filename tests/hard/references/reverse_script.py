"""Right and wrong replies to reverse_script: each sign is told by its pixels, and each habit is tried."""

from __future__ import annotations

from functools import cache
from itertools import product

from ..drawing import Canvas
from ..reverse_script import HALF, MIRRORED, PLAIN, SHAPES, SIGNS, TASK, Sign, strokes, written
from .pixels import Pixels

SIDE, BESIDE = 46, 4  # pixels about a sign; where its neighbours may reach in
FIRST = 4  # how many of the most similar signs are compared again
LEANS = (-8, 0, 8)  # by how many degrees they lean then
Habit = tuple[int, str]


DIGITS = bytes(ord("1") if each == 0x1C else ord("0") for each in range(256))


def _bits(rows: list[bytes]) -> tuple[int, bool]:
    """Dark pixels as one number, moved so that their box is about the middle; and whether it is high."""
    down = [n for n, row in enumerate(rows) if 0x1C in row]
    over = [each for row in rows for each in (row.find(0x1C), row.rfind(0x1C)) if each >= 0]
    left, right = min(over), max(over)
    by = (SIDE - down[0] - down[-1]) // 2 * SIDE + (SIDE - left - right) // 2
    found = int(b"".join(rows)[::-1].translate(DIGITS), 2)
    return found << by if by > 0 else found >> -by, down[-1] - down[0] > right - left


def _near(bits: int) -> int:
    """Pixels at most two from a dark one."""
    for by in (1, 1, SIDE, SIDE):
        bits |= bits << by | bits >> by
    return bits


@cache
def _shapes(lean: float = 0) -> dict[Sign, tuple[int, int]]:
    """All signs as they are drawn exactly, but leaning by some degrees, and with what is near."""
    found = {}
    for sign in product(range(len(SHAPES)), range(4), (False, True)):
        canvas = Canvas(SIDE, SIDE)
        for stroke in strokes(sign, TASK, lean):
            canvas.line([(SIDE / 2 + a, SIDE / 2 + b) for a, b in stroke], 2)
        bits, _ = _bits([bytes(row[::3]) for row in canvas.rows])
        found[sign] = bits, _near(bits)
    return found


def _likeness(bits: int, near: int, sign: Sign, lean: float) -> float:
    """How much of each lies near the other."""
    exact, about = _shapes(lean)[sign]
    return (exact & near).bit_count() / exact.bit_count() + (bits & about).bit_count() / bits.bit_count()


@cache
def _sheet(seed: int) -> list[list[Sign]]:
    """The signs line by line, from left to right."""
    pixels, found, pale = Pixels(TASK.picture(seed)), [], b"\xff" * BESIDE
    for line in range(TASK.known + TASK.asked):
        row = []
        for column in range(TASK.columns):
            x, y = (each - SIDE // 2 for each in TASK.middle(line, column))
            starts = [(y + n) * pixels.wide + 1 + 3 * (x + BESIDE) for n in range(SIDE)]
            size = 3 * (SIDE - 2 * BESIDE)
            bits, is_high = _bits([pale + pixels.rows[at : at + size : 3] + pale for at in starts])
            near = _near(bits)
            signs = [sign for sign in _shapes() if (sign[1] % 2 == 0) == is_high]
            signs.sort(key=lambda sign: -_likeness(bits, near, sign, 0))
            pairs = product(signs[:FIRST], LEANS)
            row.append(max(pairs, key=lambda pair: _likeness(bits, near, *pair))[0])
        found.append(row)
    return found


def _read(signs: list[Sign], line: int, habit: Habit) -> list[Sign]:
    """A line in the order of writing, its signs as they are in a line to the right."""
    if line % 2 != habit[0]:
        return signs
    return [written(sign, habit[1]) for sign in reversed(signs)]  # each habit is its own inverse


@cache
def _keys(seed: int) -> dict[Habit, dict[Sign, str]]:
    """The habits that explain the known lines, each with the letters of the signs."""
    found = {}
    for habit in product((0, 1), (MIRRORED, HALF, PLAIN)):
        pairs = {
            pair
            for line in range(TASK.known)
            for pair in zip(
                _read(_sheet(seed)[line], line, habit), TASK.text(seed)[str(line + 1)], strict=True
            )
        }
        if len(pairs) == len(SIGNS):
            found[habit] = dict(pairs)
    return found


def _said(seed: int, habit: Habit, key: dict[Sign, str]) -> str:
    lines = {n: _read(_sheet(seed)[n], n, habit) for n in range(TASK.known, TASK.known + TASK.asked)}
    return "\n".join(f"{n + 1}: {''.join(key[sign] for sign in signs)}" for n, signs in lines.items())


def right(seed: int) -> list[str]:
    ((habit, key),) = _keys(seed).items()
    said = _said(seed, habit, key)
    return [f"Line by line.\n\n{said}", "\n".join(f"- **{each.lower()}**" for each in said.split("\n"))]


def wrong(seed: int) -> list[str]:
    ((habit, key),) = _keys(seed).items()
    said, (left, way) = _said(seed, habit, key), habit
    other = MIRRORED if way != MIRRORED else HALF
    return [
        _said(seed, (1 - left, way), key),
        _said(seed, (left, other), key),
        _said(seed, (2, PLAIN), key),  # all lines to the right
        said[:-1] + ("A" if said[-1] != "A" else "B"),
        said.rsplit("\n", 1)[0],
        "I cannot read this script.",
    ]
