"""Right and wrong replies to concurrent_deadlock; what can get stuck is found by a recursive walk over dictionaries."""

from __future__ import annotations

from functools import cache

from ..concurrent_deadlock import Program, ordered, puzzle


def _can(program: Program, *, tries: bool = True, counts: bool = True) -> bool:
    """Whether it can get stuck; a hurried reader may take a try for a lock, or forget the semaphores."""
    (s, t), threads = program
    seen: set[object] = set()

    def walk(at: dict[int, int], has: dict[str, int], left: dict[str, int]) -> bool:
        mark = (*at.values(), *sorted(has.items()), *left.values())
        if mark in seen:
            return False
        seen.add(mark)
        moved = False
        for n, its in enumerate(threads):
            if at[n] >= len(its):
                continue
            what, which, other = its[at[n]]
            on = at | {n: at[n] + 1}
            if what == "unlock":
                after = on, {name: who for name, who in has.items() if name != which}, left
            elif what in ("lock", "try") and which not in has:
                after = on, has | {which: n}, left
            elif what == "try" and tries:
                after = at | {n: other}, has, left
            elif what == "up":
                after = on, has, left | {which: left[which] + 1}
            elif what == "down" and (left[which] or not counts):
                after = on, has, left | {which: left[which] - 1}
            else:
                continue
            moved = True
            if walk(*after):
                return True
        return not moved and any(at[n] < len(its) for n, its in enumerate(threads))

    return walk({0: 0, 1: 0, 2: 0}, {}, {"s": s, "t": t})


def _said(numbers: list[int]) -> str:
    return f"I looked for a bad order in each.\n\nStuck: {', '.join(map(str, numbers))}"


@cache
def _numbers(seed: int, tries: bool = True, counts: bool = True) -> tuple[int, ...]:
    return tuple(n for n, (each, _) in enumerate(puzzle(seed), 1) if _can(each, tries=tries, counts=counts))


def right(seed: int) -> list[str]:
    good = list(_numbers(seed))
    return [_said(good), f"**Stuck:** programs {' and '.join(map(str, good))}"]


def wrong(seed: int) -> list[str]:
    good = list(_numbers(seed))
    by_order = [n for n, (program, _) in enumerate(puzzle(seed), 1) if not ordered(program[1])]
    hurried = [_numbers(seed, tries=False), _numbers(seed, counts=False), tuple(by_order)]
    return [
        *(_said(list(each)) for each in hurried if list(each) != good),
        _said(good[1:]),
        _said([*good, next(n for n in range(1, 11) if n not in good)]),
        "None of them, I think.",
    ]
