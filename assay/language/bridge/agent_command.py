"""AgentCommand: any agent program, in the trial's sandbox, with the trial's model."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from assay.dialogue import given
from assay.errors import NodeError, SandboxError
from assay.language import program_causes
from assay.language.agents.handover import files_before, hand_over, taken_up
from assay.language.agents.turns import Story, Turn
from assay.language.agents.workbench import Done
from assay.language.bridge.asked import Asked, NoMoreCalls
from assay.language.bridge.server import Bridge
from assay.language.dsl import Branch, Branches, Context, Node, Reason, names_of_files
from assay.language.printed import Printed, printed_by, told
from assay.language.run import result_blocks
from assay.language.values import as_text
from assay.records import LLM, Block, Cause, Completion, ExecResult, Message, ToolCall

PLACES = ("task", "model")  # what a command may name in braces
NO_KEY = "no-key-is-needed-here"
NOT_STARTED = (126, 127)  # bash's exit codes for a command that is no program or not there


@cache
def _relay() -> str:
    return files("assay.language.bridge").joinpath("relay.py").read_text("utf-8")


@dataclass(frozen=True, repr=False)
class AgentCommand(Node):
    """Run an agent program on the incoming task, inside the trial's sandbox, which has no network.

    `command`: shell text; `{task}` stands for the task and `{model}` for the model's name, each quoted. What
    the program asks of a model, in the form of OpenAI's chat completions or Responses or of Anthropic's
    messages, goes to a port of the sandbox's own (OPENAI_BASE_URL and ANTHROPIC_BASE_URL name it) and is
    answered by the trial's model, with that model's own parameters. No key is inside. `max_calls`: of the
    model; further ones are refused. `time_limit_s`: of the whole command. `env`: more variables. `files`: as
    in AgentRun. `layer`: of config.json, which has the program; what is in its bin/ is found first.

    The output is what the command printed. Then the sandbox is given up, as after AgentRun.
    """

    command: str
    max_calls: int = 200
    time_limit_s: float = 1800.0
    env: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[str] = ()
    layer: str = ""
    asks = (LLM,)
    repeats = True
    offers_tools = True
    hands_over = True
    needs = ("python3", "bash")
    is_judge = False

    def __post_init__(self) -> None:
        if not isinstance(self.command, str) or not self.command.strip():
            raise NodeError('AgentCommand needs a command, e.g. AgentCommand("mini -t {task}")')
        super().__post_init__()
        if self.max_calls < 1:
            raise NodeError(f"AgentCommand: max_calls must be 1 or more, not {self.max_calls!r}")
        for name in re.findall(r"(?<![$\w{])\{([a-zA-Z]+)\}", self.command):
            if name not in PLACES and (near := get_close_matches(name.lower(), PLACES, 1)):
                raise NodeError(f"AgentCommand: {{{name}}} stands for nothing. Did you mean {{{near[0]}}}?")
        object.__setattr__(self, "env", dict(self.env))
        object.__setattr__(self, "files", names_of_files(self.files, self))

    def __hash__(self) -> int:
        env = tuple(self.env.items())
        return hash((self.command, self.max_calls, self.time_limit_s, env, self.files, self.layer))

    async def run(self, value: object, ctx: Context) -> Branches:
        if (saved := ctx.saved_work()) is not None:  # judged again
            await ctx.renew_sandbox(saved.files or b"")
            yield Branch(Printed(saved.output), Reason(self, saved.story.children))
            return
        calls = _Calls(self, ctx)
        path = f'export PATH="/opt/{self.layer}/bin:$PATH"\n' if self.layer else ""
        text = path + self.command.replace("{model}", shlex.quote(calls.model.name))
        text = text.replace("{task}", shlex.quote(as_text(told(value)).replace("\0", "")))
        command = Block("code", "command", text, language="bash")
        with ctx.attempting(self, command):
            try:
                result = await self._ran(text, calls, ctx)
            except BaseException:
                ctx.trail.append(Reason(self, calls.blocks()))
                raise
            if result.returncode in NOT_STARTED and not (calls.begun or _model_spoke(ctx)):
                raise NodeError(_not_started(result))
        shown = (command, *calls.blocks(), *result_blocks(result, "output", False))
        shown += program_causes.of_run(result, "bash")
        printed = printed_by(result, "bash")
        with ctx.attempting(self, *shown):
            shown += await hand_over(ctx, printed, True, self.files, calls.files_before)
        yield Branch(printed, Reason(self, shown))

    async def _ran(self, text: str, calls: _Calls, ctx: Context) -> ExecResult:
        sandbox = await taken_up(ctx)
        calls.files_before = await files_before(sandbox, self.files)
        relay = await sandbox.start(["python3", "-I", "-c", _relay()])
        bridge = Bridge(relay, calls.answer, calls.model.name)
        serving = asyncio.create_task(bridge.serve())
        try:
            root = f"http://127.0.0.1:{await bridge.port()}"
            env = {
                "OPENAI_BASE_URL": f"{root}/v1",
                "OPENAI_API_BASE": f"{root}/v1",
                "OPENAI_API_KEY": NO_KEY,
                "ANTHROPIC_BASE_URL": root,
                "ANTHROPIC_API_KEY": NO_KEY,
                **self.env,
            }
            result = await sandbox.run(["bash", "-c", text], env=env, time_limit_s=self.time_limit_s)
        except SandboxError:
            if bridge.ended_by is not None:  # then the sandbox was given up
                raise bridge.ended_by from None
            raise
        finally:
            await relay.close()  # which ends the serving
            await asyncio.gather(serving, return_exceptions=True)
        if bridge.failure is not None:  # the last call was not answered: the program could not go on
            raise bridge.failure
        return result


def _model_spoke(ctx: Context) -> bool:
    """Whether a step before asked the model, which may then have written or removed the program."""
    before = (reason.node for reason in ctx.trail if isinstance(reason.node, Node))
    return any(LLM in each.asks for node in before for each in node.walk())


def _not_started(result: ExecResult) -> str:
    said = " ".join("".join(result.texts).split())[-300:]
    return (
        f"AgentCommand: the command ended with {result.returncode} and asked the model nothing, so "
        f"nothing is known of the model: {said}. Is the program in the test's Files or in a layer?"
    )


class _Calls:
    """The calls of one program: asked of the model, bounded, and told."""

    def __init__(self, node: AgentCommand, ctx: Context) -> None:
        self._most, self.model = node.max_calls, ctx.model(LLM)
        self._replies: list[Completion] = []
        self._results: dict[str, Message] = {}  # by the id of the call
        self._refused = self.begun = 0
        self.files_before = b""

    async def answer(self, asked: Asked) -> Completion:
        if self.begun >= self._most:
            self._refused += 1
            raise NoMoreCalls(f"the test allows no more than {self._most} calls of the model")
        self._results.update({each.call_id: each for each in asked.messages if each.role == "tool"})
        self.begun += 1  # calls may come side by side
        try:
            reply = await self.model.complete(asked.messages, json=asked.json, **given(asked.tools))
        except BaseException:
            self.begun -= 1
            raise
        self._replies.append(reply)
        return reply

    def _done(self, call: ToolCall) -> Done:
        """What the program told the model of a call."""
        result = self._results.get(call.id)
        return Done("", note="no result") if result is None else Done(result.content, failed=result.failed)

    def blocks(self) -> tuple[Block, ...]:
        """What the model replied, in order."""
        turns = [Turn(reply, [*map(self._done, reply.calls)]) for reply in self._replies]
        calls = f"{len(turns)} call{'s'[: len(turns) != 1]} of {self.model.name}"
        shown = Block("group", calls, children=Story().of(turns, self.model.name))
        if not self._refused:
            return (shown,)
        more = "1 further call was" if self._refused == 1 else f"{self._refused} further calls were"
        why = f"{more} refused: the test allows {self._most}"
        return (shown, Block("text", "AgentCommand", why, cause=Cause.OUT_OF_TURNS))
