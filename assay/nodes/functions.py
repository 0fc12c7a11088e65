"""Nodes that call a function of the test's author: on the host, or inside the sandbox."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from assay.errors import NodeError
from assay.nodes.dsl import Branch, Branches, Context, Node, NoOutput, Reason
from assay.nodes.function_source import check_function, code_of, function_source, in_file
from assay.nodes.run import TIME_LIMIT_S
from assay.nodes.values import as_text, how_it_ended, seen_blocks, value_block, value_summary
from assay.records import Block, ExecResult, Score


def _name(fn: Any) -> str:
    return str(getattr(fn, "__name__", type(fn).__name__))


def _where(fn: Any, error: BaseException) -> str:
    """'flip_words.py:12: ', the innermost line of the file of `fn` that the error passed through; or ''."""
    code = code_of(fn)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each.lineno for each in frames if code is not None and each.filename == code.co_filename]
    return f"{_file_name(fn)}:{lines[-1]}: " if lines else ""


def _file_name(fn: Any) -> str:
    code = code_of(fn)
    return Path(code.co_filename).name if code is not None else ""


def _own_part(error: BaseException) -> TracebackType | None:
    """Its way through the author's code: not through this file and the thread that called it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None and _is_call(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace


def _is_call(file: str) -> bool:
    return (
        file == __file__
        or Path(file).parent.name in ("asyncio", "futures", "concurrent")
        or (Path(file).name == "thread.py")
    )


@dataclass(frozen=True)
class PyFunc(Node):
    """Call `fn` on the host with the incoming value; what it returns is the output.

    It may return (output, log); the log is shown. An exception is a FAIL with its message. It
    runs in a thread: it must not hand what a model wrote to eval, exec or a shell, and nothing
    can stop it if it never returns.
    """

    fn: Callable[[Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.fn):
            kind = type(self.fn).__name__
            raise NodeError(f"PyFunc needs a function, not {kind}: name it, do not call it")

    async def run(self, value: Any, ctx: Context) -> Branches:
        import asyncio

        title = f"{_name(self.fn)}()"
        try:
            output = await asyncio.to_thread(self.fn, value)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - what the author's code raises is its verdict
            why = f"{_where(self.fn, error)}{title} raised {type(error).__name__}: {error}"
            way = traceback.format_exception(error.with_traceback(_own_part(error)))
            trace = Block("text", "traceback", "".join(way))
            raised = (Block("verdict", title, why, passed=False), value_block(value, "called with"), trace)
            yield Branch(NoOutput(why), Reason(self, raised))
            return
        log: tuple[Block, ...] = ()
        if isinstance(output, tuple) and len(output) == 2:
            output, shown = output
            log = (Block("text", "log", as_text(shown)),)
        seen = () if output else seen_blocks(value)
        yield Branch(output, Reason(self, (_returned(title, output, value), *seen, *log)))


def _returned(title: str, output: Any, value: Any) -> Block:
    if isinstance(output, (bool, Score)) or output is None:
        score = output.value if isinstance(output, Score) else None
        said = f"returned {bool(output)}" if score is None else f"score {score:.6g}"
        why = said + ("" if output else f"; called with {value_summary(value)}")
        return Block("verdict", title, why, passed=bool(output))
    return value_block(output, f"{title} returned")


@cache
def runner_source() -> str:
    """The program that calls the function inside the sandbox."""
    return (Path(__file__).parent / "function_runner.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Called:
    """What became of a function inside the sandbox. `error`: why there is no returned value."""

    ok: bool
    returned: str
    log: str
    error: str
    result: ExecResult


def _encoded(value: Any) -> dict[str, Any]:
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": base64.b64encode(value).decode()}
    try:
        return {"json": json.loads(json.dumps(value))}
    except (TypeError, ValueError):
        return {"json": as_text(value)}


async def call_in_sandbox(ctx: Context, fn: Callable[..., Any], value: Any, time_limit_s: float) -> Called:
    """Run an author's function inside the trial's sandbox, in the work directory."""
    function = function_source(fn)
    request: dict[str, Any] = {"name": function.name, "source": function.source}
    if function.takes_value:
        request["value"] = _encoded(value)
    # No random number: the same call must have the same key among the remembered sandbox steps.
    # What keeps a verdict from being forged is function_runner's private descriptor.
    nonce = hashlib.sha256(json.dumps(request).encode()).hexdigest()
    stdin = json.dumps({**request, "nonce": nonce}).encode()
    sandbox = await ctx.open_sandbox()
    result = await sandbox.run(
        ["python3", "-I", "-c", runner_source()], stdin=stdin, time_limit_s=time_limit_s
    )
    report = result.stdout.decode("utf-8", errors="replace")
    if not report.startswith(nonce) or not report.endswith("}\n"):
        return Called(
            False, "", "", f"{function.name}() ended without a verdict ({how_it_ended(result)})", result
        )
    answer = json.loads(report[len(nonce) :])
    if "error" not in answer:
        return Called(answer["ok"], answer.get("returned", ""), answer["log"], "", result)
    log = in_file(fn, function.source, answer["log"])
    lines = re.findall(rf'File "({re.escape(_file_name(fn))})", line (\d+)', log)
    where = f"{lines[-1][0]}:{lines[-1][1]}: " if lines else ""
    return Called(False, "", log, f"{where}{function.name}() raised {answer['error']}", result)


def _blocks(called: Called) -> tuple[Block, ...]:
    printed = called.result.stderr.decode("utf-8", errors="replace")
    log = (Block("text", "traceback" if called.error else "log", called.log),) if called.log else ()
    return (*log, Block("text", f"printed ({how_it_ended(called.result)})", printed)) if printed else log


@dataclass(frozen=True)
class PyEvaluator(Node):
    """The verdict of `fn`, run inside the sandbox: true if what it returns is truthy.

    Only its source goes there, with what it uses of its file. A parameter gets the incoming
    value. It may return (ok, log). An exception, an exit or a time-out is a FAIL.
    """

    fn: Callable[..., Any]
    time_limit_s: float = TIME_LIMIT_S
    needs = ("python3",)

    def __post_init__(self) -> None:
        check_function(self.fn, "PyEvaluator")

    async def run(self, value: Any, ctx: Context) -> Branches:
        function = function_source(self.fn)
        code = Block("code", f"{function.name}(), run in the sandbox", function.source, language="python")
        with ctx.attempting(self, code):
            called = await call_in_sandbox(ctx, self.fn, value, self.time_limit_s)
        why = called.error or f"{function.name}() returned {called.returned}"
        seen: tuple[Block, ...] = ()
        if not called.ok and function.takes_value:
            why += f"; called with {value_summary(value)}"
            seen = seen_blocks(value)
        judged = Block("verdict", f"{function.name}()", why, passed=called.ok)
        yield Branch(called.ok, Reason(self, (code, *_blocks(called), judged, *seen)))


@dataclass(frozen=True)
class Setup(Node):
    """Prepare the sandbox by `fn`, run inside it; passes the incoming value on.

    If it raises or does not end, the trial is an ERROR: that is not the model's doing.
    """

    fn: Callable[..., Any]
    time_limit_s: float = TIME_LIMIT_S
    needs = ("python3",)

    def __post_init__(self) -> None:
        check_function(self.fn, "Setup")

    async def run(self, value: Any, ctx: Context) -> Branches:
        function = function_source(self.fn)
        code = Block("code", f"{function.name}(), run in the sandbox", function.source, language="python")
        with ctx.attempting(self, code):
            called = await call_in_sandbox(ctx, self.fn, value, self.time_limit_s)
            if called.error:
                printed = called.result.stderr.decode("utf-8", errors="replace")
                raise NodeError(f"Setup: {called.error}\n{called.log or printed}".rstrip())
        yield Branch(value, Reason(self, (code, *_blocks(called))))
