"""Right and wrong orders for concurrent_switches."""

from __future__ import annotations

from collections.abc import Mapping

from ..concurrent_switches import TASK


def _said(orders: Mapping[str, str], form: str = "{}: {}") -> str:
    return "Backwards from the end.\n\n" + "\n".join(form.format(*each) for each in orders.items())


def right(seed: int) -> list[str]:
    orders = {name: best for name, (*_, best, _) in TASK.programs(seed).items()}
    return [_said(orders), _said({name: " ".join(its) for name, its in orders.items()}, "- **{}:** {}")]


def wrong(seed: int) -> list[str]:
    programs = TASK.programs(seed)
    orders = {name: best for name, (*_, best, _) in programs.items()}
    lines = TASK.lines
    return [
        _said({name: more for name, (*_, more) in programs.items()}),
        _said({**orders, "G3": programs["G3"][-1]}),
        _said({name: "P" * lines + "Q" * lines + "R" * lines for name in orders}),
        _said({**orders, "G2": orders["G2"][:-1]}),
        _said({**orders, "G1": orders["G1"][::-1]}),
        _said({name: order for name, order in orders.items() if name != "G4"}),
        "PQR",
    ]
