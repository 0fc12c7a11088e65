"""The verdict of hidden cases: a program's answers, compared outside its sandbox."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.language.dsl import Branches, Context
from assay.language.run import result_blocks
from evaluator import *

SHOWN = 5  # wrong cases

# Runs inside the sandbox. Only inputs are there: what they should give never is.
DRIVER = r"""
import json, os, signal, subprocess, sys, time
asked = json.load(sys.stdin)
end = time.monotonic() + asked["time_limit_s"]
def run(command, text, limit_s):
    limit_s = min(limit_s, end - time.monotonic())
    if limit_s <= 0:
        return {"why": "no time was left"}
    process = subprocess.Popen(
        ["bash", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        out, err = process.communicate(text.encode(), timeout=limit_s)
        why = f"exit status {process.returncode}" if process.returncode else ""
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        why = f"not done within {limit_s:.3g} s"
    return {"out": out[: asked["most"]].decode("utf-8", "replace"), "err": err[-2000:].decode("utf-8", "replace"), "why": why}
built = run(asked["build"], "", 120) if asked["build"] else {"why": ""}
runs = [] if built["why"] else [run(asked["command"], text, asked["case_limit_s"]) for text in asked["inputs"]]
json.dump({"built": built, "runs": runs}, sys.stdout)
"""


def same(printed: str, expected: Any) -> bool:
    """Whether the lines are those expected; blanks at the ends of lines and empty lines at the end do not
    matter."""
    lines, wanted = (
        [line.rstrip() for line in text.rstrip().splitlines()] for text in (printed, str(expected))
    )
    return lines == wanted


@dataclass(frozen=True, repr=False)
class Cases(Node):
    """Run `command` on each hidden input and compare what it prints with what is expected.

    `cases`: a function, called on the host when a trial needs it, that returns pairs of the text for stdin and
    what is expected. `agrees(printed, expected)`: the share of a case, a bool or a number from 0 to 1.
    `build`: a command to run first. `files`: the files of the work directory that the sandbox of this step
    gets; none named: the step runs in the trial's own. The score is the mean share, and it passes with
    `enough`. A case has `case_limit_s` seconds, all together `time_limit_s`.
    """

    command: str
    cases: Callable[[], Sequence[tuple[str, Any]]]
    files: Sequence[str] = ()
    build: str = ""
    agrees: Callable[[str, Any], float] = same
    enough: float = 1.0
    case_limit_s: float = 10.0
    time_limit_s: float = 120.0
    most: int = 1_000_000  # characters of a case's output that are read
    needs = ("python3", "bash")
    is_judge = True

    async def run(self, value: Any, ctx: Context) -> Branches:
        cases = await asyncio.to_thread(self.cases)
        asked = {
            "build": self.build,
            "command": self.command,
            "inputs": [text for text, _ in cases],
            "case_limit_s": self.case_limit_s,
            "time_limit_s": self.time_limit_s,
            "most": self.most,
        }
        command = Block("code", f"run on {len(cases)} hidden cases", self.command, language="bash")
        with ctx.attempting(self, command):
            async with ctx.sandbox_with(self.files) as sandbox:
                limit_s = self.time_limit_s + 140
                stdin = json.dumps(asked).encode()
                result = await sandbox.run(["python3", "-I", "-c", DRIVER], stdin=stdin, time_limit_s=limit_s)
        try:
            answer = json.loads(result.stdout)
            built, runs = answer["built"], answer["runs"]
        except (ValueError, TypeError, KeyError):  # its program has killed or garbled the driver
            why = "the cases could not be run to their end"
            shown = (
                command,
                *result_blocks(result, "output", False),
                Block("verdict", "cases", why, passed=False),
            )
            yield Branch(Score(0.0, False), Reason(self, shown))
            return
        if built["why"]:
            told = Block("text", "build", built.get("err", "") + built.get("out", ""))
            failed = Block("verdict", "cases", f"it does not build: {built['why']}", passed=False)
            yield Branch(Score(0.0, False), Reason(self, (command, told, failed)))
            return
        shares, wrong = await asyncio.to_thread(self._judged, cases, runs)
        share = sum(shares) / len(cases)
        passed = share >= self.enough
        right = sum(each == 1 for each in shares)
        said = f"{right} of {len(cases)} cases right" + (f", score {share:.3f}" if 0 < share < 1 else "")
        texts = tuple(Block("text", f"case {number}", text) for number, text in wrong)
        verdict = Block("verdict", "cases", said, passed=passed)
        yield Branch(Score(share, passed), Reason(self, (command, *texts, verdict)))

    def _judged(
        self, cases: Sequence[tuple[str, Any]], runs: Sequence[Any]
    ) -> tuple[list[float], list[tuple[int, str]]]:
        """The share of each case, and texts about the first that are not right."""
        shares: list[float] = []
        wrong: list[tuple[int, str]] = []
        for number, ((text, expected), ran) in enumerate(zip(cases, runs, strict=False), 1):
            why, out = str(ran.get("why", "")), str(ran.get("out", ""))
            share = 0.0 if why else float(self.agrees(out, expected))
            shares.append(min(1.0, max(0.0, share)))
            if share < 1 and len(wrong) < SHOWN:
                parts = (
                    ("input", text),
                    ("printed", out),
                    ("expected", expected),
                    ("ended", why),
                    ("stderr", ran.get("err", "")),
                )
                wrong.append(
                    (number, "\n".join(f"--- {name}\n{str(part)[:1500]}" for name, part in parts if part))
                )
        return shares + [0.0] * (len(cases) - len(shares)), wrong
