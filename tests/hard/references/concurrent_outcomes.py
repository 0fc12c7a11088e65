"""Right and wrong lists for concurrent_outcomes; the right ones by a walk from state to state."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

from ..concurrent_outcomes import TASK
from ..interleaved import Program


def walked(program: Program) -> list[str]:
    """All ends, by carrying out lines on x and y from every state that is met."""
    seen = {(0, 0, 0, *divmod(program.first, 10))}
    left, ends = list(seen), set()
    while left:
        state = left.pop()
        moves = [n for n in range(3) if state[n] < len(program.threads[n])]
        if not moves:
            ends.add(f"{state[3]}{state[4]}")
        for n in moves:
            to, a, sign, b = program.threads[n][state[n]]
            x, y = (state[3 + "xy".index(each)] if each in "xy" else int(each) for each in (a, b))
            value = (x + y if sign == "+" else x - y if sign == "-" else x * y) % 10
            after = list(state)
            after[n], after[3 + "xy".index(to)] = after[n] + 1, value
            if tuple(after) not in seen:
                seen.add(tuple(after))
                left.append(tuple(after))
    return sorted(ends)


@cache
def _right(seed: int) -> dict[str, list[str]]:
    return {name: walked(program) for name, (program, _) in TASK.programs(seed).items()}


def _tried(program: Program, times: int) -> list[str]:
    """The ends of some orders that chance makes: what a reader finds who does not go through all."""
    chance, found = random.Random(5), set()
    for _ in range(times):
        letters = [letter for letter, lines in zip("PQR", program.threads, strict=True) for _ in lines]
        chance.shuffle(letters)
        found.add(f"{program.run(''.join(letters))[0]:02}")
    return sorted(found)


def _said(lists: Mapping[str, list[str]], form: str = "{}: {}", sign: str = " ") -> str:
    return "Place by place.\n\n" + "\n".join(form.format(name, sign.join(its)) for name, its in lists.items())


def right(seed: int) -> list[str]:
    lists = _right(seed)
    spread = {name: [f"({pair[0]}, {pair[1]})" for pair in reversed(its)] for name, its in lists.items()}
    return [_said(lists), _said(spread, "- **{}:** {}", ", ")]


def wrong(seed: int) -> list[str]:
    lists = _right(seed)
    more = next(f"{n:02}" for n in range(100) if f"{n:02}" not in lists["G2"])
    return [
        _said({name: _tried(program, 60) for name, (program, _) in TASK.programs(seed).items()}),
        _said({**lists, "G1": lists["G1"][:-1]}),
        _said({**lists, "G2": [*lists["G2"], more]}),
        _said({name: [pair[::-1] for pair in its] for name, its in lists.items()}),
        _said({name: its for name, its in lists.items() if name != "G3"}),
        "There are too many orders.",
    ]
