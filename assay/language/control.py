"""Nodes for control flow: repeat, and show a value."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from assay.errors import NodeError
from assay.language.dsl import Branch, Branches, Context, Node, NoOutput, Reason, as_blocks
from assay.language.outputs import Carried, carried
from assay.language.values import value_block
from assay.records import Block, Score


def with_verdict(value: Any, verdict: bool) -> Any:
    """`value`, so that as a verdict it is `verdict`, and to the next step what it is.

    >>> bool(with_verdict("last words", False)), bool(with_verdict(0, True)), with_verdict(3, True)
    (False, True, 3)
    """
    if isinstance(value, (int, float, Score)) and bool(value) == verdict:
        return value
    return Carried(value, verdict)


@dataclass(frozen=True, repr=False)
class UntilDone(Node):
    """Repeat `body` until `cond` is true.

    `cond` gets the current value, at first the incoming one. While no branch of it is true,
    `body` gets the value and the first of its branches gives the next one, up to `max_iters`
    times; then `cond` has a last look. The last value goes on in any case, for a step behind to
    judge; as a verdict of its own it is whether `cond` was met. What `body` says in the
    conversation stays, what `cond` says does not.
    """

    cond: Node
    body: Node
    max_iters: int = 100
    repeats = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.cond, Node) or not isinstance(self.body, Node):
            raise NodeError("UntilDone needs two nodes: UntilDone(cond, body)")

    async def run(self, value: Any, ctx: Context) -> Branches:
        rounds: list[Block] = []
        mark = len(ctx.trail)
        for number in range(self.max_iters + 1):
            met, why = await self._met(value, ctx)
            rounds.append(Block("group", f"check {number + 1}", children=as_blocks(why)))
            if met or number == self.max_iters:
                break
            ctx.trail[mark:] = [Reason(self, tuple(rounds))]
            step = await self._step(value, ctx)
            if step is None:
                rounds.append(Block("text", f"round {number + 1}", "the body had nothing to pass on"))
                break
            value, why_step = carried(step.output), step.reason
            rounds.append(Block("group", f"round {number + 1}", children=as_blocks(why_step)))
            if isinstance(value, NoOutput):
                break
        del ctx.trail[mark:]
        done = sum(block.title.startswith("round") for block in rounds)
        ended = f"{'done' if met else 'not done'} after {done} round{'' if done == 1 else 's'}"
        verdict = Block("verdict", "UntilDone", ended, passed=met)
        output = value if isinstance(value, NoOutput) else with_verdict(value, met)
        yield Branch(output, Reason(self, (*rounds, verdict)))

    async def _met(self, value: Any, ctx: Context) -> tuple[bool, list[Reason]]:
        """Whether a branch of `cond` is true, and why or why not."""
        history, reasons = ctx.conversation.messages, []
        met = False
        async with aclosing(self.cond.run(value, ctx)) as branches:
            async for output, why in branches:
                reasons.append(why)
                if met := bool(output):
                    break
        ctx.conversation.messages, ctx.back_to = history, None
        return met, reasons

    async def _step(self, value: Any, ctx: Context) -> Branch | None:
        async with aclosing(self.body.run(value, ctx)) as branches:
            return await anext(branches, None)


@dataclass(frozen=True, repr=False)
class Echo(Node):
    """Pass the value on as it is, and show it among the steps."""

    is_judge = False

    async def run(self, value: Any, ctx: Context) -> Branches:
        yield Branch(value, Reason(self, value_block(value, "value")))
