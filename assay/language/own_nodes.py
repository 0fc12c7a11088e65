"""Nodes of somebody's own: what is wrong with a class, told when its file is loaded, and with what it yields,
told when it runs. Both name the class, its file and the line."""

from __future__ import annotations

import ast
import contextlib
import difflib
import inspect
import os
import textwrap
import traceback
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field
from functools import cache, wraps
from itertools import takewhile
from opcode import opmap
from pathlib import Path
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any

from assay.blocking import Held, WatchedSteps
from assay.errors import AssayError, GraderError, NodeError, NoText
from assay.extensions import is_ours
from assay.few import few
from assay.language.dsl import Branches, Context, Node, NoOutput, Reason
from assay.language.function_source import code_of, where_in
from assay.language.grader_faults import of_always_true
from assay.language.outputs import Carried
from assay.language.values import textless
from assay.mistakes import hint, must_be_raised, said
from assay.model_roles import ROLES
from assay.records import Block, Completion, ExecResult, Message, Score, TerminalOutput

RUN = "async def run(self, value, ctx) with yield Branch(output, Reason(self, ...)) in it"
FIELDS = "__dataclass_fields__"
LATER = "__post_init__"
GENERATED = "<string>"  # where the __init__ of a dataclass is defined
NEAR = 0.85  # at least, of a misspelt name: `tasks` may stand beside `asks`


def words(value: Any) -> bool:
    """Whether a value can be meant for several words."""
    several = (value,) if isinstance(value, str) else value
    return isinstance(several, (tuple, list)) and all(isinstance(each, str) for each in several)


def _roles(value: Any) -> bool:
    return words(value) and bool(value) and set((value,) if isinstance(value, str) else value) <= {*ROLES}


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


# what a class may declare, and whether a value can be meant for it
TRAITS: Mapping[str, Callable[[Any], bool]] = {
    "needs": words,
    "asks": _roles,
    **dict.fromkeys(("layer", "shown_as"), _is(str)),
    **dict.fromkeys(("is_judge", "asks_again", "runs_input", "on_host", "in_sandbox", "repeats"), _is(bool)),
    "fewest_calls": _is(int),
}


# ---------------------------------------------------------------- the class


def check_class(cls: type[Node]) -> None:
    """Raises NodeError for a class whose nodes could not run, or that declares what nobody reads."""
    own = vars(cls)
    run = own.get("run")
    if isinstance(run, FunctionType):
        _check_run(cls.__name__, run)
    elif cls.run is Node.run and cls.__call__ is Node.__call__:
        _check_names(cls)
    try:
        fields = inspect.get_annotations(cls)
    except NameError:  # one that is defined further down
        return
    for name, value in own.items():
        if not name.startswith("_") and name not in fields:
            _check_trait(cls, name, value)
    maker = next(each for each in cls.__mro__ if "__init__" in vars(each))
    if fields and FIELDS in vars(maker) and cls.__new__ is object.__new__:
        cls.__new__ = _with_its_fields  # type: ignore[assignment]


def _check_run(its: str, run: FunctionType) -> None:
    code = run.__code__
    where = where_in(code)
    if not inspect.isasyncgenfunction(run):
        raise NodeError(f"{where}{its}.run must be an async generator: {RUN}, and no return of a value")
    try:
        inspect.signature(run).bind(None, None, None)
    except TypeError:
        raise NodeError(
            f"{where}{its}.run is called with a value and the trial's context: write {RUN}"
        ) from None
    for line, what in _constants_yielded(code):
        if not _is_pair(what):
            raise NodeError(f"{Path(code.co_filename).name}:{line}: {_no_branch(its, what)}")


def _constants_yielded(code: CodeType) -> Iterator[tuple[int, Any]]:
    """The lines on which a run yields a constant such as True; a bare yield may stand where none comes to."""
    import dis

    before: list[dis.Instruction] = []
    for step in dis.get_instructions(code):
        if step.opname == "YIELD_VALUE" and len(before) > 1 and before[-2].opname.startswith("LOAD_"):
            load = before[-2]
            constant = load.opname.startswith(("LOAD_CONST", "LOAD_SMALL_INT"))
            if constant and load.argval is not None and step.positions is not None:
                yield step.positions.lineno or code.co_firstlineno, load.argval
        before = [*before[-1:], step]


def _check_names(cls: type[Node]) -> None:
    """Of a class without `run`, which may be meant for others to derive from."""
    for name, found in vars(cls).items():
        is_async = inspect.isasyncgenfunction(found) or inspect.iscoroutinefunction(found)
        if is_async and not name.startswith("_") and _near(name, ("run",), 0.65):
            raise NodeError(
                f"{where_in(found.__code__)}{cls.__name__} has no method run, but {name}. Did you mean run?"
            )


def _check_trait(cls: type[Node], name: str, value: Any) -> None:
    if name in ("needs", "asks") and isinstance(value, str):
        raise NodeError(
            f"{where_of(cls)}{cls.__name__}: {name} must be several words, such as ({value!r},), not a text"
        )
    if name in TRAITS or hasattr(Node, name):
        return
    if meant := misspelt(name, value, TRAITS):
        raise NodeError(f"{where_of(cls)}{cls.__name__}: no node has an attribute {name}. {meant}")


def misspelt(name: str, value: Any, traits: Mapping[str, Callable[[Any], bool]]) -> str:
    """'Did you mean ...?' if the name is nearly that of a trait which the value can be meant for; ''."""
    meant = _near(name, traits, NEAR)
    return f"Did you mean {meant}?" if meant and traits[meant](value) else ""


def check_no_dataclass(cls: type[Node], given: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """Raises NodeError for a class that is given arguments, or has fields without a value, though nothing
    sets them."""
    own = _fields(cls)
    unset = [name for name in own if not hasattr(cls, name)]
    is_runner = cls.run is Node.run and not own and len(given) + len(named) == 1 and {*named} <= {"runner"}
    if unset or ((given or named) and not is_runner):
        raise _no_dataclass(cls, own, " takes no arguments, because")


def _with_its_fields(cls: type[Node], *given: Any, **named: Any) -> Node:
    """`__new__` of a class with fields that derives from a dataclass. Raises NodeError if it is none itself
    and it is certain that an argument or another default is lost."""
    own = _fields(cls) if (given or named) and FIELDS not in vars(cls) else []  # a copy is made without
    try:
        told = inspect.signature(cls.__init__).bind(None, *given, **named).arguments if own else {}
    except TypeError:
        raise _no_dataclass(cls, own) from None
    if own and cls.__init__.__code__.co_filename == GENERATED:
        known = getattr(cls, FIELDS)
        base = next(each for each in cls.__mro__ if FIELDS in vars(each))
        same = getattr(cls, LATER, None) is getattr(base, LATER, None)
        if same and any(name in known and name not in told and _differs(cls, known[name]) for name in own):
            raise _no_dataclass(cls, own)
    return object.__new__(cls)


def _differs(cls: type[Node], field: Field[Any]) -> bool:
    """Whether a class has another default for a field of a dataclass that it derives from."""
    with contextlib.suppress(Exception):  # a value's own comparison may raise anything
        return field.default is not MISSING and bool(getattr(cls, field.name) != field.default)
    return False


def _fields(cls: type[Node]) -> list[str]:
    """The fields of a class and of those it derives from, as far as none of these is a dataclass."""
    owners = takewhile(lambda each: each is not Node and FIELDS not in vars(each), cls.__mro__)
    fields = {name: kind for each in owners for name, kind in inspect.get_annotations(each).items()}
    return [name for name, kind in fields.items() if name not in TRAITS and "ClassVar" not in str(kind)]


def _no_dataclass(cls: type[Node], own: list[str], so: str = ":") -> NodeError:
    its = f"its field{'s'[: len(own) != 1]} {few(own, 3)}" if own else "fields, such as `times: int = 2`,"
    return NodeError(
        f"{where_of(cls)}{cls.__name__}{so} {its} {'need' if len(own) != 1 else 'needs'} a dataclass: write "
        "@dataclass(frozen=True) above the class, after `from dataclasses import dataclass`"
    )


def _near(name: str, known: Any, least: float) -> str:
    return next(iter(difflib.get_close_matches(name.lower(), known, n=1, cutoff=least)), "")


def where_of(cls: type) -> str:
    """'nodes.py:12: ', the line where a class begins; '' if it is in no file."""
    try:
        return f"{Path(inspect.getfile(cls)).name}:{inspect.getsourcelines(cls)[1]}: "
    except (OSError, TypeError):
        return ""


def no_run(cls: type[Node]) -> NodeError:
    """The error for a node that cannot do anything."""
    return NodeError(f"{where_of(cls)}{cls.__name__} has no method run: write {RUN}")


@cache
def keeps_state(cls: type[Node]) -> str:
    """What is wrong with a `run` that sets an attribute of its node, such as `self.count += 1`; '' for any
    other. One in the old style may: it has a node of its own."""
    code = code_of(cls.run)
    if code is None or cls.run is Node.run or not _sets_attributes(code):
        return ""
    try:
        run = ast.parse(textwrap.dedent(inspect.getsource(code))).body[0]
    except (OSError, SyntaxError):
        return ""
    if not isinstance(run, ast.AsyncFunctionDef) or not run.args.args:
        return ""
    attributes = (each for each in ast.walk(run) if isinstance(each, ast.Attribute))
    for each in attributes:
        if isinstance(each.ctx, ast.Store) and ast.unparse(each.value) == run.args.args[0].arg:
            line = code.co_firstlineno + each.lineno - 1
            return (
                f"{cls.__name__}.run ({Path(code.co_filename).name}:{line}) sets {ast.unparse(each)}, but "
                "all trials share one node, so a verdict would depend on the others: use a variable of run"
            )
    return ""


def _sets_attributes(code: CodeType) -> bool:
    """Whether a function, or one in it, sets any attribute: seen in no time, unlike its source."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return opmap["STORE_ATTR"] in code.co_code[::2] or any(map(_sets_attributes, inner))


# ---------------------------------------------------------------- what it yields


def checked(run: Any) -> Any:
    """The `run` of a node of somebody's own, which raises NodeError where it yields something that is no
    branch, or nothing; whether it blocks is seen in its first calls."""

    def tell(seconds: float) -> None:
        warnings.warn(
            f"{where_in(run.__code__)}{run.__qualname__} blocked the event loop for {seconds:.1f} s, so "
            "trials wait for each other; await, or use asyncio.to_thread",
            stacklevel=2,
        )

    held = Held(tell)

    @wraps(run)
    async def checking(self: Node, value: Any, ctx: Context) -> Branches:
        branches, some = run(self, value, ctx), False
        steps = WatchedSteps(branches, held) if held.watches() else branches
        try:
            async for each in steps:
                some = True
                if fault := _fault(self, each):
                    raise NodeError(_at(branches.ag_frame) + fault)
                _note_origin(self, each[0], branches.ag_frame, ctx)
                yield each
            if not some:
                raise NodeError(
                    f"{where_in(run.__code__)}{type(self).__name__}.run ended without a yield. Every way "
                    f"through it must yield a Branch; if there is nothing to pass on, {NOTHING}"
                )
        except (AssayError, BaseExceptionGroup):  # a group may hold the end of the run
            raise
        except BaseException as error:
            if must_be_raised(error):
                raise
            raise told(self, run.__code__, error, ctx) from error
        finally:
            await branches.aclose()  # at a fraction of what aclosing() costs

    return checking


def _at(frame: FrameType) -> str:
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}: "  # noqa: PTH119 - for many nodes


def _note_origin(node: Node, output: Any, frame: FrameType | None, ctx: Context) -> None:
    if textless(output) and not _is_verdict(output):
        where = _at(frame) if frame else where_in(code_of(type(node).__call__))
        ctx.origins[f"{where}{_method(node)} yields"] = output


# which field of a record of ours is its text
TEXTS: Mapping[type, str] = {
    Completion: ".text", ExecResult: ".output", TerminalOutput: ".text", Message: ".content",
}  # fmt: skip


def no_text(error: NoText, ctx: Context) -> NoText:
    """Tells it with the step that the value came from."""
    came = next((where for where, its in ctx.origins.items() if its is error.value), "the step before yields")
    what = _named(error.part)
    if error.part is not error.value:
        what = f"{_named(error.value)} with {what} in it"
    if field := TEXTS.get(type(error.part)):
        do = f"pass on its {field}"
    else:
        do = (
            of_always_true(error.part).partition("; ")[2]
            or "pass on a text, such as str(...) or a field of it"
        )
    said = f"{came} {what}, which the next step cannot read as a text: {do}"
    return NoText(error.value, error.part, said)


def _named(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOUaeio' else 'a'} {name}"


NOTHING = 'yield Branch(NoOutput("why"), Reason(self, ...))'


def _fault(node: Node, each: Any) -> str:
    """What is wrong with what a node yielded; ''. A plain pair, and a Block or no reason, will do as well."""
    its = type(node).__name__
    if not _is_pair(each):
        return _no_branch(its, each)
    if each[0] is None or each[0] is NoOutput:  # as an output it would turn `~` into a PASS
        return f"{its}.run yields the output {each[0]!r}; if there is nothing to pass on, {NOTHING}"
    return _wrong_output(node, each[0])


def _wrong_output(node: Node, output: Any) -> str:
    if inspect.iscoroutine(output):
        output.close()
        return f"{_method(node)} yields the output {output!r:.60}; is an `await` missing?"
    if node.is_judge is True and not _is_verdict(output):
        return (
            f"{_method(node)} yields the output {output!r:.60}, but is_judge = True: a judge yields True, "
            "False, a Score, or NoOutput"
        )
    return ""


def _method(node: Node) -> str:
    """'Shout.run', or what an old-style node has instead."""
    return f"{type(node).__name__}.{'__call__' if type(node).run is Node.run else 'run'}"


def pairs(
    node: Node, code: CodeType | None, returned: Any, ctx: Context
) -> Generator[tuple[Any, Any], None, None]:
    """What the `__call__` of an old-style node yields, one at a time. Raises NodeError where that is no
    output with a reason."""
    must = f"{_method(node)} must yield output, Reason(type(self), ...), not"
    if not isinstance(returned, Iterable):
        raise NodeError(f"{where_in(code)}{must} return {returned!r:.100}")
    steps = iter(returned)
    try:
        for each in steps:
            frame = getattr(steps, "gi_frame", None)
            pair = isinstance(each, (tuple, list)) and len(each) == 2
            if fault := _wrong_output(node, each[0]) if pair else f"{must} {each!r:.100}":
                raise NodeError((_at(frame) if frame else where_in(code)) + fault)
            _note_origin(node, each[0], frame, ctx)
            yield each[0], each[1]
    finally:
        if isinstance(steps, Generator):
            steps.close()


def _is_pair(what: Any) -> bool:
    """Whether it is an output with a reason, which may be missing."""
    return isinstance(what, tuple) and len(what) == 2 and isinstance(what[1], Reason | Block | None)


def _is_verdict(output: Any) -> bool:
    """True of numpy's bools, too."""
    if isinstance(output, (bool, Score, NoOutput, Carried)):
        return True
    return getattr(output, "shape", None) == () and getattr(getattr(output, "dtype", None), "kind", "") == "b"


def no_verdict(output: Any, ends: Iterable[Node]) -> str:
    """What is wrong with the output of a whole test, which ends in these steps; '' for a verdict. Behind a
    step of ours it counts by its truth: lint warns of a text there, and a function may return a match."""
    own = [] if _is_verdict(output) else [each for each in ends if not is_ours(type(each))]
    its = " or ".join(dict.fromkeys(where_of(type(each)) + _method(each) for each in own))
    return its and (
        f"{its} yields {output!r:.60} at the end of a test, which is not a verdict: yield True, False or "
        "Score(value, passed), or end the test in an evaluator"
    )


def _no_branch(its: str, what: Any) -> str:
    said = f"{its}.run must yield Branch(output, Reason(self, ...)), not {what!r:.100}"
    hint = "; it is an output: Branch(NoOutput(...), Reason(self, ...))"
    return said + hint if isinstance(what, NoOutput) else said


def told(node: Node, code: CodeType | None, error: BaseException, ctx: Context) -> GraderError:
    """What a node of somebody's own raised, with its class and the line of its file; the way there is shown
    as its step. `code`: of its method."""
    own = _from_file_of(code, error)
    way = "".join(traceback.format_exception(error.with_traceback(own)))
    ctx.trail.append(Reason(node, Block("text", "traceback", way)))
    if hint(error):
        _end_coroutines(error, own)
    return GraderError(f"{where_in(code, error)}{_method(node)} raised {said(error)}")


def _end_coroutines(error: BaseException, trace: TracebackType | None) -> None:
    """Those that nobody awaited: Python would warn of them, and name files of Assay."""
    held = [getattr(error, "obj", None)]
    while trace is not None:
        held += trace.tb_frame.f_locals.values()
        trace = trace.tb_next
    for each in held:
        if inspect.iscoroutine(each) and inspect.getcoroutinestate(each) == inspect.CORO_CREATED:
            each.close()


def _from_file_of(code: CodeType | None, error: BaseException) -> TracebackType | None:
    """The part of the traceback that begins in the file of the code."""
    trace = error.__traceback__
    while trace is not None and (code is None or trace.tb_frame.f_code.co_filename != code.co_filename):
        trace = trace.tb_next
    return trace
