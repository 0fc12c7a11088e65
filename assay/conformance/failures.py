"""What is told of a check that does not hold: what was expected, and what came."""

from __future__ import annotations

import ast
import dataclasses
import linecache
import sysconfig
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from assay.conformance.clock import TimeUp
from assay.errors import AssayError, ConfigError
from assay.sandboxes.attacks.runner import Late
from assay.suites.diagnostics import shown_path

CHECKS = Path(__file__).parent / "sandboxes"
ASSAY, PYTHON = Path(__file__).parents[1], Path(sysconfig.get_path("stdlib"))
SHOWN = 300  # characters of a value, and of an expression


class Unmet(AssertionError):
    """What a check found missing, in words that need none of our code beside them."""


def told(error: BaseException) -> str:
    """An error of a check in words."""
    if isinstance(error, Unmet | Late | ConfigError):  # what a run would say
        return str(error)
    frames = [*traceback.walk_tb(error.__traceback__)]
    ours = [each for each in frames if _of_a_check(each[0])][-1:]
    if isinstance(error, AssertionError) and ours:
        return _unmet(error, *ours[0])
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, AssayError):  # ours say enough
        return said
    if ours and ours[-1] == frames[-1]:  # a check cannot read what came
        return f"{said}, in {_statement(*ours[0])}"
    frame, line = frames[-1]
    return f"{said} ({shown_path(Path(frame.f_code.co_filename))}:{line})"


def interrupted(error: TimeUp) -> str:
    """Where a package's code was when its time was up, for the end of a sentence; '' if it awaited
    something."""
    for frame, line in reversed([*traceback.walk_tb(error.__traceback__)]):
        path = Path(frame.f_code.co_filename)
        if not path.is_relative_to(ASSAY) and (
            not path.is_relative_to(PYTHON) or "site-packages" in path.parts
        ):
            return f"; {frame.f_code.co_qualname}() ({shown_path(path)}:{line}) blocked until then"
    return ""


def _of_a_check(frame: FrameType) -> bool:
    path = Path(frame.f_code.co_filename)
    return path.parent == CHECKS and path.name != "suite.py"


def _unmet(error: AssertionError, frame: FrameType, line: int) -> str:
    node = _node_at(frame, line)
    if isinstance(node, ast.With):  # of `raises`
        return f"`{_text(node.body[0])}`: {error}"
    if not isinstance(node, ast.Assert):
        return str(error)
    scope = {**frame.f_globals, **frame.f_locals}
    difference = _difference(node.test, scope)
    return f"{error} ({difference})" if node.msg is not None else difference


def _difference(test: ast.expr, scope: Mapping[str, Any]) -> str:
    """What an assertion expects, and what it found in its place; of several that are joined by `and`, or of
    two tuples, the part that is not so."""
    while isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        test = next((each for each in test.values if not _value(each, scope)), test.values[-1])
    for part in _pairs(test):
        if not _value(part, scope):
            test = part
            break
    found = [f"{_text(each)} is {_short(_value(each, scope))}" for each in _operands(test)]
    return f"expected: {_text(test)}; {', '.join(dict.fromkeys(found))}"


def _pairs(test: ast.expr) -> Iterator[ast.expr]:
    """The comparisons of each two parts of two tuples."""
    match test:
        case ast.Compare(ast.Tuple(left), [ast.Eq() as same], [ast.Tuple(right)]):
            for one, other in zip(left, right, strict=False):
                yield ast.Compare(one, [same], [other])


def _operands(test: ast.expr) -> Iterator[ast.expr]:
    match test:
        case ast.BoolOp():
            for each in test.values:
                yield from _operands(each)
        case ast.UnaryOp(ast.Not()):
            yield from _operands(test.operand)
        case ast.Call(ast.Name("isinstance"), [value, *_]):
            yield value
        case ast.Compare():
            yield from (each for each in (test.left, *test.comparators) if not _is_given(each))
        case _:
            yield test


def _is_given(node: ast.expr) -> bool:
    """Whether the text of an expression says its value."""
    return not any(isinstance(each, ast.Name | ast.Call) for each in ast.walk(node))


def _value(node: ast.expr, scope: Mapping[str, Any]) -> Any:
    expression = ast.fix_missing_locations(ast.Expression(node))
    return eval(compile(expression, "<check>", "eval"), dict(scope))  # our own code


def _node_at(frame: FrameType, line: int) -> ast.stmt | None:
    """The innermost statement at a line."""
    file = frame.f_code.co_filename
    tree = ast.parse("".join(linecache.getlines(file)))
    found = [
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.stmt) and each.lineno <= line <= (each.end_lineno or line)
    ]
    return max(found, key=lambda each: each.lineno, default=None)


def _statement(frame: FrameType, line: int) -> str:
    """A statement, and the values of the names in it."""
    if (node := _node_at(frame, line)) is None:
        return frame.f_code.co_name
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    values = [f"{name} is {_short(frame.f_locals[name])}" for name in sorted(names & {*frame.f_locals})]
    return "; ".join([f"`{_text(node)}`", *values])


def _text(node: ast.AST) -> str:
    return _cut(ast.unparse(node))


def _short(value: object) -> str:
    """A value; of a long one, how long it is, too, and of a result the fields that say something."""
    if isinstance(value, bytes | str) and len(value) > SHOWN:
        return f"{_cut(repr(value))} ({len(value):,} long)"
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return _cut(repr(value))
    said = [(each.name, getattr(value, each.name), each.default) for each in dataclasses.fields(value)]
    fields = [f"{name}={_short(its)}" for name, its, usual in said if its != usual]
    return f"{type(value).__name__}({', '.join(fields)})"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]} ... {text[-SHOWN // 2 :]}"
