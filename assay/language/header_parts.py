"""Choose the statements of a test's header that the process with the program gets: only what the questions
need.

A program can search its own process, frames and memory included, for a function of the header that computes
the right value. So what only the expected values use stays out. Names decide, wherever they stand, in
strings as well; what might do more than define a name stays in, and so does everything if code that stays
looks names up by text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache

from assay.language.check_wanted import bound

LOOKS_UP = {
    "__import__", "__main__", "_getframe", "compile", "dir", "eval", "exec", "gc", "globals", "importlib",
    "inspect", "locals", "modules", "vars",
}  # fmt: skip
REGISTERS = {"__init_subclass__", "__set_name__", "__subclasses__", "metaclass", "register"}
DECORATORS = {
    "cache", "classmethod", "dataclass", "dataclasses", "functools", "jit", "lru_cache", "njit", "numba",
    "property", "staticmethod", "total_ordering",
}  # fmt: skip
# A value computed by these alone may be computed or not without anyone noticing
PURE = {
    "abs", "all", "any", "bin", "bool", "bytes", "bytearray", "chr", "complex", "dict", "divmod", "enumerate",
    "filter", "float", "format", "frozenset", "hash", "hex", "int", "isinstance", "len", "list", "map", "max",
    "min", "oct", "ord", "pow", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str", "sum",
    "tuple", "type", "zip", "True", "False", "None", "ValueError", "TypeError", "KeyError", "IndexError",
    "ZeroDivisionError", "Exception",
}  # fmt: skip
PURE_MODULES = {
    "bisect", "cmath", "collections", "copy", "dataclasses", "decimal", "fractions", "functools", "heapq",
    "itertools", "json", "math", "operator", "re", "statistics", "string", "textwrap", "typing",
}  # fmt: skip
READS = {
    "bit_length", "capitalize", "casefold", "copy", "count", "decode", "encode", "endswith", "find", "format",
    "get", "index", "isalnum", "isalpha", "isdigit", "islower", "isspace", "isupper", "items", "join", "keys",
    "lower", "lstrip", "partition", "replace", "rfind", "rjust", "ljust", "rstrip", "split", "splitlines",
    "startswith", "strip", "swapcase", "title", "translate", "upper", "values", "zfill",
}  # fmt: skip


class Part:
    """A statement of the header: what it binds, what it names, and what it may do.

    `kind`: "code" defines a function or a class, "data" a value made of nothing that runs, "computed" a value
    that calls something, "import", and "effect" is the rest.
    """

    def __init__(self, statement: ast.stmt) -> None:
        self.statement = statement
        self.binds = bound(statement)
        self.names = named(statement)
        self.kind = _kind(statement)

    @property
    def lines(self) -> range:
        return lines_of(self.statement)

    def changes_things(self) -> bool:
        """Whether it may change a value that it is given."""
        return any(
            isinstance(node, ast.AugAssign)
            or (isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load))
            or (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr not in READS
            )
            for node in ast.walk(self.statement)
        )

    def from_outside(self) -> set[str]:
        """The names that it reads and does not bind itself."""
        nodes = list(ast.walk(self.statement))
        own = {node.arg for node in nodes if isinstance(node, ast.arg)} | self.binds
        names = [node for node in nodes if isinstance(node, ast.Name)]
        own |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        own |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        own |= {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
        return {node.id for node in names} - own


def lines_of(statement: ast.stmt) -> range:
    """The lines of a statement, its decorators included, from 1 on."""
    first = min(node.lineno for node in (statement, *getattr(statement, "decorator_list", [])))
    return range(first, (statement.end_lineno or first) + 1)


def without(header: str, statements: Sequence[ast.stmt]) -> str:
    """A header without these statements; all other lines stay where they are."""
    lines = header.split("\n")
    for statement in statements:
        rows = lines_of(statement)
        for row in rows:
            lines[row - 1] = "pass" if row == rows[0] else ""
    return "\n".join(lines)


def named(tree: ast.AST, strings: bool = True) -> set[str]:
    """Every word of some code that may stand for a name of the header."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
        elif isinstance(node, ast.alias):
            found.update(node.name.split("."))
        elif strings and isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update(re.findall(r"\w+", node.value))
    return found


def _looks_names_up(tree: ast.AST) -> bool:
    """Whether code may reach a name that it does not write."""
    if named(tree, strings=False) & LOOKS_UP:
        return True
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(
        isinstance(call.func, ast.Name)
        and call.func.id == "getattr"
        and not (len(call.args) > 1 and isinstance(call.args[1], ast.Constant))
        for call in calls
    )


def _runs(*nodes: ast.AST | None) -> bool:
    """Whether evaluating an expression may run code: that of a lambda does not run yet."""
    open_ones = [node for node in nodes if node is not None]
    while open_ones:
        node = open_ones.pop()
        if isinstance(node, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            return True
        if isinstance(node, ast.Lambda):
            open_ones += [each for each in (*node.args.defaults, *node.args.kw_defaults) if each]
        else:
            open_ones += ast.iter_child_nodes(node)
    return False


def _kind(statement: ast.stmt) -> str:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        runs = _runs(*statement.args.defaults, *statement.args.kw_defaults)
        return "code" if _known_decorators(statement) and not runs else "effect"
    if isinstance(statement, ast.ClassDef):
        plain = not statement.keywords and not _runs(*statement.bases) and _known_decorators(statement)
        body = all(_kind(each) in ("code", "data") or _says_nothing(each) for each in statement.body)
        registers = bool(named(statement) & REGISTERS)
        return "code" if plain and body and not registers else "effect"
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return "import"
    if isinstance(statement, ast.Assign) or (isinstance(statement, ast.AnnAssign) and statement.value):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        stored = [node for target in targets for node in ast.walk(target)]
        if all(isinstance(node, (ast.Name, ast.Tuple, ast.List, ast.Store)) for node in stored):
            return "computed" if _runs(statement.value) else "data"
    return "effect"


def _known_decorators(definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    used = {
        node.id for each in definition.decorator_list for node in ast.walk(each) if isinstance(node, ast.Name)
    }
    return used <= DECORATORS


def _says_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


@lru_cache(maxsize=64)
def _parts(header: str) -> tuple[Part, ...]:
    return tuple(map(Part, ast.parse(header).body))


def needed_header(header: str, others: Sequence[str], program: str = "") -> str:
    r"""The header, with lines left empty where a statement stands that nobody needs: neither the code of
    `others` nor what stays in the header nor `program`, a model's, by any word of it.

    >>> needed_header("def right(x):\n    return x\nN = 3", ("f(N)",))
    'pass\n\nN = 3'
    """
    own = {name for part in _parts(header) for name in part.binds}
    return _needed(header, tuple(others), frozenset(own.intersection(re.findall(r"\w+", program))))


@lru_cache(maxsize=256)
def _needed(header: str, others: tuple[str, ...], words: frozenset[str]) -> str:
    parts = _parts(header)
    try:
        trees = [ast.parse(each) for each in others]
    except (SyntaxError, ValueError):  # said where it runs
        return header
    asked = words.union(*map(named, trees))
    asked = asked.union(*(part.names for part in parts if isinstance(part.statement, ast.Global)))
    kept = {part for part in parts if part.kind in ("effect", "import") or part.binds & asked}
    if "__subclasses__" in asked.union(*(part.names for part in parts)):
        kept.update(part for part in parts if isinstance(part.statement, ast.ClassDef))
    while True:
        kept = _reached(kept, parts)
        rows = {row for part in kept for row in part.lines}
        more = {
            part
            for part in parts
            if part not in kept
            and (rows & set(part.lines) or (part.kind == "computed" and not _unnoticed(part, kept, parts)))
        }
        if not more:
            break
        kept |= more
    if any(map(_looks_names_up, (*trees, *(part.statement for part in kept)))):
        return header
    return without(header, [part.statement for part in parts if part not in kept])


def _reached(start: set[Part], parts: Sequence[Part]) -> set[Part]:
    """The parts that some name, and those that these name, and so on."""
    found, open_ones = set(start), list(start)
    while open_ones:
        names = open_ones.pop().names
        new = [part for part in parts if part not in found and part.binds & names]
        found.update(new)
        open_ones += new
    return found


def _unnoticed(part: Part, kept: set[Part], parts: Sequence[Part]) -> bool:
    """Whether a value can be left uncomputed without changing any value that is kept."""
    used = _reached({part}, parts)
    own = {name for each in used for name in each.binds}
    for each in used:
        if each.kind == "effect" or any(isinstance(node, ast.Global) for node in ast.walk(each.statement)):
            return False
        if each.kind == "import" and not _pure_import(each.statement):
            return False
        if each.kind != "import" and not each.from_outside() - own <= PURE:
            return False
    shares = any(each in kept and each.kind != "import" and not _is_function(each) for each in used)
    return not (shares and any(each.changes_things() for each in used))


def _is_function(part: Part) -> bool:
    return isinstance(part.statement, (ast.FunctionDef, ast.AsyncFunctionDef))


def _pure_import(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return (statement.module or "").split(".")[0] in PURE_MODULES
    names = statement.names if isinstance(statement, ast.Import) else []
    return all(each.name.split(".")[0] in PURE_MODULES for each in names)
