"""Several numbers at once from 1 by additions: an addition chain about as short as a good search finds."""

from __future__ import annotations

import random
import re
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model reach several numbers from 1 with about as few additions as a good search needs?"
TAGS = ["hard", "reasoning"]

COUNT = 6
RUNS = 150
MORE = 1  # steps more than the search needs
PROMPT = """Begin with the number 1. In each step you may write down the sum of two numbers that you already have (the two may be the
same). Reach all of these numbers:

    {targets}

with at most {most} steps; fewer are better. (Doubling and adding for each number by itself takes {naive}.) Work it out without
running any code.

Write the steps as the last thing in your reply, in one code block, a step a line, in the form "SUM = A + B", for example "2 = 1 + 1".
A and B must be 1 or sums of earlier lines."""


def targets_of(seed: int) -> list[int]:
    """The numbers to be reached."""
    chance = random.Random(f"sums {seed}")
    return sorted(chance.sample(range(400, 4000), COUNT))


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
def best(seed: int) -> dict[int, tuple[int, int]]:
    """The shortest chain of some searches."""
    targets, chance = targets_of(seed), random.Random(f"sums search {seed}")
    return min((chain(targets, chance) for _ in range(RUNS)), key=len)


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
    most = len(best(seed)) + MORE
    return Score(min(1.0, most / steps), steps <= most), f"{steps} steps, {most} allowed"


def build(seed: int) -> Node:
    """The test of a seed."""
    targets = targets_of(seed)
    question = PROMPT.format(
        targets=", ".join(map(str, targets)), most=len(best(seed)) + MORE, naive=naive(targets)
    )
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
