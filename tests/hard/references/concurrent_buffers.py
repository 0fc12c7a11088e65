"""Right and wrong replies to concurrent_buffers. What is possible is found by another search: a depth-first walk that
keeps memory and registers in dictionaries, and takes every choice anew."""

from __future__ import annotations

from functools import cache

from ..concurrent_buffers import NUMBER, Instruction, names_of, outcomes, puzzle


def _finals(threads: list[list[Instruction]]) -> set[tuple[int, ...]]:
    names = names_of(threads)
    seen: set[object] = set()
    ends: set[tuple[int, ...]] = set()

    def number(said: str, held: dict[str, int]) -> int:
        words = said.split()
        return (int(words[0]) if words[0].isdigit() else held[words[0]]) + len(words) // 3

    def walk(done: list[int], queues: list[list[tuple[str, int]]], held: dict[str, int]) -> None:
        mark = (tuple(done), tuple(map(tuple, queues)), tuple(held[name] for name in names))
        if mark in seen:
            return
        seen.add(mark)
        if all(done[t] == len(threads[t]) and not queues[t] for t in range(3)):
            ends.add(tuple(held[name] for name in names))
        for t in range(3):
            if queues[t]:
                (name, new), *rest = queues[t]
                walk(done, [*queues[:t], rest, *queues[t + 1 :]], held | {name: new})
            if done[t] == len(threads[t]):
                continue
            what = threads[t][done[t]]
            further = [count + (n == t) for n, count in enumerate(done)]
            if what[0] == "store":
                grown = [*queues[t], (what[1], number(what[2], held))]
                walk(further, [*queues[:t], grown, *queues[t + 1 :]], held)
            elif what[0] == "load":
                read = next((new for name, new in reversed(queues[t]) if name == what[2]), held[what[2]])
                walk(further, queues, held | {what[1]: read})
            elif not queues[t]:
                walk(
                    further,
                    queues,
                    held
                    if what[0] == "fence"
                    else held | {what[2]: number(what[3], held), what[1]: held[what[2]]},
                )

    walk([0, 0, 0], [[], [], []], dict.fromkeys(names, 0))
    return ends


@cache
def _right(seed: int) -> list[int]:
    threads, states = puzzle(seed)
    finals = _finals(threads)
    return [n for n, (state, _) in enumerate(states, 1) if state in finals]


def _reply(numbers: list[int]) -> str:
    return f"I tried the orders.\n\nPossible: {', '.join(map(str, numbers))}"


def right(seed: int) -> list[str]:
    return [_reply(_right(seed)), "**Possible:** " + " ".join(map(str, _right(seed)))]


def wrong(seed: int) -> list[str]:
    threads, states = puzzle(seed)
    at_once = outcomes(threads, buffered=False)
    numbers = _right(seed)
    return [
        _reply([n for n, (state, _) in enumerate(states, 1) if state in at_once]),
        _reply(numbers[1:]),
        _reply(list(range(1, NUMBER + 1))),
        "None of them.",
    ]
