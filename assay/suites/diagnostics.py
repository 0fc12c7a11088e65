"""Errors in a test file with their place: `file:line: what`, the source line, and a caret below."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import linecache
import re
import traceback
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from assay.config import near
from assay.errors import AssayError, NotANode

SHOWN = 100  # columns of a source line


def shown_path(path: Path | str) -> str:
    """The path as a user of this folder would write it."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else str(path)


def pointed(path: Path | str, line: int, text: str, begin: int = -1, end: int = -1) -> str:
    """The message, the source line, and carets below its characters from `begin` to before `end` (from 0; -1:
    unknown). A line that cannot be read is left out."""
    message = f"{shown_path(path)}:{line}: {text}"
    linecache.checkcache(str(path))
    source = linecache.getline(str(path), line).rstrip()
    bare = source.lstrip()
    if not bare:
        return message
    begin, end = begin - (len(source) - len(bare)), end - (len(source) - len(bare))
    if begin > SHOWN - 20:  # show the relevant part of a long line
        cut = begin - 30
        bare, begin, end = "..." + bare[cut:], begin - cut + 3, end - cut + 3
    bare = "".join(char if char.isprintable() else " " for char in bare)  # no escape reaches the terminal
    short = bare if len(bare) <= SHOWN else bare[: SHOWN - 3] + "..."
    message += f"\n    {short}"
    if 0 <= begin < len(short):
        end = min(max(end, begin + 1), len(short))
        message += f"\n    {' ' * _columns(short[:begin])}{'^' * _columns(short[begin:end])}"
    return message


def _columns(text: str) -> int:
    """The width of the text on a terminal."""
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def of_syntax(path: Path | str, error: SyntaxError) -> str:
    """The message for a file that Python cannot parse."""
    begin = (error.offset or 0) - 1
    end = (error.end_offset or 0) - 1 if error.end_lineno in (None, error.lineno) else 10**6
    said = f"{error.msg}"
    if said == "'return' with value in async generator":
        said = "run of a node yields its branches: write yield for this return, and a bare return behind it"
    return pointed(error.filename or path, error.lineno or 1, said, begin, end)


def of_error(place: Path, error: BaseException) -> str:
    """The message for an error raised while the code of `place` (a file, or a folder of them) was imported,
    at its innermost line there, without our own frames in between."""
    found = _innermost(place, error.__traceback__)
    said = _cause(error, found)
    if found is None:
        return f"{shown_path(place)}: {said}"
    frame, _ = found
    lines = linecache.getlines(frame.filename)
    begin, end = _span(frame, lines)
    wrong, operation = None, _operation(frame, lines) if isinstance(error, (TypeError, NotANode)) else None
    if operation is not None and isinstance(error, NotANode):
        wrong = _naming(error.kind.__name__, operation)
    elif operation is not None and "unsupported operand" in str(error):
        wrong, said = _foreign(operation, str(error))
    if wrong is not None:
        return pointed(frame.filename, wrong.lineno, said, *_columns_of(wrong, lines))
    return pointed(frame.filename, frame.lineno or 1, said, begin, end)


Found = tuple[traceback.FrameSummary, Mapping[str, Any]]


def _innermost(place: Path, trace: TracebackType | None) -> Found | None:
    """The innermost frame in `place`, with the names known there."""
    walked = list(traceback.walk_tb(trace))
    for summary, (frame, _) in zip(reversed(traceback.extract_tb(trace)), reversed(walked), strict=True):
        if Path(summary.filename).is_relative_to(place):
            return summary, {**frame.f_globals, **frame.f_locals}
    return None


def _span(frame: traceback.FrameSummary, lines: list[str]) -> tuple[int, int]:
    """The characters of the frame's line that were being executed; (-1, -1) for all of it."""
    line = lines[frame.lineno - 1] if frame.lineno and frame.lineno <= len(lines) else ""
    if frame.colno is None or frame.end_colno is None:
        return -1, -1
    begin = _characters(line, frame.colno)
    end = _characters(line, frame.end_colno) if frame.end_lineno == frame.lineno else len(line.rstrip())
    return (-1, -1) if line[:begin].strip() == "" and line[end:].strip() == "" else (begin, end)


def _characters(line: str, in_bytes: int) -> int:
    return len(line.encode("utf-8", "surrogateescape")[:in_bytes].decode("utf-8", "replace"))


# ---------------------------------------------------------------- what went wrong, in words


def _cause(error: BaseException, found: Found | None) -> str:
    """The error in one line, with what was probably meant."""
    text = " ".join(str(error).split())
    said = text if isinstance(error, AssayError) else f"{type(error).__name__}: {text}".removesuffix(": ")
    if isinstance(error, NameError) and error.name and found is not None:
        import builtins

        if not_imported(error.name, found[1]):
            return f'{said}: the file lacks "from evaluator import *"'
        return said + "." * bool(hint := near(error.name, [*found[1], *vars(builtins)])) + hint
    if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):
        said = re.sub(r" \([^()]*\)$", "", said)  # the path of a module does not help an author
        if (wanted := re.search(r"cannot import name '(\w+)'", said)) and (module := error.name):
            import sys

            hint = near(wanted[1], vars(sys.modules.get(module, error)))
            return said + "." * bool(hint) + hint
    if isinstance(error, AttributeError) and error.name and not isinstance(error.obj, type(None)):
        hint = near(error.name, (name for name in dir(error.obj) if not name.startswith("_")))
        return said + "." * bool(hint) + hint
    if isinstance(error, TypeError) and (call := re.match(r"(\w+)\.__init__\(\) (.*)", text)) and found:
        return _wrong_call(_called(found) or call[1], call[2], found[1])
    return said


def not_imported(name: str, scope: Mapping[str, Any]) -> bool:
    """Whether an unknown name is one of ours, in a file that has imported none of them."""
    try:
        ours = vars(importlib.import_module("evaluator"))
    except ImportError:
        return False
    known = {each for each in ours if not each.startswith("_")}
    return name in known and all(scope.get(each) is not ours[each] for each in known)


def _called(found: Found) -> str:
    """The name of the class that the frame was calling: it may have its __init__ from another one."""
    frame, scope = found
    lines = linecache.getlines(frame.filename)
    node = _executed(frame, lines, ast.Call)
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return name if isinstance(scope.get(name), type) else ""


def _wrong_call(name: str, complaint: str, scope: Mapping[str, Any]) -> str:
    """The message for arguments that a node does not take, with those that it does."""
    try:
        parameters = _parameters(scope[name])
    except (KeyError, TypeError, ValueError):
        return f"TypeError: {name}: {complaint}"
    takes = ", ".join(_parameter(each) for each in parameters)
    odd = re.search(r"unexpected keyword argument '(\w+)'", complaint)
    hint = near(odd[1], [each.name for each in parameters]) if odd else ""
    return f"{name}: {complaint}; it is {name}({takes})" + "." * bool(hint) + hint


def _parameters(called: Any) -> list[inspect.Parameter]:
    """What a class takes, also by handing on `**settings` to those that it is derived from."""
    found: dict[str, inspect.Parameter] = {}
    for each in called.__mro__ if isinstance(called, type) else (called,):
        own = inspect.signature(each).parameters
        found |= {name: what for name, what in own.items() if name not in found}
        if not any(what.kind is what.VAR_KEYWORD for what in own.values()):
            break
    return [what for what in found.values() if what.kind is not what.VAR_KEYWORD]


def _parameter(parameter: Any) -> str:
    default = parameter.default
    if default is parameter.empty:
        return str(parameter.name)
    return f"{parameter.name}={default!r}" if len(repr(default)) < 30 else f"{parameter.name}=..."


# ---------------------------------------------------------------- operators

SIGNS: Mapping[type[ast.operator], str] = {ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&"}


def _operation(frame: traceback.FrameSummary, lines: list[str]) -> ast.BinOp | None:
    """The operation that a frame was executing, if it was one of the language's."""
    node = _executed(frame, lines, ast.BinOp)
    return node if isinstance(node, ast.BinOp) and type(node.op) in SIGNS else None


def _executed(frame: traceback.FrameSummary, lines: list[str], kind: type[ast.expr]) -> ast.expr | None:
    """The expression of this kind that a frame was executing."""
    if frame.lineno is None or frame.end_lineno is None or frame.colno is None or frame.end_colno is None:
        return None
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return None
    place = (frame.lineno, frame.colno, frame.end_lineno, frame.end_colno)
    for node in ast.walk(tree):
        if not isinstance(node, kind):
            continue
        if (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == place:
            return node
    return None


def _operands(node: ast.BinOp) -> tuple[ast.expr, ast.expr]:
    """The operands directly before and behind the operator."""
    before = node.left
    while isinstance(before, ast.BinOp) and type(before.op) is type(node.op):
        before = before.right
    return before, node.right


def _naming(name: str, node: ast.BinOp) -> ast.expr | None:
    """The operand that is this name, alone or in a module."""
    return next((each for each in _operands(node) if ast.unparse(each).rpartition(".")[2] == name), None)


def _columns_of(node: ast.expr, lines: list[str]) -> tuple[int, int]:
    """The characters of its first line that are an expression's."""
    line = lines[node.lineno - 1]
    last = node.end_col_offset if node.end_lineno == node.lineno else None
    return _characters(line, node.col_offset), len(line.rstrip()) if last is None else _characters(line, last)


def _foreign(node: ast.BinOp, complaint: str) -> tuple[ast.expr, str]:
    """The operand that is not a node, and the message for it."""
    types = re.findall(r"'([^']*)'", complaint)
    left, right = types if len(types) == 2 else ("?", "?")
    sign = SIGNS[type(node.op)]
    before, behind = _operands(node)
    on_the_left = left in ("type", "tuple", "list", "NoneType")
    if (right in (nodes := _names_of_nodes())) != (left in nodes):
        on_the_left = right in nodes  # so the left one is not a node
    wrong, kind = (before, left) if on_the_left else (behind, right)
    text = " ".join(ast.unparse(wrong).split())
    text = text if len(text) <= 40 else text[:37] + "..."
    allowed = "a node or a string" if sign == ">>" else "a node"
    said = f"{text} is {_a(kind)}; an operand of {sign} must be {allowed}"
    if kind in ("bytes", "bytearray", "Image") and on_the_left and sign == ">>":
        what = "an Image" if kind == "Image" else kind
        said = (
            f"{text} is {what}; a test begins with a node or a string: write PyFunc(lambda _: {text}) >> ..."
        )
    elif left == right == "str":
        said = (
            f"both operands of {sign} are strings: one must be a node, such as LLMRun(); join strings with +"
        )
    elif kind == "str":
        said = f"{text} is a string; an operand of {sign} must be a node, such as SubstringEvaluator({text})"
    elif kind in ("function", "builtin_function_or_method", "method"):
        said = f"{text} is a function, not a node: write PyFunc({text})"
    return wrong, said


def _names_of_nodes() -> set[str]:
    """The names of all node classes, including an author's own."""
    from assay.language.dsl import Node

    found: set[str] = set()
    todo: list[type] = [Node]
    while todo:
        each = todo.pop()
        found.add(each.__name__)
        todo += each.__subclasses__()
    return found


def _a(kind: str) -> str:
    kind = {"NoneType": "nothing (None)", "type": "a class", "ABCMeta": "a class"}.get(kind, kind)
    return kind if " " in kind else f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


# ---------------------------------------------------------------- where things stand


Bound = ast.Assign | ast.FunctionDef | ast.ClassDef


def _bound(path: Path) -> Iterator[tuple[str, Bound]]:
    """Every name that a file assigns or defines, with its statement; none if the file cannot be parsed."""
    with contextlib.suppress(OSError, ValueError, SyntaxError):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Assign):
                yield from ((target.id, node) for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield node.name, node


def where_bound(path: Path, name: str) -> int:
    """The line where a file assigns or defines `name`; 1 if unknown."""
    return next((node.lineno for bound, node in _bound(path) if bound == name), 1)


def bound_in_loops(path: Path) -> Iterator[tuple[str, ast.Assign]]:
    """The names of tests that a loop of the file assigns anew each time, so that the last one alone is left.
    A loop that looks for one (it has a break), or that does more with them, is meant so."""
    with contextlib.suppress(OSError, ValueError, SyntaxError):
        for loop in _loops(ast.parse(path.read_bytes()).body):
            inner = list(ast.walk(loop))
            if any(isinstance(node, ast.Break) for node in inner):
                continue
            names = [node for node in inner if isinstance(node, ast.Name) and node.id.startswith("Test")]
            used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
            for node in (node for node in inner if isinstance(node, ast.Assign)):
                for target in node.targets:
                    if isinstance(target, ast.Name) and target in names and target.id not in used:
                        yield target.id, node


def _loops(nodes: Iterable[ast.AST]) -> Iterator[ast.For | ast.While]:
    """The outermost loops that run in the file's own scope."""
    for each in nodes:
        if isinstance(each, (ast.For, ast.While)):
            yield each
        elif not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            yield from _loops(ast.iter_child_nodes(each))


def where_sign(path: Path, name: str, signs: Sequence[str]) -> tuple[int, int, int]:
    """Line, begin and end of the last operand that one of `signs` ("|", "&") joins to test `name` at the top
    level of its expression; (0, -1, -1) if it cannot be found."""
    for bound, node in _bound(path):
        value = node.value if isinstance(node, ast.Assign) else None
        if bound == name and isinstance(value, ast.BinOp) and SIGNS.get(type(value.op), "") in signs:
            right = value.right
            line = linecache.getline(str(path), right.lineno)
            end = right.end_col_offset if right.end_lineno == right.lineno else None
            last = _characters(line, end) if end is not None else len(line.rstrip())
            return right.lineno, _characters(line, right.col_offset), last
    return 0, -1, -1


def told(error: BaseException, source: str) -> str:
    """An error in a trial of a test in the file `source`: its innermost line there, and the traceback from
    that file on; the whole traceback if it never passed through that file."""
    frames = traceback.extract_tb(error.__traceback__)
    try:
        words = str(error)
    except Exception:  # noqa: BLE001 - an author's exception
        words = "(which cannot be shown: its __str__ fails)"
    own = [at for at, each in enumerate(frames) if source and f"/{each.filename}".endswith(f"/{source}")]
    if not own:
        return "".join(traceback.format_exception(error))
    said = f"{type(error).__name__}: {words}".removesuffix(": ")
    way = "".join(traceback.format_list(frames[own[0] :])).replace(frames[own[0]].filename, source)
    return f"Traceback (most recent call last):\n{way}{source}:{frames[own[-1]].lineno}: {said}"
