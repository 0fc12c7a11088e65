"""Nodes that run the incoming code in the trial's sandbox and pass on what it printed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.languages import LANGUAGES
from assay.nodes.dsl import Branch, Branches, Context, Node, Reason
from assay.nodes.fences import fenced_blocks
from assay.nodes.programs import Program, assemble
from assay.nodes.values import as_text, how_it_ended, value_block
from assay.records import Block, ExecResult

TIME_LIMIT_S = 20.0
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


def passed_on(result: ExecResult, out_bytes: bool) -> str | bytes:
    """A command's output: stdout followed by stderr, or with `out_bytes` the bytes of stdout."""
    return result.stdout if out_bytes else result.output


async def run_program(
    node: Node,
    ctx: Context,
    language: str,
    program: Program,
    time_limit_s: float,
    out_bytes: bool = False,
) -> Branch:
    """Build if there is something to build, then run. What the compiler says is the output when it fails."""
    code = Block("code", f"program {program.filename}", program.source, language=language)
    files = {program.filename: program.source.encode("utf-8", errors="replace")}
    blocks: tuple[Block, ...] = (code,)
    with ctx.attempting(node, code):
        sandbox = await ctx.open_sandbox()
        if program.build:
            built = await sandbox.run(
                ["sh", "-c", program.build],
                files=files,
                time_limit_s=max(BUILD_TIME_LIMIT_S, time_limit_s),
            )
            failed = built.returncode != 0
            if failed or built.output.strip():
                blocks += result_blocks(built, f"{'compiling failed' if failed else 'compiler'}", False)
            if failed:
                output = built.output.encode() if out_bytes else built.output
                return Branch(output, Reason(node, blocks))
            files = {}
        result = await sandbox.run(["sh", "-c", program.run], files=files, time_limit_s=time_limit_s)
    blocks += result_blocks(result, "output", out_bytes)
    return Branch(passed_on(result, out_bytes), Reason(node, blocks))


@dataclass(frozen=True)
class PythonRun(Node):
    """Run the incoming Python with `test_case` appended."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["python"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("python", as_text(value), self.test_case)
        yield await run_program(self, ctx, "python", program, self.time_limit_s, self.out_bytes)


@dataclass(frozen=True)
class BashRun(Node):
    """Run the incoming script, with `test_case` appended, with bash and `args`."""

    test_case: str = ""
    args: Sequence[str] = ()
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["bash"].needs

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", tuple(self.args))  # a list would make the node unhashable

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("bash", as_text(value), self.test_case)
        program = with_arguments(program, shlex.join(str(arg) for arg in self.args))
        yield await run_program(self, ctx, "bash", program, self.time_limit_s)


def with_arguments(program: Program, arguments: str, build_flags: str = "") -> Program:
    """`program` with text appended to its run and build commands."""
    return Program(
        program.filename,
        program.source,
        f"{program.build} {build_flags}".rstrip() if program.build else "",
        f"{program.run} {arguments}".rstrip(),
    )


@dataclass(frozen=True)
class TerminalRun(Node):
    """Run the incoming text as a bash command in the work directory. Each one starts there anew:
    files stay, a `cd` does not. One fenced block around the command is taken off."""

    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["bash"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        text = as_text(value)
        blocks = list(fenced_blocks(text))
        command = (blocks[0].code if len(blocks) == 1 else text).replace("\r\n", "\n")
        code = Block("code", "command", command, language="bash")
        with ctx.attempting(self, code):
            sandbox = await ctx.open_sandbox()
            # not as a file: the work directory may be the very thing the command is about
            result = await sandbox.run(
                ["bash", "-c", command.replace("\0", "")], time_limit_s=self.time_limit_s
            )
        yield Branch(result.output, Reason(self, (code, *result_blocks(result, "output", False))))


@dataclass(frozen=True)
class SQLRun(Node):
    """Run the incoming SQL with sqlite3 on database.db in the work directory."""

    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["sql"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("sql", as_text(value), "")
        yield await run_program(self, ctx, "sql", program, self.time_limit_s)


@dataclass(frozen=True)
class CRun(Node):
    """Compile and run the incoming C with `test_case` appended. `gccflags` is appended to the
    compiler's command and `argv` to the program's, as shell text."""

    test_case: str = ""
    out_bytes: bool = False
    gccflags: str = ""
    argv: str = ""
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["c"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("c", as_text(value), self.test_case)
        program = with_arguments(program, self.argv, self.gccflags)
        yield await run_program(self, ctx, "c", program, self.time_limit_s, self.out_bytes)


@dataclass(frozen=True)
class CppRun(Node):
    """Compile and run the incoming C++ with `test_case` appended."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["cpp"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("cpp", as_text(value), self.test_case)
        yield await run_program(self, ctx, "cpp", program, self.time_limit_s, self.out_bytes)


@dataclass(frozen=True)
class RustRun(Node):
    """Compile and run the incoming Rust with `test_case` appended."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["rust"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("rust", as_text(value), self.test_case)
        yield await run_program(self, ctx, "rust", program, self.time_limit_s, self.out_bytes)


@dataclass(frozen=True)
class JavaRun(Node):
    """Run the incoming Java. `test_case`: a class with a main that calls it, or bare statements."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["java"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("java", as_text(value), self.test_case)
        yield await run_program(self, ctx, "java", program, self.time_limit_s, self.out_bytes)


@dataclass(frozen=True)
class ClojureRun(Node):
    """Run the incoming Clojure with `test_case` appended."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["clojure"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("clojure", as_text(value), self.test_case)
        yield await run_program(self, ctx, "clojure", program, self.time_limit_s, self.out_bytes)


@dataclass(frozen=True)
class JavaScriptRun(Node):
    """Run the incoming JavaScript with `test_case` appended, with node."""

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = TIME_LIMIT_S
    needs = LANGUAGES["javascript"].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        program = assemble("javascript", as_text(value), self.test_case)
        yield await run_program(self, ctx, "javascript", program, self.time_limit_s, self.out_bytes)
