"""The checks of make_c_test: the program sends values, and whether they are right is found outside.

As assay.language.checks for Python: what a check should give is a literal read on the host, or the output of
a separate program, compiled without the model's code in a second sandbox; only what cannot be computed this
way is evaluated beside the model's program.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from assay.language.c_emit import BUILD_S, Sender
from assay.language.c_source import Apart, Around, c_build, macros_in_the_way, split_header
from assay.language.checks import Judged, TestCase, in_time
from assay.language.dsl import Context
from assay.language.languages import LANGUAGES
from assay.language.programs import Program, plain
from assay.records import builder

_REAL = r"-?0x[0-9a-f.]{1,40}p[+-]?\d{1,6}|-?inf|-?nan"
VALUE = re.compile(
    rf"i(?P<i>-?\d{{1,30}}) |f(?P<f>{_REAL}) |d(?P<d>{_REAL}) |s(?P<s>[0-9a-f]*) |(?P<N>N) "
    r"|p(?P<p>[0-9a-f]{1,16}) |(?P<opens>[\[{]) |(?P<closes>[\]}]) |o(?P<o>[01]) "
)
_READ: Mapping[str, Callable[[str], Any]] = {
    "i": int, "f": float.fromhex, "d": float.fromhex, "s": bytes.fromhex, "N": str,
    "p": partial(int, base=16), "o": "1".__eq__,
}  # fmt: skip
MOST_VALUES = 200_000
FRAME = re.compile(rb" (\d{1,6}) ([01]) (.*)", re.DOTALL)

# ("i", 3), ("f", 0.5), ("d", 0.5), ("s", b"text"), ("N", "N"), ("p", 0), ("[", values), ("{", values) or
# ("o", claim)
Value = Any


class CChecks(TestCase):
    """The test case of make_c_test, for CRun and CppRun. Its pairs are C source, both."""

    helpers: str

    @property
    def harness(self) -> str:
        """The author's functions and what stands before the program."""
        return f"{self.before}\n{self.helpers}"


def literal(source: str) -> Value | None:
    """What a C literal stands for; None for anything else.

    >>> literal("16"), literal("(5LL)"), literal("-1.5"), literal('"a"'), literal("'a'"), literal("f(1)")
    (('i', 16), ('i', 5), ('d', -1.5), ('s', b'a'), ('i', 97), None)
    """
    text = source.strip()
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    words: dict[str, Value] = {"NULL": ("p", 0), "nullptr": ("p", 0), "true": ("i", 1), "false": ("i", 0)}
    if text in words:
        return words[text]
    if re.fullmatch(r"[+-]?\d{1,30}[uUlL]{0,3}", text):
        if re.match(r"[+-]?0\d", text):
            return None  # octal
        return ("i", int(text.rstrip("uUlL")))
    if re.fullmatch(r"[+-]?(?:\d+\.\d*|\.?\d+)(?:[eE][+-]?\d+)?", text):
        return ("d", float(text))
    if re.fullmatch(r'"(?:[^"\\]|\\[nt"\\\'])*"|\'(?:[^\'\\]|\\[nt0"\\\'])\'', text):
        read = ast.literal_eval(text)
        return ("i", ord(read)) if text[0] == "'" else ("s", read.encode())
    return None


def _told(value: Value | None) -> Value | None:
    """None for what is, or holds, an object that could not be sent or an address: the program's process is
    asked then."""
    if value is None or value[0] == "o" or (value[0] == "p" and value[1]):
        return None
    return None if value[0] in "[{" and None in map(_told, value[1]) else value


def sends(number: int, expression: str) -> str:
    return f"assay_begin({number}, 0); ASSAY_SEND(({expression})); assay_done();"


def sends_both(number: int, expression: str, wanted: str, language: str) -> str:
    """Values that only the program's own process can give. C++ objects are asked whether they are equal."""
    if language == "c":
        second = f"assay_begin({number}, 1); ASSAY_SEND(({wanted})); assay_done();"
        return f"{sends(number, expression)}\n{second}"
    return (
        f"{{ const auto &assay_got = ({expression});\nassay_begin({number}, 0); ASSAY_SEND(assay_got); "
        f"assay_done();\nassay_begin({number}, 1); assay::send_wanted(assay_got, ({wanted}));\n"
        "assay_done(); }"
    )


def program_of(
    checks: CChecks, language: str, code: str, rights: Sequence[Value | None], sender: Sender
) -> Program:
    """The program, and as its test case the file that is built with the sender: the program between what the
    checks need and the checks. A compiler's excerpts are of the program's own file."""
    lines = [
        sends(number, expression) if right is not None else sends_both(number, expression, wanted, language)
        for number, ((expression, wanted), right) in enumerate(zip(checks.pairs, rights, strict=True))
    ]
    code = plain(code)
    expressions = "\n".join(part for pair in checks.pairs for part in pair)
    hidden = macros_in_the_way(code, f"{checks.header}\n{checks.harness}", expressions)
    outside, inside = split_header(checks.header, checks.harness, language)
    around = Around(language, checks.marker)
    source = around.source(code, [checks.before, outside, checks.helpers], [inside, *lines], hidden)
    whole = _program(language, f"{source}{checks.after}\n" if checks.after else source, sender)
    build = whole.build.replace(whole.filename, whole.case_file)
    return replace(whole, source=code, build=build, case=whole.source)


def _program(language: str, source: str, sender: Sender) -> Program:
    row = LANGUAGES[language]
    build = sender.build(language)
    return Program(row.filename, source, c_build(build, source) if language == "c" else build, row.run)


def values(data: bytes) -> Value | None:
    """A value as it was sent; None for what makes no sense: the program may have written it itself."""
    text = data.decode("latin-1")
    stack: list[list[Value]] = [[]]
    at, count = 0, 0
    while at < len(text):
        found = VALUE.match(text, at)
        count += 1
        if found is None or found.lastgroup is None or count > MOST_VALUES or len(stack) > 50:
            return None
        at, kind, said = found.end(), found.lastgroup, found[found.lastgroup]
        if kind == "opens":
            stack.append([])
        elif kind == "closes":
            if len(stack) < 2:
                return None
            value = ("[" if said == "]" else "{", stack.pop())
            stack[-1].append(value)
        else:
            try:
                stack[-1].append((kind, _READ[kind](said)))
            except (ValueError, OverflowError):  # not what printf's %a writes
                return None
    return stack[0][0] if len(stack) == 1 and len(stack[0]) == 1 else None


def frames(stdout: bytes, checks: CChecks) -> tuple[bytes, Mapping[tuple[int, int], Value | None]]:
    """What the program printed, and its values by check and side (0: what it gave, 1: what it should)."""
    printed, sent = checks.frames(stdout)
    found = filter(None, map(FRAME.fullmatch, sent))
    return printed, {(int(each[1]), int(each[2])): values(each[3]) for each in found}


def same(got: Value, wanted: Value) -> bool:
    """Equal as make_c_test has always had it, by the kind of what the program gave."""
    kind, other = got[0], wanted[0]
    if "o" in (kind, other):
        return False
    if kind in "[{" and other in "[{" and "{" in (kind, other):  # as std::unordered_map, in no order
        one, two = ("[", sorted(got[1], key=repr)), ("[", sorted(wanted[1], key=repr))
        return same(one, two)
    if kind in "[{" or other in "[{":
        return kind == other and len(got[1]) == len(wanted[1]) and all(map(same, got[1], wanted[1]))
    if kind in ("N", "p") or other in ("N", "p"):
        return {kind, other} <= {"N", "p", "i"} and _address(got) == _address(wanted)
    if "s" in (kind, other):
        return bool(got == wanted)
    if kind == "i" and other == "i":
        return bool((got[1] - wanted[1]) % (1 << 64) == 0)  # as integers of 64 bits, whatever the sign
    a, b = float(got[1]), float(wanted[1])
    off = 1e-5 if kind == "f" else 1e-9
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b  # else infinity would be within its own size of any number
    return a == b or abs(a - b) <= off * max(abs(a), abs(b))


def _address(value: Value) -> int:
    return 0 if value[0] == "N" else int(value[1])


def shown(value: Value) -> str:
    """As C would print it."""
    kind = value[0]
    if kind == "s":
        text: str = value[1].decode("utf-8", errors="replace")
        return f'"{text[:400]}"'
    if kind in ("f", "d"):
        return format(float(value[1]), ".17g")
    if kind in "[{":
        return "{" + ", ".join(map(shown, value[1][:50])) + "}"
    if kind == "i":
        return f"{value[1]}"
    return (
        "NULL" if kind == "N" or value == ("p", 0) else f"{value[1]:#x}" if kind == "p" else "something else"
    )


_known: dict[tuple[str, str, str], tuple[Value | None, ...]] = {}


async def rights(
    checks: CChecks, language: str, ctx: Context, tier: str, sender: Sender
) -> tuple[Value | None, ...]:
    """What each check should give, computed without the program; remembered while this process lives. None
    for what needs the program."""
    own = tuple(literal(wanted) for _, wanted in checks.pairs)
    if None not in own:
        return own
    key = (f"{checks.answer}{checks.before}", language, tier)
    if key not in _known:
        numbered = enumerate(zip(checks.pairs, own, strict=True))
        lines = {number: sends(number, wanted) for number, ((_, wanted), value) in numbered if value is None}
        apart = Apart.of(language, checks.marker, checks.header, checks.harness, lines)
        found = await _found_apart(checks, apart, ctx, sender)
        _known[key] = tuple(
            value if value is not None else _told(found.get((number, 0))) for number, value in enumerate(own)
        )
    return _known[key]


async def _found_apart(
    checks: CChecks, apart: Apart, ctx: Context, sender: Sender
) -> Mapping[tuple[int, int], Value | None]:
    """What can be told without the program: one value that needs it, or that ends the process, must not
    make a program the judge of the others."""
    found: dict[tuple[int, int], Value | None] = {}
    async with ctx.beside() as sandbox:
        while apart.checks:
            program = _program(apart.around.language, apart.source, sender)
            files = {program.filename: program.source.encode(), sender.name: sender.content}
            build = await builder(sandbox)(["sh", "-c", program.build], files=files, time_limit_s=BUILD_S)
            in_time(build, "make_c_test")
            if build.returncode != 0:
                if not apart.refused(build.output):
                    break
                continue
            ran = await sandbox.run(["sh", "-c", program.run], time_limit_s=BUILD_S)
            in_time(ran, "make_c_test")
            found |= frames(ran.stdout, checks)[1]
            told = {f"assay_check_{number}" for number, _ in found}
            silent = [name for name in apart.checks if name not in told]
            if not silent:
                break
            apart.drop([*told, silent[0]])
    return found


def judge(checks: CChecks, wanted: Sequence[Value | None], stdout: bytes) -> Judged:
    printed, found = frames(stdout, checks)
    failed: dict[int, str] = {}
    for number, ((expression, source), right) in enumerate(zip(checks.pairs, wanted, strict=True)):
        got, value = found.get((number, 0)), right if right is not None else found.get((number, 1))
        text, should = " ".join(expression.split()), " ".join(source.split())
        if right is None and value == ("o", True):
            continue  # only the program knows whether two of its objects are equal
        if got is None:
            failed[number] = f"{text} gave no value"
        elif value is None or not same(got, value):
            failed[number] = f"{text} is {shown(got)}, should be {should}"
    return Judged.of(checks, printed, failed)
