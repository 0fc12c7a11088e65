"""Jobs on as few machines as possible: the colouring of a graph in which every greedy order runs into dead ends."""

from __future__ import annotations

import random
import re
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model divide sixty jobs among four machines where nearly every choice ends in a conflict much later?"
TAGS = ["hard", "reasoning", "planning"]

JOBS, MACHINES, CONFLICTS = 60, "ABCD", 246
RUNS = 4  # of the usual search
LEAST, MOST = 300, 2000  # its steps: never fewer than LEAST, and not always MOST
PROMPT = """There are {jobs} jobs, numbered from 1, and {count} machines, {names}. Each job is to be given to one machine. Some jobs are in conflict and must not be
given to the same machine. For each job, these are all jobs with which it is in conflict (each conflict stands at both jobs):

{conflicts}

There is a way. Find one, without running any code. End your reply with {count} lines, one for each machine, with the numbers of its jobs, such as
"A: 1 4 9". Each job has to be named exactly once in these lines."""

Graph = tuple[frozenset[int], ...]


def stepped(graph: Graph, chance: random.Random) -> int:
    """How many choices the usual search makes until it has a way: always the job with the fewest machines left, of these the
    one with the most conflicts (D. Brélaz, New methods to color the vertices of a graph, 1979). MOST at the most."""
    every = (1 << len(MACHINES)) - 1
    may, left, steps = [every] * JOBS, set(range(JOBS)), 0
    tie = [chance.random() for _ in range(JOBS)]

    def goes_on(used: int) -> bool:
        nonlocal steps
        if not left:
            return True
        job = min(left, key=lambda each: (may[each].bit_count(), -len(graph[each]), tie[each]))
        left.discard(job)
        choices = [n for n in range(len(MACHINES)) if may[job] >> n & 1 and n <= used]
        chance.shuffle(choices)
        for n in choices:
            steps += 1
            if steps >= MOST:
                return True
            hit = [each for each in graph[job] if each in left and may[each] >> n & 1]
            for each in hit:
                may[each] ^= 1 << n
            if all(may[each] for each in hit) and goes_on(max(used, n + 1)):
                return True
            for each in hit:
                may[each] ^= 1 << n
        left.add(job)
        return False

    goes_on(0)
    return steps


def _drawn(chance: random.Random) -> tuple[Graph, tuple[int, ...]]:
    """A graph all of whose jobs have about as many conflicts, so that these tell nothing of the way, and the planted way."""
    jobs = list(range(JOBS))
    chance.shuffle(jobs)
    machine = [0] * JOBS
    for n, job in enumerate(jobs):
        machine[job] = n % len(MACHINES)
    graph: list[set[int]] = [set() for _ in range(JOBS)]
    for _ in range(CONFLICTS):
        order = sorted(range(JOBS), key=lambda job: (len(graph[job]), chance.random()))
        for one in order:
            others = [each for each in order if machine[each] != machine[one] and each not in graph[one]]
            if others:
                other = others[0] if chance.random() < 0.5 else chance.choice(others[:12])
                graph[one].add(other)
                graph[other].add(one)
                break
    return tuple(frozenset(each) for each in graph), tuple(machine)


@cache
def planted(seed: int) -> tuple[Graph, tuple[int, ...]]:
    """A graph of jobs that the usual search finds neither easy nor hopeless, and each job's machine."""
    for attempt in range(10_000):
        chance = random.Random(f"colours {seed} {attempt}")
        graph, machine = _drawn(chance)
        steps = [stepped(graph, chance)]
        while len(steps) < RUNS and steps[-1] >= LEAST:
            steps.append(stepped(graph, chance))
        if min(steps) >= LEAST and min(steps) < MOST:
            return graph, machine
    raise ValueError(f"no graph for seed {seed}")


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of jobs that are named once and in no conflict; passed if all are."""
    graph, _ = planted(seed)
    plain = re.sub(r"[*_`|]", " ", reply)
    on: dict[int, set[str]] = {}
    twice: set[int] = set()
    for name in MACHINES:
        lines = re.findall(rf"(?m)^[ \t#>-]*(?:Machine )?{name}\s*:([^\n]{{0,2000}})", plain)
        for number in re.findall(r"\d{1,6}", lines[-1] if lines else ""):
            job = int(number) - 1
            if not 0 <= job < JOBS:
                return Score(0.0, False), f"there is no job {number}"
            if job in on:
                twice.add(job)
            on.setdefault(job, set()).add(name)
    bad = {job for job in range(JOBS) if any(on.get(job, set()) & on.get(each, set()) for each in graph[job])}
    missing = set(range(JOBS)) - set(on)
    told = "; ".join(
        f"{word}: {', '.join(str(each + 1) for each in sorted(its))}"
        for word, its in (("in conflict", bad), ("not named", missing), ("named twice", twice))
        if its
    )
    wrong = bad | missing | twice
    return Score(1 - len(wrong) / JOBS, not wrong), told


def build(seed: int) -> Node:
    """The test of a seed."""
    graph, _ = planted(seed)
    lines = (
        f"    {job:>2}: {' '.join(str(each + 1) for each in sorted(its))}" for job, its in enumerate(graph, 1)
    )
    question = PROMPT.format(
        jobs=JOBS, count=len(MACHINES), names=", ".join(MACHINES), conflicts="\n".join(lines)
    )
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
