"""Nodes that ask a model."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from assay.errors import JudgeError
from assay.language.apart import read
from assay.language.dsl import Branch, Branches, Context, Node, NoOutput, Reason, check_role
from assay.language.fences import TAG, drop_thinking
from assay.language.pictures import picture_to_send
from assay.language.printed import told, with_reports
from assay.language.values import as_text
from assay.records import LLM, VISION_EVAL_LLM, Block, Completion, JsonMode, Message, Model, with_parameters

TRIES = 2  # a judge whose reply cannot be used is asked once more
ENDED_EARLY = {
    "length": "its reply was cut off",
    "max_tokens": "its reply was cut off",
    "model_context_window_exceeded": "its reply was cut off",
    "refusal": "it refused",
    "content_filter": "its reply was filtered",
}


def _turns(prompt: str, reply: str, model: str, images: tuple[bytes, ...] = ()) -> tuple[Block, ...]:
    pictures = tuple(Block("image", "picture sent", data=image) for image in images)
    return (
        Block("chat", f"asked {model}", prompt, role="user"),
        *pictures,
        Block("chat", f"{model} replied", reply, role="assistant"),
    )


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


async def _said(model: Model, role: str, asked: tuple[Message, ...], json: bool = False) -> str:
    """A reply. Of a judge without its thinking; raises JudgeError for one that is empty, cut off or refuses,
    since that says nothing of the model under test."""
    why = ""
    for _ in range(TRIES if role != LLM else 1):
        completion = await model.complete(asked, json=json)
        if role == LLM:
            return completion.text
        if not (why := unusable(completion)):
            return drop_thinking(completion.text)
        forget(model, asked, json)
    raise JudgeError(f"{model.name} as a judge: {why}; --resume asks again")


@dataclass(frozen=True, kw_only=True, repr=False)
class AskNode(Node):
    """A step that asks a model. `temperature`, `max_tokens` (of the reply) and `system` (the system prompt)
    are for this step; what is None is as in config.json and the run's flags."""

    system: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    is_judge = False

    def model(self, ctx: Context, role: str) -> Model:
        """The model that plays `role`, with the settings of this step."""
        names = {"system": "system_prompt"}
        own = {each.name: getattr(self, each.name) for each in fields(AskNode)}
        given = {names.get(name, name): value for name, value in own.items() if value is not None}
        return with_parameters(ctx.model(role), given)


@dataclass(frozen=True, repr=False)
class LLMRun(AskNode):
    """Ask a model, remembering nothing. `<A>` in `check_prompt` stands for the incoming text.

    `llm`: LLM (the model under test), EVAL_LLM (the judge) or VISION_EVAL_LLM. `json` asks for
    the provider's JSON mode. A judge's thinking is left out of its reply; one that replies nothing, is cut
    off or refuses is an ERROR. (To have a judge decide, use Judge.)
    """

    check_prompt: str = "<A>"
    llm: str = LLM
    json: bool = False

    def __post_init__(self) -> None:
        check_role(self.llm)

    async def run(self, value: Any, ctx: Context) -> Branches:
        model = self.model(ctx, self.llm)
        prompt = self.check_prompt.replace("<A>", as_text(_shown(value, self.llm)))
        with ctx.attempting(self, Block("chat", f"asked {model.name}", prompt, role="user")):
            reply = await _said(model, self.llm, (Message("user", prompt),), self.json)
        yield Branch(await _answer(reply), Reason(self, _turns(prompt, reply, model.name)))


@dataclass(frozen=True, repr=False)
class LLMConversation(AskNode):
    """Ask the model under test, with every earlier turn of this trial's conversation before it."""

    check_prompt: str = "<A>"
    asks = (LLM,)

    async def run(self, value: Any, ctx: Context) -> Branches:
        prompt = self.check_prompt.replace("<A>", as_text(told(value)))
        asked = (*ctx.conversation.messages, Message("user", prompt))
        with ctx.attempting(self, Block("chat", f"asked {ctx.llm.name}", prompt, role="user")):
            completion = await self.model(ctx, LLM).complete(asked)
        ctx.conversation.messages = (*asked, Message("assistant", completion.text))
        turn = Block("text", body=f"turn {len(asked) // 2 + 1} of the conversation")
        shown = (turn, *_turns(prompt, completion.text, ctx.llm.name))
        yield Branch(await _answer(completion.text), Reason(self, shown))


@dataclass(frozen=True, repr=False)
class LLMVisionRun(AskNode):
    """Show a model the incoming picture (encoded bytes or a Pillow image) and ask about it.

    What is no picture is a FAIL. `<A>` has nothing to stand for here and is left out.
    """

    check_prompt: str = "<A>"
    llm: str = VISION_EVAL_LLM

    def __post_init__(self) -> None:
        check_role(self.llm)

    async def run(self, value: Any, ctx: Context) -> Branches:
        model = self.model(ctx, self.llm)
        prompt = self.check_prompt.replace("<A>", "") or "What does this picture show?"
        try:
            image = await picture_to_send(value, ctx)
        except ValueError as error:
            why = f"no picture to show to {model.name}: {error}"
            yield Branch(NoOutput(why), Reason(self, Block("verdict", body=why, passed=False)))
            return
        asked = (Block("image", "picture sent", data=image), Block("chat", body=prompt, role="user"))
        with ctx.attempting(self, *asked):
            reply = await _said(model, self.llm, (Message("user", prompt, (image,)),))
        yield Branch(await _answer(reply), Reason(self, _turns(prompt, reply, model.name, (image,))))
