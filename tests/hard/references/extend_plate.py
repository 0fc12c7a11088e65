"""Right and wrong work on extend_plate: the file of the new tray, and what slips of the eye make of it."""

from __future__ import annotations

from evaluator import Call

from ..extend_plate import OTHER, SHEET, Fields, fields


def _written(tray: Fields) -> list[object]:
    text = "\n".join(" ".join(map(str, row)) for row in tray)
    command = f"cat > trays/vault.txt <<'END'\n{text}\nEND\necho list | python3 trays.py"
    return [Call("shell", command=command), "The tray is added."]


def _misread(seed: int, count: int) -> Fields:
    """Some crystals taken for their mirror images."""
    tray = [list(row) for row in fields(seed)]
    for n in range(count):
        y, x = (5 * n + 4) % SHEET.rows, (7 * n + 9) % SHEET.columns
        tray[y][x] *= -1
    return tray


def _upside(seed: int) -> Fields:
    """Crystals that stand on their heads taken for mirrored ones."""
    signs = [
        (-1 if 90 < each.turn < 270 else 1) * (each.sign + 1) for each in SHEET.sheet(OTHER + seed).values()
    ]
    return [signs[n : n + SHEET.columns] for n in range(0, len(signs), SHEET.columns)]


def right(seed: int) -> list[object]:
    return [_written(fields(seed))]


def wrong(seed: int) -> list[object]:
    tray = [list(row) for row in fields(seed)]
    return [
        _written(_misread(seed, 1)),
        _written(_misread(seed, 25)),
        _written(_upside(seed)),
        _written([[-each for each in row] for row in tray]),
        _written([[each % 8 + 1 if each == 3 else each for each in row] for row in tray]),
        [Call("shell", command="ls; cat README.md"), "I cannot tell them apart."],
    ]
