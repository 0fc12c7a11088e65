"""Right and wrong work on extend_rings; which ring lies above is also read from the pixels beside each crossing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import partial

from assay.records import Message
from evaluator import Call

from ..extend_rings import OTHER, TASK, Pair, crossed, listed
from .pixels import Pixels


def _read(seed: int) -> set[Pair]:
    """Linked pairs: at their two crossings another one of them is whole beside it."""
    pixels, names = Pixels(TASK.picture(OTHER + seed)), TASK.names(OTHER + seed)
    heap, above = TASK.heap(OTHER + seed), defaultdict[Pair, set[str]](set)
    for pair in heap.crossings:
        dark = {}
        for n in pair[:2]:
            ring = heap.rings[n]
            part, near = ring.angle(pair[2]), range(-10, 11)
            points = [ring.point(part + step / 2 / ring.radius) for step in near]
            dark[names[n]] = sum(pixels.is_dark(*point) for point in points)
        first, last = sorted(dark)
        above[first, last].add(max(dark, key=lambda name: dark[name]))
    return {pair for pair, its in above.items() if len(its) == 2}


class Work:
    """The file of the heap, made when a trial asks for it, since it takes a while to lay the rings."""

    def __init__(self, seed: int, pairs: Callable[[int], Collection[Pair]]) -> None:
        self.seed, self.pairs = seed, pairs

    def __call__(self, messages: Sequence[Message]) -> Call | str:
        if messages[-1].role != "user":
            return "The heap is added."
        text = listed(self.pairs(self.seed))
        return Call(
            "shell", command=f"cat > heaps/chest.txt <<'END'\n{text}END\necho list | python3 tangles.py"
        )


def _slips(count: int, seed: int) -> Collection[Pair]:
    """Some pairs whose upper ring was seen wrongly at one crossing."""
    every, linked = crossed(seed)
    return linked ^ {*sorted(every)[3 :: len(every) // count][:count]}


def right(seed: int) -> list[object]:
    return [Work(seed, lambda seed: crossed(seed)[1]), Work(seed, _read)]


def wrong(seed: int) -> list[object]:
    return [
        Work(seed, partial(_slips, 1)),
        Work(seed, partial(_slips, 7)),
        Work(seed, lambda seed: crossed(seed)[0]),
        Work(seed, lambda seed: crossed(seed)[0] - crossed(seed)[1]),
        [Call("shell", command="ls; cat README.md"), "I cannot tell them apart."],
    ]
