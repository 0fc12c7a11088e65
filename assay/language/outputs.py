"""What the output of a step stands for: something to pass on or nothing, a verdict or none, a score."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import GraderError
from assay.records import Score


@dataclass(frozen=True)
class NoOutput:
    """What a step yields when it has nothing to pass on: a FAIL, and later steps are not run.

    Without it `LLMVisionRun("Any flaw?") >> ~SubstringEvaluator("yes")` would pass when there is no picture.
    `cause` (a Cause): what that is due to; `why` is the sentence with the deciding fact. `score`: what the
    other side of a `|` got, which counts all the same.
    """

    why: str
    cause: str = ""
    score: Score | None = None

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Carried:
    """A value on its way to the next step, and what it counts for if there is none: its own truth is another
    matter, as with a 0 that meets a condition."""

    value: Any
    verdict: bool

    def __bool__(self) -> bool:
        return self.verdict


@dataclass(frozen=True)
class NoVerdict(Carried):
    """What a function of the author's returned by mistake: the next step gets it, but it is neither true nor
    false. `why`: what to mend."""

    value: Any = None
    verdict: bool = False
    why: str = ""

    def __bool__(self) -> bool:
        raise GraderError(self.why)


def carried(output: Any) -> Any:
    """What a step passes to the next one."""
    return output.value if isinstance(output, Carried) else output


def is_verdict(output: Any) -> bool:
    """Whether `~` may turn it round: neither nothing to pass on nor a text is a verdict.

    >>> is_verdict(None), is_verdict(""), is_verdict(NoOutput("it raised"))
    (True, False, False)
    """
    return not isinstance(output, (NoOutput, str, bytes))


def score_of(output: Any) -> Score | None:
    """The score that an output stands for, if any."""
    found = output.score if isinstance(output, NoOutput) else output
    return found if isinstance(found, Score) else None


def _ranked(outputs: Iterable[Any], scale: tuple[float, float]) -> list[Score]:
    """The scores among them, worst first; one without a number is the worst."""

    def place(score: Score) -> float:
        value: Any = score.value
        if not isinstance(value, numbers.Real) or math.isnan(value):
            return -math.inf
        worst, best = (0.0, 1.0) if score.share else scale
        return (float(value) - worst) / (best - worst)

    return sorted((score for each in outputs if (score := score_of(each)) is not None), key=place)


def both(a: Any, b: Any, scale: tuple[float, float]) -> Any:
    """What `a & b` yields if `a` is true: `b`, or the worse of two scores that pass."""
    passes = b is True or (isinstance(b, Score) and b.passed)
    return _ranked((a, b), scale)[0] if passes and isinstance(a, Score) else b


def either(a: Any, b: Any, scale: tuple[float, float]) -> Any:
    """What `a | b` yields if `a` is false: `b`, or the better of two scores that fail.

    If one side has no verdict and the other is false, there is nothing for `~` to negate.
    """
    if b or not (b is False or isinstance(b, (Score, NoOutput))):
        return b
    scores = _ranked((b, a), scale)
    for each in (b, a):
        if isinstance(each, NoOutput):
            return replace(each, score=scores[-1] if scores else None)
    return scores[-1] if scores else b
