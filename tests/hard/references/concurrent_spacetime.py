"""Right and wrong replies to concurrent_spacetime: dots and arrows are looked for in the picture, and clocks are compared."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from ..arcs import Arc
from ..concurrent_spacetime import BOWS, FARTHEST, FLAT, NEAREST, TASK, Event
from .drawn import is_drawn
from .pixels import Pixels


@cache
def _seen(seed: int) -> tuple[list[list[int]], dict[int, int]]:
    """The places of each process that have dots; and the sending place by the receiving one."""
    pixels = Pixels(TASK.picture(seed))
    places: list[int] = []
    for place in range(TASK.processes * TASK.slots):
        x, y = TASK.at(place)
        if all(pixels.is_dark(x + a, y + b) for a in (-2, 2) for b in (-2, 2)):
            places.append(place)
    lines = [[each for each in places if each // TASK.slots == n] for n in range(TASK.processes)]
    messages: dict[int, int] = {}
    for one in sorted(places, key=lambda place: place % TASK.slots):  # who receives was found before
        if one not in messages:
            ends = (each for each in places if each not in messages and _may_join(one, each))
            arcs = (Arc(TASK.at(one), TASK.at(end), bow, (one, end)) for end in ends for bow in BOWS)
            arc = next(arc for arc in arcs if is_drawn(pixels, arc, TASK.sides))
            messages[arc.nodes[1]] = one
    assert sorted([*messages, *messages.values()]) == places
    return lines, messages


def _clocks(seed: int, sent: bool) -> dict[Event, list[int]]:
    """The vector clock of each event, which is named as in the question; `sent`: messages count."""
    lines, messages = _seen(seed)
    clocks = {place: [0] * len(lines) for its in lines for place in its}
    for n, its in enumerate(lines):
        for number, place in enumerate(its, 1):
            clocks[place][n] = number
    pairs = [pair for its in lines for pair in pairwise(its)] + [
        (one, end) for end, one in messages.items() if sent
    ]
    for one, other in sorted(pairs, key=lambda pair: pair[1] % TASK.slots):  # in the order of time
        clocks[other] = [*map(max, clocks[one], clocks[other])]
    return {(n, clocks[place][n - 1]): clocks[place] for n, its in enumerate(lines, 1) for place in its}


def _may_join(one: int, end: int) -> bool:
    """Whether a message can lead from place to place."""
    down = abs(one // TASK.slots - end // TASK.slots)
    right = end % TASK.slots - one % TASK.slots
    return 0 < right * TASK.slot <= FLAT * down * TASK.lane and NEAREST <= down <= FARTHEST


def _counts(seed: int, *, sent: bool = True, past: bool = True) -> dict[str, int]:
    """Not `past`: only later events are ordered."""
    clocks = _clocks(seed, sent)
    found = {}
    for name in TASK.wanted(seed):
        process, number = map(int, name.split("."))
        own = clocks[process, number]
        found[name] = sum(
            clock[process - 1] < number and not (past and own[at - 1] >= of)
            for (at, of), clock in clocks.items()
        )
    return found


def _said(counts: dict[str, int], mark: str = "") -> str:
    return "I followed each arrow.\n\n" + "\n".join(f"{mark}{name}{mark}: {n}" for name, n in counts.items())


def right(seed: int) -> list[str]:
    counts = _counts(seed)
    return [_said(counts), _said(counts, "**")]


def wrong(seed: int) -> list[str]:
    counts = _counts(seed)
    first = next(iter(counts))
    return [
        _said(_counts(seed, sent=False)),
        _said(_counts(seed, past=False)),
        _said({**counts, first: counts[first] + 1}),
        _said(dict([*counts.items()][:-1])),
        "All events are concurrent.",
    ]
