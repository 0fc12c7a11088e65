"""Nodes that run the incoming code in the trial's sandbox and pass on what it printed.

`errors`, which all have: what a compiler, an interpreter or a traceback says is judged as well.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.language import c_checks, c_emit, endings
from assay.language.apart import read
from assay.language.c_checks import CChecks
from assay.language.checks import Checks, Judged, run_checks
from assay.language.dsl import Branch, Branches, Context, Node, Reason
from assay.language.fences import blocks_of
from assay.language.languages import LANGUAGES
from assay.language.printed import Printed, PrintedBytes, printed_by
from assay.language.programs import Program, assemble
from assay.language.values import as_text, how_it_ended, value_block
from assay.records import Block, Cause, ExecResult, builder

TIME_LIMIT_S = 20.0
HERE_DOCUMENT = re.compile(r"<<-?[ \t]*[\"'\\]?\w")
BUILD_TIME_LIMIT_S = 60.0  # rustc and g++ are slow on a busy machine, and that is not the model's fault


def result_blocks(result: ExecResult, title: str, out_bytes: bool) -> tuple[Block, ...]:
    """What a command printed and how it ended."""
    ending = f"{title} ({how_it_ended(result)})"
    if not out_bytes:
        return (Block("text", ending, result.output),)
    shown = value_block(result.stdout, ending)
    if not result.stderr:
        return (shown,)
    return (shown, Block("text", "stderr", result.stderr.decode("utf-8", errors="replace")))


def _unjudged(printed: Printed) -> tuple[Block, ...]:
    """Says that of a shown output only a part is judged, and which."""
    if printed.streams.everything == printed:
        return ()
    return (Block("text", "what the program itself printed, which is judged", printed or "nothing"),)


async def run_program(
    node: Node,
    ctx: Context,
    language: str,
    program: Program,
    time_limit_s: float,
    out_bytes: bool = False,
    errors: bool = False,
    more: Mapping[str, bytes] = {},
    judge: Judge | None = None,
) -> Branch:
    """Build if there is something to build, then run. The output is what the program itself printed; with
    `errors` also what compiler and interpreter said. `more`: further files for the build; `judge`: finds out
    what came of checks."""
    blocks: tuple[Block, ...] = (
        Block("code", f"program {program.filename}", program.source, language=language),
    )
    if program.case:
        blocks += (Block("code", f"test case {program.case_file}", program.case, language=language),)
    files = {**program.files, **more}
    with ctx.attempting(node, *blocks):
        sandbox = await ctx.open_sandbox()
        if program.build:
            built = await builder(sandbox)(
                ["sh", "-c", program.build],
                files=files,
                time_limit_s=max(BUILD_TIME_LIMIT_S, time_limit_s),
            )
            failed = built.returncode != 0
            if failed or built.from_cache or built.output.strip():
                blocks += result_blocks(built, f"{'compiling failed' if failed else 'compiler'}", False)
            if failed:
                said = printed_by(built, language, errors=errors, built=False)
                output = PrintedBytes.of(said) if out_bytes else said
                return Branch(output, Reason(node, (*blocks, *endings.of_build(built))))
            files = {}
        result = await sandbox.run(["sh", "-c", program.run], files=files, time_limit_s=time_limit_s)
    wrong: tuple[Block, ...] = ()
    if judge is not None:
        own, judged = judge(result.stdout)
        result = with_lines(result, own, judged)
        wrong = () if judged.passed else failed_check(judged)
    blocks += (*result_blocks(result, "output", out_bytes), *(endings.of_run(result, language) or wrong))
    printed = printed_by(result, language, errors=errors)
    if out_bytes:
        return Branch(PrintedBytes(result.stdout, printed.streams), Reason(node, blocks))
    return Branch(printed, Reason(node, (*blocks, *_unjudged(printed))))


Judge = Callable[
    [bytes], tuple[bytes, Judged]
]  # from stdout to what the program printed there, and the checks


def with_lines(result: ExecResult, printed: bytes, judged: Judged) -> ExecResult:
    """A result whose stdout is what the program printed, and below that what came of the checks."""
    if printed and not printed.endswith(b"\n"):
        printed += b"\n"
    lines = "\n".join(judged.lines).encode("utf-8", errors="replace") + b"\n"
    return replace(result, stdout=printed + lines)


def failed_check(judged: Judged) -> tuple[Block, ...]:
    """Says which check did not hold, of a program that ran to its end."""
    return (Block("verdict", "checks", judged.lines[0], passed=False, cause=Cause.WRONG),)


async def run_c_checked(
    node: CRun | CppRun,
    ctx: Context,
    language: str,
    checks: CChecks,
    code: str,
    argv: str = "",
    flags: str = "",
) -> Branch:
    """Build and run a C or C++ program with the checks of make_c_test. What came of them stands below what
    the program printed."""
    with ctx.attempting(node, Block("code", "program", code, language=language)):
        tier = (await ctx.open_sandbox()).tier
        # flags may be such that an object made without them does not fit
        sent = c_emit.as_source(language) if flags else await c_emit.sender(language, tier, ctx)
        wanted = await c_checks.rights(checks, language, ctx, tier, sent)
    program = await read(c_checks.program_of, checks, language, code, wanted, sent)

    def judge(stdout: bytes) -> tuple[bytes, Judged]:
        printed, found = c_checks.frames(stdout, checks)
        return printed.replace(checks.answer.encode(), b""), c_checks.judge(checks, wanted, found)

    return await run_program(
        node,
        ctx,
        language,
        with_arguments(program, argv, flags),
        node.time_limit_s,
        node.out_bytes,
        node.errors,
        {sent.name: sent.content},
        judge,
    )


async def run_checked(node: PythonRun, ctx: Context, checks: Checks, code: str) -> Branch:
    """Run a Python program with the checks of make_python_test. What came of them stands below what the
    program printed."""
    source = assemble("python", code, "").source
    shown = Block("code", "program main.py", source, language="python")
    cases = "\n".join(f"{expression}  # {wanted}" for expression, wanted in checks.pairs)
    asked = Block("code", "checks", f"{checks.header}\n\n{cases}".strip(), language="python")
    with ctx.attempting(node, shown, asked):
        sandbox = await ctx.open_sandbox()
        content = source.encode("utf-8", errors="replace")
        result, printed, judged = await run_checks(checks, ctx, sandbox, content, node.time_limit_s)
    result = with_lines(result, printed, judged)
    blocks = (shown, asked, *result_blocks(result, "output", node.out_bytes))
    if not judged.passed:
        blocks += endings.of_run(result, "python") or failed_check(judged)
    output = printed_by(result, "python", errors=node.errors)
    if node.out_bytes:
        return Branch(PrintedBytes(result.stdout, output.streams), Reason(node, blocks))
    return Branch(output, Reason(node, (*blocks, *_unjudged(output))))


@dataclass(frozen=True)
class PythonRun(Node):
    """Run the incoming Python with `test_case` appended; then its `if __name__ == "__main__":` does not run.

    A test case of make_python_test is not appended: its values are compared outside the sandbox.
    """

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["python"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        if isinstance(self.test_case, Checks):
            yield await run_checked(self, ctx, self.test_case, as_text(value))
            return
        program = await read(assemble, "python", as_text(value), self.test_case)
        yield await run_program(self, ctx, "python", program, self.time_limit_s, self.out_bytes, self.errors)


@dataclass(frozen=True)
class BashRun(Node):
    """Run the incoming script, with `test_case` appended, with bash and `args`."""

    test_case: str = ""
    args: Sequence[str] = ()
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["bash"].needs

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", tuple(self.args))  # a list would make the node unhashable

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = await read(assemble, "bash", as_text(value), self.test_case)
        program = with_arguments(program, shlex.join(str(arg) for arg in self.args))
        yield await run_program(self, ctx, "bash", program, self.time_limit_s, errors=self.errors)


def with_arguments(program: Program, arguments: str, build_flags: str = "") -> Program:
    """`program` with text appended to its run and build commands."""
    return Program(
        program.filename,
        program.source,
        f"{program.build} {build_flags}".rstrip() if program.build else "",
        f"{program.run} {arguments}".rstrip(),
    )


def _command_in(text: str) -> str:
    """A command without the one fenced block around it. A fence below `<<EOF` is in a file that it writes."""
    blocks = blocks_of(text)
    before = text.partition("```")[0]
    return blocks[0].code if len(blocks) == 1 and not HERE_DOCUMENT.search(before) else text


@dataclass(frozen=True)
class TerminalRun(Node):
    """Run the incoming text as a bash command in the work directory. Each one starts there anew:
    files stay, a `cd` does not. One fenced block around the command is taken off."""

    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["bash"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        text = as_text(value)
        command = (await read(_command_in, text)).replace("\r\n", "\n")
        command = command.encode("utf-8", errors="replace").decode()
        code = Block("code", "command", command, language="bash")
        with ctx.attempting(self, code):
            sandbox = await ctx.open_sandbox()
            # not as a file: the work directory may be the very thing the command is about
            result = await sandbox.run(
                ["bash", "-c", command.replace("\0", "")], time_limit_s=self.time_limit_s
            )
        printed = printed_by(result, "bash", errors=self.errors)
        shown = (code, *result_blocks(result, "output", False), *endings.of_run(result, "bash"))
        shown += _unjudged(printed)
        yield Branch(printed, Reason(self, shown))


@dataclass(frozen=True)
class SQLRun(Node):
    """Run the incoming SQL with sqlite3 on database.db in the work directory."""

    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["sql"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = await read(assemble, "sql", as_text(value), "")
        yield await run_program(self, ctx, "sql", program, self.time_limit_s, errors=self.errors)


@dataclass(frozen=True)
class CRun(Node):
    """Compile and run the incoming C with `test_case` appended. `gccflags` is appended to the
    compiler's command and `argv` to the program's, as shell text."""

    test_case: str = ""
    out_bytes: bool = False
    gccflags: str = ""
    argv: str = ""
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["c"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        if isinstance(self.test_case, CChecks):
            checks, code = self.test_case, as_text(value)
            yield await run_c_checked(self, ctx, "c", checks, code, self.argv, self.gccflags)
            return
        program = await read(assemble, "c", as_text(value), self.test_case)
        program = with_arguments(program, self.argv, self.gccflags)
        yield await run_program(self, ctx, "c", program, self.time_limit_s, self.out_bytes, self.errors)


@dataclass(frozen=True)
class CppRun(Node):
    """Compile and run the incoming C++ with `test_case` appended."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["cpp"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        if isinstance(self.test_case, CChecks):
            yield await run_c_checked(self, ctx, "cpp", self.test_case, as_text(value))
            return
        program = await read(assemble, "cpp", as_text(value), self.test_case)
        yield await run_program(self, ctx, "cpp", program, self.time_limit_s, self.out_bytes, self.errors)


@dataclass(frozen=True)
class RustRun(Node):
    """Compile and run the incoming Rust with `test_case` appended."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["rust"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = await read(assemble, "rust", as_text(value), self.test_case)
        yield await run_program(self, ctx, "rust", program, self.time_limit_s, self.out_bytes, self.errors)


@dataclass(frozen=True)
class JavaRun(Node):
    """Run the incoming Java. `test_case`: a class with a main that calls it, or bare statements."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["java"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = await read(assemble, "java", as_text(value), self.test_case)
        yield await run_program(self, ctx, "java", program, self.time_limit_s, self.out_bytes, self.errors)


@dataclass(frozen=True)
class ClojureRun(Node):
    """Run the incoming Clojure with `test_case` appended."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["clojure"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = await read(assemble, "clojure", as_text(value), self.test_case)
        yield await run_program(self, ctx, "clojure", program, self.time_limit_s, self.out_bytes, self.errors)


@dataclass(frozen=True)
class JavaScriptRun(Node):
    """Run the incoming JavaScript with `test_case` appended, with node."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["javascript"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = await read(assemble, "javascript", as_text(value), self.test_case)
        yield await run_program(
            self, ctx, "javascript", program, self.time_limit_s, self.out_bytes, self.errors
        )


@dataclass(frozen=True)
class TypeScriptRun(Node):
    """Run the incoming TypeScript with `test_case` appended, with node. Types are dropped, not checked."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["typescript"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = await read(assemble, "typescript", as_text(value), self.test_case)
        yield await run_program(
            self, ctx, "typescript", program, self.time_limit_s, self.out_bytes, self.errors
        )


@dataclass(frozen=True)
class GoRun(Node):
    """Build and run the incoming Go. `test_case` is a second file of its package, with imports of its own."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    needs = LANGUAGES["go"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = await read(assemble, "go", as_text(value), self.test_case)
        yield await run_program(self, ctx, "go", program, self.time_limit_s, self.out_bytes, self.errors)
