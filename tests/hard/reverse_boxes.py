"""Black boxes that turn rows of digits into others: find what is inside, and say what they make of new rows."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial

from evaluator import *

from .answers import judge_all

DESCRIPTION = "Can the model find which three steps are in a box from what goes in and what comes out?"
TAGS = ["hard", "reasoning", "puzzle"]

Row = tuple[int, ...]
LENGTH, DEPTH = 6, 3
BOXES, SAMPLES, ASKED = 4, 4, 2
PROMPT = """A box takes a row of six digits and gives another. In each box there are exactly three steps, one after another, each from this list (a step may
be there twice). All numbers are taken modulo 10. a is the row before the step, positions are counted from 1 to 6.

{steps}

What went into the boxes and came out:

{samples}

What comes out for these?

{questions}

The answers are certain: whatever three steps fit a box's samples, they agree on its questions. Work it out without running any code. End your reply with
{count} lines, one for each question, such as "Q1: 4 0 0 9 2 7"."""

STEPS: tuple[tuple[str, Callable[[Row], Row]], ...] = (
    ("the row is reversed", lambda a: a[::-1]),
    ("the row moves 1 to the left; the first digit becomes the last", lambda a: (*a[1:], a[0])),
    ("the row moves 2 to the right; the last two digits become the first two", lambda a: (*a[-2:], *a[:-2])),
    ("positions 1 and 2 change places, and 3 and 4, and 5 and 6", lambda a: (a[1], a[0], a[3], a[2], a[5], a[4])),
    ("the first and the second half change places", lambda a: (*a[3:], *a[:3])),
    ("position n becomes a[n] + n", lambda a: tuple((x + n) % 10 for n, x in enumerate(a, 1))),
    ("every digit is multiplied by 3", lambda a: tuple(3 * x % 10 for x in a)),
    ("every digit x becomes 9 - x", lambda a: tuple(9 - x for x in a)),
    ("position n becomes a[1] + ... + a[n]", lambda a: tuple(sum(a[: n + 1]) % 10 for n in range(6))),
    ("position n becomes a[n] - a[n-1]; position 1 stays", lambda a: (a[0], *((a[n] - a[n - 1]) % 10 for n in range(1, 6)))),
    ("position n becomes a[n] + a[n+1]; position 6 becomes a[6] + a[1]", lambda a: tuple((a[n] + a[(n + 1) % 6]) % 10 for n in range(6))),
    ("the first digit is added to each of the others", lambda a: (a[0], *((x + a[0]) % 10 for x in a[1:]))),
    ("positions 2, 4 and 6 are sorted, the smallest first", lambda a: put(a, (1, 3, 5), sorted((a[1], a[3], a[5])))),
    ("positions 1, 2 and 3 are sorted, the largest first", lambda a: put(a, (0, 1, 2), sorted(a[:3], reverse=True))),
    ("if the first digit is larger than the last, the row is reversed", lambda a: a[::-1] if a[0] > a[5] else a),
    ("even digits get 5 more, odd ones stay", lambda a: tuple((x + 5) % 10 if x % 2 == 0 else x for x in a)),
    ("every digit is replaced by the number of digits in the row that are smaller", lambda a: tuple(sum(y < x for y in a) for x in a)),
)  # fmt: skip


def put(row: Row, places: tuple[int, ...], digits: list[int]) -> Row:
    """The row with other digits at some places."""
    found = list(row)
    for at, digit in zip(places, digits, strict=True):
        found[at] = digit
    return tuple(found)


def apply(chain: tuple[int, ...], row: Row) -> Row:
    """What comes out of a box."""
    for step in chain:
        row = STEPS[step][1](row)
    return row


def fitting(samples: list[tuple[Row, Row]]) -> list[tuple[int, ...]]:
    """All chains that give the samples."""
    first, wanted = samples[0]
    numbers, found = range(len(STEPS)), []
    for a in numbers:
        one = STEPS[a][1](first)
        for b in numbers:
            two = STEPS[b][1](one)
            found += [(a, b, c) for c in numbers if STEPS[c][1](two) == wanted]
    return [chain for chain in found if all(apply(chain, row) == out for row, out in samples[1:])]


@cache
def boxes(seed: int) -> list[tuple[tuple[int, ...], list[Row], list[Row]]]:
    """Each box's chain, sample rows and asked rows. Chains of one or two steps do not fit the samples."""
    chance = random.Random(f"boxes {seed}")
    found: list[tuple[tuple[int, ...], list[Row], list[Row]]] = []
    while len(found) < BOXES:
        chain = tuple(chance.sample(range(len(STEPS)), DEPTH))
        if len({each for other, _, _ in found for each in other} & set(chain)) > 1:
            continue
        rows = [tuple(chance.randrange(10) for _ in range(LENGTH)) for _ in range(SAMPLES + ASKED)]
        samples = [(row, apply(chain, row)) for row in rows[:SAMPLES]]
        fits = fitting(samples)
        if len(fits) <= 4 and all(len({apply(each, row) for each in fits}) == 1 for row in rows[SAMPLES:]):
            found.append((chain, rows[:SAMPLES], rows[SAMPLES:]))
    return found


def digits(row: Row) -> str:
    """The row as the prompt shows it."""
    return " ".join(map(str, row))


def wanted(seed: int) -> dict[str, Row]:
    """The answers of a seed."""
    rows = [apply(chain, row) for chain, _, asked in boxes(seed) for row in asked]
    return {f"Q{n}": row for n, row in enumerate(rows, 1)}


def same_row(said: str, row: Row) -> bool:
    """Whether the digits are said, whatever stands between them."""
    return [int(each) for each in said if each.isascii() and each.isdigit()] == list(row)


def build(seed: int) -> Node:
    """The test of a seed."""
    samples, questions = [], []
    for n, (chain, rows, asked) in enumerate(boxes(seed), 1):
        samples.append(f"Box {n}")
        samples += [f"    {digits(row)}  gives  {digits(apply(chain, row))}" for row in rows]
        questions += [f"box {n}: {digits(row)}" for row in asked]
    question = PROMPT.format(
        steps="\n".join(f"- {said}" for said, _ in STEPS),
        samples="\n".join(samples),
        questions="\n".join(f"Q{n}: {each}" for n, each in enumerate(questions, 1)),
        count=len(questions),
    )
    return question >> LLMRun() >> PyFunc(partial(judge_all, partial(wanted, seed), same_row))
