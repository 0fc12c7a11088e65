"""Right and wrong replies to judgement_histories; soundness is found by another way: a search over moments.

Time is walked from one beginning or end to the next; between two of them any open calls may happen, in any order.
"""

from __future__ import annotations

from collections import deque

from ..judgement_histories import Operation, by_one_end, puzzle, sound


def _sound(kind: str, calls: list[Operation]) -> bool:
    edges = sorted(
        [(call.begin, "begin", n) for n, call in enumerate(calls)]
        + [(call.end, "end", n) for n, call in enumerate(calls) if call.end is not None]
    )
    # Each state: what the object holds, and the open calls that have not happened yet.
    states = {("0" if kind == "register" else "", frozenset())}
    for _, what, n in edges:
        if what == "begin":
            states = _closure(calls, {(held, waiting | {n}) for held, waiting in states})
        else:
            states = {(held, waiting) for held, waiting in states if n not in waiting}
    return bool(states)


def _closure(calls: list[Operation], states: set) -> set:
    left, seen = deque(states), set(states)
    while left:
        held, waiting = left.popleft()
        for n in waiting:
            call = calls[n]
            after, result = _done(held.split(), call.words)
            if call.end is None or result == call.result:
                state = " ".join(after), waiting - {n}
                if state not in seen:
                    seen.add(state)
                    left.append(state)
    return seen


def _done(held: list[str], words: tuple[str, ...]) -> tuple[list[str], str]:
    name = words[0]
    if name == "write":
        return [words[1]], "ok"
    if name == "read":
        return held, held[0]
    if name == "swap":
        return ([words[2]], "yes") if held == [words[1]] else (held, "no")
    if name in ("put", "push"):
        return [*held, words[1]], "ok"
    if not held:
        return held, "empty"
    return (held[1:], held[0]) if name == "take" else (held[:-1], held[-1])


def _said(numbers: list[int]) -> str:
    return f"I tried the orders.\n\nSound: {', '.join(map(str, numbers))}"


def right(seed: int) -> list[str]:
    good = [n for n, (kind, calls, _) in enumerate(puzzle(seed), 1) if _sound(kind, calls)]
    return [_said(good), f"**Sound**: {' and '.join(map(str, reversed(good)))}."]


def wrong(seed: int) -> list[str]:
    histories = puzzle(seed)
    threads_only = [n for n, (kind, calls, _) in enumerate(histories, 1) if sound(kind, calls, by_time=False)]
    simple = [n for n, (kind, calls, _) in enumerate(histories, 1) if by_one_end(kind, calls, "end")]
    good = [n for n, (_, _, is_sound) in enumerate(histories, 1) if is_sound]
    return [
        _said(threads_only),
        _said(simple),
        _said(good[1:]),
        _said([*good, next(n for n in range(1, 13) if n not in good)]),
        "I cannot say.",
    ]
