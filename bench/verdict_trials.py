"""Trials one after the other, in a process of their own: `python -m bench.verdict_trials -h`.

It prints the seconds that each took, as JSON. It uses what a test's author uses, so that another commit's
Assay can run it as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable, Sequence

from assay.errors import ProviderError
from assay.language.dsl import Node, StringNode
from assay.language.files import MakeFile
from assay.language.functions import PyEvaluator, Setup
from assay.language.judge import SubstringEvaluator
from assay.language.make_tests import make_c_test, make_python_test
from assay.language.run import CRun, PythonRun
from assay.records import Completion, Message, Model, Outcome, TrialKey
from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample

PYTHON = """
def collatz(n):
    steps = 0
    while n != 1:
        n, steps = (3 * n + 1 if n % 2 else n // 2), steps + 1
    return steps


with open("steps.txt", "w") as file:
    file.write(str(collatz(27)))
print("collatz", collatz(27))
"""
REFERENCE = "def right(n):\n    return 0 if n == 1 else 1 + right(3 * n + 1 if n % 2 else n // 2)"
C = """
#include <stdio.h>
int collatz(long n) { int s = 0; for (; n != 1; s++) n = n % 2 ? 3 * n + 1 : n / 2; return s; }
"""
C_MAIN = 'int main(void) { printf("collatz %d\\n", collatz(27)); return 0; }\n'


def steps_are_right() -> bool:
    with open("steps.txt", encoding="utf-8") as file:  # noqa: PTH123 - it runs in the sandbox
        return file.read() == "111"


def _checked(expected: Sequence[object], header: str = "") -> Node:
    pairs = [(f"collatz({n})", right) for n, right in zip((1, 6, 7, 27), expected, strict=True)]
    checks, answer = make_python_test(pairs, header)
    return StringNode(PYTHON) >> PythonRun(checks) >> SubstringEvaluator(answer)


def _checked_c() -> Node:
    checks, answer = make_c_test([(f"collatz({n})", right) for n, right in ((1, 0), (6, 8), (7, 16))])
    return StringNode(C) >> CRun(checks) >> SubstringEvaluator(answer)


SAYS_111 = SubstringEvaluator("111")
PROGRAM = StringNode(PYTHON) >> PythonRun()
WRITTEN = StringNode("111") >> MakeFile("steps.txt")
KINDS: dict[str, Callable[[], Node]] = {
    "program": lambda: PROGRAM >> SAYS_111,
    "make_python_test": lambda: _checked((0, 8, 16, 111)),
    "make_python_test, expected by a function": lambda: _checked(
        [f"right({n})" for n in (1, 6, 7, 27)], REFERENCE
    ),
    "C program": lambda: StringNode(C + C_MAIN) >> CRun() >> SAYS_111,
    "make_c_test": _checked_c,
    "program, function": lambda: PROGRAM >> Setup(steps_are_right) >> SAYS_111,
    "PyEvaluator behind a program": lambda: PROGRAM >> PyEvaluator(steps_are_right),
    "file, function": lambda: WRITTEN >> Setup(steps_are_right) >> SAYS_111,
    "PyEvaluator behind a file": lambda: WRITTEN >> PyEvaluator(steps_are_right),
}


class _NoModel:
    name = "bench"

    def for_trial(self, trial: TrialKey) -> Model:
        return self

    async def complete(self, messages: Sequence[Message], *, json: bool = False) -> Completion:
        raise ProviderError("no model is asked in here")


async def trials(sandbox: str, kinds: Sequence[str], rounds: int, pause_s: float) -> dict[str, list[float]]:
    """Seconds of each trial, by its kind, after the first round, which starts the pool and finds out what is
    expected. Raises RuntimeError unless all pass."""
    model, tests = _NoModel(), {kind: KINDS[kind]() for kind in kinds}
    seconds: dict[str, list[float]] = {kind: [] for kind in kinds}
    async with open_pool(sandbox, ahead=2) as pool:
        for _ in range(rounds + 1):
            for kind, test in tests.items():
                started = time.perf_counter()
                record = await run_trial(Sample("bench.Test", test), model, model, model, pool)
                seconds[kind].append(time.perf_counter() - started)
                if record.outcome is not Outcome.PASS:
                    raise RuntimeError(f"{kind} in {sandbox}: {record.outcome} {record.error}")
                await asyncio.sleep(pause_s)
    return {kind: each[1:] for kind, each in seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.verdict_trials")
    parser.add_argument("sandbox")
    parser.add_argument("kinds", nargs="+", metavar="kind", help=f"of {', '.join(KINDS)}; in turns")
    parser.add_argument("--rounds", type=int, default=1, help="after the first")
    parser.add_argument(
        "--pause", type=float, default=0.0, help="seconds after each, for the pool to open more"
    )
    args = parser.parse_args()
    json.dump(asyncio.run(trials(args.sandbox, args.kinds, args.rounds, args.pause)), sys.stdout)


if __name__ == "__main__":
    main()
