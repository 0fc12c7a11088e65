"""Icebergs, stops and more for a market, in a language of which there is nothing but a description."""

from __future__ import annotations

from functools import partial

from evaluator import *

from .cases import Cases
from .repair_loom import COMMAND, TURNS, cases, program

DESCRIPTION = (
    "Can an agent extend a program in a language that it can run only with an interpreter of its own?"
)
TAGS = ["medium", "code", "agent"]

QUESTION = f"""In this folder is market.loom, a program in Loom. LOOM.md describes this language, of which you have no interpreter; MARKET.md says what the program does, NEXT.md what it must do as well from now on. Build that in market.loom. Everything in MARKET.md
goes on to hold where NEXT.md does not change it. The program was never run; if it should break a rule of MARKET.md, mend that, too. Leave the documents as they are. It is run by a Loom machine that follows LOOM.md exactly, on hidden scripts that make every rule meet every other, and every line must be right.
You have at most {TURNS} turns (replies, each with as many calls as you like); the last change of market.loom counts."""
# what is wrong in the program that is to be extended: it is only seen when rare things meet
SLIPS = (("give orders.n.6 < orders.m.6", "give orders.n.1 < orders.m.1"), ("(units < 1) | (price < 1) |", "units < 1 | (price < 1) |"), ("(999 + value * rate) / 1000", "1 + (value * rate) / 1000"),
         ("if (number > 0) & orders.k.1 = number", "if orders.k.1 = number"))  # fmt: skip


def files(seed: int) -> dict[str, str]:
    """The program before the work."""
    found = program(full=False)
    for right, wrong in SLIPS:
        assert found["market.loom"].count(right) == 1, right
        found["market.loom"] = found["market.loom"].replace(right, wrong)
    return found


def build(seed: int) -> Node:
    """The test of a seed, which decides the hidden scripts."""
    work = Files(partial(files, seed)) >> QUESTION >> AgentRun([Shell(), EditFile()], max_turns=TURNS)
    return work >> Cases(COMMAND, partial(cases, seed), files=["market.loom"])
