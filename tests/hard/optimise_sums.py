"""Several numbers at once from 1 by additions: a chain as short as one that is planted, which the usual search misses."""

from __future__ import annotations

import random
import re
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model reach several numbers from 1 with fewer additions than the usual search needs?"
TAGS = ["hard", "reasoning"]

COUNT = 6
STEPS = 21  # of the chain that is planted
RUNS = 12  # of a usual search, which must do worse
PROMPT = """Begin with the number 1. In each step you may write down the sum of two numbers that you already have (the two may be the
same). Reach all of these numbers:

    {targets}

with at most {most} steps; that is possible. (Doubling and adding for each number by itself takes {naive}.) Work it out without
running any code.

Write the steps as the last thing in your reply, in one code block, a step a line, in the form "SUM = A + B", for example "2 = 1 + 1".
A and B must be 1 or sums of earlier lines."""


def naive(targets: list[int]) -> int:
    """The steps of doubling and adding for each number, with the doublings shared."""
    return max(targets).bit_length() - 1 + sum(each.bit_count() - 1 for each in targets)


def chain(targets: list[int], chance: random.Random) -> dict[int, tuple[int, int]]:
    """Steps that reach all targets: the largest number is taken apart with the help of smaller ones, again and again (in the
    manner of J. Bos and M. Coster, Addition chain heuristics, 1989); which way is best is judged by size, and by chance."""
    wanted, steps = {1, *targets}, dict[int, tuple[int, int]]()
    while (n := max(wanted)) > 1:
        wanted.discard(n)
        smaller = sorted(wanted, reverse=True)
        free = [(m, n - m) for m in smaller if n - m in wanted]
        if free:
            steps[n] = chance.choice(free)
            continue
        ways = [(float(n - m), m, n - m) for m in smaller[:5] if 2 * m >= n]
        half = n // 2
        ways += [(n * (0.25 if n % 2 == 0 else 0.35), half, n - half), (n * 0.45, n - 1, 1)]
        _, a, b = min(ways, key=lambda way: way[0] * chance.uniform(0.5, 1.5))
        steps[n] = (a, b)
        wanted |= {a, b}
    return steps


@cache
def planted(seed: int) -> tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]:
    """Targets, and a chain for them: a random one, each step of which is needed, and which the search does not find."""
    for attempt in range(10_000):
        chance = random.Random(f"sums {seed} {attempt}")
        numbers, steps, unused = [1, 2], [(2, 1, 1)], {2}
        while len(steps) < STEPS:
            a, b = (
                chance.choice(sorted(unused) if chance.random() < 0.7 else numbers[-4:]),
                chance.choice(numbers),
            )
            if a + b in numbers:
                continue
            numbers.append(a + b)
            steps.append((a + b, a, b))
            unused = (unused | {a + b}) - {a, b}
        inner = [n for n in numbers if n > 200 and n not in unused]
        if len(unused) > COUNT or len(unused) + len(inner) < COUNT or max(numbers) > 9000:
            continue
        targets = sorted([*unused, *chance.sample(inner, COUNT - len(unused))])
        if targets[0] < 150 or targets[-1] < 1200:
            continue
        if min(len(chain(targets, chance)) for _ in range(RUNS)) > STEPS + 1:
            return tuple(targets), tuple(steps)
    raise ValueError(f"no chain for seed {seed}")


def targets_of(seed: int) -> list[int]:
    """The numbers to be reached."""
    return list(planted(seed)[0])


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The allowed number of steps by those used, 1 at most; passed within the limit. 0 for a chain that is wrong."""
    blocks = re.findall(r"```[^\n]*\n(.*?)```", reply, re.DOTALL)
    known, steps = {1}, 0
    for line in (blocks[-1] if blocks else "").splitlines():
        if not line.strip():
            continue
        found = re.fullmatch(r"\s*(\d{1,6})\s*=\s*(\d{1,6})\s*\+\s*(\d{1,6})\s*", line)
        total, a, b = map(int, found.groups()) if found else (0, 0, 0)
        if not found or a not in known or b not in known or a + b != total:
            return Score(0.0, False), f"this is no step: {line[:100]!r}"
        steps += 1
        known.add(total)
    missing = [str(each) for each in targets_of(seed) if each not in known]
    if missing:
        return Score(0.0, False), f"not reached: {', '.join(missing)}"
    return Score(min(1.0, STEPS / steps), steps <= STEPS), f"{steps} steps, {STEPS} allowed"


def build(seed: int) -> Node:
    """The test of a seed."""
    targets = targets_of(seed)
    question = PROMPT.format(targets=", ".join(map(str, targets)), most=STEPS, naive=naive(targets))
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
