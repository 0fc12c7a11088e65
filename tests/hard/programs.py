"""Programs for machines that exist only in a prompt: taken from a reply, run on hidden inputs, judged by the share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from evaluator import Score

MOST = 30_000  # characters of a program that are read
PATIENCE = 25  # wrong cases, after which a program is not run any further
Program = TypeVar("Program")


class Refused(ValueError):
    """Why a text is no program of the machine."""


class Stuck(Exception):
    """Why a run has no result."""


def last_block(reply: str) -> str:
    """What stands in the last fenced block of a reply."""
    lines, inside, block, last = reply.splitlines(), False, list[str](), None
    for line in lines:
        if line.lstrip().startswith("```"):
            if inside:
                last = block
            inside, block = not inside, []
        elif inside:
            block.append(line)
    if inside and block:  # a fence that was never closed
        last = block
    if last is None:
        raise Refused("there is no fenced block")
    text = "\n".join(last)
    if len(text) > MOST:
        raise Refused(f"a program of {len(text)} characters is too long")
    return text


def lines_of(text: str) -> list[str]:
    """The lines of a program that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def numbers_of(text: str, most: int) -> list[int]:
    """Whole numbers between blanks or commas, of nine digits at most."""
    words = re.split(r"[\s,;]+", text.strip())
    if len(words) > most:
        raise Refused(f"{len(words)} numbers, {most} allowed")
    for word in words:
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", word):
            raise Refused(f"{word[:40]!r} is not a whole number")
    return [int(word) for word in words]


def judge_program(
    parse: Callable[[str], Program],
    run: Callable[[Program, Any], Any],
    cases: Callable[[], Sequence[tuple[Any, Any]]],
    reply: str,
) -> tuple[Score, str]:
    """The share of the cases in which the program gives what is expected; passed if all do.

    `parse` may raise Refused, `run` Stuck. After some wrong cases the rest is not run and counts as wrong.
    """
    try:
        program = parse(last_block(reply))
    except Refused as why:
        return Score(0.0, False), str(why)
    right, wrong, hidden = 0, list[str](), cases()
    for given, expected in hidden:
        try:
            said = run(program, given)
        except Stuck as why:
            said = f"nothing: {why}"
        if said == expected:
            right += 1
        else:
            wrong.append(f"{str(given)[:200]} gave {str(said)[:200]}, not {str(expected)[:200]}")
            if len(wrong) == PATIENCE:
                break
    told = f"{right} of {len(hidden)} cases right" + "".join(f"\n{each}" for each in wrong[:5])
    return Score(right / len(hidden), right == len(hidden)), told
