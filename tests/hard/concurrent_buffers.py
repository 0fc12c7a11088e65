"""Threads with store buffers: which final states can happen, worked out by mind."""

from __future__ import annotations

import random
from functools import cache, partial

from evaluator import *

from .replies import judge_chosen

DESCRIPTION = (
    "Can the model tell which outcomes of three threads are possible under a memory with store buffers?"
)
TAGS = ["medium", "reasoning", "threads"]

NUMBER = 14
PROMPT = """Three threads share the variables x, y and z, all 0 at first. Each thread has registers of its own and a store buffer: a queue of
writes that the others do not see yet. One step is either of these, of any thread, in any order:

- The thread does its next instruction.
- The oldest write in the thread's buffer leaves it and is stored in memory.

    v := E      puts the write of E's value to v into the thread's own buffer
    r := v      reads v: the newest write to v in the thread's own buffer if there is one, or else memory
    fence       can be done only while the thread's own buffer is empty; does nothing else
    r := swap v E
                can be done only while the thread's own buffer is empty; reads v from memory and stores E's value in memory, at once

v is a shared variable, r a register, and E is a number, a register, or a register plus 1. The end is reached when all threads have done
all their instructions and all buffers are empty.

{threads}

Which of these final states are possible? A state gives all of {names}; each is to be judged by itself.

{states}

Work it out without running any code. End your reply with a line that begins with "Possible:" and has the numbers of all possible states,
separated by commas; it passes if exactly these are named."""

Instruction = tuple[str, ...]  # ("store", v, e), ("load", r, v), ("fence",) or ("swap", r, v, e)
State = tuple[int, ...]
Buffer = tuple[tuple[str, int], ...]
Moment = tuple[State, tuple[Buffer, ...], State]  # instructions done, buffers, values


def threads_of(chance: random.Random) -> list[list[Instruction]]:
    """Three random threads of three or four instructions."""
    found = []
    for thread in range(3):
        registers = [f"{'abc'[thread]}{n}" for n in (1, 2)]
        known: list[str] = []
        its: list[Instruction] = []
        for at in range(chance.choice([3, 3, 4])):
            value = chance.choice([*known, *(f"{each} + 1" for each in known), "1", "2"])
            kind = chance.random()
            if at == 0 or kind < 0.4:
                its.append(("store", chance.choice("xyz"), value))
            elif kind < 0.85 and len(known) < 2:
                its.append(("load", registers[len(known)], chance.choice("xyz")))
                known.append(registers[len(known)])
            elif kind < 0.93 or len(known) == 2:
                its.append(("fence",) if its[-1][0] == "store" else ("store", chance.choice("xyz"), value))
            else:
                its.append(("swap", registers[len(known)], chance.choice("xyz"), value))
                known.append(registers[len(known)])
        found.append(its)
    return found


def names_of(threads: list[list[Instruction]]) -> list[str]:
    """The shared variables and the registers."""
    return ["x", "y", "z", *(each[1] for its in threads for each in its if each[0] in ("load", "swap"))]


def outcomes(threads: list[list[Instruction]], buffered: bool = True) -> set[State]:
    """Every final state, by trying all orders. Without `buffered` a write is stored at once."""
    names = names_of(threads)
    place = {name: n for n, name in enumerate(names)}
    first: Moment = ((0, 0, 0), ((), (), ()), (0,) * len(names))
    seen, left, ends = {first}, [first], set()

    def value(text: str, values: State) -> int:
        name, _, more = text.partition(" + ")
        return (int(name) if name.isdecimal() else values[place[name]]) + (1 if more else 0)

    def put(values: State, name: str, new: int) -> State:
        at = place[name]
        return (*values[:at], new, *values[at + 1 :])

    while left:
        counters, buffers, values = left.pop()
        ended = True
        for n, its in enumerate(threads):
            buffer = buffers[n]
            after: list[tuple[State, Buffer, State]] = []
            if buffer:
                after.append((counters, buffer[1:], put(values, *buffer[0])))
            if counters[n] < len(its):
                kind, *parts = its[counters[n]]
                moved = (*counters[:n], counters[n] + 1, *counters[n + 1 :])
                if kind == "store":
                    write = (parts[0], value(parts[1], values))
                    after.append(
                        (moved, (*buffer, write), values) if buffered else (moved, (), put(values, *write))
                    )
                elif kind == "load":
                    own = [each for name, each in buffer if name == parts[1]]
                    read = own[-1] if own else values[place[parts[1]]]
                    after.append((moved, buffer, put(values, parts[0], read)))
                elif not buffer and kind == "fence":
                    after.append((moved, buffer, values))
                elif not buffer:
                    new = put(values, parts[1], value(parts[2], values))
                    after.append((moved, buffer, put(new, parts[0], values[place[parts[1]]])))
            ended &= counters[n] == len(its) and not buffer
            for counted, mine, now in after:
                state = (counted, (*buffers[:n], mine, *buffers[n + 1 :]), now)
                if state not in seen:
                    seen.add(state)
                    left.append(state)
        if ended:
            ends.add(values)
    return ends


@cache
def puzzle(seed: int) -> tuple[list[list[Instruction]], list[tuple[State, bool]]]:
    """Threads, and states of which each is possible or not; some are possible only because of the buffers."""
    for attempt in range(200):
        chance = random.Random(f"buffers {seed} {attempt}")
        threads = threads_of(chance)
        names = names_of(threads)
        if len(names) != 7:
            continue
        possible = outcomes(threads)
        by_buffers = sorted(possible - outcomes(threads, buffered=False))
        if not 12 <= len(possible) <= 70 or len(by_buffers) < 3:
            continue
        columns = [sorted({state[n] for state in possible}) for n in range(len(names))]
        others = set()
        for state in sorted(possible):
            for n, column in enumerate(columns):
                others |= {(*state[:n], new, *state[n + 1 :]) for new in column} - possible
        if len(others) < NUMBER:
            continue
        count = chance.choice([5, 6, 7])
        chosen = chance.sample(by_buffers, 2)
        chosen += chance.sample(sorted(possible - set(chosen)), count - 2)
        states = [
            *((each, True) for each in chosen),
            *((each, False) for each in chance.sample(sorted(others), NUMBER - count)),
        ]
        chance.shuffle(states)
        return threads, states
    raise ValueError(f"no threads for seed {seed}")


def shown(instruction: Instruction) -> str:
    """An instruction as the prompt says it."""
    kind, *parts = instruction
    if kind == "store":
        return f"{parts[0]} := {parts[1]}"
    return {"load": "{0} := {1}", "swap": "{0} := swap {1} {2}", "fence": "fence"}[kind].format(*parts)


def build(seed: int) -> Node:
    """The test of a seed."""
    threads, states = puzzle(seed)
    names = names_of(threads)
    blocks = []
    for n, its in enumerate(threads, 1):
        blocks += [f"    thread {n}", *(f"        {shown(each)}" for each in its)]
    lines = [
        f"    {n:>2}. " + "  ".join(f"{name}={value}" for name, value in zip(names, state, strict=True))
        for n, (state, _) in enumerate(states, 1)
    ]
    question = PROMPT.format(threads="\n".join(blocks), names=", ".join(names), states="\n".join(lines))
    wanted = [n for n, (_, possible) in enumerate(states, 1) if possible]
    return question >> LLMRun() >> PyFunc(partial(judge_chosen, "Possible", lambda: wanted, NUMBER))
