"""Nodes that call a function of the test's author: on the host, or inside the sandbox."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from assay.errors import GraderError, ModelFault, NodeError
from assay.language import grader_faults
from assay.language.dsl import (
    Branch,
    Branches,
    Context,
    Node,
    NoOutput,
    Reason,
    names_of_files,
    no_second_sandbox,
)
from assay.language.function_source import (
    check_function,
    check_plain,
    code_of,
    function_source,
    in_file,
    where_in,
)
from assay.language.inside import command_of
from assay.language.languages import LANGUAGES, TIME_LIMIT_S
from assay.language.outputs import NoVerdict
from assay.language.values import (
    as_text,
    how_it_ended,
    on_one_line,
    seen_blocks,
    shown_text,
    textless,
    value_block,
    value_summary,
)
from assay.records import Block, Cause, ExecResult, Sandbox, Score
from assay.threads import in_thread

# Nor may a Python that the function starts read what a program has left below HOME
ENVIRONMENT = {"PYTHONNOUSERSITE": "1"}


def _name(fn: Any) -> str:
    while isinstance(fn, partial):
        fn = fn.func
    return str(getattr(fn, "__name__", type(fn).__name__))


def _file_name(fn: Any) -> str:
    code = code_of(fn)
    return Path(code.co_filename).name if code is not None else ""


def _own_part(error: BaseException) -> TracebackType | None:
    """The traceback through the author's code, without this file and the thread that called it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and _is_call(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace


def _is_call(file: str) -> bool:
    path = Path(file)
    return (
        file in (__file__, in_thread.__code__.co_filename)
        or path.parent.name in ("asyncio", "futures", "concurrent")
        or path.name == "thread.py"
    )


@dataclass(frozen=True, repr=False)
class PyFunc(Node):
    """Call `fn` on the host with the incoming value; what it returns is the output.

    It may return (output, log); the log is shown. An exception is a FAIL with its message, unless
    it is plainly the function's mistake (grader_faults): then the trial is an ERROR. It
    runs in a thread: it must not hand what a model wrote to eval, exec or a shell, and nothing
    can stop it if it never returns.
    """

    fn: Callable[[Any], Any]
    on_host = True

    def __post_init__(self) -> None:
        if not callable(self.fn):
            kind = type(self.fn).__name__
            raise NodeError(f"PyFunc needs a function, not {kind}: name it, do not call it")
        check_plain(self.fn)

    async def run(self, value: Any, ctx: Context) -> Branches:
        title = f"{_name(self.fn)}()"
        try:
            output = await in_thread(self.fn, value)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - what the author's code raises is its verdict
            why = f"{where_in(code_of(self.fn), error)}{title} raised {type(error).__name__}: {error}"
            if grader_faults.on_the_host(self.fn, error):
                with ctx.attempting(self, value_block(value, "called with")):
                    raise GraderError(why) from None
            way = traceback.format_exception(error.with_traceback(_own_part(error)))
            trace = Block("text", "traceback", "".join(way))
            cause = "" if isinstance(error, (AssertionError, SystemExit)) else Cause.RAISED
            said = Block("verdict", title, why, passed=False, cause=cause)
            raised = (said, value_block(value, "called with"), trace)
            yield Branch(NoOutput(why), Reason(self, raised))
            return
        if output is None and (fault := _nothing(self.fn)):
            given = value_block(value, "called with")
            yield Branch(NoVerdict(why=fault), Reason(self, (Block("text", title, fault), given)))
            return
        log: tuple[Block, ...] = ()
        told = ""
        if isinstance(output, tuple) and len(output) == 2:
            output, shown = output
            told = shown_text(shown)
            log = (Block("text", "log", told),)
        if textless(output):
            ctx.origins[f"{where_in(code_of(self.fn))}{title} returned"] = output
        if fault := grader_faults.of_always_true(output):
            why = f"{where_in(code_of(self.fn))}{title} returned {fault}"
            yield Branch(NoVerdict(output, why=why), Reason(self, value_block(output, f"{title} returned")))
            return
        seen = () if output else seen_blocks(value)
        yield Branch(output, Reason(self, (_returned(title, output, value, told), *seen, *log)))


def _nothing(fn: Any) -> str:
    """What is wrong with a function that returned None; '' if that may be a verdict."""
    if not (fault := grader_faults.of_nothing(fn)):
        return ""
    where = where_in(code_of(fn))
    return f"{where}{_name(fn)}() returned nothing, which is neither a verdict nor a score: {fault}"


def _returned(title: str, output: Any, value: Any, log: str) -> Block:
    if isinstance(output, (bool, Score)) or output is None or type(output).__name__ in ("bool_", "bool"):
        score = output.value if isinstance(output, Score) else None
        said = (
            f"returned {output if output is None else bool(output)}"
            if score is None
            else f"score {score:.6g}"
        )
        why = said + ("" if output else f"{_because(log)}; called with {value_summary(value)}")
        return Block("verdict", title, why, passed=bool(output))
    return value_block(output, f"{title} returned")


def _because(log: str) -> str:
    """The explanation that a function gives with its negative verdict."""
    said = on_one_line(log)
    return f": {said}" if said not in ("", "None") else ""


@dataclass(frozen=True)
class Called:
    """The outcome of a function inside the sandbox. `error`: why there is no returned value; `raised`: it is
    an exception, other than a failed assertion."""

    result: ExecResult
    ok: bool = False
    returned: str = ""
    log: str = ""
    error: str = ""
    raised: bool = False


def _encoded(value: Any) -> dict[str, Any]:
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": base64.b64encode(value).decode()}
    try:
        return {"json": json.loads(json.dumps(value))}
    except (TypeError, ValueError, RecursionError):
        return {"json": as_text(value)}


async def call_apart(
    ctx: Context, fn: Callable[..., Any], value: Any, time_limit_s: float, only: Sequence[str]
) -> tuple[Called, str]:
    """Run an author's function where no program of the model runs, and say where that was: in a second
    sandbox, which gets the files of the trial's own. If nothing has run in the trial's own yet, the function
    runs there, and the sandbox is not used further: what the function does there reaches no later step."""
    own, second = "the trial's sandbox", "a second sandbox, which got the trial's files"
    if not ctx.used_sandbox():
        return await call_in_sandbox(await ctx.open_sandbox(), fn, value, time_limit_s), own
    sandbox = await ctx.open_sandbox()
    if ctx.beside is no_second_sandbox:
        for terminal in ctx.terminals:
            await terminal.close()  # nothing may live on beside the function
        return await call_in_sandbox(sandbox, fn, value, time_limit_s), own
    try:
        data = await sandbox.pack(only)
    except ModelFault as error:  # caused by the model: it left too much, or hid it
        return Called(ExecResult(b"", b"", 0), error=f"{_name(fn)}() was not called: {error}"), second
    if not only and (untouched := ctx.untouched(data)) is not None:
        async with untouched as clean:
            return await call_in_sandbox(
                clean, fn, value, time_limit_s
            ), "a fresh sandbox with the trial's files"
    async with ctx.beside() as clean:
        if data:
            await clean.unpack(data)
        return await call_in_sandbox(clean, fn, value, time_limit_s), second


async def call_in_sandbox(
    sandbox: Sandbox, fn: Callable[..., Any], value: Any, time_limit_s: float
) -> Called:
    """Run an author's function inside a sandbox, in the work directory."""
    function = function_source(fn)
    request: dict[str, Any] = {"name": function.name, "source": function.source}
    if function.takes_value:
        request["value"] = _encoded(value)
    # No random number: the same call must have the same key among the remembered sandbox steps.
    # What keeps a verdict from being forged is function_runner's private descriptor.
    nonce = hashlib.sha256(json.dumps(request).encode()).hexdigest()
    stdin = json.dumps({**request, "nonce": nonce}).encode()
    command = command_of("function_runner")
    result = await sandbox.run(command, stdin=stdin, time_limit_s=time_limit_s, env=ENVIRONMENT)
    report = result.stdout.decode("utf-8", errors="replace")
    if not report.startswith(nonce) or not report.endswith("}\n"):
        return Called(result, error=f"{function.name}() ended without a verdict ({how_it_ended(result)})")
    answer = json.loads(report[len(nonce) :])
    if "error" not in answer:
        return Called(result, answer["ok"], answer.get("returned", ""), answer["log"])
    log = in_file(fn, function.source, answer["log"])
    lines = re.findall(rf'File "({re.escape(_file_name(fn))})", line (\d+)', log)
    where = f"{lines[-1][0]}:{lines[-1][1]}: " if lines else ""
    why = f"{where}{function.name}() raised {answer['error']}"
    message = answer["error"].partition(": ")[2]
    if grader_faults.in_the_sandbox(answer.get("fault", {}), message, function.source):
        raise GraderError(f"{why}\n{log}".rstrip())
    raised = not answer["error"].startswith(("AssertionError", "SystemExit"))
    return Called(result, log=log, error=why, raised=raised)


def _blocks(called: Called) -> tuple[Block, ...]:
    printed = called.result.stderr.decode("utf-8", errors="replace")
    log = (Block("text", "traceback" if called.error else "log", called.log),) if called.log else ()
    return (*log, Block("text", f"printed ({how_it_ended(called.result)})", printed)) if printed else log


@dataclass(frozen=True, repr=False)
class SandboxFunction(Node):
    """A step that runs the author's function `fn` inside a sandbox."""

    fn: Callable[..., Any]
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["python"].needs

    def __post_init__(self) -> None:
        super().__post_init__()
        check_function(self.fn, type(self).__name__)

    @property
    def code(self) -> Block:
        function = function_source(self.fn)
        return Block("code", f"{function.name}(), run in the sandbox", function.source, language="python")


@dataclass(frozen=True, repr=False)
class PyEvaluator(SandboxFunction):
    """The verdict of `fn`, run in a sandbox: true if what it returns is truthy.

    It runs in a second, pristine sandbox, without any program of the model, which gets the files that lie in
    the trial's work directory and in HOME, or only `files`, names of files and folders of the former. A
    server that the test has started is not available there. The function may import what lies in the work
    directory. Where files were written but nothing was executed, the trial's own sandbox is as pristine, and
    is not used further.

    Only its source goes there, with what it uses of its file. A parameter gets the incoming
    value. It may return (ok, log). An exception, an exit or a time-out is a FAIL, but a plain
    mistake of the function (grader_faults) is an ERROR.
    """

    files: Sequence[str] = ()
    is_judge = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "files", names_of_files(self.files, self))

    async def run(self, value: Any, ctx: Context) -> Branches:
        function, code = function_source(self.fn), self.code
        with ctx.attempting(self, code):
            called, where = await call_apart(ctx, self.fn, value, self.time_limit_s, self.files)
            nothing = not called.error and not called.ok and called.returned == "None" and not called.log
            if nothing and (fault := _nothing(self.fn)):
                raise GraderError(fault)
        why = called.error or f"{function.name}() returned {called.returned}"
        seen: tuple[Block, ...] = ()
        if not called.ok and not called.error:
            why += _because(called.log)
        if not called.ok and function.takes_value:
            why += f"; called with {value_summary(value)}"
            seen = seen_blocks(value)
        cause = Cause.RAISED if called.raised else ""
        judged = Block("verdict", f"{function.name}(), in {where}", why, passed=called.ok, cause=cause)
        # what raised has given no verdict, and `~` must not make one of it
        output = NoOutput(why) if called.error else called.ok
        yield Branch(output, Reason(self, (code, *_blocks(called), judged, *seen)))


class Setup(SandboxFunction):
    """Prepare the sandbox by `fn`, run inside it; passes the incoming value on.

    If it raises or does not end, the trial is an ERROR: the model is not to blame.
    """

    is_judge = False

    async def run(self, value: Any, ctx: Context) -> Branches:
        code = self.code
        with ctx.attempting(self, code):
            called = await call_in_sandbox(await ctx.open_sandbox(), self.fn, value, self.time_limit_s)
            if called.error:
                printed = called.result.stderr.decode("utf-8", errors="replace")
                raise NodeError(f"Setup: {called.error}\n{called.log or printed}".rstrip())
        yield Branch(value, Reason(self, (code, *_blocks(called))))
