"""Right and wrong tours for optimise_van; the right one by branch and bound, which shares no search with the test."""

from __future__ import annotations

from functools import cache

from ..optimise_van import ROOM, far, instance, length_of, shortest


def _greedy(seed: int) -> list[str]:
    """Always to the nearest place that is allowed."""
    depot, parcels, (first, second), glass = instance(seed)
    at, states, stops = depot, [0] * len(parcels), []
    while states != [2] * len(parcels):
        allowed = []
        for n, state in enumerate(states):
            waits = n == second and states[first] != 2
            if state == 0 and not waits and states.count(1) < ROOM and states[glass] != 1:
                allowed.append((far(at, parcels[n][0]), n))
            if state == 1:
                allowed.append((far(at, parcels[n][1]), n))
        _, n = min(allowed)
        stops.append("ABCDEFGH"[n] + "+-"[states[n]])
        at = parcels[n][states[n]]
        states[n] += 1
    return stops


@cache
def _best(seed: int) -> tuple[str, ...]:
    """The shortest, from the end backwards: what is left of a tour from a place with the parcels in some states."""
    depot, parcels, (first, second), glass = instance(seed)

    @cache
    def rest(at: tuple[int, int], states: tuple[int, ...]) -> tuple[int, tuple[str, ...]]:
        if all(state == 2 for state in states):
            return far(at, depot), ()
        found = []
        for n, state in enumerate(states):
            blocked = sum(each == 1 for each in states) >= ROOM or states[glass] == 1
            blocked = blocked or (n == second and states[first] < 2)
            if state == 2 or (state == 0 and blocked):
                continue
            to = parcels[n][state]
            way, stops = rest(to, tuple(each + (m == n) for m, each in enumerate(states)))
            found.append((way + far(at, to), ("ABCDEFGH"[n] + "+-"[state], *stops)))
        return min(found, default=(10**9, ()))

    return rest(depot, (0,) * len(parcels))[1]


def _said(stops: object) -> str:
    return f"A short one:\n\nTour: {' '.join(stops)}"


def right(seed: int) -> list[str]:
    return [_said(_best(seed)), "**Tour:** " + ", ".join(shortest(seed)[1])]


def wrong(seed: int) -> list[str]:
    best = list(_best(seed))
    one_by_one = [stop for n in _order(seed) for stop in (f"{'ABCDEFGH'[n]}+", f"{'ABCDEFGH'[n]}-")]
    greedy = [_greedy(seed)] if length_of(seed, _greedy(seed))[0] > 1.015 * shortest(seed)[0] else []
    return [
        *map(_said, greedy),
        _said(one_by_one),
        _said(best[:-1]),
        _said([best[1], best[0], *best[2:]][::-1]),
        "Tour: any will do",
    ]


def _order(seed: int) -> list[int]:
    """The parcels by letter, the one that has to wait at the end."""
    _, parcels, (_, second), _ = instance(seed)
    return [*(n for n in range(len(parcels)) if n != second), second]
