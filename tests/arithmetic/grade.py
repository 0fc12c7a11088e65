"""From a reply to its class, in both readings, with the errors of a number that is off."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.language.dsl import Branch, Branches, Context, Reason
from assay.language.judge import Evaluator
from assay.records import Block, Completion, Score

from .problems import EXACT, FOUR_PLACES, Cell, Problem
from .reader import lenient, strict


class Class(enum.StrEnum):
    CORRECT = "Correct"
    DEVIATE = "Deviate"  # a number, but another one
    NAN = "NaN"  # no number
    ERROR = "Error"  # no reply: the provider failed after its retries


@dataclass(frozen=True)
class Graded:
    """One reading of a reply. `absolute` and `relative` error: of a Deviate whose number is not beyond
    measure; `relative` None also where the truth is 0."""

    number: Decimal | None
    kind: Class
    absolute: Decimal | None = None
    relative: float | None = None


def grade(problem: Problem, number: Decimal | None) -> Graded:
    """Compare the number read with the truth: exactly, decimals at four places, half-even.

    >>> problem = Problem("int_add", 3, (200, 207), 407)
    >>> [str(grade(problem, number and Decimal(number)).kind) for number in ("407.0", "407.58", None)]
    ['Correct', 'Deviate', 'NaN']
    """
    if number is None:
        return Graded(None, Class.NAN)
    if not number.is_finite():
        return Graded(number, Class.DEVIATE)
    correct = Decimal(problem.correct)
    if not isinstance(problem.correct, int):
        number = number.quantize(FOUR_PLACES, context=EXACT)
    if number == correct:
        return Graded(number, Class.CORRECT)
    absolute = EXACT.abs(EXACT.subtract(number, correct))
    relative = float(EXACT.divide(absolute, EXACT.abs(correct))) if correct else None
    return Graded(number, Class.DEVIATE, absolute, relative)


def as_json(number: int | Decimal | None) -> int | str | None:
    """Whole numbers of an int_ problem as they are, all others as text; None stays.

    >>> as_json(7), as_json(Decimal("7.50")), as_json(None)
    (7, '7.50', None)
    """
    if number is None or isinstance(number, int):
        return number
    return f"{number:f}" if number.is_finite() else str(number)


def parsed(problem: Problem, number: Decimal | None) -> int | str | None:
    """What was read, as the record holds it."""
    if number is None or not isinstance(problem.correct, int) or not number.is_finite():
        return as_json(number)
    return int(number) if number == number.to_integral_value(context=EXACT) else as_json(number)


def facts_of(problem: Problem, reply: Completion) -> dict[str, Any]:
    """The record of a reply: what was asked, what came, and what both readings make of it."""
    readings = {"lenient": grade(problem, lenient(reply.text)), "strict": grade(problem, strict(reply.text))}
    ability = readings["lenient"]
    return {
        "variant": problem.variant,
        "depth": problem.depth,
        "operands": [as_json(operand) for operand in problem.operands],
        "correct": as_json(problem.correct),
        "raw_response": reply.text,
        "parsed": {name: parsed(problem, each.number) for name, each in readings.items()},
        "classification": {name: str(each.kind) for name, each in readings.items()},
        "error": as_json(ability.absolute),
        "relative_error": ability.relative,
        "tokens": {
            "prompt_tokens": reply.usage.input_tokens,
            "completion_tokens": reply.usage.output_tokens,
            "reasoning_tokens": reply.usage.reasoning_tokens,
        },
        "cost": reply.cost,
        "attempts": reply.attempts,
        "finish_reason": reply.finish_reason,
    }


def score_of(facts: Mapping[str, Any]) -> Score:
    """Passed if the lenient reading is right; whether the strict one is as well is a metric."""
    kinds: Mapping[str, str] = facts["classification"]
    right = kinds["lenient"] == Class.CORRECT
    metrics = {"strict": float(kinds["strict"] == Class.CORRECT), "nan": float(kinds["lenient"] == Class.NAN)}
    if facts["error"] is not None:
        metrics["absolute_error"] = float(facts["error"])
    if facts["relative_error"] is not None:
        metrics["relative_error"] = facts["relative_error"]
    return Score(None, right, metrics, facts)


@dataclass(frozen=True)
class ArithmeticEvaluator(Evaluator):
    """Judges the reply to a cell's problem of this trial's epoch: exact, off, or no number at all."""

    cell: Cell

    async def run(self, value: Any, ctx: Context) -> Branches:
        reply = value if isinstance(value, Completion) else Completion(str(value))
        problem = self.cell.problem(ctx.trial.epoch if ctx.trial else 1)
        score = score_of(facts_of(problem, reply))
        yield Branch(score, Reason(self, _verdict(problem, score)))


def _verdict(problem: Problem, score: Score) -> Block:
    kinds, read = score.extra["classification"], score.extra["parsed"]
    lines = [f"{problem.expression} = {as_json(problem.correct)}"]
    for name in ("lenient", "strict"):
        seen = "no number" if read[name] is None else f"read {read[name]}"
        lines.append(f"{name}: {kinds[name]} ({seen})")
    if score.extra["error"] is not None:
        relative = score.extra["relative_error"]
        lines.append(f"off by {score.extra['error']}" + (f" ({relative:.2g} of it)" if relative else ""))
    return Block("verdict", "ArithmeticEvaluator", "; ".join(lines), passed=score.passed)
