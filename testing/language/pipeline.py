"""Running a pipeline in our tests: scripted models, and a real sandbox where one is needed."""

import asyncio
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from assay.errors import SandboxUnavailable
from assay.language.dsl import Branch, Context, Node, Reason
from assay.records import Block, Completion, Outcome
from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from evaluator import SubstringEvaluator
from testing.sandboxes.conftest import probed


class ScriptedModel:
    """Replies in order, and remembers what it was asked. An exception among the replies is raised; one may
    be a whole Completion."""

    name = "scripted"

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []
        self.json = []
        self.tools = []

    def for_trial(self, trial):
        return self

    async def complete(self, messages, *, json=False, tools=()):
        self.asked.append(tuple(messages))
        self.tools.append(tuple(tools))
        self.json.append(json)
        await asyncio.sleep(0)
        assert self.replies, f"one call more than replies: {messages[-1].content!r}"
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Completion) else Completion(reply)


async def no_sandbox():
    raise AssertionError("this pipeline should need no sandbox")


async def sandbox_unavailable():
    raise SandboxUnavailable("there is none here")


def context(llm=None, judge=None, vision=None, open_sandbox=no_sandbox, beside=no_sandbox):
    models = [each or ScriptedModel() for each in (llm, judge, vision)]
    return Context(*models, open_sandbox, beside=beside)


@dataclass
class Ran:
    """What came of a pipeline: its branches in order."""

    outputs: list = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    @property
    def output(self):
        assert len(self.outputs) == 1, self.outputs
        return self.outputs[0]

    @property
    def text(self):
        return "\n".join(text_of(block) for block in self.blocks)


def text_of(block):
    """Every title and body below a block, in order."""
    return "\n".join([block.title, block.body, *map(text_of, block.children)])


async def collect(test, value, ctx, at_most=None):
    ran = Ran()
    async with aclosing(test.run(value, ctx)) as branches:
        async for output, reason in branches:
            ran.outputs.append(output)
            ran.blocks.append(reason.block())
            if len(ran.outputs) == at_most:
                break
    return ran


def run(test, value="", *, llm=None, judge=None, vision=None, at_most=None, open_sandbox=no_sandbox):
    """All branches of a pipeline that needs no sandbox."""
    return asyncio.run(collect(test, value, context(llm, judge, vision, open_sandbox), at_most))


def works_here(sandbox):
    """Skip where this sandbox cannot run, or has no image; "bubblewrap" takes the host's files then."""
    if sandbox != "bubblewrap":
        probed(sandbox)


BUILD = "make image builds an image that has it"
_lacking = {}


async def has_what_it_needs(pool, *tests, requires=()):
    """Skip where the sandbox lacks what the nodes of these tests need, or what `requires` names."""
    needs = {*requires, *(need for test in tests for need in Sample("t.Test", test).needs)}
    asked = (pool.tier, *sorted(needs))
    if asked not in _lacking:
        _lacking[asked] = await pool.missing(asked[1:])
    if _lacking[asked]:
        pytest.skip(f"sandbox {pool.tier} lacks {', '.join(_lacking[asked])}; {BUILD}")


def run_in_sandbox(test, value="", *, llm=None, vision=None, at_most=None, read=(), requires=()):
    """All branches, in a fresh sandbox. With `read`, also the files of these names."""

    async def work():
        async with open_pool("bubblewrap", ahead=0) as pool:
            await has_what_it_needs(pool, test, requires=requires)
            sandbox = await pool.acquire()

            async def opened():
                return sandbox

            @asynccontextmanager
            async def beside():
                other = await pool.acquire_beside()
                try:
                    yield other
                finally:
                    await other.close()

            try:
                ran = await collect(test, value, context(llm, None, vision, opened, beside), at_most)
                files = [await sandbox.read_file(name) for name in read]
            finally:
                await sandbox.close()
            return (ran, *files) if read else ran

    return asyncio.run(work())


def trial(test, *replies, model=False, sandbox="bubblewrap", requires=()):
    """A whole trial by the engine, in a real sandbox. With `model`, also the model."""
    works_here(sandbox)

    async def work():
        async with open_pool(sandbox, ahead=0) as pool:
            sample = Sample("t.Test", test, requires=requires)
            return await run_trial(sample, scripted, scripted, scripted, pool)

    scripted = ScriptedModel(*replies)
    record = asyncio.run(work())
    if record.outcome is Outcome.SKIPPED and " lacks " in record.error:
        pytest.skip(f"{record.error.partition(';')[0]}; {BUILD}")
    return (record, scripted) if model else record


@dataclass(frozen=True)
class Emit(Node):
    """Yields these outputs, whatever comes in, and notes in `runs` (of its class) that it was asked."""

    outputs: tuple
    label: str = ""

    runs: ClassVar[list] = []
    __module__ = "assay.testing"  # one of a user's own that yields nothing is an error, but in the old style

    async def run(self, value, ctx):
        for output in self.outputs:
            Emit.runs.append(self.label)
            yield Branch(output, Reason(self, Block("text", self.label, repr(output))))


@dataclass(frozen=True)
class Keep(Node):
    """Yields what comes in."""

    async def run(self, value, ctx):
        yield Branch(value, Reason(self, Block("text", "kept", repr(value))))


def judged(node, answer, code, requires=()):
    """(whether the program's output has the answer, the text of why)"""
    ran = run_in_sandbox(code >> node >> SubstringEvaluator(answer), requires=requires)
    return ran.output, ran.text
