"""
A test's references: what a model that solves it would say (RIGHT) and what one that fails would (WRONG).

They stand in references/ beside the test file, in a file of the same name:

    RIGHT = {"TestPrintHello": ["```python\\nprint('hello world')\\n```"]}
    WRONG = {"TestPrintHello": ["print('hello')", "I cannot do that."]}

Each list holds variants. A variant is a turn (the reply to the one call), a list of turns (the replies in
order, the judges' included), a function of the dialogue, called for every call, or a Script for the sandbox.
A turn is a string, a Call of a tool, or a Turn of several (assay.turns).
"""

from __future__ import annotations

import ast
import contextlib
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from assay.errors import TestFileError
from assay.records import Completion, Message, TrialKey
from assay.turns import Call, Said, Script, Turn

TURNS = (str, Call, Turn, Script)
Function = Callable[[tuple[Message, ...]], Said | Completion]
Variant = Said | Script | Sequence[Said | Script] | Function
Hook = Callable[[TrialKey, bool], "Sequence[Variant] | Path | None"]


def path_for(trial: TrialKey, root: Path) -> Path | None:
    """Where the references of a trial's test would be; None for a test without a file."""
    if not trial.source:
        return None
    source = root / trial.source  # an absolute source stays as it is
    return source.parent / "references" / f"{source.stem}.py"


def variants_for(trial: TrialKey, right: bool, root: Path, hook: Hook | None = None) -> Sequence[Variant]:
    """The variants of one test, () if it has none. `hook` is asked first; it may name a file, or say None.

    The file is read and run anew each time, so that an edited reference is never stale and no two
    trials share what its functions remember. Raises TestFileError naming file and line.
    """
    given = None if hook is None else hook(trial, right)
    if given is not None and not isinstance(given, Path):
        return _checked(given, lambda: f"the references of {trial.test}")
    path = given or path_for(trial, root)
    if path is None or not path.is_file():
        return ()
    name = "RIGHT" if right else "WRONG"
    table = _run(path).get(name, {})
    if not isinstance(table, dict):
        raise TestFileError(f'{path}: {name} must be a dict, e.g. {name} = {{"TestPrintHello": ["a reply"]}}')
    base, bracket, key = trial.test.partition("[")  # of a list, a dict or rows: TestX[key]
    variable = base.rpartition(".")[2]
    test = next((each for each in (trial.test, variable + bracket + key) if each in table), variable)
    found, where = table.get(test, ()), f"[{test!r}]"
    if isinstance(found, dict):
        found, where = found.get(key.removesuffix("]"), ()), f"{where}[{key[:-1]!r}]"
    return _checked(found, lambda: f"{path}:{_line_of(path, name, trial.test)}: {name}{where}")


def unknown_names(path: Path, known: Callable[[str], bool]) -> dict[str, int]:
    """The names in both tables of a file that are not `known`, with their lines. Raises TestFileError."""
    tables = _run(path)
    return {
        name: _line_of(path, table, name)
        for table in ("RIGHT", "WRONG")
        for name in (tables[table] if isinstance(tables.get(table), dict) else ())
        if isinstance(name, str) and not known(name)
    }


@lru_cache(maxsize=256)
def _compiled(source: bytes, path: str) -> CodeType:
    return compile(source, path, "exec", dont_inherit=True)


def _run(path: Path) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": f"references.{path.stem}", "__file__": str(path)}
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
            exec(_compiled(path.read_bytes(), str(path)), namespace)
    except SyntaxError as error:
        raise TestFileError(f"{error.filename}:{error.lineno}: {error.msg}") from error
    except Exception as error:  # it cannot be read, or raises what it likes: it is the author's own code
        raise TestFileError(f"{path}:{line_in(path, error)}: {type(error).__name__}: {error}") from error
    return namespace


def line_in(path: Path, error: BaseException) -> int:
    """The innermost line of `path` that `error` passed through; 1 if none."""
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    return (lines[-1] if lines else 1) or 1


def _line_of(path: Path, table: str, test: str) -> int:
    """Where a table names a test, or begins."""
    base = test.partition("[")[0]
    names = {test, base, base.rpartition(".")[2]}
    line = 1
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Assign) and any(getattr(each, "id", "") == table for each in node.targets):
            line = node.lineno
            for key in getattr(node.value, "keys", ()):
                if isinstance(key, ast.Constant) and key.value in names:
                    return key.lineno
    return line


def _checked(variants: Any, where: Callable[[], str]) -> Sequence[Variant]:
    if callable(variants) or isinstance(variants, TURNS):
        return (variants,)
    if not isinstance(variants, (list, tuple)):
        raise TestFileError(f"{where()} must be a list of variants, not {type(variants).__name__}")
    for number, variant in enumerate(() if all(map(callable, variants)) else variants, 1):
        if callable(variant) or isinstance(variant, TURNS):
            continue
        if not isinstance(variant, (list, tuple)):
            raise TestFileError(
                f"{where()}: variant {number} must be a string, a Call, a Turn, a Script, a list of these or "
                f"a function of the dialogue, not {type(variant).__name__}"
            )
        for place, turn in enumerate(variant, 1):
            if not isinstance(turn, TURNS):
                raise TestFileError(
                    f"{where()}: variant {number}: turn {place} must be a string, a Call, a Turn or a "
                    f"Script, not {type(turn).__name__}"
                )
    return variants
