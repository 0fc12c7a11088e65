"""Names in the functions of a test file that nothing defines: found when the file is loaded, not when a reply
is paid for."""

from __future__ import annotations

import builtins
import dis
from collections.abc import Container, Iterator
from types import CodeType, ModuleType
from typing import NamedTuple

from assay.language.function_source import KNOWN_MODULES


class Undefined(NamedTuple):
    """A name, and where it stands; columns are from 0. `local`: the names of its function's own."""

    name: str
    line: int
    begin: int
    end: int
    local: tuple[str, ...]


def undefined_names(module: ModuleType, on_host: Container[CodeType | None]) -> Iterator[Undefined]:
    """The names that functions of a loaded file would look up in vain, each once. `on_host`: the code of
    those that PyFunc calls; others may use some modules without importing them, because a sandbox does."""
    spec = module.__spec__
    code = spec.loader.get_code(module.__name__) if spec and spec.loader else None  # type: ignore[attr-defined]
    if code is None:
        return
    functions = list(_inside(code))
    known = vars(module).keys() | vars(builtins).keys()
    known |= {each.argval for function in functions for each in _named(function, "STORE_GLOBAL", known)}
    seen: set[str] = set()
    for function in functions:
        if "NameError" in function.co_names or function.co_name == "__annotate__":
            continue  # it expects that, or is called by nobody
        imported = () if function in on_host else KNOWN_MODULES
        for each in _named(function, "LOAD_GLOBAL", known):
            if each.argval in imported:
                continue
            at = each.positions
            if each.argval not in seen and at is not None and at.lineno is not None:
                seen.add(each.argval)
                local = (*function.co_varnames, *function.co_freevars)
                yield Undefined(each.argval, at.lineno, at.col_offset or 0, at.end_col_offset or 0, local)


def _inside(code: CodeType) -> Iterator[CodeType]:
    """The code of every function, lambda and class in it."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _inside(each)


def _named(code: CodeType, does: str, known: Container[str]) -> Iterator[dis.Instruction]:
    """The instructions that do this with a global name that is not among the known ones."""
    if all(name in known for name in code.co_names):
        return  # to disassemble it takes longer
    for each in dis.get_instructions(code):
        if each.opname == does and each.argval not in known:
            yield each
