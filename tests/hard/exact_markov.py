"""A list of rewriting rules, written blind, that multiplies and changes the base of the digits."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .programs import Refused, Stuck, judge_program, lines_of

DESCRIPTION = (
    "Can the model multiply by rewriting alone, from one base to another, with few rules it cannot try?"
)
TAGS = ["hard", "reasoning", "code"]

STEPS = {4: 5_500, 5: 11_500, 6: 20_000}  # by base; the reference needs about nine tenths of it
LONGEST = 1_000  # letters of a string
CASES = 120
PROMPT = """A rewriting program is a list of rules, one a line, of the form

    LEFT -> RIGHT
    LEFT => RIGHT

It works on one string. In each step the rules are tried from the first to the last; the first rule whose LEFT occurs in the
string is used, once: the leftmost occurrence of LEFT is replaced by RIGHT. Then the next step begins, again with the first
rule. The program ends right after a step that used a rule with =>, and also when no rule can be used. What the string is then is the
result. LEFT or RIGHT may be empty; an empty LEFT occurs in every string, at its very beginning. The characters of LEFT and
RIGHT may be any visible ASCII characters except - = and >, also ones that do not occur in the input. Blanks around LEFT
and RIGHT mean nothing. There is nothing else in the language: no comments, no wildcards.

Write a rewriting program for this task. The digits are written as letters: {digits}.
The string at the start is A{sign}B, where A and B are numbers in base {base} of 1 to {longest} digits each, the most significant
digit first. A and B have no leading zeros, but each may be the number zero, a single {zero}. The result must be the number A * B + {plus}
in base {target}, the most significant digit first, without leading zeros and with nothing else around it.

    For example {example_in} gives {example_out}, since {example_why}.

Limits: at most {rules} rules; at most {steps:,} steps; the string never longer than {length:,} characters. The program is run
on {cases} hidden inputs, and must be right on all of them.

You cannot run anything. End your reply with the program, in one fenced code block that holds nothing else."""


@dataclass(frozen=True)
class Task:
    """Bases, the letters of the digits, the sign between the numbers, and what is added."""

    base: int
    target: int
    letters: str
    sign: str
    plus: int
    longest: int

    @property
    def most(self) -> int:
        """How many rules are allowed: as many as the reference has."""
        return self.base + self.target + 24


def task_of(seed: int) -> Task:
    """The task of a seed."""
    chance = random.Random(f"markov {seed}")
    base, target = chance.choice([(4, 6), (5, 3), (6, 4), (4, 7), (5, 7), (6, 5)])
    letters = "".join(chance.sample("abcdefghkmnpqstuvwxyz", max(base, target)))
    return Task(base, target, letters, chance.choice("*&@%!"), chance.randint(5, 9), 5)


def written(number: int, base: int, letters: str) -> str:
    """A number in a base."""
    digits = letters[number % base]
    while number := number // base:
        digits = letters[number % base] + digits
    return digits


def parse(task: Task, text: str) -> list[tuple[str, str, bool]]:
    """The rules: left, right, and whether it is the last step."""
    rules = []
    for line in lines_of(text):
        found = re.fullmatch(r"([^\s=>-]*)\s*(->|=>)\s*([^\s=>-]*)", line)
        if not found or not line.isascii():
            raise Refused(f"this is no rule: {line[:80]!r}")
        rules.append((found[1], found[3], found[2] == "=>"))
    if len(rules) > task.most:
        raise Refused(f"{len(rules)} rules, {task.most} allowed")
    return rules


def run(steps: int, rules: list[tuple[str, str, bool]], text: str) -> str:
    """The result."""
    for _ in range(steps):
        used = next((rule for rule in rules if rule[0] in text), None)
        if used is None:
            return text
        text = text.replace(used[0], used[1], 1)
        if len(text) > LONGEST:
            raise Stuck("the string is too long")
        if used[2]:
            return text
    raise Stuck("too many steps")


def cases(seed: int) -> list[tuple[str, str]]:
    """Inputs, the small and odd ones among them, and results."""
    task, chance = task_of(seed), random.Random(f"markov cases {seed}")
    top = task.base**task.longest - 1
    pairs = [
        (0, 0),
        (0, 1),
        (1, 0),
        (0, top),
        (top, 0),
        (1, 1),
        (top, top),
        (task.base, task.base**4),
        (1, top),
    ]
    while len(pairs) < CASES:
        a, b = (chance.randrange(task.base ** chance.randint(1, task.longest)) for _ in range(2))
        pairs.append((a, b))
    return [
        (
            written(a, task.base, task.letters) + task.sign + written(b, task.base, task.letters),
            written(a * b + task.plus, task.target, task.letters),
        )
        for a, b in pairs
    ]


def build(seed: int) -> Node:
    """The test of a seed."""
    task = task_of(seed)
    a, b = 3 * task.base + 2, 2 * task.base + 1
    total = a * b + task.plus
    question = PROMPT.format(
        digits=", ".join(f"{letter} is {value}" for value, letter in enumerate(task.letters)),
        sign=task.sign, base=task.base, target=task.target, longest=task.longest, zero=task.letters[0], plus=task.plus,
        example_in=written(a, task.base, task.letters) + task.sign + written(b, task.base, task.letters),
        example_out=written(total, task.target, task.letters), example_why=f"{a} * {b} + {task.plus} = {total}",
        rules=task.most, steps=STEPS[task.base], length=LONGEST, cases=CASES,
    )  # fmt: skip
    judge = partial(judge_program, partial(parse, task), partial(run, STEPS[task.base]), partial(cases, seed))
    return question >> LLMRun() >> PyFunc(judge)
