"""Right and wrong replies to look_differences."""

from ..look_differences import sheets


def _differ(seed: int, seen: tuple[int, ...] = (0, 1, 2, 3)) -> list[str]:
    """The places that differ in what is seen: form, colour, dot, bars."""
    left, right = sheets(seed)
    return sorted(place for place in left if any(left[place][each] != right[place][each] for each in seen))


def _said(places: list[str], number: int | None = None) -> str:
    listed = ", ".join(places)
    return f"I compared them row by row.\n\nNUMBER: {number or len(places)}\nPLACES: {listed}"


def right(seed: int) -> list[str]:
    places = _differ(seed)
    return [_said(places), f"**Number:** {len(places)}\n**Places:** {' '.join(places[::-1]).lower()}"]


def wrong(seed: int) -> list[str]:
    places = _differ(seed)
    extra = next(f"A{row}" for row in range(1, 17) if f"A{row}" not in places)
    return [
        _said(places[:-1]),
        _said(sorted([*places, extra])),
        _said(_differ(seed, (0, 1))),
        _said(places, len(places) + 1),
        "The two sheets are the same.",
    ]
