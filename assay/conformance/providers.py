"""The checks of a provider: questions to one of its models."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

from assay.config import Config
from assay.conformance.failures import Unmet
from assay.errors import ConfigError, Refused
from assay.records import Completion, Message, Tool, TrialKey
from assay.running.wiring import check_provider, models_opener

BLOCKED_S = 0.05  # of the event loop, below which two calls went at once
TRIES = 3  # a busy machine keeps an event loop waiting, too
TICK_S = 0.01
PARAMETERS = {"temperature": 0.5, "max_tokens": 1000}  # which most providers have
DIALOGUE = (
    Message("system", "Be brief."),
    Message("user", "My name is Ada."),
    Message("assistant", "Hello."),
    Message("user", "What is my name?"),
)
SHOWN = 200  # characters of a reply
RED = base64.b64decode(  # a square, as PNG
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQEBAQEBAQEBAQEBAQEBAQEBAQEBA"
    "QEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC"
)
COLOUR = Message("user", "Which colour has this square? Reply with one word.", images=(RED,))
CALL = Message("user", "Call the tool note with the word yes.")
NOTE = Tool(
    "note",
    "Notes a word.",
    '{"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}',
)


def provider_checks(
    name: str, config: Config, root: Path, said: Callable[[str], None] = lambda text: None
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Without a connection or a first reply, the rest would fail for the same reason, and is not tried.
    `said` is told what goes wrong besides."""
    provider, _, model = name.partition("/")
    came: list[Completion] = []
    unclosed: list[str] = []
    takes: dict[str, bool] = {}  # "pictures", "tools"
    unsent: list[str] = []  # once it is known, a parameter that goes nowhere; '' for none

    @contextlib.asynccontextmanager
    async def opened() -> AsyncIterator[tuple[Any, Any]]:
        """A model, and the client of its provider."""
        async with models_opener(root)(config, None) as source:
            models: Any = source  # a ModelRegistry
            models.message = said
            its = models.load(f"{provider}/{model}").for_trial(TrialKey("conformance"))
            yield its, models.open(provider)  # which may block, once
            models.message = unclosed.append

    def ask(*messages: Message, json: bool = False) -> Completion:
        async def asked() -> Completion:
            async with opened() as (its, client):
                reply: Completion = await its.complete(messages, json=json)
                takes.update(
                    (what, getattr(client.provider, f"takes_{what}", False)) for what in ("pictures", "tools")
                )
                return reply

        came.append(asyncio.run(asked()))
        return came[-1]

    def loads() -> None:
        async def loaded() -> None:
            async with models_opener(root)(config, None) as models:
                models.load(f"{provider}/{model or 'any'}")

        check_provider(provider, config, root)
        asyncio.run(loaded())
        came.append(Completion(""))

    def goes_beside_others() -> None:
        async def main() -> tuple[float, float, str]:
            async with opened() as (its, client):
                began = time.monotonic()
                beside = asyncio.create_task(_blocked())
                questions = [(Message("user", f"Reply with the number {n}."),) for n in (1, 2)]
                await asyncio.gather(*map(its.complete, questions))
                seconds = time.monotonic() - began
                beside.cancel()
                await asyncio.sleep(0)
                return await beside, seconds, client.wrote

        for _ in range(TRIES):
            blocked, seconds, wrote = asyncio.run(main())
            if blocked <= max(BLOCKED_S, seconds / 2):
                return
        raise Unmet(
            f"{wrote} blocked the event loop for {blocked:.1f} of {seconds:.1f} s when two calls were made "
            "at once, so calls go one by one; use an async client or asyncio.to_thread"
        )

    def answers() -> None:
        reply = ask(Message("user", "Reply with the word yes."))
        if not reply.text.strip():
            raise Unmet("the reply is empty")
        read, wrote = reply.usage.input_tokens, reply.usage.output_tokens
        if not (read > 0 and wrote > 0):
            raise Unmet(f"the reply tells {read} tokens of input and {wrote} of output; both must be above 0")

    def takes_parameter(its: Any) -> str:
        """One that the provider has a name for."""
        for parameter, value in PARAMETERS.items():
            with contextlib.suppress(ConfigError):
                if its.wire(model, {parameter: value}) != its.wire(model, {}):
                    return parameter
        return ""

    def has_a_dialogue() -> None:
        async def asked() -> Completion:
            async with opened() as (its, client):
                read = client.reads()
                reply: Completion = await its.complete(DIALOGUE)
                taken = "" if "wire" in read else takes_parameter(client.provider)
                unsent.append(
                    taken
                    and f"wire() takes {taken}, but {client.wrote} never reads call.wire; send it, or raise "
                    "ConfigError in wire()"
                )
                numbers = range(1, len(DIALOGUE) + 1)
                missed = [str(each) for each in numbers if f"content {each}" not in read]
                if missed:
                    raise Unmet(
                        f"{client.wrote} never reads the content of message {', '.join(missed)} of "
                        f"{len(DIALOGUE)} (the first is the system's); send all of call.messages"
                    )
                return reply

        if not asyncio.run(asked()).text.strip():
            raise Unmet("the reply is empty")

    def sends_parameters() -> None:
        if unsent[0]:
            raise Unmet(unsent[0])

    def speaks_json() -> None:
        reply = ask(Message("user", 'Reply with the JSON object {"yes": true}.'), json=True).text
        try:
            json.loads(reply)
        except ValueError:
            raise Unmet(
                f"the reply is not JSON: {_short(reply)}. If `call.json` is set, use the server's JSON mode; "
                "if it has none, or ignores it, put JSON_ORDER of assay.models.provider at the end of what "
                "is asked"
            ) from None

    def sends(
        what: str, where: str, question: Message, seen: Callable[[Completion], bool], **given: Any
    ) -> str:
        """That `where`, a field of the call or of its message, is read; and whether the model saw it, which
        not every model of a provider can."""

        async def asked() -> tuple[Completion | Refused, bool, str]:
            async with opened() as (its, client):
                read = client.reads()
                try:
                    reply = await its.complete([question], **given)
                except Refused as error:
                    return error, True, client.wrote
                return reply, where.partition(".")[2] in read, client.wrote

        reply, read, wrote = asyncio.run(asked())
        if not read:
            raise Unmet(f"takes_{what} is True, but {wrote} never reads {where}; send it, or say False")
        if isinstance(reply, Refused):
            return f"could not be seen: {reply}"
        if seen(reply):
            return ""
        return f"could not be seen: the reply is {_short(reply.text)}; does {provider} send {where}?"

    def closes() -> None:
        if unclosed:
            raise Unmet(unclosed[0].removeprefix("warning: "))

    yield "it can be loaded, and its key is here", loads
    if not (model and came):
        return
    yield "it answers, and tells its tokens", answers
    if len(came) == 1:
        return
    yield "it takes a dialogue", has_a_dialogue
    if unsent:
        yield "it sends parameters", sends_parameters
    yield "it answers in JSON", speaks_json
    if takes["pictures"]:
        yield (
            "it sends pictures",
            lambda: sends("pictures", "message.images", COLOUR, lambda reply: "red" in reply.text.lower()),
        )
    if takes["tools"]:
        yield (
            "it sends tools",
            lambda: sends("tools", "call.tools", CALL, lambda reply: bool(reply.calls), tools=(NOTE,)),
        )
    yield "two calls go at once", goes_beside_others
    yield "it closes", closes


def _short(reply: str) -> str:
    return repr(reply if len(reply) <= SHOWN else reply[:SHOWN] + "...")


async def _blocked() -> float:
    """Seconds for which the event loop ran nothing else, until this is cancelled."""
    blocked = 0.0
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            began = time.monotonic()
            try:
                await asyncio.sleep(TICK_S)
            finally:
                blocked += max(0.0, time.monotonic() - began - TICK_S)
    return blocked
