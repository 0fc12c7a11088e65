"""Right and wrong orders for optimise_shop."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..optimise_shop import TASK


def _said(orders: Sequence[Sequence[int]], line: str = "M{}: {}", sign: str = " ") -> str:
    lines = (line.format(n, sign.join(str(job + 1) for job in order)) for n, order in enumerate(orders, 1))
    return "By trial and error.\n\n" + "\n".join(lines)


def _improved(seed: int, steps: int = 1500) -> list[list[int]]:
    """The best rule's orders, with neighbours exchanged as long as that does no harm; the last that are not right."""
    shop, _, deadline = TASK.planted(seed)
    chance = random.Random(seed)
    orders = min(TASK.rules(shop).values(), key=lambda each: shop.end(each) or 0)
    end = shop.end(orders) or 0
    for _ in range(steps):
        order = chance.choice(orders)
        at = chance.randrange(len(order) - 1)
        order[at], order[at + 1] = order[at + 1], order[at]
        now = shop.end(orders)
        if now is None or now > end or now <= deadline:
            order[at], order[at + 1] = order[at + 1], order[at]
        else:
            end = now
    return orders


def right(seed: int) -> list[str]:
    _, orders, _ = TASK.planted(seed)
    return [_said(orders), _said(orders, "- **Machine {}:** {}", ", ")]


def wrong(seed: int) -> list[str]:
    shop, orders, _ = TASK.planted(seed)
    stuck = [sorted(order) for order in orders]
    return [
        *(_said(each) for each in TASK.rules(shop).values()),
        _said(_improved(seed)),
        _said([order[::-1] for order in orders]),
        _said(stuck),
        _said(orders[:-1]),
        _said([order[:-1] for order in orders]),
        "It can not be done in that time.",
    ]
