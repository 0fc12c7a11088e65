"""Nodes that talk to a program on a terminal in the trial's sandbox."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import GraderError, NodeError
from assay.language.dsl import Branch, Branches, Context, Node, Reason
from assay.language.languages import TIME_LIMIT_S
from assay.language.printed import Printed, Streams
from assay.language.run import missing
from assay.language.values import as_text
from assay.records import Block, Terminal, TerminalOutput

ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_=>])")
FURTHER_ANSWER_S = 0.3
TERMINAL = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "PS1": "$ "}


@dataclass(frozen=True)
class RunningJob:
    """An interactive program of this trial and the text that ends each of its answers."""

    terminal: Terminal
    eos_string: str


class TerminalNode(Node):
    """A step that exchanges text with a program on a terminal."""

    time_limit_s: float
    in_sandbox = True
    is_judge = False

    def branch(self, first: Block, output: TerminalOutput) -> Branch:
        """The text that a person would read on the screen, with a note if the program printed nothing
        more."""
        text = ESCAPES.sub("", output.text).replace("\r\n", "\n").replace("\r", "")
        notes: tuple[str, ...] = ()
        stopped = "up to the end-of-output text"
        if output.ended:
            stopped, notes = "until the program ended", ("[the program has ended]\n",)
        elif not output.matched:
            silent = f"[no further output within {self.time_limit_s:g} s]\n"
            stopped, notes = "until the time limit", (silent,)
        printed = Printed.of(Streams(text, notes=notes))
        return Branch(
            printed, Reason(self, (first, Block("text", f"it printed, {stopped}", printed.streams.told)))
        )


@dataclass(frozen=True, repr=False)
class StartDockerJob(TerminalNode):
    """Start an interactive program on a terminal in the sandbox; the output is what it prints first.

    `command` is a shell command. Reading stops behind `eos_string` (a prompt, say), when the
    program ends, or after `time_limit_s`. It runs until the trial is over; the nodes behind
    talk to the job that was started last.
    """

    command: str
    eos_string: str
    time_limit_s: float = TIME_LIMIT_S

    async def run(self, value: Any, ctx: Context) -> Branches:
        code = Block("code", "started on a terminal", self.command, language="bash")
        with ctx.attempting(self, code):
            sandbox = await ctx.open_sandbox()
            terminal = await sandbox.start(["sh", "-c", self.command], env=TERMINAL)
            ctx.terminals.append(RunningJob(terminal, self.eos_string))
            output = await terminal.read_until(self.eos_string.encode(), time_limit_s=self.time_limit_s)
            said = output.ended and "not found" in output.text  # by the shell, or by the program
            its = await missing(sandbox, self.command) if said else ""
            if its and "/" not in its:  # a path may be where the model was asked to write
                raise GraderError(
                    f"StartDockerJob starts {its}, which the sandbox does not have: correct the command, or "
                    "if it is right, name it in REQUIRES, and the test is skipped where it is missing"
                )
        yield self.branch(code, output)


async def _further_answers(job: RunningJob, output: TerminalOutput, lines: int) -> TerminalOutput:
    """Several lines typed at once may have an answer each; left unread, they would be taken for the
    answers to the lines typed next. How many there are is the program's business, so wait a little."""
    for _ in range(lines):
        if not output.matched:
            break
        more = await job.terminal.read_until(job.eos_string.encode(), time_limit_s=FURTHER_ANSWER_S)
        output = replace(more, data=output.data + more.data, matched=not more.ended, timed_out=False)
        if not more.matched:
            break
    return output


@dataclass(frozen=True, repr=False)
class SendStdoutReceiveStdin(TerminalNode):
    """Type the incoming text and Enter into the running program; the output is what it prints then.

    (Named from the model's side: what it says is sent, what it receives is the program's.)
    """

    time_limit_s: float = TIME_LIMIT_S

    async def run(self, value: Any, ctx: Context) -> Branches:
        if not ctx.terminals:
            raise NodeError(
                "SendStdoutReceiveStdin: no program is running; put StartDockerJob(...) before it"
            )
        job: RunningJob = ctx.terminals[-1]
        line = as_text(value).rstrip("\r\n") + "\n"
        typed = Block("code", "typed", line, language="text")
        with ctx.attempting(self, typed):
            await job.terminal.send(line.encode("utf-8", errors="replace"))
            output = await job.terminal.read_until(job.eos_string.encode(), time_limit_s=self.time_limit_s)
            output = await _further_answers(job, output, line.count("\n") - 1)
        yield self.branch(typed, output)
