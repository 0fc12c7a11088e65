"""Right and wrong replies to judgement_kin. Which graphs are the same is found here by trying to rename them."""

from __future__ import annotations

from collections.abc import Iterable

from ..judgement_kin import TASK, Graph

Links = dict[str, set[str]]


def _links(graph: Graph) -> Links:
    found: Links = {}
    for one, other in graph:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


def _order(links: Links) -> list[str]:
    """The points so that circles close as early as they can."""
    order: list[str] = []
    while left := set(links).difference(order):
        order.append(max(sorted(left), key=lambda point: len(links[point].intersection(order))))
    return order


def _same(order: list[str], one: Links, other: Links) -> bool:
    """Whether renaming makes one graph the other."""
    before = [[each for each in order[:n] if each in one[point]] for n, point in enumerate(order)]

    def goes_on(names: dict[str, str], used: set[str]) -> bool:
        if len(names) == len(order):
            return True
        point = order[len(names)]
        known = {names[each] for each in before[len(names)]}
        choices = other[next(iter(known))] if known else set(other)
        return any(
            other[name] & used == known and goes_on({**names, point: name}, used | {name})
            for name in choices - used
        )

    return goes_on({}, set())


def _kinds(graphs: Iterable[Graph]) -> list[list[int]]:
    """The numbers of the graphs of each kind."""
    kinds: list[tuple[list[str], Links, list[int]]] = []
    for n, graph in enumerate(graphs, 1):
        links = _links(graph)
        for order, first, numbers in kinds:
            if _same(order, first, links):
                numbers.append(n)
                break
        else:
            kinds.append((_order(links), links, [n]))
    return [numbers for *_, numbers in kinds]


def _said(kinds: Iterable[Iterable[int]], line: str = "Kinds: {}") -> str:
    return "I renamed points.\n\n" + line.format(" / ".join(" ".join(map(str, each)) for each in kinds))


def right(seed: int) -> list[str]:
    kinds = _kinds(graph for _, graph in TASK.graphs(seed))
    return [_said(kinds), _said((each[::-1] for each in kinds[::-1]), "**Kinds:** {}.")]


def wrong(seed: int) -> list[str]:
    one, other, *others = (sorted(each) for each in TASK.wanted(seed))
    many = sorted((one, other, *others), key=len)
    return [
        _said([one + other, *others]),
        _said([*many[:-1], many[-1][:1], many[-1][1:]]),
        _said([one, other, *others][1:]),
        _said([one, other, *others, [1]]),
        _said([range(1, TASK.count + 1)]),
        "They are all the same.",
    ]
