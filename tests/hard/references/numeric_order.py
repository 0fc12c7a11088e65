"""Right and wrong orders for numeric_order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..numeric_order import TASK


def _said(orders: Mapping[str, Sequence[int]], form: str = "{}: {}", sign: str = " ") -> str:
    lines = (form.format(name, sign.join(map(str, order))) for name, order in orders.items())
    return "By trial.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    best = {name: order for name, (_, order) in TASK.lists(seed).items()}
    return [_said(best), _said(best, "- **{}:** {}", ", ")]


def wrong(seed: int) -> list[str]:
    lists = TASK.lists(seed)
    best = {name: order for name, (_, order) in lists.items()}
    return [
        _said({name: sorted(numbers) for name, (numbers, _) in lists.items()}),
        _said({name: sorted(numbers, reverse=True) for name, (numbers, _) in lists.items()}),
        _said({name: TASK.improved(sorted(numbers)) for name, (numbers, _) in lists.items()}),
        _said({**best, "L2": TASK.improved(TASK.usual(best["L2"])[1])}),
        _said({**best, "L1": best["L1"][:-1]}),
        _said({**best, "L3": [best["L3"][0], *best["L3"][:-1]]}),
        _said({name: order for name, order in best.items() if name != "L4"}),
        "Any order gives the same sum.",
    ]
