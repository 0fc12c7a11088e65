"""Changed lines of two small programs: which of them change no result, for no input."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from evaluator import *

from .replies import judge_chosen
from .versions import PROGRAMS, Change

DESCRIPTION = (
    "Can the model tell changes of a program that never matter from those that matter for a few inputs?"
)
TAGS = ["hard", "code", "python", "reasoning"]

FOLDER = Path(__file__).parent / "files" / "judgement_versions"
EACH = 10  # changes of a program
FEWEST, MOST = 3, 6  # of them without effect
PROMPT = """Below are two Python functions. Each has some changed versions: in each of these exactly one line is replaced by the line that is
given (with the same indentation), and everything else stays as it is.

A version counts as equal if it returns the same as the original for every allowed input. Raising an exception is not the same as
returning. The original never raises one for an allowed input, and no version runs forever for one.

{programs}

Which versions are equal? Many of the others differ for few inputs only. Work it out without running any code. End your reply with a line
that begins with "Equal:" and has the numbers of all equal versions of both functions, separated by commas; it passes if exactly
these are named."""


def source(name: str) -> list[str]:
    """The lines of a program."""
    return (FOLDER / f"{name}.py").read_text().splitlines()


def chosen(seed: int) -> list[tuple[str, list[tuple[Change, bool]]]]:
    """Two programs, each with changes and whether these have no effect."""
    chance = random.Random(f"versions {seed}")
    found = []
    for name in chance.sample(sorted(PROGRAMS), 2):
        _, same, other = PROGRAMS[name]
        fewest = max(FEWEST, EACH - len(other))
        count = chance.randint(fewest, max(fewest, min(MOST, len(same))))
        changes = [(each, True) for each in chance.sample(same, count)]
        changes += [(each, False) for each in chance.sample(other, EACH - count)]
        found.append((name, sorted(changes)))
    return found


def build(seed: int) -> Node:
    """The test of a seed."""
    number, parts, wanted = 0, [], []
    for name, changes in chosen(seed):
        lines = source(name)
        parts += [f"The function {name}", ""]
        parts += [f"    {n:>2}  {line}" for n, line in enumerate(lines, 1)]
        parts += ["", f"Allowed inputs: {PROGRAMS[name][0]}.", "", "Its versions:", ""]
        for (at, line), same in changes:
            number += 1
            wanted += [number] if same else []
            parts.append(f"    {number:>2}. line {at} becomes: {line}")
        parts.append("")
    question = PROMPT.format(programs="\n".join(parts).rstrip())
    return question >> LLMRun() >> PyFunc(partial(judge_chosen, "Equal", lambda: wanted, 2 * EACH))
