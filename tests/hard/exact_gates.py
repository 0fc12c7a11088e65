"""A network of gates of one odd kind, each a tick late, that computes with two numbers bit by bit."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .programs import Refused, last_block, lines_of

DESCRIPTION = (
    "Can the model build a serial calculator of few delaying gates, with every delay right, untried?"
)
TAGS = ["hard", "reasoning", "code"]

BITS = 16  # of the result
WIDTH = 12  # of the numbers
WARM = 40  # ticks before the first bit
PERIOD = 5  # ticks that a bit stays
LATEST = 60  # ticks from the first of a bit to when its result is read
CASES = 400
MOST_GATES = 48  # the references have 42 and 43
PROMPT = """A network has the inputs a and b and any number of gates. Time goes in ticks, from tick 0 on. Every gate holds one bit, 0 at
tick 0, and has two sources, named U and V: each is an input, a gate (also the gate itself, or one of a later line), or a
constant 0 or 1. There is only one kind: at each tick from 1 on, every gate holds

    {formula}

where U and V stand for the bits of its sources at the tick before. So each gate makes things late by one tick.

The inputs give two numbers A and B from 0 to {largest}, the lowest bit first: bit k (k = 0, 1, 2, ...) is there from tick {warm} + {period}k on, for {period} ticks
(to tick {warm} + {period}k + {rest}); bits from {width} on are 0. Before tick {warm} both inputs are 0.

Build a network that computes Z = {what} modulo 2^{bits} (so Z is never negative). One gate is called z. At the tick
{warm} + {period}k + D it must hold bit k of Z, for k = 0 to {last}; what it holds at other ticks does not matter. D is a whole number
from 0 to {latest}, which you choose.

Limit: at most {most} gates. The network is run with {cases} hidden pairs of numbers, each from tick 0 on, and must be right on all.

You cannot run anything. End your reply with one fenced code block: the first line is "D = " and your number, and then comes one gate a
line, "NAME = U V", for example "g7 = a 1" or "z = g7 z", where NAME is a letter, followed by letters, digits or underscores or
not, and is neither a nor b. Nothing else stands in the block."""


@dataclass(frozen=True)
class Task:
    """The gate: U and not V if `and_` else U or not V, the other way round if `swapped`; Z = times_a * A + times_b * B."""

    and_: bool
    swapped: bool
    times_a: int
    times_b: int

    @property
    def formula(self) -> str:
        u, v = ("V", "U") if self.swapped else ("U", "V")
        return f"{u} {'and' if self.and_ else 'or'} not {v}"

    @property
    def what(self) -> str:
        plus = [(times, name) for times, name in ((self.times_a, "A"), (self.times_b, "B"))]
        plus.sort(reverse=True)
        text = " ".join(
            f"{'+' if times > 0 else '-'} {abs(times) if abs(times) > 1 else ''}{name}"
            for times, name in plus
        )
        return text.removeprefix("+ ")


@dataclass(frozen=True)
class Network:
    """The gates with their sources; where z is read."""

    late: int
    gates: dict[str, tuple[str, str]]


def parse(text: str) -> Network:
    """The network of a program."""
    lines = lines_of(text)
    found = re.fullmatch(r"D\s*=\s*(\d{1,3})", lines[0]) if lines else None
    if not found or int(found[1]) > LATEST:
        raise Refused(f"the first line is not D = 0 to {LATEST}")
    gates: dict[str, tuple[str, str]] = {}
    for line in lines[1:]:
        gate = re.fullmatch(r"([A-Za-z]\w{0,20})\s*=\s*(\w{1,21})[\s,]+(\w{1,21})", line, re.ASCII)
        if not gate or gate[1] in gates or gate[1] in ("a", "b"):
            raise Refused(f"this is no gate, or its name is taken: {line[:80]!r}")
        gates[gate[1]] = (gate[2], gate[3])
    for name, sources in gates.items():
        for source in sources:
            if source not in gates and source not in ("a", "b", "0", "1"):
                raise Refused(f"{name} has an unknown source: {source}")
    if "z" not in gates:
        raise Refused("there is no gate z")
    if len(gates) > MOST_GATES:
        raise Refused(f"{len(gates)} gates, {MOST_GATES} allowed")
    return Network(int(found[1]), gates)


def history(task: Task, network: Network, pairs: list[tuple[int, int]]) -> list[int]:
    """What z holds at each tick, for all pairs at once: a bit of the numbers for each."""
    ones = (1 << len(pairs)) - 1
    names = ["0", "1", "a", "b", *network.gates]
    place = {name: number for number, name in enumerate(names)}
    sources = [(place[u], place[v]) for u, v in network.gates.values()]
    if task.swapped:
        sources = [(v, u) for u, v in sources]
    bits = [
        [sum((pair[which] >> k & 1) << lane for lane, pair in enumerate(pairs)) for k in range(WIDTH)]
        for which in range(2)
    ]
    holds, z, course = [0] * len(names), place["z"], []
    for tick in range(WARM + PERIOD * BITS + LATEST):
        k = (tick - WARM) // PERIOD
        holds[:4] = [0, ones, *(row[k] if 0 <= k < WIDTH else 0 for row in bits)]
        course.append(holds[z])
        if task.and_:
            holds[4:] = [holds[u] & ~holds[v] for u, v in sources]
        else:
            holds[4:] = [holds[u] | (ones ^ holds[v]) for u, v in sources]
    return course


def wrong_lanes(task: Task, late: int, course: list[int], pairs: list[tuple[int, int]]) -> int:
    """A bit for each pair that has come out wrong."""
    results = [task.times_a * a + task.times_b * b for a, b in pairs]
    wrong = 0
    for k in range(BITS):
        expected = sum((result >> k & 1) << lane for lane, result in enumerate(results))
        wrong |= course[WARM + PERIOD * k + late] ^ expected
    return wrong


def pairs_of(seed: int) -> list[tuple[int, int]]:
    """Hidden numbers, the smallest and the largest among them."""
    chance, top = random.Random(f"gates cases {seed}"), 2**WIDTH - 1
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1), (top, top), (top, 0), (0, top), (top, 1), (1, top), (1365, 2730)]
    return pairs + [(chance.randint(0, top), chance.randint(0, top)) for _ in range(CASES - len(pairs))]


def task_of(seed: int) -> Task:
    """The task of a seed."""
    chance = random.Random(f"gates {seed}")
    times_a, times_b = chance.choice(((3, 1), (1, 3), (3, -1), (-1, 3)))
    return Task(chance.random() < 0.5, chance.random() < 0.5, times_a, times_b)


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of right pairs; passed if all are."""
    task, pairs = task_of(seed), pairs_of(seed)
    try:
        network = parse(last_block(reply))
    except Refused as why:
        return Score(0.0, False), str(why)
    wrong = wrong_lanes(task, network.late, history(task, network, pairs), pairs)
    told = f"{len(network.gates)} gates; {wrong.bit_count()} of {len(pairs)} pairs wrong"
    if wrong:
        told += f", such as A, B = {pairs[(wrong & -wrong).bit_length() - 1]}"
    return Score(1 - wrong.bit_count() / len(pairs), not wrong), told


def build(seed: int) -> Node:
    """The test of a seed."""
    task = task_of(seed)
    question = PROMPT.format(
        formula=task.formula, what=task.what, largest=2**WIDTH - 1, width=WIDTH, warm=WARM, period=PERIOD,
        rest=PERIOD - 1, bits=BITS, last=BITS - 1, latest=LATEST, most=MOST_GATES, cases=CASES,
    )  # fmt: skip
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
