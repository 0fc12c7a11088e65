"""Right and wrong whole numbers for numeric_nearest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..numeric_nearest import TASK, solved


def _said(systems: Mapping[str, Sequence[int]], form: str = "{}: {}", sign: str = " ") -> str:
    lines = (form.format(name, sign.join(map(str, whole))) for name, whole in systems.items())
    return "By search.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    best = {name: whole for name, (_, whole, _) in TASK.systems(seed).items()}
    named = {name: [f"x{n} = {each}" for n, each in enumerate(whole, 1)] for name, whole in best.items()}
    return [_said(best), _said(named, "- **{}:** {}", ", ")]


def wrong(seed: int) -> list[str]:
    systems = TASK.systems(seed)
    best = {name: whole for name, (_, whole, _) in systems.items()}
    near = {name: whole for name, (*_, whole) in systems.items()}
    return [
        _said({name: [round(each) for each in solved(system)] for name, (system, *_) in systems.items()}),
        _said(near),
        _said({**best, "S2": near["S2"]}),
        _said({**best, "S1": [-each for each in best["S1"]]}),
        _said({**best, "S3": best["S3"][:-1]}),
        _said({name: whole for name, whole in best.items() if name != "S2"}),
        "S1: no solution",
    ]
