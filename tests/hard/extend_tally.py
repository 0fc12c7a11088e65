"""Groups, seals, splits, mergers and more for a book of accounts that promises to be exact with whatever input."""

from __future__ import annotations

from functools import partial

from evaluator import *

from .cases import Cases
from .repair_tally import COMMAND, cases, program

DESCRIPTION = "Can an agent add fifteen commands to a program, in a few turns, so that each keeps all promises of the old ones?"
TAGS = ["medium", "code", "python", "agent"]

TURNS = 6
QUESTION = f"""In this folder is tally, a Python program of several files; README.md says what it does. NEXT.md says what it must do as well from now on. Build that. Everything in README.md goes on to hold, for the
new commands, too. Leave README.md and NEXT.md as they are. The program is run as `{COMMAND}` in this folder, by Python 3.11 or newer. Hidden scripts decide, made so that the rules meet in rare ways and with unusual input, and every
line must be right. You have at most {TURNS} turns (replies, each with as many calls as you like); the last change of the files counts."""


def files(seed: int) -> dict[str, str]:
    """The program before the work, and what NEXT.md wants."""
    return {**program(full=False), "NEXT.md": program()["NEXT.md"]}


def build(seed: int) -> Node:
    """The test of a seed, which decides the hidden scripts."""
    work = Files(partial(files, seed)) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=TURNS)
    return work >> Cases(COMMAND, partial(cases, seed), files=["tally"])
