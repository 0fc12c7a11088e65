"""Interleavings of three threads that end in states which hardly any interleaving leads to."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model find the interleavings of three threads that end in the rarest states?"
TAGS = ["hard", "reasoning", "threads"]

LINES, VARIABLES, LOCKS = 11, "wxyz", "LM"
THREADS = "PQR"
TARGETS = 5
RARE = 1 / 4000  # of all interleavings lead to a target, at most
PROMPT = """Three threads share the variables w, x, y and z, all 0 at first, and the locks L and M, free at first. Each thread runs its lines from the first to
the last. A line is done as a whole, nothing comes in between; between two lines of a thread any lines of the others may be done.

{threads}

- All numbers are taken modulo 10 (0 to 9, never negative).
- "lock L" can only be done while nobody holds L; until then the thread cannot go on. "unlock L" frees it.
- "if CONDITION: skip K" leaves out the next K lines if the condition holds at that moment, else it does nothing. It is a line of its own.
  Lines that are left out do not count as done.

An interleaving is written as the letters of the threads in the order in which their lines are done, one letter for each line that is done, until all
threads are at their end. For each of these final states, find an interleaving that ends in it; there is one:

{targets}

Work it out without running any code. End your reply with {count} lines, one for each, such as

S1: PPQRPQ..."""

Line = tuple[str, ...]
State = tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...]
]  # place of each thread, variables, holder of each lock


def said(line: Line) -> str:
    """A line as the prompt has it."""
    kind, *rest = line
    if kind in ("lock", "unlock"):
        return f"{kind} {rest[0]}"
    if kind == "if":
        return f"if {rest[0]} {rest[1]} {rest[2]}: skip {rest[3]}"
    return f"{rest[0]} = {rest[1]} {kind} {rest[2]}"


def of(word: str, variables: tuple[int, ...]) -> int:
    """The value of a variable or a number."""
    return int(word) if word.isdigit() else variables[VARIABLES.index(word)]


def step(programs: tuple[tuple[Line, ...], ...], state: State, thread: int) -> State | None:
    """The state once a thread has done its next line; None if it cannot."""
    places, variables, holders = state
    place = places[thread]
    if place >= len(programs[thread]):
        return None
    kind, *rest = programs[thread][place]
    ahead = 1
    if kind in ("lock", "unlock"):
        lock = LOCKS.index(rest[0])
        if kind == "lock" and holders[lock] >= 0:
            return None
        holders = tuple(
            (thread if kind == "lock" else -1) if each == lock else held for each, held in enumerate(holders)
        )
    elif kind == "if":
        left, right = of(rest[0], variables), of(rest[2], variables)
        holds = {"<": left < right, "==": left == right, "!=": left != right}[rest[1]]
        ahead += int(rest[3]) if holds else 0
    else:
        left, right = of(rest[1], variables), of(rest[2], variables)
        value = {"+": left + right, "-": left - right, "*": left * right}[kind] % 10
        variables = tuple(
            value if name == rest[0] else old for name, old in zip(VARIABLES, variables, strict=True)
        )
    return (*places[:thread], place + ahead, *places[thread + 1 :]), variables, holders


def program(chance: random.Random) -> tuple[Line, ...]:
    """The lines of a thread. A lock is held for two or three lines, which no jump leaves."""
    lines: list[Line] = []
    while len(lines) < LINES:
        draw = chance.random()
        change = partial(_change, chance)
        if draw < 0.2 and len(lines) + 4 <= LINES:
            lock = chance.choice(LOCKS)
            inner = [change() for _ in range(chance.choice((1, 2)))]
            lines += [("lock", lock), *inner, ("unlock", lock)]
        elif draw < 0.45 and len(lines) + 3 <= LINES:
            count = chance.choice((1, 2))
            a, b = chance.sample(VARIABLES, 2)
            right = chance.choice((b, str(chance.randint(1, 6))))
            lines += [
                ("if", a, chance.choice(("<", "==", "!=")), right, str(count)),
                *(change() for _ in range(count)),
            ]
        else:
            lines.append(change())
    return tuple(lines[:LINES])


def _change(chance: random.Random) -> Line:
    a, b = chance.choice(VARIABLES), chance.choice(VARIABLES)
    return chance.choice("++-*"), a, b, chance.choice((str(chance.randint(1, 5)), chance.choice(VARIABLES)))


START: State = ((0, 0, 0), (0, 0, 0, 0), (-1, -1))


def ends(
    programs: tuple[tuple[Line, ...], ...],
) -> tuple[Counter[tuple[int, ...]], dict[State, list[tuple[State, int]]]]:
    """How many interleavings end with each value of the variables (those that get stuck left out), and which states lead
    to each state, by which thread."""
    ways: Counter[State] = Counter({START: 1})
    before: dict[State, list[tuple[State, int]]] = {}
    level = [START]
    found: Counter[tuple[int, ...]] = Counter()
    # A line may skip others, so levels are by the number of lines done, and a state of two levels stands in both.
    while level:
        after: Counter[State] = Counter()
        for state in level:
            if all(place >= LINES for place in state[0]):
                found[state[1]] += ways[state]
                continue
            for thread in range(len(THREADS)):
                if (next_state := step(programs, state, thread)) is not None:
                    after[next_state] += ways[state]
                    before.setdefault(next_state, []).append((state, thread))
        level, ways = list(after), after
    return found, before


@cache
def puzzle(seed: int) -> tuple[tuple[tuple[Line, ...], ...], tuple[tuple[int, ...], ...], tuple[str, ...]]:
    """The threads, the final values asked for, and an interleaving for each."""
    for attempt in range(1000):
        chance = random.Random(f"witness {seed} {attempt}")
        programs = tuple(program(chance) for _ in THREADS)
        kinds = Counter(line[0] for lines in programs for line in lines)
        if kinds["lock"] < 4 or kinds["if"] < 5:
            continue
        found, before = ends(programs)
        total = sum(found.values())
        rare = sorted(values for values, count in found.items() if count < RARE * total)
        if len(rare) < TARGETS + 3:
            continue
        targets = tuple(chance.sample(rare, TARGETS))
        return programs, targets, tuple(_way(before, target, chance) for target in targets)
    raise ValueError(f"no threads for seed {seed}")


def _way(before: dict[State, list[tuple[State, int]]], target: tuple[int, ...], chance: random.Random) -> str:
    """An interleaving that ends with the values, from the end backwards."""
    state = next(each for each in before if each[1] == target and all(place >= LINES for place in each[0]))
    letters = []
    while state != START:
        state, thread = chance.choice(before[state])
        letters.append(THREADS[thread])
    return "".join(reversed(letters))


def final(programs: tuple[tuple[Line, ...], ...], letters: str) -> tuple[tuple[int, ...] | None, str]:
    """The variables at the end of an interleaving, or None and what is wrong with it."""
    state = START
    for number, letter in enumerate(letters, 1):
        after = step(programs, state, THREADS.index(letter))
        if after is None:
            return None, f"letter {number}: {letter} cannot go on"
        state = after
    if any(place < LINES for place in state[0]):
        return None, "a thread is not at its end"
    return state[1], ""


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of final states that are reached; passed if all are."""
    programs, targets, _ = puzzle(seed)
    right, told = 0, []
    for number, target in enumerate(targets, 1):
        found = re.findall(rf"(?m)^[ \t#>*_`-]*S{number}\b[\s*_`]*:([^\n]{{0,400}})", reply)
        letters = re.sub(r"[^PQR]", "", found[-1]) if found else ""
        values, why = final(programs, letters)
        right += values == target
        told += [] if values == target else [f"S{number}: {why or f'ends in {values}, not {target}'}"]
    return Score(right / TARGETS, right == TARGETS), "; ".join(told)


def build(seed: int) -> Node:
    """The test of a seed."""
    programs, targets, _ = puzzle(seed)
    width = max(len(said(line)) for lines in programs for line in lines) + 4
    rows = ["     " + "".join(f"thread {name}".ljust(width) for name in THREADS).rstrip()]
    for number, lines in enumerate(zip(*programs, strict=True), 1):
        rows.append(f"{number:>3}  " + "".join(said(line).ljust(width) for line in lines).rstrip())
    states = (
        f"    S{number}: "
        + ", ".join(f"{name} = {value}" for name, value in zip(VARIABLES, values, strict=True))
        for number, values in enumerate(targets, 1)
    )
    question = PROMPT.format(threads="\n".join(rows), targets="\n".join(states), count=TARGETS)
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
