"""List the tests of a suite from the source of their files, without importing them."""

from __future__ import annotations

import ast
import functools
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from assay.errors import TestFileError
from assay.results.natural_order import natural
from assay.suites.file_facts import FileFacts
from assay.suites.tiers import tiers_in, with_tier

IMPORTS_US = re.compile(rb"^\s*(?:from|import)\s+evaluator\b", re.MULTILINE)
LISTING_VERSION = 7
EVERY_ROW = "[*]"  # ends the name of a test of Rows whose rows are not known yet
NOT_TESTS = ("suite.py", "conftest.py")
PLUGINS = "assay.suites"  # entry points of installed suites


@dataclass(frozen=True, slots=True)
class Listed:
    """A test as its file's source shows it. `id` is '<file stem>.<variable>'."""

    id: str
    variable: str
    source: str
    line: int
    description: str = ""
    tags: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    deterministic: bool = False


@dataclass(frozen=True)
class TestFile:
    """One file of tests. `computed`: tests or tags are computed, so that only an import can tell."""

    __test__ = False  # not for pytest

    path: Path
    tests: tuple[Listed, ...] = ()
    computed: bool = False
    error: str = ""  # why it cannot be read

    @property
    def has_rows(self) -> bool:
        """Whether some of its tests stand for one test per row."""
        return any(test.id.endswith(EVERY_ROW) for test in self.tests)


Facts = tuple[str, tuple[str, ...], tuple[str, ...], bool]  # description, tags, requires, deterministic


def names_of(test_id: str) -> tuple[str, str, str]:
    """The names by which a user can choose a test: its id, its file's stem, its variable."""
    stem, _, variable = test_id.partition(".")
    return test_id, stem, variable or stem


def matches(test_id: str, pattern: str) -> bool:
    """Whether a pattern fits a test's id, file or variable, or the variable of a list, a dict or Rows, with
    or without a key, or a family with or without its seed. The key of rows that are not known yet is `*`.

    >>> matches("print_hello.TestPrintHello", "print_*"), matches("print_hello.TestPrintHello", "TestPrint")
    (True, False)
    >>> [matches("qa.TestX[France]", each) for each in ("TestX", "TestX[F*]", "TestX[Peru]")]
    [True, True, False]
    >>> [matches("hard.exact_gates@7", each) for each in ("exact_gates", "exact_gates@7", "exact_gates@8")]
    [True, True, False]
    """
    base, bracket, key = test_id.partition("[")
    wanted, _, wanted_key = pattern.partition("[")
    if bracket and pattern.endswith("]") and _fits(base, wanted):
        return key == "*]" or key == wanted_key or fnmatchcase(key, wanted_key)
    family, variant, _ = base.partition("@")
    named = _fits(test_id, pattern) or (bool(bracket) and _fits(base, pattern))
    return named or (bool(variant) and _fits(family, pattern))


def is_among(listed: str, ids: Collection[str]) -> bool:
    """Whether a listed test, even of rows that are not known yet, is one of `ids`."""
    return listed in ids or (listed.endswith(EVERY_ROW) and any(each.startswith(listed[:-2]) for each in ids))


def _fits(name: str, pattern: str) -> bool:
    pattern = pattern.rsplit("/", 1)[-1].removesuffix(".py")
    return any(fnmatchcase(each, pattern) for each in names_of(name))


def imports_the_language(path: Path) -> bool:
    """Whether a file has `from evaluator import ...`, as every test file does."""
    try:
        return path.is_file() and IMPORTS_US.search(path.read_bytes()) is not None
    except OSError:
        return False


def holds_tests(folder: Path) -> bool:
    """Whether a folder has Assay tests or suites: many repositories have a tests/ of another kind."""
    return any(folder.glob("*/suite.py")) or any(imports_the_language(path) for path in folder.glob("*.py"))


def test_files(folders: Sequence[Path]) -> Iterator[Path]:
    """The files of a suite: every tests/*.py that is not private. Raises TestFileError for an unusable folder
    and for two files of one name."""
    seen: dict[str, Path] = {}
    for folder in folders:
        try:
            if folder.is_file():
                names, folder = [folder.name], folder.parent
            else:
                names = [entry.name for entry in os.scandir(folder) if entry.name.endswith(".py")]
                names.sort(key=natural)
        except OSError as error:
            raise TestFileError(f"cannot list tests in {folder}: {error.strerror or error}") from None
        for name in names:
            if name.startswith(("_", ".")) or name in NOT_TESTS:
                continue
            path = folder / name
            # case is ignored: some file systems do that, and a report has one page per name
            if (other := seen.setdefault(name.lower(), path)) is not path:
                if other == path:  # a file and its folder
                    continue
                raise TestFileError(
                    f"two test files have the same name: {other} and {path}; rename one of them"
                )
            yield path


test_files.__test__ = False  # type: ignore[attr-defined]  # not for pytest


def relative(path: Path, root: Path) -> str:
    """The path as records have it: from `root`, if it is inside."""
    path = path.resolve()
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def inner_folders(places: Sequence[Path]) -> list[Path]:
    """The folders below those of tests that have test files too. They are not among the tests, unless they
    are named. Suites and references are something else."""
    named = {place.resolve() for place in places}
    found = {
        inner.resolve(): inner
        for inner in _below(places)
        if inner.resolve() not in named and any(map(imports_the_language, _public(inner)))
    }
    return sorted(found.values())


def _below(places: Iterable[Path]) -> Iterator[Path]:
    """The folders below these that may have test files."""
    todo = [place for place in places if place.is_dir()]
    seen = {os.path.realpath(place) for place in todo}  # a link may lead back
    while todo:
        for inner in todo.pop().glob("*/"):  # nothing of a folder that cannot be read
            special = inner.name.startswith(("_", ".")) or inner.name == "references"
            if special or (inner / "suite.py").exists() or (real := os.path.realpath(inner)) in seen:
                continue
            seen.add(real)
            todo.append(inner)
            yield inner


def _public(folder: Path) -> Iterator[Path]:
    return (each for each in folder.glob("*.py") if not each.name.startswith(("_", ".")))


def namesakes(tops: Sequence[Path]) -> dict[str, list[Path]]:
    """The files in and below these folders that share their name with another one; case is ignored. Their
    tests would share their ids, whichever are chosen."""
    found: dict[str, list[Path]] = {}
    for folder in (*tops, *_below(tops)):
        for path in _public(folder):
            if path.name not in NOT_TESTS:
                found.setdefault(path.name.lower(), []).append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def _bound_names(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    targets: list[ast.expr] = []
    value: ast.expr | None = None
    if isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets, value = [statement.target], statement.value
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            for at, each in enumerate(target.elts):
                if isinstance(each, ast.Name):
                    yield each.id, values[at] if len(values) == len(target.elts) else None


def _branches(statement: ast.stmt) -> tuple[list[ast.stmt], ...]:
    """The blocks below a statement that run in the file's own scope, as alternatives."""
    if isinstance(statement, ast.Try):
        handlers = [each.body for each in statement.handlers]
        return (statement.body, statement.orelse, statement.finalbody, *handlers)
    if isinstance(statement, (ast.If, ast.For, ast.While)):
        return (statement.body, statement.orelse)
    return (statement.body,) if isinstance(statement, ast.With) else ()


def _is_plain(value: ast.expr | None) -> bool:
    """Whether a value is a literal, which cannot be a test whatever its name."""
    plain = (
        ast.Constant, ast.List, ast.Dict, ast.Set, ast.Tuple, ast.JoinedStr, ast.Lambda, ast.ListComp,
        ast.DictComp, ast.SetComp, ast.GeneratorExp,
    )  # fmt: skip
    return isinstance(value, plain)


def _mentions(value: ast.expr | None, name: str) -> bool:
    return value is not None and any(isinstance(e, ast.Name) and e.id == name for e in ast.walk(value))


def _members(name: str, value: ast.expr | None) -> list[str] | None:
    """The tests of a literal list or dict, NAME[key]; [] if it has none; None if only an import can tell."""
    if isinstance(value, ast.Dict):
        keys, values = value.keys, value.values
        known = all(isinstance(each, ast.Constant) for each in keys)
        names = [each.value for each in keys if isinstance(each, ast.Constant)]
    elif isinstance(value, ast.List):
        values, known, names = value.elts, True, list(range(len(value.elts)))
    elif isinstance(value, (ast.ListComp, ast.DictComp)):
        values, known = [value.value if isinstance(value, ast.DictComp) else value.elt], False
    else:
        return []
    if all(map(_is_plain, values)):
        return []
    joined = (ast.RShift, ast.BitAnd, ast.BitOr)
    if not known or not all(isinstance(e, ast.BinOp) and isinstance(e.op, joined) for e in values):
        return None
    return [f"{name}[{key!s}]" for key in names]


class _Reader:
    """Walk one file's statements in order, collecting its tests and its facts about them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[str, int] = {}
        self.facts: dict[str, Any] = {}
        self.fact_lines: dict[str, int] = {}
        self.computed = False
        self._rows = {"Rows"}  # names that begin a test of Rows

    def _of_rows(self, value: ast.expr | None) -> bool:
        """Whether `value` is Rows(...) >> ..., or begins with a variable that is."""
        while isinstance(value, (ast.BinOp, ast.Call)):
            value = value.left if isinstance(value, ast.BinOp) else value.func
        return isinstance(value, ast.Name) and value.id in self._rows

    def block(self, body: list[ast.stmt], assigned: dict[str, int]) -> None:
        """Read a block. `assigned`: names already bound on this path; binding a test's name again would lose
        it."""
        for statement in body:
            for name, value in _bound_names(statement):
                if name in ("DESCRIPTION", "TAGS", "REQUIRES", "DETERMINISTIC"):
                    self.fact(name, value)
                    self.fact_lines[name] = statement.lineno
                elif name.startswith("Test") and (members := _members(name, value)) != []:
                    self.computed |= members is None
                    self.lines |= dict.fromkeys(members or (), statement.lineno)
                elif not name.startswith("Test") and self._of_rows(value):
                    self._rows.add(name)
                elif name.startswith("Test") and not _is_plain(value):
                    if name in assigned and not _mentions(value, name):
                        from assay.suites.diagnostics import pointed

                        twice = f"{name} is assigned twice (first on line {assigned[name]})"
                        lost = f"{twice}; the first test would be lost: rename one of them"
                        raise TestFileError(pointed(self.path, statement.lineno, lost))
                    assigned[name] = statement.lineno
                    # The rows are not known yet: one entry stands for all of them.
                    self.lines.setdefault(name + EVERY_ROW * self._of_rows(value), statement.lineno)
            if isinstance(statement, ast.ImportFrom) and statement.module != "evaluator":
                self.computed |= any(each.name == "*" for each in statement.names)
            if isinstance(statement, ast.If) and _is_main(statement.test):
                continue
            for branch in _branches(statement):
                self.block(branch, dict(assigned))

    def fact(self, name: str, value: ast.expr | None) -> None:
        try:
            self.facts[name] = ast.literal_eval(value) if value is not None else None
        except ValueError:
            self.computed = True


def _is_main(test: ast.expr) -> bool:
    """Whether this is `if __name__ == "__main__"`, which does not run when the harness loads the file."""
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def check_facts(path: Path, facts: Mapping[str, Any], lines: Mapping[str, int]) -> Facts:
    """A file's facts about all its tests, checked. `lines`: where they are. Raises TestFileError."""

    def wrong(name: str, text: str) -> TestFileError:
        from assay.suites.diagnostics import pointed, shown_path

        said = f"{name} must be {text}"
        line = lines.get(name)
        return TestFileError(pointed(path, line, said) if line else f"{shown_path(path)}: {said}")

    description, deterministic = facts.get("DESCRIPTION", ""), facts.get("DETERMINISTIC", False)
    if not isinstance(description, str):
        raise wrong("DESCRIPTION", "a string")
    if not isinstance(deterministic, bool):
        raise wrong("DETERMINISTIC", "True or False")
    lists = []
    for name in ("TAGS", "REQUIRES"):
        value = facts.get(name, [])
        if not isinstance(value, (list, tuple)) or not all(isinstance(e, str) and e for e in value):
            raise wrong(name, f'a list of strings, e.g. {name} = ["python"]')
        lists.append(tuple(value))
    return " ".join(description.split()), lists[0], lists[1], deterministic


def read_test_file(path: Path) -> TestFile:
    """The content of a test file. Its errors are in `error`, with file and line."""
    file = parsed(path)
    return file if file.error else _with_tiers(path, _to_cache(file), tiers_in(path.parent))


def parsed(path: Path, text: bytes | None = None) -> TestFile:
    """The content of a test file, or of another `text` of it, without the measured tiers of its tests."""
    try:
        if text is None:
            if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would block forever
                return TestFile(path, error=f"{path}: cannot be read: not a file")
            text = path.read_bytes()
        tree = ast.parse(text, filename=str(path))
        reader = _Reader(path)
        reader.block(tree.body, {})
        facts = check_facts(path, reader.facts, reader.fact_lines)
    except OSError as error:
        return TestFile(path, error=f"{path}: cannot be read: {error.strerror or error}")
    except SyntaxError as error:
        from assay.suites.diagnostics import of_syntax

        return TestFile(path, error=of_syntax(path, error))
    except (ValueError, RecursionError, MemoryError) as error:  # NUL bytes, or absurd nesting
        return TestFile(path, error=f"{path}: not a Python file: {error}")
    except TestFileError as error:
        return TestFile(path, error=str(error))
    computed = reader.computed or (any(word.encode() in text for word in BINDING) and _binds_names(tree))
    return TestFile(path, tuple(_tests(path, reader.lines, facts, {})), computed)


BINDING = ("globals", "setattr", "exec", "vars", "locals")


def _binds_names(tree: ast.AST) -> bool:
    """Whether the file's own code calls something that may define a test without an assignment."""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BINDING
        for node in ast.walk(tree)
    )


def _tests(path: Path, lines: Mapping[str, int], facts: Facts, tiers: Mapping[str, str]) -> Iterator[Listed]:
    """The listed tests. `lines`: variable -> line."""
    description, expected, requires, deterministic = facts
    source, stem = str(path), path.stem
    for name, line in lines.items():
        test_id = f"{stem}.{name}"
        tags = with_tier(tiers, test_id, expected)
        yield Listed(test_id, name, source, line, description, tags, requires, deterministic)


def list_tests(folders: Sequence[Path], cache: Path | None = None) -> list[TestFile]:
    """Every file of the suite, in order. `cache`: a file with the content of unchanged files."""
    facts, tiers = FileFacts(cache, LISTING_VERSION), functools.cache(tiers_in)
    found: list[TestFile] = []
    for path in test_files(folders):
        known = facts.get(path)
        if known is None:
            file = parsed(path)
            if file.error:  # which names the file relative to the current folder
                found.append(file)
                continue
            facts.put(path, known := _to_cache(file))
        found.append(_with_tiers(path, known, tiers(path.parent)))
    facts.save()
    return found


def _to_cache(file: TestFile) -> dict[str, Any]:
    first = file.tests[0] if file.tests else None
    return {
        "tests": {each.variable: each.line for each in file.tests},
        "facts": first and (first.description, first.tags, first.requires, first.deterministic),
        "computed": file.computed,
    }


def _with_tiers(path: Path, known: dict[str, Any], tiers: Mapping[str, str]) -> TestFile:
    """What is known of a file's tests, with their measured tiers among their tags."""
    description, tags, requires, deterministic = known["facts"] or ("", (), (), False)
    facts = (description, tuple(tags), tuple(requires), deterministic)
    return TestFile(path, tuple(_tests(path, known["tests"], facts, tiers)), known["computed"])
