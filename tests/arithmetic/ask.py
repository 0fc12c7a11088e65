"""The node that asks: the problem of this trial's epoch, after small talk if that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.language.dsl import Branch, Branches, Context, Node, Reason
from assay.records import LLM, Block, Message

from .dialogue import small_talk
from .problems import Cell


@dataclass(frozen=True)
class LLMArithmetic(Node):
    """Asks the model under test; the whole completion goes on, since its tokens are part of the record.

    `context`: "" or how much small talk stands before the question ("1k", "2k", "4k").
    """

    cell: Cell
    context: str = ""
    asks = (LLM,)
    is_judge = False

    async def run(self, value: Any, ctx: Context) -> Branches:
        question = self.cell.problem(ctx.trial.epoch if ctx.trial else 1).question
        before = small_talk(self.context)
        turns = (Message("user", question),)
        asked = [Block("chat", f"asked {ctx.llm.name}", question, role="user")]
        if before:
            asked.insert(0, Block("text", "before it", f"{len(before)} messages of small talk"))
        with ctx.attempting(self, *asked):
            reply = await ctx.llm.complete((*before, *turns))
        said = Block("chat", f"{ctx.llm.name} replied", reply.text, role="assistant")
        yield Branch(reply, Reason(self, (*asked, said)))
