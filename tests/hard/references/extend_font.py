"""Right and wrong work on extend_font: the stitches are read from the pixels of the chart."""

from __future__ import annotations

from collections.abc import Iterable

from evaluator import Call

from ..extend_font import ACROSS, HIGH, SIGNS, SIZE, WIDE, forms, listed, picture
from ..stamps import EDGE
from .pixels import Pixels


def _read(seed: int) -> dict[str, list[str]]:
    """The signs as they stand on the chart, exchanged left and right."""
    pixels, found = Pixels(picture(seed)), {}
    for n, sign in enumerate(SIGNS):
        left, top = n % ACROSS * WIDE, n // ACROSS * HIGH

        def rises(x: int, y: int) -> bool:
            """Whether the upper end of the stroke is at the right."""
            for down in range(3, SIZE):
                at = (EDGE + y * SIZE + down) * pixels.wide + 1 + 3 * (EDGE + x * SIZE)
                reds = pixels.rows[at + 6 : at + 3 * SIZE - 6 : 3]
                if min(reds) < 90:
                    return 2 * reds.index(min(reds)) > len(reds) - 2
            return False

        def row(y: int, left: int = left) -> Iterable[str]:
            return (".#"[rises(x, y)] for x in reversed(range(left, left + WIDE)))

        found[sign] = ["".join(row(y)) for y in range(top, top + HIGH)]
    return found


def _written(font: dict[str, list[str]]) -> list[object]:
    command = f"cat > fonts/runes.txt <<'END'\n{listed(font)}END\necho list | python3 banner.py"
    return [Call("shell", command=command), "The font is added."]


def _flipped(seed: int, count: int) -> dict[str, list[str]]:
    """Some squares taken for the contrary."""
    found = {sign: list(form) for sign, form in forms(seed).items()}
    for n in range(count):
        form = found[SIGNS[(5 * n + 3) % len(SIGNS)]]
        row, x = form[n % HIGH], n % WIDE
        form[n % HIGH] = f"{row[:x]}{'#' if row[x] == '.' else '.'}{row[x + 1 :]}"
    return found


def right(seed: int) -> list[object]:
    return [lambda messages: "Done." if messages[-1].role != "user" else _written(_read(seed))[0]]


def wrong(seed: int) -> list[object]:
    font = {sign: list(form) for sign, form in forms(seed).items()}
    return [
        _written(_flipped(seed, 1)),
        _written(_flipped(seed, 30)),
        _written({sign: [row[::-1] for row in form] for sign, form in font.items()}),
        _written({**font, "M": font["N"]}),
        [Call("shell", command="ls; cat README.md"), "I cannot see the chart."],
    ]
