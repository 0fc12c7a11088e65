"""The machine of seven cells again, run for nearly two thousand steps."""

from __future__ import annotations

from functools import cache, partial

from evaluator import *

from .exact_machine import CELLS, OPERATIONS, PROMPT, final, program_of

DESCRIPTION = "Can the model run a program of a made-up machine by mind for 1,920 steps without a slip?"
TAGS = ["hard", "reasoning"]

ROUNDS = (20, 40, 60, 80)  # after which the cells are asked for
END = """Which numbers do the cells hold at the end of rounds {rounds}? Work it out without running any code. End your reply with a line
for each of these rounds, with the seven numbers from left to right, such as

Round {first}: 1 2 3 4 5 6 7"""


@cache
def machine(seed: int) -> tuple[list[int], list[str]]:
    """Cells at the start, and a program of all kinds of lines that does not go round in a circle."""
    for attempt in range(1, 1000):
        start, lines, _ = program_of(seed + 10_000 * attempt)
        ends = {tuple(final(start, lines, rounds)) for rounds in range(ROUNDS[-1] + 1)}
        if len(ends) > ROUNDS[-1] and len({line.split()[0] for line in lines}) == len(OPERATIONS):
            return start, lines
    raise ValueError(f"no machine for seed {seed}")


def wanted(seed: int) -> dict[int, list[int]]:
    """Round -> the cells at its end."""
    start, lines = machine(seed)
    return {rounds: final(start, lines, rounds) for rounds in ROUNDS}


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of rounds whose cells are right; passed if all are."""
    plain = re.sub(r"[*`_|,]", " ", reply)
    wrong = []
    for rounds, cells in wanted(seed).items():
        found = re.findall(rf"(?im)^[ \t#>-]*round\s+{rounds}\s*:([^\n]*)", plain)
        said = [int(each) for each in re.findall(r"\d{1,4}", found[-1])] if found else []
        wrong += [] if said == cells else [f"round {rounds}: {said[:CELLS]}, not {cells}"]
    return Score(1 - len(wrong) / len(ROUNDS), not wrong), "; ".join(wrong)


def build(seed: int) -> Node:
    """The test of a seed."""
    start, lines = machine(seed)
    question = PROMPT[: PROMPT.index("Which numbers")].format(
        operations="\n".join(f"    {form:9} {what}" for form, what in OPERATIONS.items()),
        rounds=ROUNDS[-1],
        start=" ".join(map(str, start)),
        lines=len(lines),
        program="\n".join(f"    {line}" for line in lines),
    )
    rounds = f"{', '.join(map(str, ROUNDS[:-1]))} and {ROUNDS[-1]}"
    question += END.format(rounds=rounds, first=ROUNDS[0])
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
