"""Runs inside a sandbox: evaluates the expressions of a test and sends their values out as data.

Started as `python3 -I -c SOURCE`, SOURCE being check_values.py and this file. It never holds what the values
should be, but for those that cannot be had without the program; who takes it over can say what it likes, and
must know the answers to say the right thing. Standard library only; Python 3.9 or later.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import sys
import types
from typing import Any

from assay.nodes.check_values import decode, encode, has_objects, hashed, shown

PROGRAM = "main"  # name of the program's module, whose file is main.py
WORDS = ("shown", "should_be", "error")
LAST_SHOWN = 3000  # characters for people in the last frame: of a cut output the last 64 kB are kept
EDGE = "\x1e"  # stands around what is ours on stdout; JSON holds none


class Report:
    """Frames on a private copy of stdout, between whatever the program prints."""

    def __init__(self, marker: str, longest: int) -> None:
        self.fd, self.marker, self.longest = os.dup(1), marker, longest

    def tree(self, value: Any) -> Any:
        tree = encode(value)
        return tree if len(json.dumps(tree)) <= self.longest else hashed(tree)

    def send(self, said: Any) -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        data = f"{EDGE}{self.marker}{json.dumps(said)}{EDGE}".encode()
        while data:
            data = data[os.write(self.fd, data) :]


def words(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:500]
    except BaseException:  # noqa: BLE001 - a program's own
        return type(error).__name__


def readable(source: str) -> str:
    """Tracebacks show the lines of the test's own source. Returns it."""
    import linecache

    linecache.cache["<test>"] = (len(source), None, source.splitlines(True), "<test>")
    return source


def load_program(path: str) -> dict[str, Any]:
    """Run the program as the module `main`, so that its `if __name__ == "__main__":` does not run."""
    from importlib.util import spec_from_file_location

    module = types.ModuleType(PROGRAM)
    module.__file__ = path
    module.__spec__ = spec_from_file_location(PROGRAM, path)
    module.__loader__ = module.__spec__.loader if module.__spec__ else None
    # worker processes and pickle look for the program under either name
    sys.modules[PROGRAM] = sys.modules["__main__"] = module
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib would be one more import in the sandbox
        source = file.read()
    try:
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001
        import traceback

        trace = error.__traceback__.tb_next if error.__traceback__ else None  # not this line
        traceback.print_exception(type(error), error, trace)
        sys.exit(1)
    return module.__dict__


def steady(source: str, seed: str) -> None:
    """Random numbers of a header are the same beside the program and where none is, so that what should come
    of them can be evaluated there. `settled` or `unsteady` ends it for what numpy takes from the system."""
    if "random" not in source:
        return
    import random

    random.seed(seed)
    if "numpy" in source:
        with contextlib.suppress(ImportError):
            import numpy

            numpy.random.seed(int(seed[:8], 16))
            # default_rng() and all that is made without a seed
            numpy.random.bit_generator.randbits = random.Random(seed).getrandbits  # type: ignore[attr-defined]


def settled() -> None:
    """The header has run: what the program makes without a seed is not foreseen."""
    module = sys.modules.get("numpy.random.bit_generator")
    if module is not None:
        import secrets

        module.randbits = secrets.randbits  # type: ignore[attr-defined]


def unsteady() -> None:
    settled()
    for name in ("random", "numpy.random"):
        if name in sys.modules:
            sys.modules[name].seed()


def run_program(request: dict[str, Any], report: Report) -> None:
    here = os.getcwd()  # noqa: PTH109
    sys.argv = ["main.py"]
    sys.path.insert(0, here)
    names = load_program(f"{here}/main.py")
    if request["before"]:
        exec(compile(request["before"], "<test>", "exec", dont_inherit=True), names)
    for line in request["stars"]:  # not allowed in a function
        some: dict[str, Any] = {}
        exec(line, some)
        for name, value in some.items():
            names.setdefault(name, value)
    made: dict[str, Any] = {}
    done: list[dict[str, Any]] = []
    try:
        exec(compile(readable(request["source"]), "<test>", "exec", dont_inherit=True), names, made)
        steady(request["source"], request["marker"])
        own, checks = made["_assay_checks"]()
        settled()
        for name, value in own.items():
            if not name.startswith("_assay_"):
                names.setdefault(name, value)
    except BaseException as error:  # noqa: BLE001 - an exit in there is a failure as well
        report.send({"all": [], "error": words(error)})
        return
    for number, (expression, wanted) in enumerate(checks):
        said: dict[str, Any] = {"number": number}
        try:
            got = expression()  # first: what is wanted may be said in names that the question has made
            if wanted is not None:  # cannot be had without the program
                right = wanted()
                said["wanted"], said["should_be"] = report.tree(right), shown(right)
            if wanted is not None and has_objects(said["wanted"]):
                said["claim"] = bool(right == got)
            said["got"], said["shown"] = report.tree(got), shown(got)
        except BaseException as error:  # noqa: BLE001
            said["error"] = words(error)
        report.send(said)
        brief = {key: each[: LAST_SHOWN // len(checks)] for key, each in said.items() if key in WORDS}
        done.append({**said, **brief})
    report.send({"all": done})  # once more, at the end of an output that may be cut in its middle
    if request["after"]:
        exec(compile(request["after"], "<test>", "exec", dont_inherit=True), names)


# ---------------------------------------------------------------- where no program is


def bound(node: ast.stmt) -> set[str]:
    """The names that a statement may bind at its own level or below."""
    found = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            found.add(each.id)
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(each.name)
        elif isinstance(each, ast.alias):
            found.add((each.asname or each.name).split(".")[0])
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


def main() -> None:
    request = json.loads(sys.stdin.buffer.read())
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    report = Report(request["marker"], request["longest"])
    {"program": run_program, "wanted": run_wanted, "equal": run_equal}[request["mode"]](request, report)


if __name__ == "__main__":
    main()
