"""The machine of seven cells again, run for nearly two thousand steps."""

from __future__ import annotations

from functools import partial

from evaluator import *

from .exact_machine import CELLS, OPERATIONS, PROMPT, final, program_of

DESCRIPTION = "Can the model run a program of a made-up machine by mind for 1,920 steps without a slip?"
TAGS = ["hard", "reasoning"]

ROUNDS = (20, 40, 60, 80)  # after which the cells are asked for
END = """Which numbers do the cells hold at the end of rounds {rounds}? Work it out without running any code. End your reply with a line
for each of these rounds, with the seven numbers from left to right, such as

Round {first}: 1 2 3 4 5 6 7"""


def wanted(seed: int) -> dict[int, list[int]]:
    """Round -> the cells at its end."""
    start, lines, _ = program_of(seed + 1000)  # not the program of exact_machine
    return {rounds: final(start, lines, rounds) for rounds in ROUNDS}


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of rounds whose cells are right; passed if all are."""
    plain = re.sub(r"[*`_|,]", " ", reply)
    wrong = []
    for rounds, cells in wanted(seed).items():
        found = re.findall(rf"(?im)^[\s#>-]*round\s+{rounds}\s*:([^\n]*)", plain)
        said = [int(each) for each in re.findall(r"\d{1,4}", found[-1])] if found else []
        wrong += [] if said == cells else [f"round {rounds}: {said[:CELLS]}, not {cells}"]
    return Score(1 - len(wrong) / len(ROUNDS), not wrong), "; ".join(wrong)


def build(seed: int) -> Node:
    """The test of a seed."""
    start, lines, _ = program_of(seed + 1000)
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
