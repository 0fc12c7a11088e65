"""Right and wrong replies to optimise_tracks: tracks are joined from points, the choice is made from their crossings."""

from __future__ import annotations

from functools import cache

from ..optimise_tracks import BOARD, OTHERS, chosen
from ..routes import Railway, Route
from .routed import met, pieces_of


@cache
def _chosen(seed: int) -> tuple[list[str], list[str], str]:
    """Ends of the best tracks, the best track first; the other ends; and an end of a track that one of them crosses."""
    pieces = pieces_of(BOARD, OTHERS + seed)
    names = sorted(pieces, key=lambda each: (-len({tile for tile, _ in pieces[each]}), sorted(each)))
    routes = tuple(Route(*sorted(each), tuple(tile for tile, _ in pieces[each])) for each in names)
    crossings = {
        (n, m): tuple(met(pieces[names[n]], pieces[names[m]]))
        for m in range(len(names))
        for n in range(m)
        if {tile for tile, _ in pieces[names[n]]} & {tile for tile, _ in pieces[names[m]]}
    }
    its = Railway(routes, crossings)
    best = sorted(chosen(its)[1])
    crossed = next(
        n for n in reversed(range(len(routes))) if n not in best and any(its.met(n, m) for m in best)
    )
    return [routes[n].begin for n in best], [routes[n].end for n in best], routes[crossed].begin


def _said(names: list[str]) -> str:
    return f"I followed them all.\n\nTRACKS: {' '.join(names)}"


def right(seed: int) -> list[str]:
    begins, ends, _ = _chosen(seed)
    return [_said(begins), f"**Tracks:** {', '.join(reversed(ends)).lower()}"]


def wrong(seed: int) -> list[str]:
    begins, _, crossed = _chosen(seed)
    return [
        _said(begins[:-1]),
        _said(begins[1:]),
        _said([*begins, crossed]),
        _said([*begins[1:], "T99"]),
        _said([*BOARD.outer().values()]),
        "All of them cross.",
    ]
