"""Old-style nodes: synchronous `__call__` and handles on self, driven from a worker thread."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import AssayError, NodeError
from assay.records import ExecResult, Message, Model, Role
from assay.threads import in_thread

if TYPE_CHECKING:
    from assay.language.dsl import Branch, Context, Node

T = TypeVar("T")


class Env:
    """What an old-style node finds in `self.env`: the trial's sandbox, as blocking calls."""

    def __init__(self, ctx: Context | None = None) -> None:
        import asyncio  # not at the top: listing the tests imports this file, and must stay quick

        self._ctx = ctx
        self._loop = asyncio.get_running_loop() if ctx is not None else None
        self._thread = threading.get_ident()

    def __repr__(self) -> str:
        return "Env()"

    def _wait(self, work: Callable[[Context], Coroutine[Any, Any, T]]) -> T:
        """What `work` returns in the trial's loop."""
        if self._ctx is None or self._loop is None:
            raise NodeError("this Env does not belong to a trial; use it inside a node that a test runs")
        from asyncio import run_coroutine_threadsafe

        return run_coroutine_threadsafe(work(self._ctx), self._loop).result()

    def run(
        self, argv: Sequence[str], files: Mapping[str, bytes] = {}, time_limit_s: float = 20.0
    ) -> ExecResult:
        """Run a command in the trial's sandbox."""

        async def work(ctx: Context) -> ExecResult:
            return await (await ctx.open_sandbox()).run(argv, files=files, time_limit_s=time_limit_s)

        return self._wait(work)

    def read_file(self, path: str) -> bytes:
        """A file of the trial's sandbox."""

        async def work(ctx: Context) -> bytes:
            return await (await ctx.open_sandbox()).read_file(path)

        return self._wait(work)

    def branches(self, node: Node, value: Any) -> Iterator[Branch]:
        """The branches of a new-style node that an old-style one holds, one at a time."""
        from assay.language.dsl import Branch
        from assay.language.outputs import carried

        stream: AsyncGenerator[Branch, None] | None = None

        async def following(ctx: Context) -> Branch | None:
            nonlocal stream
            stream = stream or node.run(value, ctx)
            return await anext(stream, None)

        try:
            while (branch := self._wait(following)) is not None:
                yield Branch(carried(branch.output), branch.reason)
        finally:
            if stream is not None:
                self._close(stream)

    def _close(self, stream: AsyncGenerator[Branch, None]) -> None:
        """End a stream of branches early; wait for it, unless this is the loop's own thread (a generator
        that nobody closed ends wherever it is collected), where waiting would be for ever."""
        if self._loop is None or self._loop.is_closed():
            return
        from asyncio import run_coroutine_threadsafe

        closing = run_coroutine_threadsafe(stream.aclose(), self._loop)
        if threading.get_ident() != self._thread:
            closing.result()


def blocking(model: Model) -> Callable[..., str]:
    """`model` as the plain function that old-style nodes call from their worker thread.

    It takes a prompt, or a list of turns that starts with the user's; `add_image` is sent along.
    """
    import asyncio

    loop = asyncio.get_running_loop()

    def ask(
        conversation: str | Sequence[str],
        add_image: Any = None,
        max_tokens: int | None = None,
        skip_cache: bool = False,
        json: bool = False,
    ) -> str:
        from assay.language.pictures import encoded_image

        turns = [conversation] if isinstance(conversation, str) else list(conversation)
        roles: tuple[Role, Role] = ("user", "assistant")
        messages = [Message(roles[i % 2], turn) for i, turn in enumerate(turns)]
        if add_image is not None:
            messages[-1] = Message(messages[-1].role, messages[-1].content, (encoded_image(add_image),))
        call = model.complete(tuple(messages), json=json)
        return asyncio.run_coroutine_threadsafe(call, loop).result().text

    return ask


async def drive(node: Node, value: Any, ctx: Context) -> AsyncGenerator[Branch, None]:
    """Run an old-style node's `__call__` in a thread. `node` is the caller's private copy."""
    import asyncio

    from assay.language import own_nodes
    from assay.language.dsl import Branch
    from assay.language.function_source import code_of

    code = code_of(type(node).__call__)
    handles = (blocking(ctx.llm), blocking(ctx.eval_llm), blocking(ctx.vision_eval_llm))
    node.setup(Env(ctx), ctx.conversation, *handles)
    steps: Generator[tuple[Any, Any], None, None] | None = None
    try:
        steps = own_nodes.pairs(node, code, await in_thread(node, value), ctx)
        while (pair := await in_thread(next, steps, None)) is not None:
            yield Branch(*pair)
    except (AssayError, BaseExceptionGroup):  # a group may hold the end of the run
        raise
    except (Exception, SystemExit) as error:
        raise own_nodes.told(node, code, error, ctx) from error
    finally:
        if steps is not None:  # its clean-up may wait for the loop, so not in the loop
            with contextlib.suppress(ValueError):  # cancelled while its thread was at work: it still is
                await asyncio.to_thread(steps.close)
