"""A linear circuit of exclusive-ors with as few gates as one that is planted, which the greedy search misses."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

from evaluator import *

DESCRIPTION = "Can the model find a circuit of exclusive-ors that is smaller than the greedy search's?"
TAGS = ["hard", "reasoning"]

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


def paired(size: int, outputs: list[int], chance: random.Random) -> list[Gate]:
    """A circuit by Paar's greedy rule: the pair that occurs in most outputs becomes a gate (C. Paar, Optimized arithmetic
    for Reed-Solomon encoders, 1997), ties by chance."""
    names = [f"x{n}" for n in range(size)]
    rows = [{n for n in range(size) if bits >> n & 1} for bits in outputs]
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


@dataclass(frozen=True)
class Circuits:
    """Circuits of `size` inputs and as many outputs, with one of `gates` gates planted.

    `most_terms`: inputs in one output; `fewest_terms`: of all outputs together; `spare`: how many gates more
    the greedy search must need.
    """

    size: int
    gates: int
    most_terms: int
    fewest_terms: int
    spare: int = 3

    @cache  # noqa: B019 - there are two of them
    def planted(self, seed: int) -> tuple[tuple[int, ...], tuple[Gate, ...]]:
        """Outputs as sets of inputs, one bit each, and a circuit for them: a random one in which terms cancel, so that the
        greedy search does worse, and in which every gate is needed."""
        size = self.size
        for attempt in range(10_000):
            chance = random.Random(f"xor {seed} {attempt}")
            values, gates, unused = [1 << n for n in range(size)], list[tuple[int, int]](), set(range(size))
            while len(gates) < self.gates:
                a, b = (
                    chance.choice(sorted(unused) if len(unused) > size // 2 else range(len(values))),
                    chance.randrange(len(values)),
                )
                new = values[a] ^ values[b]
                if new not in values and 2 <= new.bit_count() <= self.most_terms:
                    values.append(new)
                    gates.append((a, b))
                    unused = (unused | {len(values) - 1}) - {a, b}
            parts = {each for gate in gates for each in gate}
            leaves = [n for n in range(size, len(values)) if n not in parts]
            inner = [n for n in range(size, len(values)) if n in parts and values[n].bit_count() > 3]
            if len(leaves) > size or len(leaves) + len(inner) < size or not parts.issuperset(range(size)):
                continue
            outputs = [*leaves, *chance.sample(inner, size - len(leaves))]
            chance.shuffle(outputs)
            wanted = [values[n] for n in outputs]
            terms = [bits.bit_count() for bits in wanted]
            if min(terms) < 3 or sum(terms) < self.fewest_terms:
                continue
            if min(len(paired(size, wanted, chance)) for _ in range(RUNS)) < self.gates + self.spare:
                continue
            names = [f"x{n}" for n in range(size)] + [f"t{n}" for n in range(size, len(values))]
            for k, n in enumerate(outputs):
                names[n] = f"y{k}"
            circuit = tuple((names[size + k], names[a], names[b]) for k, (a, b) in enumerate(gates))
            return tuple(wanted), circuit
        raise ValueError(f"no circuit for seed {seed}")

    def outputs_of(self, seed: int) -> list[int]:
        """The outputs as sets of inputs, one bit each."""
        return list(self.planted(seed)[0])

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The allowed number of gates by those used, 1 at most; passed within the limit. 0 for a circuit that is wrong."""
        blocks = re.findall(r"```[^\n]*\n(.*?)```", reply, re.DOTALL)
        known = {f"x{n}": 1 << n for n in range(self.size)}
        gates = 0
        for line in (blocks[-1] if blocks else "").splitlines():
            if not line.strip():
                continue
            found = re.fullmatch(r"\s*([ty]\w{0,8})\s*=\s*(\w{1,9})\s*[+^]\s*(\w{1,9})\s*;?\s*", line)
            if not found or found[1] in known or found[2] not in known or found[3] not in known:
                return Score(0.0, False), f"this is no gate: {line[:100]!r}"
            gates += 1
            known[found[1]] = known[found[2]] ^ known[found[3]]
        wrong = [f"y{n}" for n, bits in enumerate(self.outputs_of(seed)) if known.get(f"y{n}") != bits]
        if wrong:
            return Score(0.0, False), f"wrong or missing: {', '.join(wrong)}"
        score = Score(min(1.0, self.gates / gates), gates <= self.gates)
        return score, f"{gates} gates, {self.gates} allowed"

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        outputs = self.outputs_of(seed)
        sums = (" + ".join(f"x{n}" for n in range(self.size) if bits >> n & 1) for bits in outputs)
        question = PROMPT.format(
            last_in=self.size - 1, last_out=self.size - 1, outputs="\n".join(f"    y{n} = {terms}" for n, terms in enumerate(sums)),
            naive=sum(bits.bit_count() - 1 for bits in outputs), most=self.gates,
        )  # fmt: skip
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Circuits(size=9, gates=15, most_terms=7, fewest_terms=40)
build = TASK.build
