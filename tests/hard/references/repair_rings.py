"""Right and wrong work on repair_rings."""

from __future__ import annotations

from collections.abc import Callable

from evaluator import Call

from ..repair_rings import HEAP, OTHER, Links, links, listed, table
from .mended import Writes


def _list(seed: int, change: Callable[[Links, Links], Links]) -> Writes:
    """A change of the true links and those of the file, made when a trial asks for it."""
    return Writes("links.txt", lambda: table(change(links(seed), listed(seed))))


def _crossing(seed: int) -> Links:
    """All pairs that cross, as a reader sees who does not look which ring lies above."""
    names = HEAP.names(OTHER + seed)
    pairs = {(names[a], names[b]) for a, b, _ in HEAP.heap(OTHER + seed).crossings}
    return frozenset((min(pair), max(pair)) for pair in pairs)


def right(seed: int) -> list[object]:
    return [_list(seed, lambda true, was: true)]


def wrong(seed: int) -> list[object]:
    return [
        _list(seed, lambda true, was: true ^ frozenset(sorted(true ^ was)[:1])),
        _list(seed, lambda true, was: true ^ frozenset(sorted(true ^ was)[:9])),
        _list(seed, lambda true, was: true & was),
        Writes("links.txt", lambda: table(_crossing(seed))),
        Writes("links.txt", lambda: table(_crossing(seed) - links(seed))),
        _list(seed, lambda true, was: was),
        [Call("shell", command="cat links.txt"), "I cannot tell which are linked."],
    ]
