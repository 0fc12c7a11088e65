"""Nodes that ask a model."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from assay.nodes.dsl import Branch, Branches, Context, Node, NoOutput, Reason, check_role
from assay.nodes.values import as_text, image_kind
from assay.records import LLM, VISION_EVAL_LLM, Block, Message

MAX_PIXELS = 50_000_000  # a picture a model drew may claim any size; this one takes 200 MB to open


def encoded_image(value: Any) -> bytes:
    """PNG, JPEG, GIF or WebP bytes of an image: such bytes, another format's, or a Pillow image.

    Raises ValueError when `value` is no picture, or one of more than MAX_PIXELS.
    """
    if isinstance(value, (bytes, bytearray)) and image_kind(bytes(value)):
        return bytes(value)
    from PIL import Image

    image = value
    if isinstance(value, (bytes, bytearray)):
        try:
            image = Image.open(io.BytesIO(bytes(value)))
            if image.width * image.height > MAX_PIXELS:
                raise ValueError(f"a picture of {image.width} x {image.height} pixels is too large")
            image.load()
        except (OSError, SyntaxError, Image.DecompressionBombError) as error:
            raise ValueError(f"these {len(value)} bytes are no picture ({error})") from None
    if not hasattr(image, "save"):
        raise ValueError(f"a picture is needed, not {type(value).__name__}")
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA"):
        image = image.convert("RGB")
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def _turns(prompt: str, reply: str, model: str, images: tuple[bytes, ...] = ()) -> tuple[Block, ...]:
    pictures = tuple(Block("image", "picture sent", data=image) for image in images)
    return (
        Block("chat", f"asked {model}", prompt, role="user"),
        *pictures,
        Block("chat", f"{model} replied", reply, role="assistant"),
    )


@dataclass(frozen=True)
class LLMRun(Node):
    """Ask a model, remembering nothing. `<A>` in `check_prompt` stands for the incoming text.

    `llm`: LLM (the model under test), EVAL_LLM (the judge) or VISION_EVAL_LLM. `json` asks for
    the provider's JSON mode.
    """

    check_prompt: str = "<A>"
    llm: str = LLM
    json: bool = False

    def __post_init__(self) -> None:
        check_role(self.llm)

    async def run(self, value: Any, ctx: Context) -> Branches:
        model = ctx.model(self.llm)
        prompt = self.check_prompt.replace("<A>", as_text(value))
        with ctx.attempting(self, Block("chat", f"asked {model.name}", prompt, role="user")):
            completion = await model.complete((Message("user", prompt),), json=self.json)
        yield Branch(completion.text, Reason(self, _turns(prompt, completion.text, model.name)))


@dataclass(frozen=True)
class LLMConversation(Node):
    """Ask the model under test, with every earlier turn of this trial's conversation before it."""

    check_prompt: str = "<A>"

    async def run(self, value: Any, ctx: Context) -> Branches:
        prompt = self.check_prompt.replace("<A>", as_text(value))
        asked = (*ctx.conversation.messages, Message("user", prompt))
        with ctx.attempting(self, Block("chat", f"asked {ctx.llm.name}", prompt, role="user")):
            completion = await ctx.llm.complete(asked)
        ctx.conversation.messages = (*asked, Message("assistant", completion.text))
        turn = Block("text", body=f"turn {len(asked) // 2 + 1} of the conversation")
        yield Branch(completion.text, Reason(self, (turn, *_turns(prompt, completion.text, ctx.llm.name))))


@dataclass(frozen=True)
class LLMVisionRun(Node):
    """Show a model the incoming picture (encoded bytes or a Pillow image) and ask about it.

    What is no picture is a FAIL. `<A>` has nothing to stand for here and is left out.
    """

    check_prompt: str = "<A>"
    llm: str = VISION_EVAL_LLM

    def __post_init__(self) -> None:
        check_role(self.llm)

    async def run(self, value: Any, ctx: Context) -> Branches:
        import asyncio

        model = ctx.model(self.llm)
        prompt = self.check_prompt.replace("<A>", "") or "What does this picture show?"
        try:
            image = await asyncio.to_thread(encoded_image, value)
        except ValueError as error:
            why = f"no picture to show to {model.name}: {error}"
            yield Branch(NoOutput(why), Reason(self, Block("verdict", body=why, passed=False)))
            return
        asked = (Block("image", "picture sent", data=image), Block("chat", body=prompt, role="user"))
        with ctx.attempting(self, *asked):
            completion = await model.complete((Message("user", prompt, (image,)),))
        yield Branch(completion.text, Reason(self, _turns(prompt, completion.text, model.name, (image,))))
