"""A machine whose instructions are known but not their numbers, found out from traces that show every other step."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .answers import judge_all

DESCRIPTION = (
    "Can the model find which number means which instruction from traces that show every other step?"
)
TAGS = ["hard", "reasoning", "puzzle"]

Registers = tuple[int, int, int]
USED, TRACES, SHOWN = 11, 4, 7  # numbers in use, traces, moments that a trace shows
PROGRAMS, LONG = 3, 9
PROMPT = """A machine has three registers, A, B and C, which hold numbers from 0 to 99; every result is taken modulo 100 (so -1 is 99). It knows these
instructions:

{instructions}

An instruction is written as a letter from p to z. Each of the letters {letters} means another one of the instructions above, always the same one; which one is not
known. Here are runs of the machine. A line has two instructions, done one after the other, and then the registers after both.

{traces}

What do the registers hold after each of these programs? Each begins with the registers that stand beside it.

{questions}

The answers are certain: whatever meaning of the letters fits all the runs, it gives the same answers. Work it out without running any code. End your
reply with {count} lines, one for each program, with A, B and C, such as "Q1: 17 4 90"."""

INSTRUCTIONS: tuple[tuple[str, Callable[[int, int, int], Registers]], ...] = (
    ("A becomes A + B", lambda a, b, c: (a + b, b, c)),
    ("A becomes A - C", lambda a, b, c: (a - c, b, c)),
    ("B becomes B + C", lambda a, b, c: (a, b + c, c)),
    ("B becomes A - B", lambda a, b, c: (a, a - b, c)),
    ("C becomes C + A", lambda a, b, c: (a, b, c + a)),
    ("C becomes 2 * C + 1", lambda a, b, c: (a, b, 2 * c + 1)),
    ("B becomes 3 * B", lambda a, b, c: (a, 3 * b, c)),
    ("A becomes A + 7", lambda a, b, c: (a + 7, b, c)),
    ("A and B are exchanged", lambda a, b, c: (b, a, c)),
    ("B and C are exchanged", lambda a, b, c: (a, c, b)),
    ("A goes to B, B to C and C to A", lambda a, b, c: (c, a, b)),
    ("if A is odd, B becomes B + 5", lambda a, b, c: (a, b + 5 * (a % 2), c)),
    ("if B is greater than C, both are exchanged", lambda a, b, c: (a, c, b) if b > c else (a, b, c)),
    ("C becomes the greatest of A, B and C", lambda a, b, c: (a, b, max(a, b, c))),
    ("A becomes 99 - A", lambda a, b, c: (99 - a, b, c)),
    ("C becomes A", lambda a, b, c: (a, b, a)),
)
LETTERS = "pqrstuvwxyz"
Line = tuple[str, str, Registers, Registers]  # two instructions, the registers before and after


def do(instruction: int, registers: Registers) -> Registers:
    """The registers after an instruction."""
    a, b, c = INSTRUCTIONS[instruction][1](*registers)
    return a % 100, b % 100, c % 100


def run(meaning: Mapping[str, int], program: Sequence[str], registers: Registers) -> Registers:
    """The registers after a program."""
    for letter in program:
        registers = do(meaning[letter], registers)
    return registers


def meanings(lines: Sequence[Line], most: int = 40) -> list[dict[str, int]]:
    """The meanings of all letters that fit, up to `most` of them."""
    fits = []
    for one, two, before, after in lines:
        pairs = set()
        for a in range(len(INSTRUCTIONS)):
            middle = do(a, before)
            pairs |= {
                (a, b)
                for b in range(len(INSTRUCTIONS))
                if (a == b) == (one == two) and do(b, middle) == after
            }
        fits.append((one, two, pairs))
    found: list[dict[str, int]] = []

    def search(meaning: dict[str, int], left: list[tuple[str, str, set[tuple[int, int]]]]) -> None:
        if len(found) >= most:
            return
        if not left:
            found.append(meaning)
            return
        options = []
        for one, two, pairs in left:
            possible = [
                (a, b) for a, b in pairs
                if meaning.get(one, a) == a and meaning.get(two, b) == b
                and (one in meaning or a not in meaning.values()) and (two in meaning or b not in meaning.values())
            ]  # fmt: skip
            options.append((len(possible), one, two, possible))
        at = min(range(len(options)), key=lambda n: options[n][0])
        _, one, two, possible = options[at]
        rest = [each for n, each in enumerate(left) if n != at]
        for a, b in possible:
            search(meaning | {one: a, two: b}, rest)

    search({}, fits)
    return found


def anything(chance: random.Random) -> Registers:
    """Registers at the beginning."""
    return chance.randrange(100), chance.randrange(100), chance.randrange(100)


@cache
def puzzle(seed: int) -> tuple[list[list[Line]], list[tuple[list[str], Registers, Registers]]]:
    """Traces, and programs with their first and last registers."""
    for attempt in range(200):
        chance = random.Random(f"opcodes {seed} {attempt}")
        meaning = dict(zip(LETTERS, chance.sample(range(len(INSTRUCTIONS)), USED), strict=True))
        traces, used = [], [*LETTERS, *LETTERS]
        for _ in range(TRACES):
            registers = anything(chance)
            moments: list[Line] = []
            for _ in range(SHOWN):
                one, two = (
                    used.pop(chance.randrange(len(used))) if used else chance.choice(LETTERS)
                    for _ in range(2)
                )
                after = run(meaning, (one, two), registers)
                moments.append((one, two, registers, after))
                registers = after
            traces.append(moments)
        programs = []
        for _ in range(PROGRAMS):
            program, begin = chance.choices(LETTERS, k=LONG), anything(chance)
            programs.append((program, begin, run(meaning, program, begin)))
        fits = meanings([line for trace in traces for line in trace])
        asked = {letter for program, _, _ in programs for letter in program}
        if (
            len(fits) < 40
            and len(asked) >= 10
            and all(run(each, program, begin) == end for each in fits for program, begin, end in programs)
        ):
            return traces, programs
    raise ValueError(f"no machine for seed {seed}")


def shown(registers: Registers) -> str:
    """The registers as the prompt shows them."""
    return "A={} B={} C={}".format(*registers)


def wanted(seed: int) -> dict[str, Registers]:
    """The answers of a seed."""
    return {f"Q{n}": end for n, (_, _, end) in enumerate(puzzle(seed)[1], 1)}


def same_registers(said: str, registers: Registers) -> bool:
    """Whether three numbers are said, and they are these."""
    digits = "".join(each if each.isascii() and each.isdigit() else " " for each in said)
    return [int(each) for each in digits.split()[:4]] == list(registers)


def build(seed: int) -> Node:
    """The test of a seed."""
    traces, programs = puzzle(seed)
    runs = []
    for n, trace in enumerate(traces, 1):
        runs.append(f"Run {n}, begins with {shown(trace[0][2])}")
        runs += [f"    {one} {two}   {shown(after)}" for one, two, _, after in trace]
    question = PROMPT.format(
        instructions="\n".join(f"- {said}" for said, _ in INSTRUCTIONS),
        letters=", ".join(LETTERS[:-1]) + " and " + LETTERS[-1],
        traces="\n".join(runs),
        questions="\n".join(
            f"Q{n}: {' '.join(its)}   from {shown(begin)}" for n, (its, begin, _) in enumerate(programs, 1)
        ),
        count=len(programs),
    )
    return question >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_registers))
