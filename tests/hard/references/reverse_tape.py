"""Right and wrong replies to reverse_tape: the holes are read from the picture."""

from __future__ import annotations

from functools import cache

from ..reverse_tape import EDGE, LETTERS, TASK, TRACKS
from .pixels import Pixels


@cache
def _columns(seed: int) -> dict[str, list[str]]:
    pixels, found = Pixels(TASK.picture(seed)), {}
    for number, name in enumerate(TASK.names):
        found[name] = [
            "".join(
                str(int(pixels.is_dark(EDGE + (place + 0.5) * TASK.size, TASK.height(number, track))))
                for track in range(TRACKS)
            )
            for place in range(TASK.columns)
        ]
    return found


def _said(seed: int, *, checked: bool = True, turned: bool = True, low_first: bool = False) -> str:
    lines = []
    for name, columns in _columns(seed).items():
        text = ""
        for column in columns:
            value = int(column[4::-1] if low_first else column[:5], 2)
            if value < 26 and not (checked and column.count("1") % 2):
                text += (LETTERS[::-1] if turned and column[5] == "1" else LETTERS)[value]
        lines.append(f"{name}: {text}")
    return "\n".join(lines)


def right(seed: int) -> list[str]:
    said = _said(seed)
    spaced = "\n".join(f"- **{line[0]}:** {' '.join(line[3:].lower())}" for line in said.split("\n"))
    return [f"Column by column.\n\n{said}", spaced]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    return [
        _said(seed, checked=False),
        _said(seed, turned=False),
        _said(seed, low_first=True),
        said[:-1],
        said.rsplit("\n", 1)[0],
        "The tapes are blank.",
    ]
