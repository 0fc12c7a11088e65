"""Right and wrong trips for optimise_tour."""

from __future__ import annotations

from ..optimise_tour import EACH, length_of, name_of, nearest, places_of, short


def _said(trip: list[int], line: str = "Trip: {}", sign: str = " ") -> str:
    return "Around the rim, then inwards.\n\n" + line.format(sign.join(map(name_of, trip)))


def right(seed: int) -> list[str]:
    trip = list(short(seed)[1])
    turned = [*trip[5:], *trip[:5]][::-1]
    return [_said(trip), _said([*turned, turned[0]], "**Trip:** {}", " → ")]


def wrong(seed: int) -> list[str]:
    trip = list(short(seed)[1])
    places = places_of(seed)
    swapped = ([*trip[:2], trip[n], *trip[3:n], trip[2], *trip[n + 1 :]] for n in range(4, 2 * EACH, 2))
    other = max(swapped, key=lambda each: length_of(places, each))
    return [
        _said(nearest(places)),
        _said(other),
        _said(trip[:-1]),
        _said([trip[1], trip[0], *trip[2:]]),
        _said([n for pair in zip(range(EACH), range(EACH, 2 * EACH), strict=True) for n in pair]),
        _said(trip).replace("Trip:", "I would go"),
        "There is no such trip.",
    ]
