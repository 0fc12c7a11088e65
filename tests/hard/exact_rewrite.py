"""A rewriting system run by mind: which rule fires where, 120 times."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import partial

from evaluator import *

DESCRIPTION = "Can the model rewrite a string by mind, rule by rule, without losing a letter?"
TAGS = ["medium", "reasoning"]

STEPS = 120
RULES = 7
SHORTEST, LONGEST = 8, 26
PROMPT = """A string of the letters a, b, c and d is rewritten step by step by these rules, each of the form LEFT -> RIGHT:

{rules}

In each step exactly one thing happens. Let k be the number of the step, counted from 1.

1. In a step whose number is odd the rules are tried in the order R1, R2, ... R{last}; in a step whose number is even in the
   opposite order. The first rule whose LEFT occurs in the string is used.
2. A rule with an odd number replaces the leftmost occurrence of its LEFT, a rule with an even number the rightmost one.
   Occurrences may overlap; "rightmost" is the one that begins farthest to the right.
3. If the same rule was used in the step before, it is passed over in this step, as if it were not there. (A move of the
   first letter to the end, by point 5 below, uses no rule, so that after it no rule is passed over.)
4. After the replacement, if the string has more than {longest} letters, its last {cut} letters are dropped.
5. If no rule can be used, the first letter of the string moves to its end instead.
6. After every step whose number is divisible by 10, the string is reversed. This belongs to that step.

The string at the start: {start}

What is the string after step {steps}? Work it out without running any code. End your reply with a line that begins with
"String:" and has the string after step 40, after step 80 and after step {steps}, separated by blanks."""

Rule = tuple[str, str]
CUT = 5


@dataclass(frozen=True)
class Ways:
    """The rules of the machine that a hurried reader forgets; all hold."""

    alternates: bool = True
    rightmost: bool = True
    passes_over: bool = True


def step(text: str, rules: list[Rule], number: int, used: int, ways: Ways = Ways()) -> tuple[str, int]:
    """The string after a step, and the number of the rule that was used (0: none)."""
    order = range(1, len(rules) + 1)
    now = 0
    for each in reversed(order) if number % 2 == 0 and ways.alternates else order:
        left, right = rules[each - 1]
        if left in text and not (each == used and ways.passes_over):
            at = text.find(left) if each % 2 or not ways.rightmost else text.rfind(left)
            text, now = text[:at] + right + text[at + len(left) :], each
            break
    else:
        text = text[1:] + text[:1]
    if len(text) > LONGEST:
        text = text[:-CUT]
    return (text[::-1] if number % 10 == 0 else text), now


def course(
    start: str, rules: list[Rule], ways: Ways = Ways(), steps: int = STEPS
) -> tuple[list[str], list[int]]:
    """The strings after each step, and the rules used."""
    text, used, strings, fired = start, 0, [], []
    for number in range(1, steps + 1):
        text, used = step(text, rules, number, used, ways)
        strings.append(text)
        fired.append(used)
    return strings, fired


def system(seed: int) -> tuple[str, list[Rule]]:
    """A start and rules under which every rule fires, and each of the ways matters early."""
    for attempt in range(10_000):
        chance = random.Random(f"rewrite {seed} {attempt}")
        word = partial(chance.choices, "abcd")
        lefts = {"".join(word(k=chance.choice((2, 2, 3, 3)))) for _ in range(RULES)}
        rules = [
            (left, "".join(word(k=len(left) + chance.choice((-1, 0, 0, 1, 1))))) for left in sorted(lefts)
        ]
        chance.shuffle(rules)
        start = "".join(word(k=14))
        strings, fired = course(start, rules)
        lengths = [len(each) for each in strings]
        if (
            len(rules) < RULES
            or fired.count(0) > 18
            or len(set(fired)) < RULES
            or min(lengths) < SHORTEST
            or max(lengths) < LONGEST - 2
        ):
            continue
        others = (Ways(alternates=False), Ways(rightmost=False), Ways(passes_over=False))
        if len(set(strings)) > STEPS - 16 and all(
            course(start, rules, each, 40)[0][-1] != strings[39] for each in others
        ):
            return start, rules
    raise ValueError(f"no system for seed {seed}")


def wanted(seed: int) -> list[str]:
    """The three strings that are asked for."""
    strings, _ = course(*system(seed))
    return [strings[39], strings[79], strings[119]]


def judge(expected: list[str], reply: str) -> Score:
    """A third for each string; passed if all are right."""
    found = re.findall(r"String:([^\n]*)", reply.replace("*", "").replace("`", ""))
    said = re.findall(r"[abcd]+", found[-1]) if found else []
    right = sum(a == b for a, b in zip(said, expected, strict=False)) if len(said) == len(expected) else 0
    return Score(right / len(expected), right == len(expected))


def build(seed: int) -> Node:
    """The test of a seed."""
    start, rules = system(seed)
    lines = "\n".join(f"    R{n}: {left} -> {right}" for n, (left, right) in enumerate(rules, 1))
    question = PROMPT.format(rules=lines, last=RULES, longest=LONGEST, cut=CUT, start=start, steps=STEPS)
    return question >> LLMRun() >> PyFunc(partial(judge, wanted(seed)))
