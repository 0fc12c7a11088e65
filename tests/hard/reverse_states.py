"""A hidden machine of few states, which is inferred from what it has answered to words of two letters."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache, partial

from evaluator import *

DESCRIPTION = (
    "Can the model infer a machine of eight states from its answers to 26 words, and foretell others?"
)
TAGS = ["hard", "reasoning"]

STATES, LETTERS, SAMPLES, LONG = 8, "ab", 26, (11, 14)
ASKED, ASKED_LONG = 12, 24
LEAST, MOST = 400, 3000  # steps of the search for all machines
PROMPT = """A machine has at most {states} states. It begins each word in the same state. For each letter of the word, a or b, it writes 0 or 1 and goes to a state (another
one or the same); what it writes and where it goes depends on nothing but its state and the letter. So the answer to a word has as many digits as the
word has letters. These are its answers to {samples} words:

{known}

There is only one machine of at most {states} states that answers so (apart from the states' names). Find out, without running any code, what it answers to these words:

{asked}

End your reply with {count} lines, one for each of these words, with its number, a colon and the {long} digits of the answer, such as "W1: {example}"."""

Machine = tuple[tuple[int, int], ...]  # for each state and letter: the next state, and what is written
Sample = tuple[str, str]


def answer(machine: Machine, word: str) -> str:
    """What the machine writes."""
    state, written = 0, ""
    for letter in word:
        state, digit = machine[state * len(LETTERS) + LETTERS.index(letter)]
        written += str(digit)
    return written


def machines(samples: Sequence[Sample], most: int, enough: int = 2) -> tuple[list[Machine], int]:
    """Machines that answer so, until there are enough, and the number of steps until that was known. It follows all words as far as
    they go, and then tries all states for the step at which most words have stopped."""
    words = [[LETTERS.index(letter) for letter in word] for word, _ in samples]
    digits = [[int(digit) for digit in written] for _, written in samples]
    to, writes = [-1] * (STATES * len(LETTERS)), [0] * (STATES * len(LETTERS))
    found: list[Machine] = []
    steps = 0

    def goes_on(places: list[tuple[int, int, int]], used: int) -> None:
        nonlocal steps
        stopped: dict[int, list[int]] = {}
        now = []
        for n, at, state in places:
            word = words[n]
            while at < len(word):
                step = state * len(LETTERS) + word[at]
                if to[step] < 0:
                    stopped.setdefault(step, []).append(digits[n][at])
                    now.append((n, at, state))
                    break
                if writes[step] != digits[n][at]:
                    return
                state, at = to[step], at + 1
        if any(min(each) != max(each) for each in stopped.values()):
            return
        if not stopped:
            found.append(tuple(zip(to, writes, strict=True)))
            return
        step = max(stopped, key=lambda step: len(stopped[step]))
        writes[step] = stopped[step][0]
        for state in range(min(used + 1, STATES)):
            steps += 1
            if steps > most or len(found) >= enough:
                break
            to[step] = state
            goes_on(now, max(used, state + 1))
        to[step] = -1

    goes_on([(n, 0, 0) for n in range(len(words))], 1)
    return found, steps


@cache
def puzzle(seed: int) -> tuple[Machine, tuple[Sample, ...], tuple[str, ...]]:
    """A machine, its answers that leave no other one, and the words that are asked."""
    for attempt in range(10_000):
        chance = random.Random(f"states {seed} {attempt}")
        machine = tuple((chance.randrange(STATES), chance.randrange(2)) for _ in range(STATES * len(LETTERS)))
        words: set[str] = set()
        while len(words) < SAMPLES:
            words.add("".join(chance.choices(LETTERS, k=chance.randint(*LONG))))
        samples = tuple((word, answer(machine, word)) for word in sorted(words))
        found, steps = machines(samples, MOST)
        if len(found) == 1 and LEAST <= steps <= MOST and min(to for to, _ in found[0]) >= 0:
            asked = tuple("".join(chance.choices(LETTERS, k=ASKED_LONG)) for _ in range(ASKED))
            return machine, samples, asked
    raise ValueError(f"no machine for seed {seed}")


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of words whose answers are right; passed if all are."""
    machine, _, asked = puzzle(seed)
    plain = re.sub(r"[*_`|]", " ", reply)
    wrong = []
    for number, word in enumerate(asked, 1):
        lines = re.findall(rf"(?m)^[ \t#>-]*W?{number}\s*:([^\n]{{0,400}})", plain)
        said = re.sub(r"[\s,]", "", lines[-1] if lines else "").rstrip(".")
        if said != answer(machine, word):
            wrong.append(f"W{number}: {said[:40]}, not {answer(machine, word)}")
    return Score(1 - len(wrong) / ASKED, not wrong), "; ".join(wrong)


def build(seed: int) -> Node:
    """The test of a seed."""
    _, samples, asked = puzzle(seed)
    question = PROMPT.format(
        states=STATES,
        samples=SAMPLES,
        known="\n".join(f"    {word:<{LONG[1]}}  {written}" for word, written in samples),
        asked="\n".join(f"    {f'W{n}:':<5}{word}" for n, word in enumerate(asked, 1)),
        count=ASKED,
        long=ASKED_LONG,
        example="01" * (ASKED_LONG // 2),
    )
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
