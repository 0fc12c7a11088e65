"""Right and wrong pictures for exact_nonogram."""

from ..exact_nonogram import SIDE, Picture, blocks, planted, turned


def _said(picture: Picture) -> str:
    return "Line by line:\n\n```\n" + "\n".join(picture) + "\n```"


def _to_the_left(seed: int) -> Picture:
    """All blocks as far to the left as they go."""
    return tuple(".".join("#" * length for length in blocks(row)).ljust(SIDE, ".") for row in planted(seed))


def right(seed: int) -> list[str]:
    picture = planted(seed)
    return [_said(picture), _said(tuple(" ".join(row) for row in picture))]


def wrong(seed: int) -> list[str]:
    picture = planted(seed)
    other = picture[0].replace("#", "x", 1).replace(".", "#", 1).replace("x", ".")
    return [
        _said(turned(picture)),
        _said((other, *picture[1:])),
        _said(picture[:-1]),
        _said(_to_the_left(seed)),
        "\n".join(picture),
        "There is no such picture.",
    ]
