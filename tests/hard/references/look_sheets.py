"""Right and wrong replies to look_sheets: rounds as the longest ways down through what is seen to lie upon what."""

from __future__ import annotations

from collections.abc import Iterable

from ..look_sheets import TASK


def _rounds(seed: int, pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """A sheet's round is one after the last of those that lie upon it; they all have higher places in the heap."""
    _, numbers, _ = TASK.heap(seed)
    found = [1] * TASK.count
    for upper, lower in sorted(pairs, reverse=True):
        found[lower] = max(found[lower], found[upper] + 1)
    return dict(zip(numbers, found, strict=True))


def _said(found: dict[int, int], mark: str = "") -> str:
    lines = (f"{mark}{number}{mark}: {round_}" for number, round_ in sorted(found.items()))
    return "I took them off one after the other.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    found = _rounds(seed, TASK.heap(seed)[0].evident())
    return [_said(found), _said(found, "**")]


def wrong(seed: int) -> list[str]:
    heap, numbers, _ = TASK.heap(seed)
    evident = heap.evident()
    found = _rounds(seed, evident)
    last = max(found, key=lambda number: found[number])
    # a reader who counts the sheets that lie upon each, not the rounds
    covered = _rounds(seed, ())
    for n, (number, _) in enumerate(list(covered.items())):
        covered[number] += sum(lower == n for _, lower in heap.on)
    # and one who does not see that the last of all is covered
    lowest = numbers.index(last)
    return [
        _said({**found, last: found[last] - 1}),
        _said(covered),
        _said(_rounds(seed, (pair for pair in evident if pair[1] != lowest))),
        _said(dict(list(found.items())[:-1])),
        _said({number: min(2, round_) for number, round_ in found.items()}),
        "The sheets are all white.",
    ]
