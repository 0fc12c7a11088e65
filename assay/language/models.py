"""Nodes that ask a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.dialogue import given
from assay.errors import JudgeError, NodeError
from assay.language.apart import read
from assay.language.dsl import Branch, Branches, Context, Node, Reason, StringNode, check_role, no_output
from assay.language.fences import TAG, drop_thinking
from assay.language.pictures import picture_to_send
from assay.language.printed import told, with_reports
from assay.language.tools import Calling, call_blocks, offer_block, tools_of
from assay.language.values import PLACE, as_text
from assay.records import (
    LLM,
    VISION_EVAL_LLM,
    Block,
    Completion,
    JsonMode,
    Message,
    Model,
    Tool,
    with_parameters,
)

TRIES = 2  # a judge whose reply cannot be used is asked once more
ENDED_EARLY = {
    "length": "its reply was cut off",
    "max_tokens": "its reply was cut off",
    "model_context_window_exceeded": "its reply was cut off",
    "refusal": "it refused",
    "content_filter": "its reply was filtered",
}


def _shown(value: Any, role: str) -> Any:
    """What a model sees of a value: the one under test how a run ended, a judge no word of Assay's."""
    return told(value) if role == LLM else with_reports(value)


def unusable(completion: Completion) -> str:
    """Why a judge's reply cannot count whatever it says; '' if it can."""
    why = ENDED_EARLY.get(completion.finish_reason, "")
    return why or ("" if drop_thinking(completion.text).strip() else "its reply was empty")


def forget(model: Model, asked: tuple[Message, ...], json: JsonMode) -> None:
    """A judge's reply that is of no use must not be what it replies for ever: out of the cache with it."""
    its = getattr(model, "forget", None)
    if its is not None:
        its(asked, json=json)


async def _answer(text: str) -> str:
    """A reply without its thinking, where a server leaves that in the text: it weighs other answers."""
    return await read(drop_thinking, text) if TAG.search(text) else text


async def _said(
    model: Model, role: str, asked: tuple[Message, ...], json: bool = False, tools: tuple[Tool, ...] = ()
) -> Completion:
    """A reply. Of a judge without its thinking; raises JudgeError for one that is empty, cut off or refuses,
    since that says nothing of the model under test."""
    why = ""
    for _ in range(TRIES if role != LLM else 1):
        completion = await model.complete(asked, json=json, **given(tools))
        if role == LLM:
            return completion
        if not (why := unusable(completion)):
            return replace(completion, text=drop_thinking(completion.text))
        forget(model, asked, json)
    raise JudgeError(f"{model.name} as a judge: {why}; the next run asks again")


@dataclass(frozen=True, kw_only=True, repr=False)
class AskNode(Node):
    """A step that asks a model. `temperature`, `max_tokens` (of the reply) and `system` (the system prompt)
    are for this step; what is None is as in config.json and the run's flags."""

    system: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    is_judge = False

    @property
    def yields_text(self) -> bool:  # type: ignore[override]
        return not getattr(self, "tools", ())

    def __post_init__(self) -> None:
        super().__post_init__()
        check_role(getattr(self, "llm", LLM))

    def model(self, ctx: Context, role: str) -> Model:
        """The model that plays `role`, with the settings of this step."""
        own = {"system_prompt": self.system, "temperature": self.temperature, "max_tokens": self.max_tokens}
        given = {name: value for name, value in own.items() if value is not None}
        return with_parameters(ctx.model(role), given)

    async def ask(
        self,
        ctx: Context,
        role: str,
        *asked: Message,
        json: bool = False,
        before: tuple[Block, ...] = (),
        tools: tuple[Tool, ...] = (),
    ) -> tuple[str, Branch]:
        """The reply of the model that plays `role`, and the branch that passes it on, with the calls of
        `tools` if there are any. The last of `asked` is shown, after what stands `before` it."""
        model, prompt = self.model(ctx, role), asked[-1]
        question = Block("chat", f"asked {model.name}", prompt.content, role="user")
        pictures = (Block("image", "picture sent", data=image) for image in prompt.images)
        offered = (offer_block(tools),) if tools else ()
        shown = (*before, question, *pictures, *offered)
        with ctx.attempting(self, *shown):
            reply = await _said(model, role, asked, json, tools)
        replied = Block("chat", f"{model.name} replied", reply.text, role="assistant")
        answer = await _answer(reply.text)
        if not tools:
            return reply.text, Branch(answer, Reason(self, (*shown, replied)))
        told = (replied,) if reply.text or not reply.calls else ()
        output = Calling(replace(reply, text=answer), tools)
        return reply.text, Branch(output, Reason(self, (*shown, *told, *call_blocks(reply.calls))))


def in_words(step: Node) -> str:
    return f"the text {step.text!r:.60}" if isinstance(step, StringNode) else type(step).__name__


def _not_sent(step: Node, prompt: str, before: Node) -> str:
    """What is wrong with a step that asks about a text or a picture without sending it; '' for nothing."""
    name = type(step).__name__
    if before.yields_picture:
        return f"{name} sends no picture, so the model does not see it; write LLMVisionRun(..., llm=LLM)"
    if PLACE.search(prompt) or not _is_lost(step, before):
        return ""
    lost = f"what comes before it ({in_words(before)}) is not sent to the model"
    return f"the prompt of {name} has no <A>, so {lost}"


def _is_lost(step: Node, before: Node) -> bool:
    """Whether all that `before` does is lost: no file of the sandbox remains, and no turn of a
    conversation."""
    if isinstance(before, StringNode):
        return bool(before.text.strip())
    remains = before.in_sandbox or isinstance(before, LLMConversation)
    return isinstance(step, LLMRun) and not remains


@dataclass(frozen=True, repr=False)
class LLMRun(AskNode):
    """Ask a model, remembering nothing. `<A>` in `check_prompt` stands for the incoming text.

    `llm`: LLM (the model under test), EVAL_LLM (the judge) or VISION_EVAL_LLM. `json` asks for
    the provider's JSON mode. A judge's thinking is left out of its reply; one that replies nothing, is cut
    off or refuses is an ERROR. (To have a judge decide, use Judge.)

    `tools`: typed functions with docstrings, or dicts (see tool_of), that the model may call. None is run:
    the calls are the answer, for ToolCallEvaluator; the text of the reply may be empty.
    """

    check_prompt: str = "<A>"
    llm: str = LLM
    json: bool = False
    tools: Sequence[Tool | Mapping[str, Any] | Callable[..., Any]] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tools and self.llm != LLM:
            raise NodeError("tools are for the model under test, LLM")
        object.__setattr__(self, "_tools", tools_of(self.tools))
        object.__setattr__(self, "tools", tuple(self.tools))  # a list would make the node unhashable

    def unfit(self, before: Node, verdict: bool) -> str:
        return "" if verdict else _not_sent(self, self.check_prompt, before)

    @property
    def offers_tools(self) -> bool:
        return bool(self.tools)

    async def run(self, value: Any, ctx: Context) -> Branches:
        prompt = self.check_prompt.replace("<A>", as_text(_shown(value, self.llm)))
        tools: tuple[Tool, ...] = vars(self)["_tools"]
        _, branch = await self.ask(ctx, self.llm, Message("user", prompt), json=self.json, tools=tools)
        yield branch


@dataclass(frozen=True, repr=False)
class LLMConversation(AskNode):
    """Ask the model under test, with every earlier turn of this trial's conversation before it."""

    check_prompt: str = "<A>"
    asks = (LLM,)

    def unfit(self, before: Node, verdict: bool) -> str:
        """A turn need not repeat the one before it, which is sent all the same."""
        return "" if verdict else _not_sent(self, self.check_prompt, before)

    async def run(self, value: Any, ctx: Context) -> Branches:
        prompt = self.check_prompt.replace("<A>", as_text(told(value)))
        asked = (*ctx.conversation.messages, Message("user", prompt))
        turn = Block("text", body=f"turn {len(asked) // 2 + 1} of the conversation")
        reply, branch = await self.ask(ctx, LLM, *asked, before=(turn,))
        ctx.conversation.messages = (*asked, Message("assistant", reply))
        yield branch


@dataclass(frozen=True, repr=False)
class LLMVisionRun(AskNode):
    """Show a model the incoming picture (encoded bytes or a Pillow image) and ask about it.

    What is not a picture is a FAIL. `<A>` has nothing to stand for here and is left out.
    """

    check_prompt: str = "<A>"
    llm: str = VISION_EVAL_LLM

    def unfit(self, before: Node, verdict: bool) -> str:
        if not verdict and before.yields_text:
            raise NodeError(
                f"LLMVisionRun shows a picture, and {in_words(before)} yields a text: write "
                'Image("FILE.png") >> LLMVisionRun(...)'
            )
        return ""

    async def run(self, value: Any, ctx: Context) -> Branches:
        prompt = self.check_prompt.replace("<A>", "") or "What does this picture show?"
        try:
            image = await picture_to_send(value, ctx)
        except ValueError as error:
            yield no_output(self, f"no picture to show to {ctx.model(self.llm).name}: {error}")
            return
        _, branch = await self.ask(ctx, self.llm, Message("user", prompt, (image,)))
        yield branch
