"""Right and wrong replies to optimise_posts: the flags are read from the picture, bids raise the posts' prices."""

from __future__ import annotations

from functools import cache

from ..hand import flag
from ..optimise_posts import APART, TASK
from .hand import Reader
from .pixels import Pixels


@cache
def _reader() -> Reader:
    return Reader(TASK.hand, {str(position): flag(position) for position in range(8)})


@cache
def _costs(seed: int) -> list[list[int]]:
    pixels, positions = Pixels(TASK.picture(seed)), TASK.legend(seed)

    def digit(x: float, y: float) -> int:
        return positions.index(int(_reader().read(pixels, x, y, 26, 38))) + 1

    return [
        [
            10 * digit(x - APART / 2, y) + digit(x + APART / 2, y)
            for x, y in (TASK.middle(row, column) for column in range(TASK.count))
        ]
        for row in range(TASK.count)
    ]


def _bid(costs: list[list[int]]) -> list[int]:
    """The posts by person: each without a post takes the best one and pays for it until none would rather have another."""
    size = len(costs)
    prices, owner = [0] * size, [-1] * size
    for step in (24, 4, 1):  # bids of less than 1/size of a unit are exact: costs are multiplied by size + 1
        owner, free = [-1] * size, list(range(size))
        while free:
            person = free.pop()
            worth = [-(size + 1) * cost - price for cost, price in zip(costs[person], prices, strict=True)]
            first = max(range(size), key=worth.__getitem__)
            second = max(value for post, value in enumerate(worth) if post != first)
            prices[first] += worth[first] - second + step
            if owner[first] >= 0:
                free.append(owner[first])
            owner[first] = person
    return [owner.index(person) for person in range(size)]


@cache
def _posts(seed: int, swapped: bool = False) -> tuple[int, ...]:
    costs = _costs(seed)
    if swapped:
        costs = [[cost % 10 * 10 + cost // 10 for cost in row] for row in costs]
    return tuple(_bid(costs))


def _said(seed: int, posts: tuple[int, ...], more: int = 0, mark: str = "") -> str:
    total = sum(row[post] for row, post in zip(_costs(seed), posts, strict=True)) + more
    lines = [f"{mark}{name}{mark}: {post + 1}" for name, post in zip(TASK.names, posts, strict=True)]
    return "\n".join(["The cheapest:", "", *lines, f"{mark}SUM{mark}: {total}"])


def right(seed: int) -> list[str]:
    return [_said(seed, _posts(seed)), _said(seed, _posts(seed), mark="**")]


def wrong(seed: int) -> list[str]:
    posts, greedy = _posts(seed), []
    for row in _costs(seed):
        greedy.append(min((cost, post) for post, cost in enumerate(row) if post not in greedy)[1])
    return [
        _said(seed, tuple(greedy)),
        _said(seed, _posts(seed, swapped=True)),
        _said(seed, posts, more=1),
        _said(seed, (posts[0], posts[0], *posts[2:])),
        _said(seed, posts).rsplit("\n", 1)[0],
        "The flags cannot be told apart.",
    ]
