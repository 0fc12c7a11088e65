"""Nodes that run the incoming code in the trial's sandbox and pass on what it printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from assay.errors import GraderError, NodeError
from assay.language import program_causes
from assay.language.apart import read
from assay.language.checks import Checks, Judged, TestCase, run_checks
from assay.language.dsl import Branch, Branches, Context, Node, Reason, names_of_files
from assay.language.fences import fences_in
from assay.language.languages import LANGUAGES, TIME_LIMIT_S, language_row
from assay.language.printed import Printed, PrintedBytes, printed_by
from assay.language.programs import Program, assemble
from assay.language.values import as_text, how_it_ended, value_block, without_token
from assay.records import Block, Cause, ExecResult, Sandbox, builder

if TYPE_CHECKING:
    from assay.language.c_checks import CChecks

HERE_DOCUMENT = re.compile(r"<<-?[ \t]*[\"'\\]?\w")
# the first command of a shell command, unless it is in the work directory, where a program may remove it
COMMAND = re.compile(r"(?:\w+=\S* +)*([\w.+-]+|/[\w./+-]+)(?= |$)")
NOT_FOUND = 127  # the shell's exit status for a command that is not there, which a program may have, too
BUILD_TIME_LIMIT_S = 60.0  # rustc and g++ are slow on a busy machine, and that is not the model's fault


def result_blocks(result: ExecResult, title: str, out_bytes: bool) -> tuple[Block, ...]:
    """What a command printed and how it ended."""
    # unbuffered, 200,000 prints of Python take five times the CPU
    lost = "; what it had printed but not flushed is lost" if result.timed_out and title == "output" else ""
    heading = f"{title} ({how_it_ended(result)}{lost})"
    if not out_bytes:
        return (Block("text", heading, without_token(result.output)),)
    shown = value_block(result.stdout, heading)
    if not result.stderr:
        return (shown,)
    return (shown, Block("text", "stderr", result.stderr.decode("utf-8", errors="replace")))


def _unjudged(printed: Printed) -> tuple[Block, ...]:
    """Says that of a shown output only a part is judged, and which."""
    if printed.streams.everything == printed:
        return ()
    return (
        Block(
            "text", "what the program itself printed, which is judged", without_token(printed) or "nothing"
        ),
    )


async def run_program(
    node: LanguageRun,
    ctx: Context,
    program: Program,
    more: Mapping[str, bytes] = {},
    judge: Callable[[bytes], Judged] | None = None,
    checks: Block | None = None,
) -> Branch:
    """Build if there is something to build, then run. The output is what the program itself printed; with
    `node.errors` also what compiler and interpreter said. `more`: further files for the build; `judge`: finds
    out from stdout what came of checks, which `checks` shows in place of the test case."""
    blocks: tuple[Block, ...] = (
        Block("code", f"program {program.filename}", program.source, language=node.language),
    )
    if checks:
        blocks += (checks,)
    elif program.case:
        blocks += (Block("code", f"test case {program.case_file}", program.case, language=node.language),)
    files = {**program.files, **more}
    with ctx.attempting(node, *blocks):
        async with ctx.sandbox_with(node.files) as sandbox:
            if program.build:
                built = await builder(sandbox)(
                    ["sh", "-c", f"{program.build} {node.build_flags}".rstrip()],
                    files=files,
                    time_limit_s=max(BUILD_TIME_LIMIT_S, node.time_limit_s),
                )
                await _check_there(node, sandbox, program.build, built)
                failed = built.returncode != 0
                if failed or built.from_cache or built.output.strip():
                    blocks += result_blocks(built, f"{'compiling failed' if failed else 'compiler'}", False)
                if failed:
                    said = printed_by(built, node.language, errors=node.errors, built=False)
                    output = PrintedBytes.of(said) if node.out_bytes else said
                    return Branch(output, Reason(node, (*blocks, *program_causes.of_build(built))))
                files = {}
            command = ["sh", "-c", f"{program.run} {node.arguments}".rstrip()]
            result = await sandbox.run(command, files=files, time_limit_s=node.time_limit_s)
            await _check_there(node, sandbox, program.run, result)
    return _ended(node, result, blocks, judge(result.stdout) if judge else None)


async def _check_there(node: LanguageRun, sandbox: Sandbox, command: str, result: ExecResult) -> None:
    """Raises GraderError if the command of a language is missing in the sandbox and in its `needs`."""
    known = [need.partition(">=")[0] for need in node.needs]
    if result.returncode == NOT_FOUND and (its := await missing(sandbox, command, known)):
        raise GraderError(
            f"the language {node.language!r} calls {its}, which the sandbox does not have: correct the "
            f"command, or if it is right, name it in `needs`, and tests are skipped where it is missing"
        )


async def missing(sandbox: Sandbox, command: str, known: Sequence[str] = ()) -> str:
    """The first command of a shell command that ended, if the sandbox does not have it; '' if it does, or if
    it is one that is `known` or may be in the work directory."""
    its = COMMAND.match(command)
    if its is None or its[1] in known:
        return ""
    found = await sandbox.run(["sh", "-c", f"command -v {its[1]}"], time_limit_s=TIME_LIMIT_S)
    return its[1] if found.returncode else ""


def _ended(
    node: LanguageRun, result: ExecResult, blocks: tuple[Block, ...], judged: Judged | None = None
) -> Branch:
    """What is passed on of a program that ran, behind `blocks`. `judged`: what came of its checks."""
    if judged is not None:
        result = replace(result, stdout=judged.stdout)
    blocks += result_blocks(result, "output", node.out_bytes)
    cause = program_causes.of_run(result, node.language)
    if judged is not None and not judged.passed and not cause:
        cause = (Block("verdict", "checks", judged.lines[0], passed=False, cause=Cause.WRONG),)
    blocks += cause
    printed = printed_by(result, node.language, errors=node.errors)
    if node.out_bytes:
        return Branch(PrintedBytes(result.stdout, printed.streams), Reason(node, blocks))
    return Branch(printed, Reason(node, (*blocks, *_unjudged(printed))))


def checks_in_c(node: LanguageRun) -> CChecks | None:
    """What make_c_test gave it, if it runs C or C++."""
    if node.language not in ("c", "cpp") or not isinstance(node.test_case, TestCase):
        return None
    from assay.language.c_checks import CChecks  # most tests run no C

    return node.test_case if isinstance(node.test_case, CChecks) else None


async def run_c_checked(node: LanguageRun, ctx: Context, checks: CChecks, code: str) -> Branch:
    """Build and run a C or C++ program with the checks of make_c_test. What came of them stands below what
    the program printed."""
    from assay.language import c_checks, c_emit

    name = node.language
    with ctx.attempting(node, Block("code", "program", code, language=name)):
        tier = (await ctx.open_sandbox()).tier
        # flags may be such that an object made without them does not fit
        sent = c_emit.as_source(name) if node.build_flags else await c_emit.sender(name, tier, ctx)
        wanted = await c_checks.rights(checks, name, ctx, tier, sent)
    program = await read(c_checks.program_of, checks, name, code, wanted, sent)
    judge = partial(c_checks.judge, checks, wanted)
    shown = _shown(checks, f"{checks.harness}\n{checks.header}", name, "//")
    return await run_program(node, ctx, program, {sent.name: sent.content}, judge, shown)


def _shown(checks: TestCase, header: str, language: str, comment: str) -> Block:
    """For people: what stands before the checks, and what each should give."""
    cases = "\n".join(f"{expression}  {comment} {wanted}" for expression, wanted in checks.pairs)
    return Block("code", "checks", f"{header.strip()}\n\n{cases}".strip(), language=language)


async def run_checked(node: LanguageRun, ctx: Context, checks: Checks, code: str) -> Branch:
    """Run a Python program with the checks of make_python_test. What came of them stands below what the
    program printed."""
    source = assemble("python", code, "").source
    blocks = (
        Block("code", "program main.py", source, language="python"),
        _shown(checks, checks.header, "python", "#"),
    )
    content = source.encode("utf-8", errors="replace")
    with ctx.attempting(node, *blocks):
        async with ctx.sandbox_with(node.files) as sandbox:
            result, judged = await run_checks(checks, ctx, sandbox, content, node.time_limit_s)
    return _ended(node, result, blocks, judged)


@dataclass(frozen=True, repr=False)
class LanguageRun(Node):
    """Run the incoming code, with `test_case` appended, in `language` (one of languages.py or of a package).
    A run node of a language is a subclass that names it: `class CppRun(LanguageRun): language = "cpp"`.

    `out_bytes`: the output is the bytes of stdout. `time_limit_s`: seconds for the program. `errors`: what a
    compiler, an interpreter or a traceback says is judged as well. `files`: names of files and folders in the
    work directory; then it runs in a second, pristine sandbox that has only these.
    """

    language: ClassVar[str]
    is_judge = False
    runs_input = True

    test_case: str = ""
    out_bytes: bool = False
    time_limit_s: float = field(default=TIME_LIMIT_S, kw_only=True)
    errors: bool = field(default=False, kw_only=True)
    files: Sequence[str] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(getattr(self, "language", None), str):
            kind = type(self).__name__
            raise NodeError(f'{kind} names no language: class {kind}(LanguageRun): language = "lua"')
        object.__setattr__(self, "files", names_of_files(self.files, self))

    @property
    def yields_text(self) -> bool:  # type: ignore[override]
        return not self.out_bytes

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]
        return language_row(self.language).needs

    @property
    def build_flags(self) -> str:
        """Shell text that is appended to the compiler's command."""
        return ""

    @property
    def arguments(self) -> str:
        """Shell text that is appended to the program's command."""
        return ""

    async def run(self, value: Any, ctx: Context) -> Branches:
        code = as_text(value)
        if isinstance(self.test_case, Checks) and self.language == "python":
            yield await run_checked(self, ctx, self.test_case, code)
        elif (checks := checks_in_c(self)) is not None:
            yield await run_c_checked(self, ctx, checks, code)
        else:
            program = await read(assemble, self.language, code, self.test_case)
            yield await run_program(self, ctx, program)


class PythonRun(LanguageRun):
    """Run the incoming Python with `test_case` appended; then its `if __name__ == "__main__":` does not run.

    A test case of make_python_test is not appended: its values are compared outside the sandbox.
    """

    language = "python"


@dataclass(frozen=True, init=False, repr=False)
class BashRun(LanguageRun):
    """Run the incoming script, with `test_case` appended, with bash and `args`."""

    language = "bash"
    args: Sequence[str] = ()

    def __init__(self, test_case: str = "", args: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(test_case, **settings)
        object.__setattr__(self, "args", tuple(args))  # a list would make the node unhashable

    @property
    def arguments(self) -> str:
        return shlex.join(str(arg) for arg in self.args)


class SQLRun(LanguageRun):
    """Run the incoming SQL with sqlite3 on database.db in the work directory."""

    language = "sql"


@dataclass(frozen=True, repr=False)
class CRun(LanguageRun):
    """Compile and run the incoming C with `test_case` appended. `gccflags` is appended to the
    compiler's command and `argv` to the program's, as shell text."""

    language = "c"
    gccflags: str = ""
    argv: str = ""

    @property
    def build_flags(self) -> str:
        return self.gccflags

    @property
    def arguments(self) -> str:
        return self.argv


class CppRun(LanguageRun):
    """Compile and run the incoming C++ with `test_case` appended."""

    language = "cpp"


class RustRun(LanguageRun):
    """Compile and run the incoming Rust with `test_case` appended."""

    language = "rust"


class JavaRun(LanguageRun):
    """Run the incoming Java. `test_case`: a class with a main that calls it, or bare statements."""

    language = "java"


class ClojureRun(LanguageRun):
    """Run the incoming Clojure with `test_case` appended."""

    language = "clojure"


class JavaScriptRun(LanguageRun):
    """Run the incoming JavaScript with `test_case` appended, with node."""

    language = "javascript"


class TypeScriptRun(LanguageRun):
    """Run the incoming TypeScript with `test_case` appended, with node. Types are dropped, not checked."""

    language = "typescript"


class GoRun(LanguageRun):
    """Build and run the incoming Go. `test_case` is a second file of its package, with imports of its own."""

    language = "go"


def _command_in(text: str) -> str:
    """A command without the one fenced block around it. A fence below `<<EOF` is in a file that it writes."""
    blocks = fences_in(text)
    before = text.partition("```")[0]
    return blocks[0].code if len(blocks) == 1 and not HERE_DOCUMENT.search(before) else text


@dataclass(frozen=True, repr=False)
class TerminalRun(Node):
    """Run the incoming text as a bash command in the work directory. Each one starts there anew:
    files stay, a `cd` does not. One fenced block around the command is taken off. `files`: as in
    LanguageRun."""

    time_limit_s: float = TIME_LIMIT_S
    errors: bool = False
    files: Sequence[str] = ()
    needs = LANGUAGES["bash"].needs
    is_judge = False
    yields_text = True
    runs_input = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "files", names_of_files(self.files, self))

    async def run(self, value: Any, ctx: Context) -> Branches:
        text = as_text(value)
        command = (await read(_command_in, text)).replace("\r\n", "\n")
        command = command.encode("utf-8", errors="replace").decode()
        code = Block("code", "command", command, language="bash")
        # not as a file: the work directory may be the very thing the command is about
        argv = ["bash", "-c", command.replace("\0", "")]
        with ctx.attempting(self, code):
            async with ctx.sandbox_with(self.files) as sandbox:
                result = await sandbox.run(argv, time_limit_s=self.time_limit_s)
        printed = printed_by(result, "bash", errors=self.errors)
        shown = (code, *result_blocks(result, "output", False), *program_causes.of_run(result, "bash"))
        shown += _unjudged(printed)
        yield Branch(printed, Reason(self, shown))
