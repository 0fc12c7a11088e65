"""Right and wrong coefficients for numeric_minimax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..numeric_minimax import TASK


def _said(tables: Mapping[str, Sequence[int]], form: str = "{}: {}", sign: str = " ") -> str:
    lines = (form.format(name, sign.join(map(str, whole))) for name, whole in tables.items())
    return "By exchange.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    best = {name: whole for name, (_, _, whole, _) in TASK.tables(seed).items()}
    named = {name: [f"a{n} = {each}" for n, each in enumerate(whole)] for name, whole in best.items()}
    return [_said(best), _said(named, "- **{}:** {}", ", ")]


def wrong(seed: int) -> list[str]:
    tables = TASK.tables(seed)
    best = {name: whole for name, (_, _, whole, _) in tables.items()}
    near = {name: whole for name, (*_, whole) in tables.items()}
    return [
        _said({name: TASK.rounded(table) for name, (table, *_) in tables.items()}),
        _said(near),
        _said({**best, "T2": near["T2"]}),
        _said({**best, "T1": best["T1"][::-1]}),
        _said({**best, "T3": best["T3"][:-1]}),
        _said({name: whole for name, whole in best.items() if name != "T4"}),
        "T1: no such polynomial",
    ]
