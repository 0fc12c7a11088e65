"""Runs inside a sandbox: evaluates the expressions of a test and sends their values out as data.

Started as `python3 -I -c SOURCE`, SOURCE being check_encode.py and this file, also check_wanted.py where no
program is. It never holds what the values should be, but for those that cannot be had without the program;
who takes it over can say what it likes, and must know the answers to say the right thing. Standard library
only; Python 3.9 or later. Its start is part of what a verdict costs: so it imports next to nothing.
"""

from __future__ import annotations

import os
import sys

from assay.language.check_encode import encode, has_objects, shown
from assay.language.inside_library import NotFromHere, json_tools, library, read_stdin, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PROGRAM = "main"  # name of the program's module, whose file is main.py
WORDS = ("shown", "should_be", "error")
LAST_SHOWN = 3000  # characters for people in the last frame: of a cut output the last 64 kB are kept
EDGE = "\x1e"  # stands around what is ours on stdout; JSON holds none


class Report:
    """Frames on a private copy of stdout, between whatever the program prints. `more`: the source of what
    is needed for values longer than `longest` characters."""

    def __init__(self, request: dict[str, Any], dumps: Callable[[Any], str]) -> None:
        self.fd, self.marker, self.longest = os.dup(1), request["marker"], request["longest"]
        self.more, self.dumps = request["more"], dumps

    def tree(self, value: Any) -> Any:
        tree = encode(value, self.hashed)
        return tree if len(self.dumps(tree)) <= self.longest else self.hashed(tree)

    def hashed(self, tree: Any) -> Any:
        names = dict(globals())
        with NotFromHere():
            exec(compile(self.more, "<string>", "exec"), names)
        self.hashed = names["hashed"]  # type: ignore[method-assign]
        return self.hashed(tree)

    def send(self, said: Any) -> None:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                pass
        write_all(self.fd, f"{EDGE}{self.marker}{self.dumps(said)}{EDGE}")


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
    from _frozen_importlib_external import spec_from_file_location

    module = type(sys)(PROGRAM)
    module.__file__ = path
    module.__spec__ = spec_from_file_location(PROGRAM, path)
    module.__loader__ = module.__spec__.loader if module.__spec__ else None
    # worker processes and pickle look for the program under either name
    sys.modules[PROGRAM] = sys.modules["__main__"] = module
    with open(path, "rb") as file:
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
        try:
            import numpy
        except ImportError:
            return
        numpy.random.seed(int(seed[:8], 16))
        # default_rng() and all that is made without a seed
        numpy.random.bit_generator.randbits = random.Random(seed).getrandbits  # type: ignore[attr-defined]


def settled() -> None:
    """The header has run: what the program makes without a seed is not foreseen."""
    module = sys.modules.get("numpy.random.bit_generator")
    if module is not None:
        module.randbits = library("secrets").randbits  # type: ignore[attr-defined]


def unsteady() -> None:
    settled()
    for name in ("random", "numpy.random"):
        if name in sys.modules:
            sys.modules[name].seed()


SHARED = "_assay_shared"


def shared(names: dict[str, Any]) -> Callable[[Any], Any]:
    """A decorator of the header's classes that the program defines as well: where both are alike, the
    program's is both. A prompt gives a class, an answer says it again and asks whether what it gets is it."""

    def chosen(own: Any) -> Any:
        other = names.get(own.__name__)
        return other if isinstance(other, type) and alike(own, other) else own

    return chosen


def alike(own: Any, other: Any) -> bool:
    """Whether the program's class `other` can stand for the header's `own`: a plain record, exception or enum
    that is made from the same arguments. One with methods of its own may be there to behave otherwise."""
    try:
        if [each.__name__ for each in own.__bases__] != [each.__name__ for each in other.__bases__]:
            return False
        if "_member_map_" in vars(own):
            mine, theirs = own._member_map_, other._member_map_
            return list(mine) == list(theirs) and all(mine[key].value == theirs[key].value for key in mine)
        if "_fields" in vars(own):
            return bool(own._fields == other._fields)
        if any(not name.startswith("__") and isinstance(each, METHODS) for name, each in vars(own).items()):
            return False
        return made_from(own, other)
    except Exception:  # noqa: BLE001 - a program's class may be anything
        return False


FUNCTION = type(steady)
METHODS = (FUNCTION, staticmethod, classmethod, property)


def made_from(own: Any, other: Any) -> bool:
    """Whether what makes an object of `own` makes one of `other`."""
    first, second = (vars(each).get("__init__") for each in (own, other))
    if isinstance(first, FUNCTION) and isinstance(second, FUNCTION):
        one, two = first.__code__, second.__code__
        same_names = one.co_varnames[: one.co_argcount] == two.co_varnames[: two.co_argcount]
        return same_names and len(first.__defaults__ or ()) <= len(second.__defaults__ or ())
    if isinstance(second, FUNCTION):
        return first is None and second.__code__.co_argcount - len(second.__defaults__ or ()) <= 1
    return first is None


def run_program(request: dict[str, Any], report: Report) -> None:
    here = os.getcwd()
    sys.argv = ["main.py"]
    sys.path.append(here)  # last, so that no file there stands in for a module
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
        names[SHARED] = shared(names)
        exec(compile(readable(request["source"]), "<test>", "exec", dont_inherit=True), names, made)
        steady(request["source"], request["marker"])
        own, checks = made["_assay_checks"]()
        names.pop(SHARED, None)
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
                try:
                    said["claim"] = bool(right == got)
                except RecursionError:
                    pass
            said["got"], said["shown"] = report.tree(got), shown(got)
        except BaseException as error:  # noqa: BLE001
            said["error"] = words(error)
        report.send(said)
        brief = {key: each[: LAST_SHOWN // len(checks)] for key, each in said.items() if key in WORDS}
        done.append({**said, **brief})
    report.send({"all": done})  # once more, at the end of an output that may be cut in its middle
    if request["after"]:
        exec(compile(request["after"], "<test>", "exec", dont_inherit=True), names)


def main() -> None:
    loads, dumps = json_tools()
    request = loads(read_stdin())
    globals()[f"run_{request['mode']}"](request, Report(request, dumps))


if __name__ == "__main__":
    main()
