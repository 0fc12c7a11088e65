"""Right and wrong work on extend_walls; the walls are also read from the pixels of the plan."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator import Call

from ..extend_walls import COLUMNS, EDGE, ROWS, SIZE, hall, picture
from .pixels import Pixels


def _read(seed: int) -> list[str]:
    pixels = Pixels(picture(seed))

    def sign(x: int, y: int) -> str:
        right, low = EDGE + (x + 1) * SIZE, EDGE + (y + 1) * SIZE
        east = x + 1 < COLUMNS and pixels.is_dark(right, low - SIZE / 2)
        south = y + 1 < ROWS and pixels.is_dark(right - SIZE / 2, low)
        return ".esb"[east + 2 * south]

    return ["".join(sign(x, y) for x in range(COLUMNS)) for y in range(ROWS)]


def _written(plan: Sequence[str]) -> list[object]:
    text = "\n".join(plan)
    command = f"cat > halls/depot.txt <<'END'\n{text}\nEND\necho list | python3 rover.py"
    return [Call("shell", command=command), "The hall is added."]


def _misread(seed: int, count: int) -> list[str]:
    """Some walls that seem to be there or not."""
    plan = [list(row) for row in hall(seed)]
    for n in range(count):
        y, x = (11 * n + 5) % (ROWS - 1), (17 * n + 8) % (COLUMNS - 1)
        plan[y][x] = {".": "e", "e": ".", "s": "b", "b": "e"}[plan[y][x]]
    return ["".join(row) for row in plan]


def right(seed: int) -> list[object]:
    return [
        _written(hall(seed)),
        lambda messages: "Done." if messages[-1].role != "user" else _written(_read(seed))[0],
    ]


def wrong(seed: int) -> list[object]:
    plan = hall(seed)
    return [
        _written(_misread(seed, 1)),
        _written(_misread(seed, 30)),
        _written([row.translate(str.maketrans("es", "se")) for row in plan]),
        _written([plan[-1], *plan[:-1]]),  # the walls at the north of squares taken for those at the south
        [Call("shell", command="ls; cat README.md"), "I cannot see the plan."],
    ]
