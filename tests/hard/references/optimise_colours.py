"""Right and wrong divisions for optimise_colours."""

from __future__ import annotations

from collections.abc import Sequence

from ..optimise_colours import JOBS, MACHINES, planted


def _said(machine: Sequence[int], names: str = MACHINES, line: str = "{}: {}", sign: str = " ") -> str:
    its = {name: [str(job + 1) for job in range(JOBS) if machine[job] == n] for n, name in enumerate(names)}
    return "By trial and error.\n\n" + "\n".join(
        line.format(name, sign.join(each)) for name, each in its.items()
    )


def _in_order(seed: int) -> list[int]:
    """Each job on the first machine without a conflict, or on the one with the fewest."""
    graph, _ = planted(seed)
    machine: list[int] = []
    for its in graph:
        taken = [sum(machine[each] == n for each in its if each < len(machine)) for n in range(len(MACHINES))]
        machine.append(taken.index(min(taken)))
    return machine


def right(seed: int) -> list[str]:
    _, machine = planted(seed)
    turned = [(each + 1) % len(MACHINES) for each in machine]
    return [_said(machine), _said(turned, line="- **{}:** {}", sign=", ")]


def wrong(seed: int) -> list[str]:
    graph, planted_ = planted(seed)
    machine = list(planted_)
    moved = [machine[min(graph[0])], *machine[1:]]
    return [
        _said(_in_order(seed)),
        _said(moved),
        _said(machine).replace("A: ", f"A: {machine.index(1) + 1} "),
        _said([*machine[:-1], -1]),
        _said([*machine[:-1], len(MACHINES)], names=MACHINES + "E"),
        _said(machine) + " 61",
        "There is no such way.",
    ]
