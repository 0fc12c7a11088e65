"""Right and wrong replies to judgement_versions; the right one by running every version on every allowed input."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

from ..judgement_versions import chosen, source

CHANGES = (-1500, -1439, -61, -3, -2, -1, 0, 1, 2, 3, 58, 61, 1439, 1441, 1500)
FEW = 25  # inputs that a hurried reader tries


def _lists(values: range | str, longest: int) -> list[tuple[Any, ...]]:
    return [(list(each),) for size in range(longest + 1) for each in product(values, repeat=size)]


def _merges() -> list[tuple[Any, ...]]:
    pairs = [(a, b) for a in range(10) for b in range(a, 10)]
    spans: list[list[tuple[int, int]]] = [[]]
    for _ in range(3):
        spans += [[*some, one] for some in spans for one in pairs if not some or one[0] >= some[-1][1] + 2]
    unique = sorted({tuple(each) for each in spans})
    return [(list(each), *pair) for each in unique for pair in pairs]


INPUTS: dict[str, Callable[[], list[tuple[Any, ...]]]] = {
    "pack": lambda: _lists(range(9), 5),
    "collapse": lambda: [("".join(each),) for (each,) in _lists("()x", 9)],
    "merge": _merges,
    "shift": lambda: list(product(range(24), range(60), CHANGES)),
    "place": lambda: [
        (list(row), value)
        for size in range(7) for row in combinations_with_replacement(range(7), size) for value in range(7)
    ],
    "score": lambda: _lists(range(5), 7),
    "fold": lambda: _lists(range(2), 11),
}  # fmt: skip


def _result(lines: list[str], name: str, inputs: list[tuple[Any, ...]]) -> list[Any]:
    space: dict[str, Any] = {}
    exec("\n".join(lines), space)
    found = []
    for each in inputs:
        try:
            found.append(space[name](*(list(value) if type(value) is list else value for value in each)))
        except Exception as error:  # noqa: BLE001 - a version may raise anything
            found.append(type(error))
    return found


@cache
def _equal(seed: int, most: int = 10**9) -> tuple[int, ...]:
    """The versions that return the same for the first `most` inputs."""
    number, equal = 0, []
    for name, changes in chosen(seed):
        lines, inputs = source(name), INPUTS[name]()[:most]
        wanted = _result(lines, name, inputs)
        for (at, line), _ in changes:
            number += 1
            indent = len(lines[at - 1]) - len(lines[at - 1].lstrip())
            version = [*lines[: at - 1], " " * indent + line, *lines[at:]]
            equal += [number] if _result(version, name, inputs) == wanted else []
    return tuple(equal)


def _said(numbers: tuple[int, ...]) -> str:
    return f"I went through them one by one.\n\nEqual: {', '.join(map(str, numbers))}"


def right(seed: int) -> list[str]:
    return [_said(_equal(seed)), _said(_equal(seed)).replace("Equal:", "**Equal:**")]


def wrong(seed: int) -> list[str]:
    good = _equal(seed)
    return [
        _said(_equal(seed, FEW)),
        _said(good[:-1]),
        _said((*good, next(n for n in range(1, 21) if n not in good))),
        _said(()),
        "That cannot be said without running them.",
    ]
