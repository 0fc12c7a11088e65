"""Right and wrong work on repair_netlist."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluator import Call

from ..repair_netlist import Wires, table, typed, wires
from .mended import Writes


def _list(seed: int, change: Callable[[Wires, Wires], Sequence[tuple[int, int]]]) -> Writes:
    """A change of the true wires and those of the file, made when a trial asks for it."""
    return Writes("wires.txt", lambda: table(change(wires(seed), typed(seed))))


def _slip(true: Wires, was: Wires) -> Sequence[tuple[int, int]]:
    (a, b), (c, d) = true[:2]
    return [(a, d), (c, b), *true[2:]]


def right(seed: int) -> list[object]:
    return [_list(seed, lambda true, was: true)]


def wrong(seed: int) -> list[object]:
    return [
        _list(seed, _slip),
        _list(seed, lambda true, was: [true[0][::-1], *true[1:]]),
        _list(seed, lambda true, was: [*true[:80], *was[80:]]),
        _list(seed, lambda true, was: [a if {*a} == {*b} else b for a, b in zip(true, was, strict=True)]),
        _list(seed, lambda true, was: [pair[::-1] for pair in true]),
        _list(seed, lambda true, was: was),
        [Call("shell", command="cat wires.txt"), "I cannot follow the wires."],
    ]
