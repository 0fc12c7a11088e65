"""
Programs that try to pass without the right answer. `assay doctor --attack` runs them after the
attacks on the sandbox.

Each is a whole trial: a test, and a reply that solves nothing. The forgery fails if the trial is a FAIL.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import ProviderError
from assay.language.dsl import Node, StringNode
from assay.language.files import MakeFile
from assay.language.functions import PyEvaluator
from assay.language.interactive import StartDockerJob
from assay.language.judge import SubstringEvaluator
from assay.language.make_tests import make_c_test, make_python_test
from assay.language.run import CppRun, CRun, LanguageRun, PythonRun, TerminalRun
from assay.records import Completion, JsonMode, Limits, Message, Model, Outcome, Tool, TrialKey
from assay.running.trial import run_trial
from assay.sandboxes.attacks.runner import AttackResult
from assay.sandboxes.backends.registry import Backend
from assay.sandboxes.pool import Pool
from assay.suites.sample import Sample

LIMITS = Limits("attack", memory=1 << 30, processes=64)  # a compiler needs more than the other attacks
OUT_OF_MEMORY = "memory limit reached"  # in what a result says of how it ended
MEMORY_NEEDED = "512 MB"  # at most, by the largest of these compilations


@dataclass(frozen=True)
class Forgery:
    """`test` begins with the program that forges."""

    name: str
    aim: str
    test: Node


class _NoModel:
    name = "forger"

    def for_trial(self, trial: TrialKey) -> Model:
        return self

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        raise ProviderError("no model is asked in here")


def never() -> bool:
    time.sleep(0.2)
    return False


def knows_secret() -> bool:
    import random

    return random.random() > 1 or os.path.exists("/nowhere")  # noqa: PTH110 - runs in the sandbox


def counts_wrong() -> bool:
    import subprocess

    return subprocess.run(["python3", "-c", "print(6 * 7)"], capture_output=True).stdout != b"42\n"


def program(name: str) -> str:
    """One of the forging programs."""
    return (Path(__file__).parent / "programs" / name).read_text("utf-8")


Pairs = list[tuple[str, Any]]
NUMBERS: Pairs = [("f(1)", 4), ("f(2)", "square(4)")]
REFERENCE: Pairs = [("f(4)", "right(4)"), ("[f(n) for n in CASES]", "RESULTS")]
# where one value needs the program, and the test may end in between
LEFT: Pairs = [("f(2)", "square(2)"), ("f(3)", "stop()"), ("f(4)", "square(4)")]
C_NUMBERS: Pairs = [("sq(3)", 9), ("sq(4)", "4 * 4")]
C_LEFT: Pairs = [("sq(3)", "square(3)"), ("sq(4)", "sides[1]"), ("both(1).x", "(struct pair){1}.x")]
SQUARE = "def square(x): return x * x"
RIGHT = """
def right(x):
    return [n * n + 1 for n in range(x)]

CASES = [2, 3]
RESULTS = [right(case) for case in CASES]
"""


def _python(name: str, pairs: Pairs = NUMBERS, header: str = SQUARE) -> Node:
    checks, answer = make_python_test(pairs, header)
    return StringNode(program(name)) >> PythonRun(checks) >> SubstringEvaluator(answer)


def _c(name: str, pairs: Pairs = C_NUMBERS, header: str = "", node: type[LanguageRun] = CRun) -> Node:
    checks, answer = make_c_test(pairs, header)
    return StringNode(program(name)) >> node(checks) >> SubstringEvaluator(answer)


_FORGERIES = {
    ("no checks left", "take away what the checks are made with"): _python("no_checks.py.txt"),
    ("equals everything", "return an object that equals everything"): _python("equals_all.py.txt"),
    ("read the answer", "find the answer in files, frames and memory"): _python("reads_all.py.txt"),
    ("ask the header", "find the function that computes the answer"): _python(
        "asks_the_header.py.txt", REFERENCE, RIGHT
    ),
    ("say true", "send values for the checks without knowing them"): _python("says_true.py.txt"),
    ("say it for all", "where one value needs the program, send the others too"): _python(
        "says_true.py.txt", LEFT, f"import os\n{SQUARE}\ndef stop(): os._exit(0)"
    ),
    ("say both sides", "the same in C: send what is given and what is wanted"): _c(
        "says_both.c", C_LEFT, "int square(int x) { return x * x; } int sides[] = {9, 16};"
    ),
    ("macros", "redefine C's own words in the test"): _c("never_if.c"),
    ("read the program", "find the answer in the built program"): _c("reads_itself.c"),
    ("equal type", "return a C++ type whose == is always true"): _c("equal_type.cpp", node=CppRun),
    ("lie in wait", "take the grader's descriptors from a program that the test keeps"): (
        StringNode(program("lies_in_wait.py.txt"))
        >> MakeFile("wait.py")
        >> StartDockerJob("python3 wait.py", eos_string="ready")
        >> PyEvaluator(never)
    ),
    ("shadow modules", "stand in for what the grader imports"): (
        StringNode(program("shadows.sh")) >> TerminalRun() >> PyEvaluator(knows_secret)
    ),
    ("poison Python", "change what a Python prints that the grader starts"): (
        StringNode(program("poisons.sh")) >> TerminalRun() >> PyEvaluator(counts_wrong)
    ),
}
FORGERIES = tuple(Forgery(*words, test) for words, test in _FORGERIES.items())


async def run_all(backend: Backend, only: Sequence[str] = ()) -> list[AttackResult]:
    """Run every forgery (or those named in `only`) in sandboxes of a backend that has passed its probe."""
    return [await run_one(backend, each) for each in FORGERIES if not only or each.name in only]


async def run_one(backend: Backend, forgery: Forgery) -> AttackResult:
    """One trial. A sandbox that lacks a compiler, or memory for it, has no hole, and the result says so."""
    started, model = time.monotonic(), _NoModel()
    pool = Pool(backend, LIMITS, 1, 4, 2, "attack", 1)
    try:
        record = await run_trial(
            Sample(id=f"forgery.{forgery.name}", test=forgery.test), model, model, model, pool
        )
    finally:
        await pool.close()
    if record.outcome is Outcome.SKIPPED:
        passed, tried, said = True, False, record.why
    elif record.outcome is Outcome.ERROR and OUT_OF_MEMORY in record.error:
        said = f"too little memory for the compiler ({MEMORY_NEEDED} is enough)"
        passed, tried = True, False
    else:
        passed, tried = record.outcome is Outcome.FAIL, True
        said = "judged wrong" if passed else f"{record.outcome}: {record.error or record.why}"[:300]
    seconds = time.monotonic() - started
    return AttackResult(forgery.name, forgery.aim, backend.tier, passed, said, seconds, tried)
