"""Right and wrong work on extend_level; the level is also read from the pixels of its arrows' heads."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from evaluator import Call

from ..concurrent_arrows import WAYS
from ..extend_level import FIELD, OTHER, SIGNS, rows
from ..stamps import EDGE
from .pixels import Pixels


def _read(seed: int) -> list[str]:
    """The sign of each square by the direction in which an arrow is broad."""
    pixels, size = Pixels(FIELD.picture(OTHER + seed)), FIELD.size

    def sign(x: int, y: int) -> str:
        found = []
        middle = EDGE + (x + 0.5) * size, EDGE + (y + 0.5) * size
        for a, b in WAYS:
            far = hypot(a, b)
            ahead = middle[0] + 2.6 * a / far, middle[1] + 2.6 * b / far
            beside = [(ahead[0] + side * -b / far, ahead[1] + side * a / far) for side in (-2.6, 2.6)]
            found.append(sum(pixels.is_dark(*each) for each in beside))
        if min(found) == 2:
            return SIGNS[-1]
        return SIGNS[found.index(2)] if found.count(2) == 1 else "?"

    return ["".join(sign(x, y) for x in range(FIELD.columns)) for y in range(FIELD.rows)]


def _written(level: Sequence[str]) -> list[object]:
    text = "\n".join(level)
    command = f"cat > levels/delta.txt <<'END'\n{text}\nEND\necho list | python3 drift.py"
    return [Call("shell", command=command), "The level is added."]


def _misread(seed: int, count: int) -> list[str]:
    """Some arrows that seem to point a little aside."""
    level = [list(row) for row in rows(seed)]
    for n in range(count):
        y, x = (11 * n + 5) % (FIELD.rows - 2) + 1, (17 * n + 8) % (FIELD.columns - 2) + 1
        level[y][x] = "5" if level[y][x] == "o" else SIGNS[(SIGNS.index(level[y][x]) + 1) % 8]
        level[y][x] = level[y][x].replace("5", "6")
    return ["".join(row) for row in level]


def right(seed: int) -> list[object]:
    return [
        _written(rows(seed)),
        lambda messages: "Done." if messages[-1].role != "user" else _written(_read(seed))[0],
    ]


def wrong(seed: int) -> list[object]:
    level = rows(seed)
    return [
        _written(_misread(seed, 1)),
        _written(_misread(seed, 40)),
        _written([row.translate(str.maketrans("789123", "123789")) for row in level]),
        _written([level[0], *level[:-1]]),
        [Call("shell", command="ls; cat README.md"), "I cannot see the level."],
    ]
