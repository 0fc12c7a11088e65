"""Runs inside a sandbox where no program is, together with check_runner.py: finds what a test's checks should
give, and asks the author's own classes what equals them. Standard library only; Python 3.9 or later."""

from __future__ import annotations

import ast
import types
from typing import Any

from assay.language.check_encode import encode, has_objects, shown
from assay.language.check_runner import PROGRAM, Report, readable, settled, steady, unsteady, words
from assay.language.check_values import decode

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds in its own scope, or may."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    loops = [node.target for node in ast.walk(statement) if isinstance(node, ast.comprehension)]
    elsewhere = {node for target in loops for node in ast.walk(target)}  # a comprehension's own variables
    found = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node not in elsewhere:
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, DEFINITIONS):
            found.add(node.name)
    return found


def header_names(header: str) -> dict[str, Any]:
    """What the header defines without the program: a statement that needs it is left out, with its names."""
    names: dict[str, Any] = {"__name__": PROGRAM}
    # One line lower, where it stands below `def` beside the program: a function's line number may be a value
    for statement in ast.parse(readable("\n" + header)).body:
        try:
            exec(compile(ast.Module([statement], []), "<test>", "exec", dont_inherit=True), names)
        except BaseException:  # noqa: BLE001
            unsteady()  # here and beside the program it may have drawn as many numbers, or not
            for name in bound(statement):
                names.pop(name, None)
    settled()
    return names


def asks(value: Any, depth: int = 0) -> bool:
    """Whether the author's own class says what equals it (or unittest.mock.ANY does)."""
    if isinstance(value, (list, tuple, set, frozenset, dict)) and depth < 20:
        each = value.values() if isinstance(value, dict) else value
        return any(asks(item, depth + 1) for item in each)
    kind = type(value)
    own = isinstance(getattr(kind, "__eq__", None), types.FunctionType) and not hasattr(
        kind, "__match_args__"
    )
    return own and has_objects(encode(value))  # a dataclass and Python's numbers are compared as data


def run_wanted(request: dict[str, Any], report: Report) -> None:
    steady(request["header"], request["marker"])
    names = header_names(request["header"])
    done: list[dict[str, Any]] = []
    for number, source in request["wanted"]:
        try:
            value = eval(compile(source, "<test>", "eval", dont_inherit=True), names)
            said = {"tree": report.tree(value), "shown": shown(value), "asks": asks(value)}
        except BaseException as error:  # noqa: BLE001
            said = {"error": words(error)}
        done.append({"number": number, **said})
        report.send(done[-1])  # at once: the next one may end the process
    report.send({"all": done})  # once more, at the end of an output that may be cut in its middle


def run_equal(request: dict[str, Any], report: Report) -> None:
    """Ask objects of the author's classes whether they equal what came of the program: plain data."""
    steady(request["header"], request["marker"])
    names = header_names(request["header"])
    done = []
    for source, tree in request["pairs"]:
        try:
            wanted = eval(compile(source, "<test>", "eval", dont_inherit=True), names)
            done.append(bool(wanted == decode(tree)))
        except BaseException:  # noqa: BLE001
            done.append(False)
    report.send({"all": done})
