"""Right and wrong replies to exact_queues; here each queue looks who comes to it."""

from __future__ import annotations

from collections import deque

from ..exact_queues import KINDS, TASK, Network
from .states import near_misses, right_forms


def play(
    seed: int,
    task: Network,
    *,
    alternate: bool = True,
    turned: bool = True,
    strict: bool = True,
    back: bool = True,
    changed: bool = True,
    before: bool = True,
) -> dict[str, list[str]]:
    start, exits, table, _ = task.puzzle(seed)
    lines, found = [deque(queue) for queue in start], {}
    for number in range(1, task.asked[-1] + 1):
        up = number % 2 == 1 or not alternate
        sizes = [len(line) for line in lines]
        for line in lines:
            if len(line) == task.room and turned:
                line.reverse()
        heads = [line[0] if line else "" for line in lines]
        goals = [exits[k][KINDS.index(head)] if head else -1 for k, head in enumerate(heads)]
        come = {}
        for station, size in enumerate(sizes):
            wish = [k for k, goal in enumerate(goals) if goal == station]
            wish = wish if up else wish[::-1]
            come[station] = wish[: task.room - (size if strict else size - (size > 0))]
        gone = {k for its in come.values() for k in its}
        for k, line in enumerate(lines):
            if k in gone:
                line.popleft()
            elif line and back:
                line.rotate(-1)
                line[-1] = "bcdea"["abcde".index(line[-1])]
        for station, its in come.items():
            for k in its:
                last = lines[station][-1] if lines[station] else "-"
                pair = heads[k] + last if before or last == "-" else last + heads[k]
                lines[station].append(table[pair] if changed or last != "-" else heads[k])
        if number in task.asked:
            found[f"After round {number}"] = [
                f"{k}: {''.join(line) or '-'}" for k, line in enumerate(lines, 1)
            ]
    return found


def right(seed: int, task: Network = TASK) -> list[str]:
    return right_forms(play(seed, task))


def wrong(seed: int, task: Network = TASK) -> list[str]:
    return near_misses(
        play(seed, task),
        play(seed, task, alternate=False),
        play(seed, task, turned=False),
        play(seed, task, strict=False),
        play(seed, task, back=False),
        play(seed, task, changed=False),
        play(seed, task, before=False),
    )
