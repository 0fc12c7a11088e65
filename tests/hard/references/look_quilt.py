"""Right and wrong replies to look_quilt: the colours of each patch in the picture beside those of its three others."""

from __future__ import annotations

from functools import cache

from ..look_quilt import LETTERS, TASK
from .pixels import Pixels

Look = tuple[str, ...]
# points of a patch; none is near the edge of a piece
POINTS = [((x + 0.2) / 12, (y + 0.55) / 12) for x in range(12) for y in range(12)]


@cache
def _seen(seed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The patches that are unlike the other three of their group, and one right patch of each of these groups."""
    pixels = Pixels(TASK.picture(seed))
    wrong, right = [], []
    for x in range(TASK.size // 2):
        for y in range(TASK.size // 2):
            group, looks = [], []
            for quarter in range(4):
                name = f"{LETTERS[x]}{y + 1}"
                left, top = TASK.place(name)
                points = POINTS
                for _ in range(quarter):
                    points = [(1 - b, a) for a, b in points]
                looks.append(
                    tuple(pixels.colour(left + TASK.side * a, top + TASK.side * b) for a, b in points)
                )
                group.append(name)
                x, y = TASK.size - 1 - y, x
            apart = [[_unlike(look, other) for other in looks] for look in looks]
            if max(map(max, apart)) > 4:
                odd = max(range(4), key=lambda n: sum(apart[n]))
                wrong.append(group[odd])
                right.append(group[odd - 1])
    return tuple(wrong), tuple(right)


def _unlike(one: Look, other: Look) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def _said(wrong: tuple[str, ...], number: int = 0) -> str:
    return f"Group by group:\n\nNUMBER: {number or len(wrong)}\nWRONG: {' '.join(wrong)}"


def right(seed: int) -> list[str]:
    wrong, _ = _seen(seed)
    return [_said(wrong), f"- **Number:** {len(wrong)}\n- **Wrong:** {', '.join(reversed(wrong)).lower()}"]


def wrong(seed: int) -> list[str]:
    odd, even = _seen(seed)
    return [
        _said(odd[:-1]),
        _said((*odd, even[0])),
        _said((*odd[:-1], even[-1])),
        _said(even),
        _said(odd, len(odd) + 1),
        "The quilt is the same after a turn.",
    ]
