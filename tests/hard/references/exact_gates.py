"""Right and wrong replies to exact_gates: networks for 3A + B and 3A - B of the gate U and not V, made smaller by a search."""

from __future__ import annotations

from ..exact_gates import Task, task_of

LATE = 14
SUM = """
g0 = a 0; g1 = g0 0; g2 = g1 0; g3 = a g2; g4 = g2 a; g5 = 1 g3; g6 = g5 g4; g7 = 1 g6; g8 = a g3;
g9 = g7 g16; g10 = 1 g9; g11 = g8 0; g12 = g11 0; g13 = g12 0; g14 = g10 g13; g15 = g14 0; g16 = g15
0; g17 = g16 g7; g18 = g17 0; g19 = g10 g18; g20 = b 0; g21 = g20 0; g22 = g21 0; g23 = g22 0; g24 =
g19 g23; g25 = g23 g19; g26 = 1 g24; g27 = g26 g25; g28 = 1 g27; g29 = g19 0; g30 = g29 g24; g31 =
g28 g38; g32 = 1 g31; g33 = g30 0; g34 = g33 0; g35 = g34 0; g36 = g32 g35; g37 = g36 0; g38 = g37
0; g39 = g38 g28; g40 = g39 0; z = g32 g40
"""
DIFFERENCE = """
g0 = a 0; g1 = g0 0; g2 = g1 0; g3 = g2 0; g4 = g3 0; g5 = a g4; g6 = g4 a; g7 = 1 g5; g8 = g6 0; g9
= g7 g8; g10 = 1 g9; g11 = g0 g5; g12 = g10 g19; g13 = 1 g12; g14 = g11 0; g15 = g14 0; g16 = g15 0;
g17 = g16 0; g18 = g13 g17; g19 = g18 0; g20 = g19 g10; g21 = g20 0; g22 = g13 g21; g23 = b 0; g24 =
g23 0; g25 = g24 0; g26 = g25 0; g27 = g26 0; g28 = g27 0; g29 = g22 g28; g30 = g28 g22; g31 = 1
g29; g32 = g31 g30; g33 = g32 g39; g34 = 1 g33; g35 = g30 0; g36 = g35 0; g37 = g34 g36; g38 = g37
0; g39 = g38 0; g40 = g39 g32; g41 = g34 g40; z = 1 g41
"""
CONSTANTS = {"0": "1", "1": "0"}


def network(task: Task) -> dict[str, tuple[str, str]]:
    """Its gates. Adding and subtracting are their own duals, so the other gate needs nothing but the other constants."""
    gates = {}
    for gate in (SUM if min(task.times_a, task.times_b) > 0 else DIFFERENCE).replace("\n", " ").split(";"):
        name, _, u, v = gate.split()
        if task.times_b == 3:
            u, v = ({"a": "b", "b": "a"}.get(each, each) for each in (u, v))
        if not task.and_:
            u, v = (CONSTANTS.get(each, each) for each in (u, v))
        gates[name] = (v, u) if task.swapped else (u, v)
    return gates


def _reply(gates: dict[str, tuple[str, str]], late: int = LATE) -> str:
    lines = "\n".join(f"{name} = {u} {v}" for name, (u, v) in gates.items())
    return f"Two adders in a row.\n\n```\nD = {late}\n{lines}\n```\n"


def right(seed: int) -> list[str]:
    gates = network(task_of(seed))
    return [
        _reply(gates),
        "Take D = 3?\n```\nD = 3\nz = a b\n```\nNo:\n" + _reply(dict(reversed(gates.items()))),
    ]


def wrong(seed: int) -> list[str]:
    task = task_of(seed)
    gates = network(task)
    return [
        _reply(gates, LATE + 1),
        _reply(gates, LATE - 5),
        _reply(network(Task(task.and_, task.swapped, task.times_b, task.times_a))),
        _reply(network(Task(task.and_, not task.swapped, task.times_a, task.times_b))),
        _reply({name: sources for name, sources in gates.items() if name != "g3"}),
        _reply({**gates, **{f"more{n}": ("a", "b") for n in range(20)}}),
        "```\nz = a b\n```",
    ]
