"""Tools that keep a program: a shell and a Python interpreter, with their state, from call to call."""

from __future__ import annotations

import secrets
import shlex
from dataclasses import dataclass
from typing import Any

from assay.language.agents.tool import NO_OUTPUT, OUTPUT, AgentTool
from assay.language.agents.workbench import Done, Workbench
from assay.language.inside import source_of

TIME_LIMIT_S = 60.0


@dataclass(frozen=True)
class ProgramTool(AgentTool):
    """`time_limit_s`: seconds for one call; then the program is killed and the next call finds a new one.
    `max_output`: bytes of output that the model is told; of more the middle is left out."""

    time_limit_s: float = TIME_LIMIT_S
    max_output: int = OUTPUT

    async def say(self, bench: Workbench, argv: list[str], text: str, end: str) -> Done:
        request = {"do": "say", "program": self.name, "argv": argv, "env": {}, "text": text, "end": end}
        limit_s = bench.bounded(self.time_limit_s)
        answer = await bench.ask({**request, "room": self.max_output}, limit_s)
        return ended(answer, limit_s, f"; the next call finds a new {self.name}, in the first folder")


def ended(answer: dict[str, Any], limit_s: float, after: str = "") -> Done:
    """What the model is told of a program's answer, and whether it failed."""
    if error := answer.get("error"):
        return Done(f"error: {error}", failed=True, note="failed")
    printed, seconds = str(answer.get("printed", "")), float(answer.get("seconds", 0.0))
    code = answer.get("status", answer.get("ended"))
    failed, why, note = False, "", "" if code is None else f"exit {code}"
    if answer.get("timed_out"):
        failed, note = True, "timed out"
        why = f"[killed: more than {limit_s:g} s{after}. Start what is to go on in the background.]"
    elif "ended" in answer and after:
        failed = True
        why = f"[it has ended with exit status {code}{after}]"
    elif code:
        why = f"[exit status {code}]"
    text = f"{printed.rstrip()}\n{why}".strip() if why else printed
    return Done(text or NO_OUTPUT, failed, seconds, note)


@dataclass(frozen=True)
class Shell(ProgramTool):
    """The agent may run commands in one bash, which keeps its folder, its variables and what it started."""

    name = "shell"

    async def call(self, bench: Workbench, /, **given: Any) -> Done:
        end = f"ended-{secrets.token_hex(16)}"
        command = given["command"].replace("\r\n", "\n").replace("\0", "")
        # the second line is read only once the first is over: no command knows how to end its call
        text = f"eval {shlex.quote(command)} </dev/null 3>&-\nbuiltin printf '{end} %d\\n' \"$?\" >&3\n"
        return await self.say(bench, ["bash", "--noprofile", "--norc"], text, end)

    @staticmethod
    def form(command: str) -> None:
        """Run a command with bash.

        It is always the same shell: it keeps its folder and its variables. Nothing can be typed into a
        program; start one that is to go on in the background, with its output in a file.
        """


@dataclass(frozen=True)
class Python(ProgramTool):
    """The agent may run Python in one interpreter, which keeps its variables."""

    name = "python"

    async def call(self, bench: Workbench, /, **given: Any) -> Done:
        end = f"ended-{secrets.token_hex(16)}"
        code = given["code"].encode("utf-8", "replace").decode()
        text = f"{len(code.encode())}\n{code}{end}\n"
        return await self.say(
            bench, ["python3", "-I", "-u", "-c", source_of("agents/inside/interpreter")], text, end
        )

    @staticmethod
    def form(code: str) -> None:
        """Run Python code.

        It is always the same interpreter: it keeps its variables. The output is what the code prints, and the
        value of its last line if that is an expression.
        """
