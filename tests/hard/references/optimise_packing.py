"""Right and wrong packings for optimise_packing."""

from __future__ import annotations

from ..optimise_packing import SIDE, planted, sizes


def _lines(seed: int) -> list[str]:
    letters = {size: letter for letter, size in sizes(seed).items()}
    return [f"{letters[max(w, h), min(w, h)]}: {x} {y} {w} {h}" for x, y, w, h in sorted(planted(seed))]


def _shelves(seed: int) -> list[str]:
    """The usual way: rows from the bottom, the highest pieces first; what does not fit is left out."""
    lines, x, y, high = [], 0, 0, 0
    for letter, (w, h) in sorted(sizes(seed).items(), key=lambda each: -each[1][1]):
        if x + w > SIDE:
            x, y, high = 0, y + high, 0
        if x + w <= SIDE and y + h <= SIDE:
            lines.append(f"{letter}: {x} {y} {w} {h}")
            x, high = x + w, max(high, h)
    return lines


def right(seed: int) -> list[str]:
    lines = _lines(seed)
    marked = [
        f"- **{line[0]}**: x={line.split()[1]}, y={line.split()[2]}, w={line.split()[3]}, h={line.split()[4]}"
        for line in lines
    ]
    return ["\n".join(["It goes like this.", *lines]), "\n".join(marked)]


def wrong(seed: int) -> list[str]:
    lines = _lines(seed)
    first = lines[0].split()
    turned = f"{first[0]} {first[1]} {first[2]} {first[4]} {first[3]}"
    return [
        "\n".join(_shelves(seed)),
        "\n".join(lines[:-1]),
        "\n".join([turned, *lines[1:]]),
        "\n".join([*lines[:-1], f"{lines[-1][0]}: 0 0 {SIDE} {SIDE}"]),
        "It cannot be done.",
    ]
