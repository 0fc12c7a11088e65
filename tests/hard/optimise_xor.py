"""A linear circuit of exclusive-ors with as few gates as one that is planted, which the greedy search misses."""

from __future__ import annotations

import random
import re
from functools import cache, partial
from itertools import combinations

from evaluator import *

DESCRIPTION = "Can the model find a circuit of exclusive-ors that is smaller than the greedy search's?"
TAGS = ["hard", "reasoning"]

SIZE = 9  # inputs and outputs
GATES = 15  # of the circuit that is planted
RUNS = 8  # of a greedy search, which must do worse
PROMPT = """A circuit has the inputs x0 to x{last_in} and must compute the outputs y0 to y{last_out}, all of them bits; + is exclusive or:

{outputs}

The only gate takes two bits and gives their exclusive or. Any input and any result of an earlier gate may be used any number of
times. Computed one by one, without sharing, the outputs take {naive} gates. Find a circuit of at most {most} gates; there is one.
Work it out without running any code.

Write the circuit as the last thing in your reply, in one code block, a gate a line, in the form "name = a + b", where a and b are
inputs or names of earlier lines, for example "t1 = x0 + x3". Each name is defined once, names of your own begin with t, and the
outputs are the lines that define y0 to y{last_out}."""

Gate = tuple[str, str, str]


def paired(outputs: list[int], chance: random.Random) -> list[Gate]:
    """A circuit by Paar's greedy rule: the pair that occurs in most outputs becomes a gate (C. Paar, Optimized arithmetic
    for Reed-Solomon encoders, 1997), ties by chance."""
    names = [f"x{n}" for n in range(SIZE)]
    rows = [{n for n in range(SIZE) if bits >> n & 1} for bits in outputs]
    gates: list[Gate] = []
    while True:
        counts: dict[tuple[int, int], int] = {}
        for row in rows:
            for pair in combinations(sorted(row), 2):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        most = max(counts.values())
        a, b = chance.choice([pair for pair, count in counts.items() if count == most])
        new = len(names)
        names.append(f"t{new}")
        gates.append((names[new], names[a], names[b]))
        for row in rows:
            if a in row and b in row:
                row -= {a, b}
                row.add(new)
    results = {names[row.pop()]: f"y{n}" for n, row in enumerate(rows)}
    return [(results.get(name, name), results.get(a, a), results.get(b, b)) for name, a, b in gates]


@cache
def planted(seed: int) -> tuple[tuple[int, ...], tuple[Gate, ...]]:
    """Outputs as sets of inputs, one bit each, and a circuit for them: a random one in which terms cancel, so that the greedy
    search does worse, and in which every gate is needed."""
    for attempt in range(10_000):
        chance = random.Random(f"xor {seed} {attempt}")
        values, gates, unused = [1 << n for n in range(SIZE)], list[tuple[int, int]](), set(range(SIZE))
        while len(gates) < GATES:
            a, b = (
                chance.choice(sorted(unused) if len(unused) > 4 else range(len(values))),
                chance.randrange(len(values)),
            )
            new = values[a] ^ values[b]
            if new not in values and 2 <= new.bit_count() <= 7:
                values.append(new)
                gates.append((a, b))
                unused = (unused | {len(values) - 1}) - {a, b}
        parts = {each for gate in gates for each in gate}
        leaves = [n for n in range(SIZE, len(values)) if n not in parts]
        inner = [n for n in range(SIZE, len(values)) if n in parts and values[n].bit_count() > 3]
        if len(leaves) > SIZE or len(leaves) + len(inner) < SIZE or not parts.issuperset(range(SIZE)):
            continue
        outputs = [*leaves, *chance.sample(inner, SIZE - len(leaves))]
        chance.shuffle(outputs)
        wanted = [values[n] for n in outputs]
        if min(bits.bit_count() for bits in wanted) < 3 or sum(bits.bit_count() for bits in wanted) < 40:
            continue
        if min(len(paired(wanted, chance)) for _ in range(RUNS)) < GATES + 3:
            continue
        names = [f"x{n}" for n in range(SIZE)] + [f"t{n}" for n in range(SIZE, len(values))]
        for k, n in enumerate(outputs):
            names[n] = f"y{k}"
        circuit = tuple((names[SIZE + k], names[a], names[b]) for k, (a, b) in enumerate(gates))
        return tuple(wanted), circuit
    raise ValueError(f"no circuit for seed {seed}")


def outputs_of(seed: int) -> list[int]:
    """The outputs as sets of inputs, one bit each."""
    return list(planted(seed)[0])


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The allowed number of gates by those used, 1 at most; passed within the limit. 0 for a circuit that is wrong."""
    blocks = re.findall(r"```[^\n]*\n(.*?)```", reply, re.DOTALL)
    known = {f"x{n}": 1 << n for n in range(SIZE)}
    gates = 0
    for line in (blocks[-1] if blocks else "").splitlines():
        if not line.strip():
            continue
        found = re.fullmatch(r"\s*([ty]\w{0,8})\s*=\s*(\w{1,9})\s*[+^]\s*(\w{1,9})\s*;?\s*", line)
        if not found or found[1] in known or found[2] not in known or found[3] not in known:
            return Score(0.0, False), f"this is no gate: {line[:100]!r}"
        gates += 1
        known[found[1]] = known[found[2]] ^ known[found[3]]
    wrong = [f"y{n}" for n, bits in enumerate(outputs_of(seed)) if known.get(f"y{n}") != bits]
    if wrong:
        return Score(0.0, False), f"wrong or missing: {', '.join(wrong)}"
    return Score(min(1.0, GATES / gates), gates <= GATES), f"{gates} gates, {GATES} allowed"


def build(seed: int) -> Node:
    """The test of a seed."""
    outputs = outputs_of(seed)
    sums = (" + ".join(f"x{n}" for n in range(SIZE) if bits >> n & 1) for bits in outputs)
    question = PROMPT.format(
        last_in=SIZE - 1, last_out=SIZE - 1, outputs="\n".join(f"    y{n} = {terms}" for n, terms in enumerate(sums)),
        naive=sum(bits.bit_count() - 1 for bits in outputs), most=GATES,
    )  # fmt: skip
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
