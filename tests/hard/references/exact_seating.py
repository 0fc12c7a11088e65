"""Right and wrong seatings for exact_seating."""

from __future__ import annotations

from collections.abc import Sequence

from ..exact_seating import GROUPS, ITEMS, SEATS, others, planted


def _said(seating: Sequence[int], line: str = "{}: {}", sign: str = ", ") -> str:
    rows = ([ITEMS[n] for n in range(len(ITEMS)) if seating[n] == seat] for seat in range(SEATS))
    return "By cases.\n\n" + "\n".join(line.format(seat, sign.join(row)) for seat, row in enumerate(rows, 1))


def _exchanged(seating: Sequence[int], group: int, one: int, two: int) -> list[int]:
    """Two seats' items of a group change places."""
    turn = {one: two, two: one}
    return [turn.get(seat, seat) if n // SEATS == group else seat for n, seat in enumerate(seating)]


def _nearly(seed: int) -> Sequence[int]:
    """A seating that fits all clues but one."""
    clues, seating = planted(seed)
    for n in range(len(clues)):
        other, _ = others([*clues[:n], *clues[n + 1 :]], seating, 1000)
        if other is not None:
            return other
    return [0] * len(ITEMS)


def right(seed: int) -> list[str]:
    _, seating = planted(seed)
    return [_said(seating), _said(seating, "- **Seat {}:** {}", "; ").replace("Ada", "ada")]


def wrong(seed: int) -> list[str]:
    _, seating = planted(seed)
    return [
        _said(_nearly(seed)),
        _said(_exchanged(seating, 3, 0, 1)),
        _said(_exchanged(seating, len(GROUPS) - 1, 6, 7)),
        _said([SEATS - 1 - seat for seat in seating]),
        _said(seating).rsplit("\n", 1)[0],
        _said(seating) + ", Ada, Bela",
        "The clues allow several seatings.",
    ]
