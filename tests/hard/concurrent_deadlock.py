"""Small programs of threads with locks, tries and semaphores: which of them can get stuck."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial

from evaluator import *

from .replies import judge_chosen

DESCRIPTION = "Can the model tell which programs of three threads can get stuck, where the usual rule of thumb misleads?"
TAGS = ["hard", "reasoning", "threads"]

NUMBER = 10
PROMPT = """Below are {count} programs, each of three threads P, Q and R that run at the same time. In one step any thread that is able to does its next
instruction; which one is left to chance. A thread has ended when it has done its last instruction.

    lock X            can be done only while nobody has lock X (also not the thread itself); the thread then has it
    unlock X          gives lock X back
    try X else N      can always be done: if nobody has lock X, the thread then has it and goes on with the next instruction; otherwise
                      it goes on with its instruction N
    down s            can be done only while the semaphore s is above 0; lowers it by 1
    up s              raises the semaphore s by 1

At first nobody has a lock, and the semaphores have the values that stand beside the program.

A program can get stuck if in some order of the steps a moment comes at which not all threads have ended and none is able to do its
next instruction.

{programs}

Which of the programs can get stuck? Work it out without running any code. End your reply with a line that begins with "Stuck:" and has
the numbers of all programs that can, separated by commas; it passes if exactly these are named."""

Instruction = tuple[str, str, int]  # what, of which, and where a try goes on that fails (from 0)
Threads = tuple[tuple[Instruction, ...], ...]
Program = tuple[tuple[int, int], Threads]  # s and t at first, and the threads
Moment = tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...]
]  # next instructions, who has A, B, C (or -1), s and t
LOCKS, SEMAPHORES = "ABC", "st"


def steps(program: Program, now: Moment) -> Iterator[Moment]:
    """The moments that can come next."""
    at, owners, counts = now
    for n, its in enumerate(program[1]):
        if at[n] == len(its):
            continue
        what, which, other = its[at[n]]
        goes_to, owned, counted = at[n] + 1, list(owners), list(counts)
        if what in ("lock", "try", "unlock"):
            lock = LOCKS.index(which)
            if what == "unlock":
                owned[lock] = -1
            elif owners[lock] == -1:
                owned[lock] = n
            elif what == "try":
                goes_to = other
            else:
                continue
        else:
            semaphore = SEMAPHORES.index(which)
            if what == "down" and not counts[semaphore]:
                continue
            counted[semaphore] += 1 if what == "up" else -1
        yield (*at[:n], goes_to, *at[n + 1 :]), tuple(owned), tuple(counted)


def stuck(program: Program) -> tuple[int, int, int]:
    """How many moments can come, how many of them are stuck, and in how many all threads have ended."""
    first: Moment = ((0, 0, 0), (-1, -1, -1), program[0])
    seen, left, bad, good = {first}, [first], 0, 0
    while left:
        now = left.pop()
        after = list(steps(program, now))
        ended = all(at == len(its) for at, its in zip(now[0], program[1], strict=True))
        bad += not after and not ended
        good += ended
        for each in after:
            if each not in seen:
                seen.add(each)
                left.append(each)
    return len(seen), bad, good


def thread(chance: random.Random) -> tuple[Instruction, ...]:
    """Two or three sections under locks, one within another or one after another, with ups and downs between."""
    body: list[Instruction] = []

    def beside() -> None:
        if chance.random() < 0.35:
            body.append((chance.choice(["up", "down"]), chance.choice(SEMAPHORES), 0))

    def section(free: list[str], depth: int) -> None:
        which = chance.choice(free)
        rest = [each for each in free if each != which]
        at, tries = len(body), chance.random() < 0.22
        body.append(("try" if tries else "lock", which, 0))
        beside()
        if rest and depth < 2 and chance.random() < 0.7:
            section(rest, depth + 1)
            beside()
        body.append(("unlock", which, 0))
        if tries:
            body[at] = ("try", which, len(body))

    beside()
    section(list(LOCKS), 0)
    beside()
    if len(body) < 7:
        section(list(LOCKS), 1)
    beside()
    return tuple(body)


def ordered(threads: Threads) -> bool:
    """The rule of thumb: all threads take nested locks in one order, so nothing can get stuck."""
    pairs = set()
    for its in threads:
        held: list[str] = []
        for what, which, _ in its:
            if what in ("lock", "try"):
                pairs |= {(each, which) for each in held}
                held.append(which)
            elif what == "unlock":
                held.remove(which)
    found = set(LOCKS)
    while found:
        last = [each for each in sorted(found) if not any((each, other) in pairs for other in found)]
        if not last:
            return False
        found -= set(last)
    return True


@cache
def puzzle(seed: int) -> list[tuple[Program, bool]]:
    """Programs, and whether they can get stuck: as many of each kind that mislead as there are."""
    chance = random.Random(f"deadlock {seed}")
    can = chance.choice([4, 5, 6])
    wanted = [True] * can + [False] * (NUMBER - can)
    chance.shuffle(wanted)
    found = []
    for is_stuck in wanted:
        while True:
            program = (
                (chance.choice([0, 1, 1]), chance.choice([0, 1])),
                tuple(thread(chance) for _ in range(3)),
            )
            words = [each[0] for its in program[1] for each in its]
            if not 15 <= len(words) <= 21 or "try" not in words or not {"up", "down"} <= set(words):
                continue
            moments, bad, good = stuck(program)
            if is_stuck != bool(bad) or moments < 90 or not good:
                continue
            if bad > 2 or (not is_stuck and ordered(program[1])):
                continue
            break
        found.append((program, is_stuck))
    return found


def shown(program: Program) -> list[str]:
    """A program in three columns."""
    columns = []
    for its in program[1]:
        columns.append([
            f"{n}. {what} {which}" + (f" else {other + 1}" if what == "try" else "") for n, (what, which, other) in enumerate(its, 1)
        ])  # fmt: skip
        if any(what == "try" and other == len(its) for what, _, other in its):
            columns[-1].append(f"{len(its) + 1}. (end)")
    rows = max(map(len, columns))
    cells = [[*column, *[""] * (rows - len(column))] for column in columns]
    lines = [f"    {'P':<20}{'Q':<20}R"]
    return lines + [f"    {a:<20}{b:<20}{c}".rstrip() for a, b, c in zip(*cells, strict=True)]


def build(seed: int) -> Node:
    """The test of a seed."""
    programs, parts = puzzle(seed), []
    for n, (program, _) in enumerate(programs, 1):
        s, t = program[0]
        parts += [f"Program {n} (s is {s}, t is {t})", "", *shown(program), ""]
    question = PROMPT.format(count=len(programs), programs="\n".join(parts).rstrip())
    wanted = [n for n, (_, is_stuck) in enumerate(programs, 1) if is_stuck]
    return question >> LLMRun() >> PyFunc(partial(judge_chosen, "Stuck", lambda: wanted, NUMBER))
