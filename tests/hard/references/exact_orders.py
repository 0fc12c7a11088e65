"""Right and wrong counts for exact_orders; testing/hard/test_orders.py tries all orders of fewer letters."""

from __future__ import annotations

from ..exact_orders import TASK
from .lines import near_misses, right_forms


def right(seed: int) -> list[str]:
    return right_forms(TASK.wanted(seed))


def wrong(seed: int) -> list[str]:
    """One order is overlooked; another one counted as the third; the rules of a puzzle but the last."""
    good = TASK.wanted(seed)
    count, order = good["P2"].split(", ")
    found = TASK.puzzle(seed, 2)[1]
    return near_misses(
        good,
        {**good, "P2": f"{int(count) - 1}, {order}"},
        {**good, "P2": f"{count}, {TASK.order(found, 4)}"},
        {**good, "P2": f"{int(count) - 1}, {TASK.order(found, 4)}"},
        {name: each.partition(",")[0] for name, each in good.items()},
    )
