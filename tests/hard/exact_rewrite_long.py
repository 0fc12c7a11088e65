"""The rewriting system again, for six hundred steps and with longer strings."""

from __future__ import annotations

from functools import cache, partial

from evaluator import *

from .exact_rewrite import CUT, LONGEST, PROMPT, RULES, Rule, course, system

DESCRIPTION = "Can the model rewrite a string by mind for six hundred steps without losing a letter?"
TAGS = ["hard", "reasoning"]

ASKED = (100, 200, 300, 400, 500, 600)
VARIED = 560  # strings that differ, at least
END = """What is the string after steps {asked}? Work it out without running any code. End your reply with a line for each of these
steps, such as

Step {first}: abcdabcd"""


@cache
def puzzle(seed: int) -> tuple[str, list[Rule], dict[int, str]]:
    """A start and rules that do not soon go round in a circle, and the strings asked for."""
    for attempt in range(1, 1000):
        start, rules = system(seed + 10_000 * attempt)
        strings, _ = course(start, rules, steps=ASKED[-1])
        if len(set(strings)) >= VARIED:
            return start, rules, {step: strings[step - 1] for step in ASKED}
    raise ValueError(f"no system for seed {seed}")


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of strings that are right; passed if all are."""
    plain, wrong = re.sub(r"[*`_|]", " ", reply), []
    for step, text in puzzle(seed)[2].items():
        found = re.findall(rf"(?im)^[ \t#>-]*step\s+{step}\s*:\s*([abcd]+)[ \t]*\.?[ \t]*$", plain)
        wrong += (
            []
            if found[-1:] == [text]
            else [f"step {step}: {found[-1][:80] if found else 'nothing'}, not {text}"]
        )
    return Score(1 - len(wrong) / len(ASKED), not wrong), "; ".join(wrong)


def build(seed: int) -> Node:
    """The test of a seed."""
    start, rules, _ = puzzle(seed)
    lines = "\n".join(f"    R{n}: {left} -> {right}" for n, (left, right) in enumerate(rules, 1))
    question = PROMPT[: PROMPT.index("What is the string")].format(
        rules=lines, last=RULES, longest=LONGEST, cut=CUT, start=start
    )
    question += END.format(asked=f"{', '.join(map(str, ASKED[:-1]))} and {ASKED[-1]}", first=ASKED[0])
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
