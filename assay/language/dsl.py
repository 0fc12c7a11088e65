"""The pipeline language: nodes, and the operators that compose them."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from assay.errors import ModelFault, NodeError
from assay.extensions import is_ours
from assay.language.argument_types import check_arguments
from assay.language.node_type import Joined, NodeType
from assay.language.outputs import NoOutput as NoOutput
from assay.language.outputs import both, carried, either, is_verdict
from assay.language.printed import Printed, PrintedBytes, with_reports
from assay.language.values import binary_block, is_binary
from assay.model_roles import ROLES
from assay.records import Block, Message, Model, Sandbox, TrialKey

if TYPE_CHECKING:
    from assay.language.agents.handover import SavedWork


@dataclass
class Conversation:
    """The dialogue of one trial so far. Replaced, never appended to, so it can be rewound."""

    messages: tuple[Message, ...] = ()


class Journal:
    """Finished parts of a trial that may take hours, kept on disk until it ends. This one keeps nothing:
    it is for a trial that nobody will resume."""

    def recall(self, stamp: str) -> list[Any]:
        """What was kept, in order, by an earlier process that broke off. `stamp` names everything that it
        depends on: parts kept under another one are forgotten. A step of a trial gets its own parts, if
        the steps before it got theirs."""
        return []

    def forget(self) -> None:
        """What was recalled or kept since the last `recall` does not hold any more, nor what came behind."""

    def keep(self, part: Any) -> None:
        """Keep one more part: any JSON value."""


def check_role(role: str) -> None:
    """Raises NodeError, when the test file is loaded, for a role that does not exist."""
    if role not in ROLES:
        raise NodeError(f"unknown model role {role!r}; use LLM, EVAL_LLM or VISION_EVAL_LLM")


def names_of_files(files: Sequence[str], node: object) -> tuple[str, ...]:
    """As a node keeps them: a list would make it unhashable. Raises NodeError."""
    if isinstance(files, str):
        raise NodeError(f"{type(node).__name__} needs a list of files, e.g. files=[{files!r}]")
    for name in files:
        if not isinstance(name, str) or not name or name.startswith("/") or ".." in name.split("/"):
            raise NodeError(f"{type(node).__name__}: {name!r} does not name a file in the work directory")
    return tuple(files)


def no_second_sandbox() -> NoReturn:
    """`Context.fresh_sandbox` and `beside` of a context that has only one sandbox to give."""
    raise NodeError("this test cannot have a second sandbox here")


@dataclass
class Context:
    """What one trial may touch. Built by the engine, passed to every node, stored on none.

    `open_sandbox` gives the trial's sandbox, opening it at the first call; `fresh_sandbox` throws that one
    away and gives a pristine one in its place. `beside` lends a pristine one that no program of the model
    has seen, while the trial keeps its own; `used_sandbox` tells whether it has one yet. `untouched` gives
    up the trial's own, if only files were put into it: later steps get another with these. `renew_sandbox`
    gives it up whatever ran in it: later steps get a pristine one with these files. `snapshot` packs those
    of the trial's own. In a test with agents (`rewinds`) each branch begins with the files as they were
    where it parts from the others, which are packed in `back_to`. `left_behind`: see handover.py. `browser`
    bounds how many pages are rendered at once. `trail` holds the steps done so far on the current path, so
    that a trial that breaks can still show what led there. `trial` says which test and which of its epochs
    this is, for tests whose question depends on it. `journal` keeps finished parts of a long trial.
    `origins`: where outputs that have no text came from.
    `scores`: the worst score and the best one, by which `&` and `|` choose between two. `agents`: how many
    agents have begun to work. `saved_work`: of a trial that is judged again, what the next agent handed in
    then.
    """

    llm: Model
    eval_llm: Model
    vision_eval_llm: Model
    open_sandbox: Callable[[], Awaitable[Sandbox]]
    conversation: Conversation = field(default_factory=Conversation)
    browser: contextlib.AbstractAsyncContextManager[Any] = field(default_factory=contextlib.nullcontext)
    terminals: list[Any] = field(default_factory=list)  # interactive programs, newest last
    trail: list[Reason] = field(default_factory=list)
    trial: TrialKey | None = None  # None when a test is run by itself
    fresh_sandbox: Callable[[], Awaitable[Sandbox]] = no_second_sandbox
    beside: Callable[[], contextlib.AbstractAsyncContextManager[Sandbox]] = no_second_sandbox
    used_sandbox: Callable[[], bool] = lambda: True
    untouched: Callable[[bytes], contextlib.AbstractAsyncContextManager[Sandbox] | None] = lambda files: None
    renew_sandbox: Callable[[bytes], Awaitable[None]] = lambda files: no_second_sandbox()
    snapshot: Callable[[], Awaitable[bytes]] = lambda: no_second_sandbox()
    rewinds: bool = False
    back_to: bytes | ModelFault | None = None
    left_behind: tuple[bytes, bytes] | None = None
    agents: int = 0
    saved_work: Callable[[], SavedWork | None] = lambda: None
    journal: Journal = field(default_factory=Journal)
    scores: tuple[float, float] = (0.0, 1.0)
    origins: dict[str, Any] = field(default_factory=dict)

    def model(self, role: str) -> Model:
        """The model that plays `role` (LLM, EVAL_LLM or VISION_EVAL_LLM)."""
        check_role(role)
        found: Model = getattr(self, role)
        return found

    async def files_before(self, side: Node) -> bytes | ModelFault | None:
        """The files before a side that may change them; None where they are not gone back to, since a
        program that runs in a terminal would be lost. What cannot be packed is the model's fault once it is
        needed."""
        if not self.rewinds or self.terminals or not any(node.in_sandbox for node in side.walk()):
            return None
        try:
            return await self.snapshot()
        except ModelFault as error:
            return error

    async def go_back(self) -> None:
        """Begin another branch, with the files of `back_to`. Raises ModelFault."""
        files, self.back_to = self.back_to, None
        if isinstance(files, ModelFault):
            raise files
        if files is not None:
            self.terminals.clear()
            await self.renew_sandbox(files)

    @contextlib.asynccontextmanager
    async def sandbox_with(self, files: Sequence[str]) -> AsyncIterator[Sandbox]:
        """The trial's sandbox; if `files` are named, for the length of the block a pristine one with these
        files and folders of its work directory, and nothing else. Raises ModelFault."""
        sandbox = await self.open_sandbox()
        if not files:
            yield sandbox
            return
        data = await sandbox.pack(files)
        async with self.beside() as clean:
            if data:
                await clean.unpack(data)
            yield clean

    @contextlib.contextmanager
    def attempting(self, node: Node, *blocks: Block) -> Iterator[None]:
        """Wrap a step that may break: if it does, `blocks` tell what was being done."""
        try:
            yield
        except BaseException:
            self.trail.append(Reason(node, blocks))
            raise


@dataclass(frozen=True)
class Reason:
    """Why a node produced its output.

    `children` is a Block, a Reason, a sequence of them, or (old-style nodes) anything at all.
    """

    node: Node | type[Node]
    children: Any = ()

    def __post_init__(self) -> None:
        """Raises TypeError where the node was forgotten."""
        if not isinstance(self.node, (Node, NodeType)):
            kind = type(self.node).__name__
            raise TypeError(f"Reason: the node comes first, as in Reason(self, blocks), not a {kind}")

    def block(self) -> Block:
        """The explanation as plain typed blocks, which the store can keep."""
        cls = self.node if isinstance(self.node, type) else type(self.node)
        return cls.explain(self.children)


class Branch(NamedTuple):
    """One possible output of a node. A plain pair, so that old nodes may yield tuples."""

    output: Any
    reason: Reason


Branches = AsyncGenerator[Branch, None]


def no_output(node: Node, why: str, *before: Block, cause: str = "") -> Branch:
    """The branch of a step that has nothing to pass on, with the steps it took `before` that."""
    verdict = Block("verdict", type(node).__name__, why, passed=False, cause=cause)
    return Branch(NoOutput(why, cause), Reason(node, (*before, verdict)))


def as_blocks(children: Any) -> tuple[Block, ...]:
    """Whatever a Reason holds, as blocks; unknown values are shown by their text."""
    if isinstance(children, Block):
        return (children,)
    if isinstance(children, Reason):
        return (children.block(),)
    if isinstance(children, (tuple, list)):
        return tuple(block for child in children for block in as_blocks(child))
    if is_binary(children):
        return (binary_block(children, ""),)
    if isinstance(children, bytes):
        return (Block("text", body=children.decode()),)
    return (Block("text", body=children if isinstance(children, str) else repr(children)),)


def as_node(value: object) -> Node | None:
    """A string becomes a StringNode; a foreign value becomes None."""
    if isinstance(value, Node):
        return value
    return StringNode(value) if isinstance(value, str) else None


class Node(Joined, metaclass=NodeType):
    """
    A step in a pipeline.

    Subclasses are frozen dataclasses that override `run`, an async generator of
    branches. Most nodes yield once; yield more when there are several readings to
    try, best first. It declares its traits by class attributes (or properties), which
    the estimate, --explain and the lint read.

    >>> "2+2?" >> ~StringNode("5")
    '2+2?' >> ~StringNode('5')
    """

    needs: tuple[str, ...] = ()  # commands that the sandbox must have for this step
    layer: str = ""  # of config.json, which the trial's sandboxes show
    is_judge: bool | None = None  # its output is a verdict; False: a value that passes as such; None: either
    asks_again: bool = False  # it asks only if a reply is unclear
    runs_input: bool = False  # the incoming text is run: as a program, or as a command
    on_host: bool = False  # it calls a function of the author's on this machine
    repeats: bool = False  # the number of calls depends on the replies
    shown_as: str = ""  # its name in a report, if not that of its class
    yields_text: bool = False  # its output is a text and nothing more, whatever comes in
    yields_picture: bool = False  # its output is the bytes of a picture, whatever comes in

    @property
    def in_short(self) -> str:
        """Its arguments as `explain` shows them, where Python's own way is hard to read; '' for that way."""
        return ""

    @property
    def asks(self) -> tuple[str, ...]:
        """The roles whose models it asks (LLM, EVAL_LLM, VISION_EVAL_LLM): by default that of its field
        `llm`."""
        role = getattr(self, "llm", "")
        return (role,) if isinstance(role, str) and role in ROLES else ()

    @property
    def fewest_calls(self) -> int:
        """The fewest calls that it makes, with the nodes in it. One for a node that asks."""
        own = bool(self.asks) and not self.asks_again
        return own + sum(child.fewest_calls for child in self._children())

    @property
    def in_sandbox(self) -> bool:
        """Whether it uses the trial's sandbox."""
        return bool(self.needs) or self.runs_input

    def unfit(self, before: Node, verdict: bool) -> str:
        """What is wrong with this step behind `before`, which yields a verdict or else a mere text or a
        picture; '' for nothing. Raises NodeError if it cannot run there."""
        return ""

    def __init_subclass__(cls, **settings: Any) -> None:
        """Raises NodeError for a class of somebody's own whose nodes could not run."""
        super().__init_subclass__(**settings)
        if not is_ours(cls):
            from assay.language import own_nodes

            own_nodes.check_class(cls)
            if "run" in cls.__dict__:
                cls.run = own_nodes.checked(cls.run)  # type: ignore[method-assign]

    def __init__(self, *given: Any, **named: Any) -> None:
        """Of a node that is no dataclass and has no `__init__`; one in the old style may be given a runner.
        Raises NodeError for other arguments."""
        if type(self).__init__ is Node.__init__ and not is_ours(type(self)):
            from assay.language import own_nodes

            own_nodes.check_no_dataclass(type(self), given, named)
        self.runner = next(iter((*given, *named.values())), None)

    def __post_init__(self) -> None:
        """Of nodes that are dataclasses. Raises NodeError for an argument that cannot be meant."""
        check_arguments(self)
        if type(self).run is Node.run and type(self).__call__ is Node.__call__:
            from assay.language import own_nodes

            raise own_nodes.no_run(type(self))

    async def run(self, value: Any, ctx: Context) -> Branches:
        """Default: drive an old-style synchronous `__call__`, in a thread, on a private copy."""
        from assay.language import oldstyle

        async with aclosing(oldstyle.drive(copy.deepcopy(self), value, ctx)) as branches:
            async for branch in branches:
                yield branch

    def setup(self, env: Any, conv: Any, llm: Any, eval_llm: Any, vision_eval_llm: Any) -> None:
        """Old-style nodes only: the handles that their `__call__` reads from self.

        Called on a private copy only. It may be frozen, hence `object.__setattr__`.
        """
        if type(self).run is Node.run:
            handles = {"env": env, "conv": conv, "llm": llm, "eval_llm": eval_llm}
            for name, handle in {**handles, "vision_eval_llm": vision_eval_llm}.items():
                object.__setattr__(self, name, handle)
        for child in self._children():
            child.setup(env, conv, llm, eval_llm, vision_eval_llm)
        object.__setattr__(self, "_env", env)

    def __call__(self, value: Any = "") -> Iterator[tuple[Any, Reason]]:
        """This node's branches, for an old-style node that holds it and calls it from its thread."""
        env = getattr(self, "_env", None)
        if type(self).run is Node.run:
            from assay.language import own_nodes

            raise own_nodes.no_run(type(self))
        if env is None:
            raise NodeError(f"{type(self).__name__} cannot be called by itself: run_test(...) runs a test")
        yield from env.branches(self, value)

    binds = 5  # how tightly its repr holds together: | is 1, & is 2, >> is 3, ~ is 4

    def __repr__(self) -> str:
        """The expression that makes it, without the fields that are what the node takes by itself."""
        if not is_dataclass(self):
            return object.__repr__(self)
        given: list[str] = []
        for each in fields(self):
            value = getattr(self, each.name)
            usual = type(value) is type(each.default) and value == each.default
            if each.init and each.repr and not usual:
                named = each.kw_only or each is not fields(self)[0]
                shown = expression(value)
                given.append(f"{each.name}={shown}" if named else shown)
        return f"{type(self).__name__}({', '.join(given)})"

    @classmethod
    def explain(cls, children: Any) -> Block:
        """Describe one step for the report. Override to say it better."""
        return Block("group", cls.shown_as or cls.__name__, children=as_blocks(children))

    def then(self, other: Node) -> ThenNode:
        """Feed this node's output to `other`; `self >> other`."""
        return ThenNode(self, other)

    def walk(self) -> Iterator[Node]:
        """This node and every node below it, left to right."""
        left = [self]
        while left:
            node = left.pop()
            yield node
            left += node._children()[::-1]

    def _children(self) -> list[Node]:
        kind: type = type(self)
        if (names := field_names(kind)) is None:
            return [each for each in vars(self).values() if isinstance(each, Node)]
        return [each for name in names if isinstance(each := getattr(self, name), Node)]

    def __rshift__(self, other: object) -> ThenNode:
        right = as_node(other)
        return NotImplemented if right is None else self.then(right)

    def __rrshift__(self, other: object) -> ThenNode:
        left = as_node(other)
        return NotImplemented if left is None else left.then(self)

    def __and__(self, other: object) -> AndNode:
        return AndNode(self, other) if isinstance(other, Node) else NotImplemented

    def __or__(self, other: object) -> OrNode:
        return OrNode(self, other) if isinstance(other, Node) else NotImplemented

    def __invert__(self) -> NotNode:
        return NotNode(self)


def expression(value: Any) -> str:
    """An argument in an expression: a function by its name, a path as a text."""
    if isinstance(value, Path):
        return repr(str(value))
    if isinstance(value, tuple) and any(hasattr(each, "__qualname__") for each in value):
        return f"[{', '.join(map(expression, value))}]"
    return getattr(value, "__qualname__", "") or repr(value)


def _operand(node: Node, least: int) -> str:
    """A side of an operator, in brackets if it binds less tightly than `least`."""
    return repr(node) if getattr(node, "binds", 5) >= least else f"({node!r})"


@cache
def field_names(kind: type) -> tuple[str, ...] | None:
    """Cached by class, since every node of every trial asks; None for a class that is not a dataclass."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else None


@dataclass(frozen=True, repr=False)
class StringNode(Node):
    """The start of a pipeline: outputs `text` whatever comes in."""

    text: str
    is_judge = False
    yields_text = True

    @classmethod
    def explain(cls, children: Any) -> Block:
        return children if isinstance(children, Block) else super().explain(children)

    async def run(self, value: Any, ctx: Context) -> Branches:
        yield Branch(self.text, Reason(self, Block("text", "text", self.text)))


@dataclass(frozen=True, repr=False)
class PairNode(Node):
    """Two nodes and the operator between them."""

    left: Node
    right: Node
    sign = ""

    def __repr__(self) -> str:
        return f"{_operand(self.left, self.binds)} {self.sign} {_operand(self.right, self.binds + 1)}"

    async def _right(self, value: Any, ctx: Context, mark: int, *before: Reason) -> Branches:
        """The branches of the right side, whose reasons follow those of the left. Meanwhile these stand on
        the trail from `mark` on, and what is said in the conversation is taken back; so are files, if another
        branch begins."""
        await ctx.go_back()
        history, files = ctx.conversation.messages, await ctx.files_before(self.right)
        ctx.trail[mark:] = before
        async with aclosing(self.right.run(value, ctx)) as branches:
            async for output, why in branches:
                yield Branch(output, Reason(self, (*before, why)))
                ctx.trail[mark:] = before  # what came after this branch is undone
        ctx.conversation.messages = history  # the next branch must not see this one's turns
        ctx.back_to = files
        del ctx.trail[mark:]


class ThenNode(PairNode):
    """Feed each branch of `left` to `right`, depth first: a later branch runs only if asked for."""

    binds = 3

    def __repr__(self) -> str:
        left, right = _operand(self.left, 3), _operand(self.right, 4)
        if isinstance(self.right, StringNode):
            right = repr(self.right.text)
        elif isinstance(self.left, StringNode):
            left = repr(self.left.text)
        return f"{left} >> {right}"

    @classmethod
    def explain(cls, children: Any) -> Block:
        """A chain of steps is shown as one flat list, however the operators nested it."""
        flat: list[Block] = []
        for block in as_blocks(children):
            flat.extend(block.children if block.kind == "group" and not block.title else (block,))
        return Block("group", children=tuple(flat))

    async def run(self, value: Any, ctx: Context) -> Branches:
        mark, ctx.back_to = len(ctx.trail), None
        async with aclosing(self.left.run(value, ctx)) as lefts:
            async for middle, why_left in lefts:
                if isinstance(middle, NoOutput):
                    yield Branch(middle, Reason(self, (why_left, _not_run(self.right))))
                    continue
                async with aclosing(self._right(carried(middle), ctx, mark, why_left)) as branches:
                    async for branch in branches:
                        yield branch


def _not_run(side: Node) -> Block:
    return Block("verdict", _called(side), "not run: the step before it had nothing to pass on")


def _not_needed(side: Node, why: str) -> Block:
    return Block("verdict", _called(side), f"not needed: {why}")


def _called(side: Node) -> str:
    """A step by its name, several joined ones by the name of the last."""
    while isinstance(side, ThenNode):
        side = side.right
    return side.shown_as or type(side).__name__


class ChoiceNode(PairNode):
    """An operator whose left side may decide alone; both sides get the same input."""

    @property
    def fewest_calls(self) -> int:
        """Only the left side is certain to run."""
        return self.left.fewest_calls


class AndNode(ChoiceNode):
    """True if both sides are. The right side runs only if the left is true; both get the same input."""

    shown_as = "both of"
    sign = "&"
    binds = 2

    async def run(self, value: Any, ctx: Context) -> Branches:
        mark, ctx.back_to = len(ctx.trail), None
        async with aclosing(self.left.run(value, ctx)) as lefts:
            async for a, why_a in lefts:
                if not a:
                    yield Branch(a, Reason(self, (why_a, _not_needed(self.right, "the left side failed"))))
                    continue
                async with aclosing(self._right(value, ctx, mark, why_a)) as branches:
                    async for b, reason in branches:
                        yield Branch(both(a, b, ctx.scores), reason)


class OrNode(ChoiceNode):
    """True if either side is. The right side runs only if the left is false; both get the same input."""

    shown_as = "either of"
    sign = "|"
    binds = 1

    async def run(self, value: Any, ctx: Context) -> Branches:
        mark, before, ctx.back_to = len(ctx.trail), ctx.conversation.messages, None
        files = await ctx.files_before(self)
        seen = tried = False
        async with aclosing(self.left.run(value, ctx)) as lefts:
            async for a, why_a in lefts:
                seen = True
                if a or tried:  # the right side gets the same input whatever the left side's reading
                    why = "it was tried above" if tried else "the left side passed"
                    yield Branch(a, Reason(self, (why_a, _not_needed(self.right, why))))
                    continue
                tried, history = True, ctx.conversation.messages
                ctx.conversation.messages, ctx.back_to = before, files  # another try, not a sequel
                async with aclosing(self._right(value, ctx, mark, why_a)) as branches:
                    async for b, reason in branches:
                        yield Branch(either(a, b, ctx.scores), reason)
                ctx.conversation.messages = history
        if not seen:
            ctx.conversation.messages, ctx.back_to = before, files
            async with aclosing(self._right(value, ctx, mark)) as branches:
                async for branch in branches:
                    yield branch


@dataclass(frozen=True, repr=False)
class NotNode(Node):
    """True if `node` is false, that is when all of its branches are verdicts and none is true.

    A step that raised, or had nothing to pass on, does not give a verdict. Nor does the output of a program
    that did not build, crashed or was stopped: it might have printed more.
    """

    node: Node
    shown_as = "not"
    binds = 4

    def __repr__(self) -> str:
        return f"~{_operand(self.node, 4)}"

    async def run(self, value: Any, ctx: Context) -> Branches:
        reasons: list[Reason] = []
        found, mark = False, len(ctx.trail)
        decided = not (isinstance(value, (Printed, PrintedBytes)) and not value.streams.whole)
        # what must not be there must not be there at all: an error message counts, though it passes nothing
        async with aclosing(self.node.run(with_reports(value), ctx)) as branches:
            async for output, why in branches:
                reasons.append(why)
                decided = decided and is_verdict(output)
                if output:
                    found = True
                    break
        decided = decided and bool(reasons)
        del ctx.trail[mark:]  # a branch that was left in the middle has not tidied up
        ctx.back_to = None  # what follows is a sequel
        # Without it, a passed trial would show a red cross and nothing that says it was wanted.
        words = "what follows is true" if found else "what follows is not true, as it should be"
        if not found and not decided:
            words = "what follows gave no verdict, so there is nothing to negate"
        passed = decided and not found
        yield Branch(passed, Reason(self, (Block("verdict", "NotNode", words, passed=passed), *reasons)))
