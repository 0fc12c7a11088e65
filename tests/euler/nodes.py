"""The steps of a trial behind the question: which block is the program, run it, compare the last line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.errors import MissingData, SandboxError
from assay.language.apart import read
from assay.language.dsl import Branch, Branches, Context, Node, Reason
from assay.language.fences import Fence, drop_thinking, fences_in
from assay.language.languages import LANGUAGES, same_language
from assay.language.run import result_blocks
from assay.language.values import as_text, how_it_ended
from assay.records import Block, Cause, ExecResult, Score, builder

from .answers import is_answer, last_line
from .execution import JVM_NOTICE, Recipe, recipe_for, shell

RUN_TIME_LIMIT_S = 60.0
COMPILE_TIME_LIMIT_S = 30.0
SHOWN = 4_000  # characters of what a program printed, at each end, that a record keeps


@dataclass(frozen=True)
class Unavailable(Node):
    """Stands for a problem that cannot be asked here: the trial is SKIPPED and says why."""

    why: str

    async def run(self, value: Any, ctx: Context) -> Branches:
        raise MissingData(self.why)
        yield  # an async generator has one


def program_in(reply: str, language: str) -> tuple[str, str]:
    """The program in a reply and why it is this one; ('', ...) if there is none.

    The longest block of the asked language; without one the longest that names no language; without one
    the longest. A reply without a fence is taken whole.

    >>> program_in("```py\\nprint(1)\\n```\\n```\\nprint(1, 2, 3)\\n```", "python")[0]
    'print(1)\\n'
    """
    text = drop_thinking(reply)
    return _chosen(text, fences_in(text), language)


def _chosen(text: str, found: list[Fence], language: str) -> tuple[str, str]:
    blocks = [block for block in found if block.code.strip()]
    if not blocks:
        return ("", "the reply is empty") if not text.strip() else (text, "the whole reply: it has no fence")
    asked = [block for block in blocks if same_language(block.label, language)]
    unlabelled = [block for block in blocks if not block.label]
    if asked:
        return _longest(asked).code, _of(len(blocks), f"{language} block")
    if unlabelled:
        return _longest(unlabelled).code, _of(len(blocks), f"unlabelled block, none says {language}")
    return _longest(blocks).code, _of(len(blocks), f"block, none says {language}")


def _longest(blocks: list[Fence]) -> Fence:
    return max(blocks, key=lambda block: len(block.code))


def _of(count: int, what: str) -> str:
    return f"the reply's only block, taken as the {what}" if count == 1 else f"the longest {what} of {count}"


@dataclass(frozen=True)
class ExtractProgram(Node):
    """The one block of the incoming reply that is run (see program_in), '' if there is none; nobody is
    asked again."""

    language: str

    async def run(self, value: Any, ctx: Context) -> Branches:
        text = await read(drop_thinking, as_text(value))
        code, why = _chosen(text, await read(fences_in, text), self.language)
        yield Branch(code, Reason(self, Block("text", "the program", why)))


@dataclass(frozen=True)
class ProgramRun:
    """What became of a program. `result`: None if it could not be compiled, or if there was none."""

    compiled: ExecResult | None = None
    result: ExecResult | None = None


@dataclass(frozen=True)
class RunProgram(Node):
    """Compile and run the incoming program, with `files` in its work directory; yields a ProgramRun."""

    language: str
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    time_limit_s: float = RUN_TIME_LIMIT_S

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]
        return LANGUAGES[self.language].needs

    async def run(self, value: Any, ctx: Context) -> Branches:
        if not as_text(value).strip():
            yield Branch(ProgramRun(), Reason(self, Block("text", "not run", "there is no program")))
            return
        recipe = recipe_for(self.language, as_text(value))
        code = Block("code", f"program {recipe.filename}", recipe.source, language=self.language)
        with ctx.attempting(self, code):
            ran, blocks = await self._run(recipe, ctx)
        yield Branch(ran, Reason(self, (code, *blocks)))

    async def _run(self, recipe: Recipe, ctx: Context) -> tuple[ProgramRun, tuple[Block, ...]]:
        sandbox = await ctx.open_sandbox()
        source = {recipe.filename: recipe.source.encode("utf-8", errors="replace")}
        files = {**self.files, **source}
        compiled, blocks = None, tuple[Block, ...]()
        if recipe.build:
            build = builder(sandbox) if recipe.compiles else sandbox.run
            built = await build(shell(recipe.build), files=files, time_limit_s=COMPILE_TIME_LIMIT_S)
            files = {}
            failed = built.returncode != 0
            if failed and not recipe.compiles:
                raise SandboxError(f"the program could not be prepared: {built.output}")
            compiled = built if recipe.compiles else None
            if failed:
                return ProgramRun(built, None), result_blocks(built, "compiling failed", False)
            if built.from_cache:
                blocks = result_blocks(built, "compiler", False)
        result = await sandbox.run(
            shell(recipe.run), files=files, time_limit_s=self.time_limit_s, env=recipe.env
        )
        return ProgramRun(compiled, result), (*blocks, *_shown(result))


def _shown(result: ExecResult) -> tuple[Block, ...]:
    blocks = [Block("text", f"stdout ({how_it_ended(result)})", _ends(result.stdout, result.truncated))]
    stderr = b"\n".join(line for line in result.stderr.split(b"\n") if not line.startswith(JVM_NOTICE))
    if stderr.strip():
        blocks.append(Block("text", "stderr", _ends(stderr)))
    return tuple(blocks)


def _ends(output: bytes, cut: bool = False) -> str:
    """The head and the end of what was printed: a record need not hold a megabyte of it."""
    text = output.decode("utf-8", errors="replace")
    if len(text) <= 2 * SHOWN and not cut:
        return text
    return f"{text[:SHOWN]}\n[... the middle is left out ...]\n{text[-SHOWN:]}"


@dataclass(frozen=True)
class LastLineEvaluator(Node):
    """True if the last line that the incoming ProgramRun printed is `answer`, as text or as a number.

    The exit status does not matter. A program that could not be compiled, or that was still running at
    its limit, has not answered, whatever it printed. `points`: what the answer is worth.
    """

    answer: str
    points: float = 1.0
    is_judge = True

    async def run(self, value: Any, ctx: Context) -> Branches:
        assert isinstance(value, ProgramRun)
        said, why, cause = "", "", Cause.WRONG
        result = value.result
        if result is None:
            cause = Cause.DOES_NOT_BUILD if value.compiled else Cause.NO_CODE
            why = "it could not be compiled" if value.compiled else "the reply holds no program"
        elif result.timed_out:
            why, cause = f"it was still running after {result.time_limit_s:g} s", Cause.TIMED_OUT
        else:
            said = last_line(result.stdout, result.truncated)
            if not said:
                cause = Cause.CRASHED if result.returncode else Cause.WRONG
                cause = Cause.OUT_OF_MEMORY if result.out_of_memory else cause
                why = f"it printed nothing ({how_it_ended(result)})"
        right = not why and is_answer(said, self.answer)
        why = why or f"its last line {_quoted(said)} is {'' if right else 'not '}the answer {self.answer}"
        extra = {"printed": said[:200], "ended": "not run" if result is None else how_it_ended(result)}
        if value.compiled is not None and value.compiled.from_cache:
            extra["compiled"] = "before, taken from the cache"
        score = Score(None, right, self._metrics(value, right), extra)
        judged = Block("verdict", "last line", why, passed=right, cause="" if right else cause)
        yield Branch(score, Reason(self, judged))

    def _metrics(self, ran: ProgramRun, right: bool) -> dict[str, float]:
        found = {"points": round(self.points, 4) if right else 0.0}
        if ran.compiled is not None:
            found["compile_s"] = round(ran.compiled.seconds, 4)
        if ran.result is not None:
            found["run_s"] = round(ran.result.seconds, 4)
            found["peak_memory_mb"] = round(ran.result.max_rss / 1e6, 2)
        return found


def _quoted(text: str, length: int = 100) -> str:
    return repr(text if len(text) <= length else text[:length] + "...")
