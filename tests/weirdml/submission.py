"""One submission: the script is run in a sandbox of its own, and its predictions are scored by the host."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from assay.errors import NodeError, SandboxError
from assay.language.dsl import Branch, Branches, Context, Node, Reason
from assay.language.values import as_text
from assay.records import Block, ExecResult

from . import source
from .data.build import Recipe
from .learn_tasks import EVERY
from .machine import thread_variables
from .predictions import MAX_BYTES, BadFormat, accuracy, by_label, parse
from .prompt import excerpt
from .supply import data_for
from .tasks import PREDICTIONS

KINDS = ("no_code", "crash", "timeout", "out_of_memory", "no_file", "bad_format", "zero_score")
SETUP_LIMIT_S = 60.0
SCRIPT = "script.py"
# Of the folder that programs write in, data/ is the part they shall not: theirs alone, since each has a
# sandbox to itself, but a script that writes there has a mistake.
SETUP = "mkdir results && chmod -R a-w data"
RUN = f"exec python3 -u {SCRIPT} 2>&1"
NO_MEMORY = re.compile(
    r"^(MemoryError|numpy\.\S*MemoryError|.*OutOfMemoryError|.*can't allocate memory).*", re.M
)


@dataclass(frozen=True)
class Submission:
    """What became of one submission. `kind`: why it failed, "" if it was scored above 0. `accuracy`: 0 for
    one that failed. `classes`: [name of a class, how many of it were told right, how many there are]. Seconds
    of the script alone: that it had, that it waited for a core besides, and on the processors."""

    kind: str
    why: str
    accuracy: float = 0.0
    output: str = ""
    code: str = ""
    lines: int = 0
    source_bytes: int = 0
    literal_bytes: int = 0
    classes: Sequence[Sequence[Any]] = ()
    seconds: float = 0.0
    waited_seconds: float = 0.0
    cpu_seconds: float = 0.0
    limit_s: float = 0.0

    def verdict(self) -> str:
        """What became of it, in a sentence."""
        if not self.kind:
            return f"Score on the test set: {self.accuracy:.4f}"
        return f"Score on the test set: 0 ({self.kind.replace('_', ' ')}). {self.why}"

    def details(self) -> list[str]:
        """What more the model is told of it, in sentences: its classes, its time."""
        told = []
        if self.classes:
            each = ", ".join(f"{name} {right} of {count}" for name, right, count in self.classes)
            told.append(f"Right by class: {each}.")
        if self.limit_s and self.kind != "timeout":
            left = max(0.0, self.limit_s - self.seconds)
            told.append(
                f"The script took {self.seconds:.3g} s of its {self.limit_s:g} s; {left:.3g} s were left."
            )
        return told

    def facts(self) -> dict[str, Any]:
        """The same without its texts, for the record."""
        return {key: value for key, value in asdict(self).items() if key not in ("output", "code", "why")}

    def kept(self) -> dict[str, Any]:
        """All of it, for the journal."""
        return asdict(self)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Submission:
        """The inverse of `kept`."""
        return cls(**{each.name: kept[each.name] for each in fields(cls)})


def failure_of(result: ExecResult, output: str) -> tuple[str, str] | None:
    """(kind, why) of a script that did not end well; None for one that did."""
    if result.out_of_memory and result.returncode != 0:
        return "out_of_memory", "The script used more memory than it may and was killed."
    if result.timed_out:
        return "timeout", (
            f"The script ran longer than {result.time_limit_s:g} s and was killed; what it had written by then does "
            "not count."
        )
    if result.returncode == 0:
        return None
    if NO_MEMORY.search(output[-2000:]):
        return "out_of_memory", "The script asked for more memory than there is."
    code = result.returncode or 0
    how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return "crash", f"The script {how}."


@dataclass(frozen=True)
class SubmissionScorer(Node):
    """Run the script in a reply and score what it predicted; outputs a Submission.

    The sandbox is a fresh one. It holds the public files in data/, an empty results/ and the script. The
    labels never enter it. `threads`: what libraries are told to use; `cache`: where data are kept.
    """

    recipe: Recipe
    cache: Path
    time_limit_s: float
    threads: int
    in_sandbox = True

    async def run(self, value: Any, ctx: Context) -> Branches:
        submission = await self.submit(as_text(value), ctx)
        yield Branch(submission, Reason(self, blocks(submission)))

    async def submit(self, reply: str, ctx: Context) -> Submission:
        """Raises SandboxError if not the script but the sandbox broke."""
        code = source.script_in(reply)
        size = len(code.encode("utf-8", "surrogatepass"))
        if not code:
            return Submission("no_code", "The answer holds no fenced code block.")
        measured: dict[str, Any] = {
            "lines": source.code_lines(code),
            "source_bytes": size,
            "literal_bytes": source.literal_bytes(code[: source.MAX_BYTES]),
        }
        if size > source.MAX_BYTES:
            why = f"The script has {size} bytes, and {source.MAX_BYTES} are allowed."
            return Submission("no_code", why, code=code[: source.MAX_BYTES], **measured)
        data = await data_for(self.recipe, self.cache)
        sandbox = await ctx.fresh_sandbox()
        files = {f"data/{name}": content for name, content in data.public().items()}
        files[SCRIPT] = code.encode("utf-8", "replace")
        prepared = await sandbox.run(["sh", "-c", SETUP], files=files, time_limit_s=SETUP_LIMIT_S)
        if prepared.returncode != 0:
            raise SandboxError(
                f"the task's files could not be put into the sandbox: {prepared.output[-500:]}"
            )
        result = await sandbox.run(
            ["sh", "-c", RUN], time_limit_s=self.time_limit_s, env=thread_variables(self.threads)
        )
        output = result.texts[0]  # and stderr with it
        common: dict[str, Any] = {
            "output": excerpt(output, incomplete=result.truncated),
            "code": code,
            "seconds": round(max(0.0, result.seconds - result.waited_seconds), 3),
            "waited_seconds": round(result.waited_seconds, 3),
            "cpu_seconds": round(result.cpu_seconds, 3),
            "limit_s": self.time_limit_s,
            **measured,
        }
        if failure := failure_of(result, output):
            return Submission(*failure, **common)
        try:
            written = await sandbox.read_file(PREDICTIONS, max_bytes=MAX_BYTES)
        except FileNotFoundError:
            return Submission("no_file", f"The script ended well, but left no {PREDICTIONS}.", **common)
        except NodeError as error:  # a link, a FIFO, a folder, too large
            return Submission(
                "bad_format", f"{PREDICTIONS} is not a plain file of a fitting size: {error}.", **common
            )
        task = EVERY[self.recipe.task]
        try:
            predicted = parse(written, task.shape)
            score = accuracy(predicted, data.labels, data.items if task.alike else None)
        except BadFormat as error:
            return Submission("bad_format", f"{PREDICTIONS} is not as asked: {error}.", **common)
        if score == 0:
            return Submission("zero_score", "Not one of the predictions is right.", **common)
        found = by_label(predicted, data.labels) if task.classes else {}
        classes = [[task.classes.get(label, str(label)), *counts] for label, counts in found.items()]
        return Submission("", "", score, classes=classes, **common)


def blocks(submission: Submission) -> tuple[Block, ...]:
    """A submission in the report: script, output, verdict."""
    shown = []
    if submission.code:
        title = f"{SCRIPT}, {submission.source_bytes} bytes, {submission.literal_bytes} of them in strings and numbers"
        shown.append(Block("code", title, submission.code, "python"))
    if submission.output.strip():
        shown.append(Block("text", "terminal output", submission.output))
    took = (
        f" ({submission.seconds:.1f} s, {submission.cpu_seconds:.1f} s of processor time)"
        if submission.lines
        else ""
    )
    shown.append(Block("verdict", "", submission.verdict() + took, passed=not submission.kind))
    return tuple(shown)
