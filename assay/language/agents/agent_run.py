"""AgentRun: a model works with tools in the trial's sandbox until it is done, or at a limit."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from assay.asked import what_was_asked
from assay.dialogue import given
from assay.errors import ModelFault, NodeError, Refused
from assay.language.agents.functions import FunctionTool
from assay.language.agents.handover import files_before, hand_over, taken_up
from assay.language.agents.limits import READS, Limit, Limits, Spent
from assay.language.agents.mcp_server import ServerLost
from assay.language.agents.tool import LARGEST_CALL, AgentTool
from assay.language.agents.turns import Story, Turn, done_as_json, done_of_json, reply_as_json, reply_of_json
from assay.language.agents.workbench import Done, ToolsLost, Workbench
from assay.language.dsl import Branch, Branches, Context, Node, Reason, names_of_files, no_output
from assay.language.pictures import is_picture, picture_to_send
from assay.language.printed import told
from assay.language.tools import tools_of
from assay.language.values import as_text
from assay.records import LLM, Block, Cause, Completion, Message, Sandbox, Tool, ToolCall, with_parameters

MOST_CALLS = 32  # of one turn that are done
MOST_PICTURES, MOST_PICTURE_BYTES = 90, 20 << 20  # of one dialogue; providers take 100, and 32 MB in base64
LOST = "error: {}; they are started anew: variables, folders and what ran in the background are gone"


@dataclass(frozen=True)
class Submit(AgentTool):
    """Ends the work: what is given is the output."""

    name = "submit"

    @staticmethod
    def form(answer: str) -> None:
        """Hand in your answer. Call it once, when all is done: nothing can be done afterwards."""


@dataclass(frozen=True, repr=False)
class AgentRun(Node):
    """The model under test works on the incoming task in the trial's sandbox, turn by turn, with `tools`.

    `task`: what is asked instead; `<A>` in it stands for the incoming text. An incoming picture (as Image
    passes it on, or a Pillow image) needs a task and is shown with it. The sandbox does not get it.
    `tools`: Shell(), Python(), ReadFile(), EditFile(), Browser(), Mcp(command) and functions of the test's
    author (see `tool`), which run in the sandbox. It ends when a reply calls no tool, with `submit` when the
    model calls that, or at a limit: `max_turns` replies, `max_tokens` (read and written, of all turns),
    `max_cost` (US dollars) or `time_limit_s` (of replies and tools). The model is told one turn before. The
    output is what was submitted, else the last text. `system`: the system prompt.

    Then the sandbox is given up with all that runs in it. Later steps get a pristine one with the regular
    files of the work directory (of the files and folders in `files`, if any are named), and nothing else;
    each side of `|` and each branch begins with these. A later AgentRun goes on with all files, or with those
    in `files`. The record keeps what judges get: --rescore judges it again.
    """

    tools: Sequence[AgentTool | Callable[..., Any]] = ()
    max_turns: int = 50
    max_tokens: int | None = None
    max_cost: float | None = None
    time_limit_s: float | None = 1800.0
    system: str | None = None
    submit: bool = False
    files: Sequence[str] = ()
    task: str | None = None
    asks = (LLM,)
    repeats = True
    in_sandbox = True
    is_judge = False
    offers_tools = True
    hands_over = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.tools, AgentTool) or not isinstance(self.tools, Sequence):
            raise NodeError(f"AgentRun needs a list of tools, e.g. tools=[Shell()], not {self.tools!r:.100}")
        if self.task is not None and not isinstance(self.task, str):
            raise NodeError(f"AgentRun's task is a text, not {self.task!r:.100}")
        made = tuple(each if isinstance(each, AgentTool) else FunctionTool(each) for each in self.tools)
        object.__setattr__(self, "tools", made)  # a list would make the node unhashable
        named(self.offered)
        object.__setattr__(self, "files", names_of_files(self.files, self))
        self.limits  # noqa: B018 - raises for what cannot be one

    @property
    def offered(self) -> tuple[AgentTool, ...]:
        """The tools that the model is told of."""
        made = [each for each in self.tools if isinstance(each, AgentTool)]
        return (*(part for each in made for part in each.parts), *([Submit()] if self.submit else []))

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(need for each in self.tools if isinstance(each, AgentTool) for need in each.needs)

    @property
    def limits(self) -> Limits:
        return Limits(self.max_turns, self.max_tokens, self.max_cost, self.time_limit_s)

    async def run(self, value: Any, ctx: Context) -> Branches:
        if (saved := ctx.saved_work()) is not None:
            if saved.files is not None:
                await ctx.renew_sandbox(saved.files)
            yield Branch(saved.output, Reason(self, saved.story.children))
            return
        pictures: tuple[bytes, ...] = ()
        if is_picture(value):
            if self.task is None:
                raise NodeError(
                    "AgentRun got a picture and nothing to do with it: say AgentRun(..., task=...)"
                )
            try:
                pictures = (await picture_to_send(value, ctx),)
            except ValueError as error:
                yield no_output(self, f"no picture to show to {ctx.model(LLM).name}: {error}")
                return
        text = "" if pictures else as_text(told(value))
        asked = text if self.task is None else self.task.replace("<A>", text)
        work = _Work(self, ctx, Message("user", asked, pictures))
        try:
            await work.begin()
            output = await work.done()
        except BaseException:
            ctx.trail.append(Reason(self, work.blocks()))
            raise
        finally:
            await work.bench.close()
        with ctx.attempting(self, *work.blocks()):
            handed_in = await hand_over(ctx, output, work.bench.used, self.files, work.before)
        yield Branch(output, Reason(self, (*work.blocks(), *handed_in)))


class _Work:
    """One agent at its task."""

    def __init__(self, node: AgentRun, ctx: Context, task: Message) -> None:
        self.node, self.ctx, self.task = node, ctx, task
        system = {} if node.system is None else {"system_prompt": node.system}
        self.model = with_parameters(ctx.model(LLM), system)
        self.by_name = named(node.offered)
        self.tools: tuple[Tool, ...] = ()
        self.bench = Workbench(self._sandbox, ctx.browser)
        self.looked, self.before = False, b""  # at the files that it found, as `files_before` gives them
        self.messages: list[Message] = [task]
        self.turns: list[Turn] = []
        self.spent = Spent()
        self.ended = ""
        self.limit: Limit | None = None  # that the next turn ends by
        self.submitted: str | None = None
        self.pictures, self.picture_bytes = len(task.images), sum(map(len, task.images))
        self.stamp = ""
        self.past: deque[Any] = deque()

    async def begin(self) -> None:
        """Get the tools ready, and what an earlier process kept. A server that does not start is the test's
        mistake, unless an agent has been there before."""
        found: list[AgentTool] = []
        for each in cast(tuple[AgentTool, ...], self.node.tools):
            try:
                found += await each.opened(self.bench)
            except ServerLost as error:
                kind = ModelFault if self.ctx.agents else NodeError
                raise kind(f"{each!r:.200}: {error}") from None
        self.by_name = named([*found, *([Submit()] if self.node.submit else [])])
        self.tools = tuple(each.tool for each in self.by_name.values())
        self.stamp = _stamp(self.node, self.ctx, self.messages, self.tools)
        self.past = deque(self.ctx.journal.recall(self.stamp))

    async def _sandbox(self) -> Sandbox:
        sandbox = await taken_up(self.ctx)
        if not self.looked:
            self.looked, self.before = True, await files_before(sandbox, self.node.files)
        return sandbox

    async def done(self) -> str:
        """Work to the end; the output."""
        before = Spent()
        while not self.ended:
            self._warn(before)
            try:
                reply = await self._reply()
            except Refused as error:
                if not (error.too_long and self.turns):
                    raise
                self.limit = READS
                self.ended = f"by its limit of {READS.words}"
                break
            turn = Turn(reply)
            self.turns.append(turn)
            self.messages.append(reply.turn)
            if not reply.calls:
                self.spent = self.spent.after(reply, 0.0)
                self.ended = f"by a reply that calls no tool (turn {len(self.turns)})"
                break
            if self.node.time_limit_s is not None:
                left = self.node.time_limit_s - self.spent.seconds - reply.seconds
                self.bench.until = time.monotonic() + left
            await self._act(turn)
            before = self.spent
            self.spent = before.after(reply, sum(done.seconds for done in turn.done))
            if self.submitted is not None:
                self.ended = "by submit"
            elif limit := self.limit or self.node.limits.overrun(self.spent):
                self.limit = limit
                self.ended = f"by its limit of {limit.words}"
        if self.submitted is not None:
            return self.submitted
        return next((turn.reply.text for turn in reversed(self.turns) if turn.reply.text.strip()), "")

    def _warn(self, before: Spent) -> None:
        """Tell the model, with the last thing that it is told, if the next turn is its last one. `before`:
        what had been spent before the last turn."""
        self.limit = self.node.limits.next_to_last(self.spent, before)
        if self.limit is not None:
            how = "call submit" if self.node.submit else "reply without a call"
            note = (
                f"[The limit of {self.limit.words} allows one more turn, your last: {how} if you are done.]"
            )
            last = self.messages[-1]
            self.messages[-1] = replace(last, content=f"{last.content}\n\n{note}")

    async def _reply(self) -> Completion:
        if self.past and "reply" in self.past[0]:
            return reply_of_json(self.past.popleft()["reply"])
        reply = await self.model.complete(tuple(self.messages), json=False, **given(self.tools))
        if self.node.max_cost is not None and reply.cost is None:
            its = self.model.name
            raise NodeError(
                f"AgentRun: max_cost cannot be kept: the cost of {its} is unknown (no price, or its server "
                "does not count tokens); set a price in config.json, or leave max_cost out"
            )
        self.ctx.journal.keep({"reply": reply_as_json(reply)})
        return reply

    async def _act(self, turn: Turn) -> None:
        """Do what a reply calls for, in its order, and tell the model.

        What an earlier process did is done again, for its sandbox is gone; the model is told what it was told
        then, so that the replies that follow still answer it. Where a call fails that did not, or the other
        way round, the sandbox is another one: what followed is forgotten, and asked anew.
        """
        for number, call in enumerate(turn.reply.calls):
            turn.done.append(await self._do(call, number))
        kept = self.past.popleft()["done"] if self.past else None
        if kept is not None and [each["failed"] for each in kept] == [each.failed for each in turn.done]:
            turn.done = [*map(done_of_json, kept)]
        else:
            if kept is not None:
                self.past.clear()
                self._keep_anew()
            self.ctx.journal.keep({"done": [*map(done_as_json, turn.done)]})
        for call, done in zip(turn.reply.calls, turn.done, strict=True):
            self.messages.append(self._told(call, done))

    def _keep_anew(self) -> None:
        """All up to the last reply, without what an earlier process kept behind it."""
        self.ctx.journal.forget()
        for number, turn in enumerate(self.turns, 1):
            self.ctx.journal.keep({"reply": reply_as_json(turn.reply)})
            if number < len(self.turns):
                self.ctx.journal.keep({"done": [*map(done_as_json, turn.done)]})

    def _told(self, call: ToolCall, done: Done) -> Message:
        """What came of a call, for the model: pictures as long as a request may hold them."""
        text, images = done.text, done.images
        self.pictures += len(images)
        self.picture_bytes += sum(map(len, images))
        if images and (self.pictures > MOST_PICTURES or self.picture_bytes > MOST_PICTURE_BYTES):
            text, images = f"{text}\n[no more pictures: {MOST_PICTURES} were shown]", ()
        return Message("tool", text, images, call_id=call.id, failed=done.failed)

    async def _do(self, call: ToolCall, number: int) -> Done:
        """One call. What is wrong with it is told to the model."""
        tool = self.by_name.get(call.name)
        if self.submitted is not None:
            return Done("not done: the answer was submitted before", failed=True, note="not done")
        if number >= MOST_CALLS:
            return _refused(f"not done: more than {MOST_CALLS} calls in one turn")
        if tool is None:
            return _refused(f"there is no tool {call.name!r:.100}; there are {', '.join(self.by_name)}")
        if len(call.arguments) > LARGEST_CALL:
            return _refused(f"{len(call.arguments):,} characters of arguments; at most {LARGEST_CALL:,}")
        try:
            arguments = tool.arguments(call.arguments)
        except ValueError as error:
            return _refused(str(error))
        if isinstance(tool, Submit):
            self.submitted = arguments["answer"]
            return Done("submitted")
        begun = time.monotonic()
        if begun >= self.bench.until:
            return Done("not done: the time limit is over", failed=True, note="not done")
        try:
            done = await tool.call(self.bench, **arguments)
        except ToolsLost as error:
            done = Done(LOST.format(error), failed=True, note="tools lost")
        return replace(done, seconds=round(time.monotonic() - begun, 4))

    def blocks(self) -> tuple[Block, ...]:
        """All turns so far, and how it ended."""
        task = Block(
            "chat",
            f"asked {self.model.name}, with {', '.join(self.by_name) or 'no tools'}",
            self.task.content,
            role="user",
        )
        shown = (Block("image", "picture sent", data=image) for image in self.task.images)
        told = (task, *shown, *Story().of(self.turns, self.model.name))
        if not self.ended:
            return told
        limited = self.limit is not None and self.ended.startswith("by its limit")
        cause = self.limit.cause if self.limit is not None and limited else ""
        how = f"ended {self.ended}, after {self.spent.words} (limits: {self.node.limits.words})"
        if self.node.tools and not any(turn.reply.calls for turn in self.turns):
            cause, how = (
                Cause.NO_CALL,
                "the agent called no tool: its first reply ended the work",
            )
        return (*told, Block("text", "AgentRun", how, role="end", cause=cause))


def named(tools: Iterable[AgentTool]) -> dict[str, AgentTool]:
    """Tools by what the model calls them. Raises NodeError if two have one name."""
    made = tuple(tools)
    return {told.name: each for each, told in zip(made, tools_of([each.tool for each in made]), strict=True)}


def _refused(why: str) -> Done:
    return Done(f"error: {why}", failed=True, note="refused")


def _stamp(node: AgentRun, ctx: Context, messages: Sequence[Message], tools: Any) -> str:
    """Everything that the turns depend on but the sandbox: of the same step, run again in a trial, too."""
    import hashlib
    import json

    ctx.agents += 1
    facts = [ctx.agents, repr(node), what_was_asked(messages, False, tools)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]
