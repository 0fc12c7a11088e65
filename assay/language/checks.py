"""The checks of make_python_test: the program gives values, and whether they are right is found elsewhere.

The expressions are evaluated beside the program and their values leave the sandbox as data. What they should
be is evaluated where no program of a model is: on the host if it is a constant, else in a sandbox of its own.
They are compared here, and here the token that SubstringEvaluator looks for is added to the output, if every
check held.
"""

from __future__ import annotations

import ast
import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from assay.errors import NodeError
from assay.language.check_encode import TOO_DEEP, encode, shown
from assay.language.check_runner import SHARED
from assay.language.check_values import Tree, hashed, same, too_deep
from assay.language.check_wanted import DEFINITIONS, bound
from assay.language.dsl import Context
from assay.language.header_parts import lines_of, needed_header, without
from assay.language.inside import command_of, source_of
from assay.records import ExecResult, Sandbox

MOST_SENT = 30_000  # characters of all values of a run; values beyond their share are sent as hashes
LONGEST_FRAMES = 1 << 19  # bytes from a sandbox that are looked at
WANTED_TIME_LIMIT_S = 120.0
BESIDE = command_of("check_encode", "check_runner")
WANTED = command_of("check_encode", "check_values", "check_wanted", "check_runner")


@dataclass(frozen=True)
class Right:
    """What a check should give: its tree and how people see it. `tree` is None if `missing` is set: it
    cannot be computed without the program. `asks`: the author's own class says what equals it."""

    tree: Tree = None
    shown: str = ""
    missing: bool = False
    asks: bool = False


class TestCase(str):
    """A test case whose values are compared outside the sandbox. As text it is a program that checks itself,
    for code that puts it together with other text by other means than `+`; the run nodes do better."""

    answer: str  # the token that says that every check held
    header: str
    pairs: Sequence[tuple[str, Any]]  # an expression, and what it should equal
    before: str = ""
    after: str = ""

    @classmethod
    def of(cls, text: str, **parts: Any) -> Self:
        made = cls(text)
        vars(made).update(parts)
        return made

    @property
    def marker(self) -> str:
        """What stands before each value that is sent."""
        return self.answer[6:18]

    def frames(self, stdout: bytes) -> tuple[bytes, list[bytes]]:
        """What the program itself printed, and what was sent."""
        pattern = re.compile(rb"\x1e" + self.marker.encode() + rb"([^\x1e]*)\x1e")
        return pattern.sub(b"", stdout).replace(self.answer.encode(), b""), pattern.findall(stdout)

    def __add__(self, other: str) -> Self:
        return self.of(str.__add__(self, other), **{**vars(self), "after": self.after + other})

    def __radd__(self, other: str) -> Self:
        return self.of(other + str(self), **{**vars(self), "before": other + self.before})


class Checks(TestCase):
    """The test case of make_python_test, for PythonRun."""

    bodies: Sequence[str]  # of the functions that give the values, one for each pair, not indented


def indented(source: str, by: str = "    ") -> str:
    """Source as the body of a function; the lines that a string goes on over stay as they are."""
    inside = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno is not None
        for line in range(node.lineno + 1, node.end_lineno + 1)
    }
    lines = enumerate(source.split("\n"), 1)
    return "\n".join(line if number in inside or not line else f"{by}{line}" for number, line in lines)


def without_stars(header: str) -> tuple[str, list[str]]:
    """A header without its `from x import *`, which no function may hold, and those lines."""
    stars = [
        node
        for node in ast.parse(header).body
        if isinstance(node, ast.ImportFrom) and any(each.name == "*" for each in node.names)
    ]
    return without(header, stars), [ast.unparse(node) for node in stars]


def with_globals(header: str) -> str:
    """A header whose functions declare `global name` for a name that it has made, so that it does in a
    function, too: there that name would be another one."""
    tree = ast.parse(header)
    said = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    said -= {name for node in tree.body if isinstance(node, ast.Global) for name in node.names}
    made = {name for node in tree.body if not isinstance(node, DEFINITIONS) for name in bound(node)}
    return f"global {', '.join(sorted(said & made))}\n{header}" if said & made else header


def with_shared_classes(header: str, program: str) -> str:
    """A header whose classes that the program seems to define as well are decorated (check_runner.shared)."""
    again = set(re.findall(r"^[ \t]*+class[ \t]++(\w++)", program, re.MULTILINE))
    if not again:
        return header
    lines = header.split("\n")
    for node in reversed(ast.parse(header).body):
        if isinstance(node, ast.ClassDef) and node.name in again:
            lines.insert(lines_of(node)[0] - 1, f"@{SHARED}")
    return "\n".join(lines)


def program_request(checks: Checks, rights: Sequence[Right], program: str = "") -> dict[str, Any]:
    """What the process with the program gets: only the expected values that it alone can give, and
    nothing of the header that only these need."""
    header, stars = without_stars(checks.header)
    missing = [
        f"({wanted}\n)" for right, (_, wanted) in zip(rights, checks.pairs, strict=True) if right.missing
    ]
    header = needed_header(header, (*checks.bodies, *missing, checks.before, checks.after), program)
    header = with_shared_classes(header, program)
    parts, entries = ["def _assay_checks():", indented(header) or "    pass", "    pass"], []
    for number, (body, right, (_, wanted)) in enumerate(
        zip(checks.bodies, rights, checks.pairs, strict=True)
    ):
        parts += [f"    def _assay_{number}():", indented(body, " " * 8)]
        parts += [f"    def _assay_wanted_{number}():\n        return ({wanted}\n)"] if right.missing else []
        entries.append(f"(_assay_{number}, {f'_assay_wanted_{number}' if right.missing else None})")
    parts.append(f"    return dict(locals()), [{', '.join(entries)}]")
    source = "\n".join(parts)
    return {"source": source, "stars": stars, "before": checks.before, "after": checks.after}


def _stdin(mode: str, checks: Checks, request: dict[str, Any]) -> bytes:
    longest = max(64, MOST_SENT // len(checks.pairs))
    asked = {"mode": mode, "marker": checks.marker, "longest": longest, "more": source_of("check_values")}
    return json.dumps({**asked, **request}).encode()


def frames(stdout: bytes, checks: Checks) -> tuple[bytes, list[dict[str, Any]]]:
    """What the program printed, and the outcome of the checks. What cannot be read is left out."""
    printed, sent = checks.frames(stdout)
    found: list[dict[str, Any]] = []
    for frame in sent:
        with contextlib.suppress(ValueError, RecursionError):
            said = json.loads(frame) if len(frame) < LONGEST_FRAMES else None
            if isinstance(said, dict):
                found.append(said)
    return printed, found


def _constant(source: str) -> bool:
    """Whether an expression is made of constants and operators only: nothing is called or looked up."""
    plain = (
        ast.Expression, ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp,
        ast.Compare, ast.BoolOp, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context,
    )  # fmt: skip
    return all(isinstance(node, plain) for node in ast.walk(ast.parse(f"({source}\n)", mode="eval")))


@cache
def _constants(checks: Checks) -> tuple[Right | None, ...]:
    """What can be told on the host; None for the rest."""
    return tuple(_on_host(wanted) for _, wanted in checks.pairs)


def _on_host(wanted: Any) -> Right | None:
    if isinstance(wanted, str):
        if not _constant(wanted):
            return None
        value = eval(f"({wanted}\n)", {"__builtins__": {}})
    else:
        value = wanted
    tree = encode(value, hashed)
    return Right(tree, shown(value))


_known: dict[tuple[str, str], tuple[Right, ...]] = {}  # by the checks' token and the kind of sandbox


async def rights(checks: Checks, ctx: Context, tier: str) -> tuple[Right, ...]:
    """What each check should give, evaluated where no program is; remembered while this process lives."""
    own = _constants(checks)
    open_ones = [number for number, right in enumerate(own) if right is None]
    if not open_ones:
        return tuple(right for right in own if right is not None)
    key = (checks.answer, tier)
    if key not in _known:
        # Twice: what is not the same twice (a header with random numbers) can only be had with the program
        first, second = await _wanted(ctx, checks, open_ones)
        found = list(own)
        for number in open_ones:
            one, other = (each.get(number, {}) for each in (first, second))
            if "tree" in one and "tree" in other and same(one["tree"], other["tree"]):
                found[number] = Right(one["tree"], str(one.get("shown", "")), asks=bool(one.get("asks")))
            else:
                found[number] = Right(missing=True)
        _known[key] = tuple(right for right in found if right is not None)
    return _known[key]


async def _wanted(ctx: Context, checks: Checks, numbers: Sequence[int]) -> list[dict[int, dict[str, Any]]]:
    """What a clean sandbox computes twice as the expected values of these checks, by number. One that ends
    the process is left to the program's, but not those after it."""
    answers: list[dict[int, dict[str, Any]]] = []
    async with ctx.beside() as sandbox:
        while len(answers) < 2:
            told: dict[int, dict[str, Any]] = {}
            left = list(numbers)
            while left:
                sources = [[number, f"({checks.pairs[number][1]}\n)"] for number in left]
                request = {"header": checks.header, "wanted": sources}
                result, found = await _ask(sandbox, checks, "wanted", request)
                in_time(result, "make_python_test")
                told |= {said["number"]: said for said in _one_by_one(found) if said["number"] in left}
                left = [number for number in left if number not in told][1:]
            answers.append(told)
    return answers


async def _ask(
    sandbox: Sandbox, checks: Checks, mode: str, request: dict[str, Any]
) -> tuple[ExecResult, list[dict[str, Any]]]:
    stdin = _stdin(mode, checks, request)
    result = await sandbox.run(WANTED, stdin=stdin, time_limit_s=WANTED_TIME_LIMIT_S)
    return result, frames(result.stdout, checks)[1]


def _one_by_one(found: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What was sent about each number: at once, and briefly again in the last frame."""
    for frame in found:
        for each in frame["all"] if isinstance(frame.get("all"), list) else [frame]:
            if isinstance(each, dict) and isinstance(each.get("number"), int):
                yield each


def in_time(result: ExecResult, maker: str) -> None:
    """Raises NodeError if time or memory ran out: the program must not supply the expected values then."""
    if result.timed_out or result.out_of_memory:
        ended = " ".join(result.notes)
        raise NodeError(f"{maker}: the expected values could not be computed: {ended}")


@dataclass(frozen=True)
class Judged:
    """The outcome of checks. `printed`: by the program itself, on stdout; `lines`: for people, one for each
    check that failed, and the last one for SubstringEvaluator."""

    passed: bool
    printed: bytes
    lines: Sequence[str]

    @classmethod
    def of(cls, checks: TestCase, printed: bytes, failed: Mapping[int, str]) -> Judged:
        """`failed`: why a check does not hold, by its number from 0 on."""
        if not failed:
            return cls(True, printed, [f"all tests passed: {checks.answer}"])
        lines = [f"test {number + 1} failed: {failed[number]}" for number in sorted(failed)]
        return cls(False, printed, [*lines, f"{len(failed)} of {len(checks.pairs)} tests failed"])

    @property
    def stdout(self) -> bytes:
        """What the program printed, and below that the lines."""
        edge = b"\n" if self.printed and not self.printed.endswith(b"\n") else b""
        lines = "\n".join(self.lines).encode("utf-8", errors="replace")
        return self.printed + edge + lines + b"\n"


async def run_checks(
    checks: Checks, ctx: Context, sandbox: Sandbox, source: bytes, time_limit_s: float
) -> tuple[ExecResult, Judged]:
    """Run a program with the checks. Returns how it ended, and their outcome."""
    wanted = await rights(checks, ctx, sandbox.tier)
    request = _stdin("program", checks, program_request(checks, wanted, source.decode(errors="replace")))
    result = await sandbox.run(BESIDE, files={"main.py": source}, stdin=request, time_limit_s=time_limit_s)
    return result, await _judge(checks, ctx, wanted, result.stdout)


async def _judge(checks: Checks, ctx: Context, wanted: Sequence[Right], stdout: bytes) -> Judged:
    printed, found = frames(stdout, checks)
    said: dict[int, dict[str, Any]] = {}
    for each in _one_by_one(found):
        said.setdefault(each["number"], each)
    broken = next((str(frame["error"]) for frame in found if "number" not in frame and "error" in frame), "")
    failed: dict[int, str] = {}
    for number, right in enumerate(wanted):
        text = " ".join(checks.pairs[number][0].split())
        if line := _failed(right, said.get(number), text, broken):
            failed[number] = line
    asked = [number for number in failed if wanted[number].asks and "got" in said.get(number, {})]
    if asked:
        pairs = [[f"({checks.pairs[number][1]}\n)", said[number]["got"]] for number in asked]
        async with ctx.beside() as sandbox:
            _, replies = await _ask(sandbox, checks, "equal", {"header": checks.header, "pairs": pairs})
        equal: list[Any] = next((frame["all"] for frame in reversed(replies) if "all" in frame), [])
        for number, held in zip(asked, equal, strict=False):
            if held is True:
                del failed[number]
    return Judged.of(checks, printed, failed)


def _failed(right: Right, said: Any, text: str, broken: str) -> str:
    """Why a check does not hold, '' if it does."""
    if said is None:
        return f"{text}: the test's header raised {broken}" if broken else f"{text} gave no value"
    if "error" in said:
        return f"{text} raised {str(said['error'])[:500]}"
    if "got" not in said:
        return f"{text} gave no value"
    tree, words = right.tree, right.shown
    if right.missing:
        tree, words = said.get("wanted", ["opaque"]), str(said.get("should_be", ""))
    if same(said["got"], tree):
        return ""
    if too_deep(said["got"]) or too_deep(tree):
        return f"{text} cannot be compared: the value is {TOO_DEEP}, or holds itself"
    if right.missing and said.get("claim") is True:
        return ""  # only the program knows whether two of its objects are equal
    return f"{text} is {str(said.get('shown'))[:500]}, should be {words[:500]}"


def check_body(expression: str, names: Callable[[str], str] = lambda _: "") -> str:
    """The body of the function that gives a question's value: of an expression, or of several lines of which
    the last assignment or expression has it. `names` says how a name that it assigns is to be declared
    ('nonlocal', 'global' or ''). NodeError if there is no value."""
    with contextlib.suppress(SyntaxError, ValueError):
        compile(f"({expression}\n)", "<test>", "eval")
        return f"return ({expression}\n)"
    import textwrap

    source = textwrap.dedent(expression).strip("\n")
    try:
        body = ast.parse(source).body
        compile(source, "<test>", "exec")
    except (SyntaxError, ValueError) as error:
        raise NodeError(f"make_python_test: {expression!r} is not a Python expression ({error})") from None
    if body and isinstance(body[0], ast.Expr) and _speaks_of_answer(source):  # it stood behind `answer = `
        body[0] = ast.copy_location(ast.Assign([ast.Name("answer", ast.Store())], body[0].value), body[0])
        body.append(ast.Expr(ast.Name("answer", ast.Load())))
    assigned = [target for statement in body if (target := _target(statement))]
    lines = ast.unparse(ast.Module(body[:-1], [])).split("\n") if body[:-1] else []
    last = body[-1] if body else None
    if isinstance(last, ast.Expr):
        lines.append(f"_assay_value = ({ast.unparse(last.value)})")
        fallback = f" if _assay_value is not None else {assigned[-1]}" if assigned else ""
        lines.append(f"return _assay_value{fallback}")
    elif assigned:
        lines += [*(ast.unparse(last).split("\n") if last else []), f"return {assigned[-1]}"]
    else:
        raise NodeError(
            f"make_python_test: {expression!r} has no value: it must end in an expression or an assignment"
        )
    bound = {
        node.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    declared = [f"{how} {name}" for name in sorted(bound) if (how := names(name))]
    return "\n".join([*declared, *lines])


def _speaks_of_answer(source: str) -> bool:
    """Whether lines use `answer` as a variable, and not as a function of the program."""
    nodes = list(ast.walk(ast.parse(source)))
    called = any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "answer"
        for node in nodes
    )
    return not called and any(isinstance(node, ast.Name) and node.id == "answer" for node in nodes)


def _target(statement: ast.stmt) -> str:
    """The name, or other place, that an assignment writes to; '' for other statements."""
    if isinstance(statement, ast.Assign):
        return ast.unparse(statement.targets[0])
    if isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        return ast.unparse(statement.target)
    if isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
        inner = [each for part in ("body", "orelse", "finalbody") for each in getattr(statement, part, [])]
    elif isinstance(statement, ast.Match):
        inner = [each for case in statement.cases for each in case.body]
    else:
        inner = []
    return next((target for each in reversed(inner) if (target := _target(each))), "")
