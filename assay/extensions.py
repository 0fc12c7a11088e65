"""What is added to Assay by entry points: of other installed packages, and by the same door its own exports,
engines and observers, which pyproject.toml lists."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError, ConfigError
from assay.home import CHECKOUT, docs_page
from assay.mistakes import own_line, said
from assay.package_code import code_of

OWN = "assay"  # the package whose extensions no other package can replace
SIGNS = ". _ - + #"
ODD = re.compile(r"[^A-Za-z0-9._+#-]")  # no name of an extension has it
REMEDY = f"update or uninstall that package; if it is yours, see {docs_page('extending')}"
GROUPS = {
    "assay.providers": "provider",
    "assay.sandboxes": "sandbox",
    "assay.languages": "language",
    "assay.suites": "suite",
    "assay.exports": "export",
    "assay.engines": "engine",
    "assay.observers": "observer",
}  # of entry points -> one of them in words
CODED = ("assay.providers", "assay.sandboxes")  # whose code records name by a hash

NEEDLESS = {
    "assay.nodes": "a node needs no entry point: test files import its class",
}  # groups that do not exist -> why none is needed
OURS = ("assay.exports", "assay.engines", "assay.observers")  # in which Assay has some of its own


@dataclass(frozen=True)
class Extension:
    """One entry point. `package`: the name and version of what it came with; `rival`: another with the same
    name and another value, so that neither can be used."""

    group: str
    name: str
    package: str
    entry: Any
    rival: Extension | None = None

    def __str__(self) -> str:
        return f"the {GROUPS[self.group]} {self.name!r} of the package {self.package}"

    @property
    def fault(self) -> str:
        """Why it cannot be used, as far as that is known without its code; ''."""
        if self.rival:
            values = f"{self.rival.entry.value}, not {self.entry.value}"
            return f"the package {self.rival.package} has another of that name ({values})"
        if odd := ODD.search(self.name):
            return f"its name has {odd[0]!r}; a name has only letters, digits and {SIGNS}"
        if not self.entry.pattern.match(self.entry.value):
            return f"its entry point is {self.entry.value!r}; write a dotted module, or module:NAME"
        if (self.group, self.name) == ("assay.sandboxes", "auto"):
            return "'auto' stands for the first sandbox that works"
        return ""

    def load(self, kind: type = object, make: Callable[[Any], Any] = lambda found: found) -> Any:
        """What it names, or what `make` makes of that, of type `kind`. Raises ConfigError, naming the
        package, for whatever goes wrong in it."""
        if self.fault:
            raise self.broken(self.fault)
        with self.blamed():
            found = make(self.entry.load())
        if not isinstance(found, kind):
            its, where = kind.__name__, self.entry.module
            what = type(found).__name__
            if isinstance(found, type):
                value = f"{where}:{its.upper()}"
                what = f"the class {found.__name__}; write `{its.upper()} = {its}(...)` in {where} and "
                what += f'`{self.name} = "{value}"` as its entry point'
            raise self.broken(f"it must be of type {its}, not {what}")
        return found

    @contextlib.contextmanager
    def blamed(self) -> Iterator[None]:
        """What its code raises is a ConfigError that names the package; a StoreError and the like stay what
        they are. What it prints goes to stderr."""
        try:
            with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
                yield
        except ConfigError as error:
            raise error if self.package == OWN else self.broken(str(error), "") from error
        except AssayError:
            raise
        except (Exception, SystemExit) as error:  # somebody else's code may raise anything
            if self.package == OWN:
                raise
            raise self.raised(error) from error

    def raised(self, error: BaseException) -> ConfigError:
        """The error of one whose code raised something, with the last line of it that this passed."""
        line = own_line(error, self.entry.module)
        return self.broken(f"{said(error)}{f' ({line[1]}:{line[2]})' if line else ''}")

    def broken(self, why: str, remedy: str = REMEDY) -> ConfigError:
        """The error of an extension that cannot be used."""
        return ConfigError(f"{self} cannot be used: {why}{'; ' if remedy else ''}{remedy}")


def is_ours(kind: Any) -> bool:
    """Whether a class or a function is Assay's own."""
    return str(kind.__module__).partition(".")[0] == OWN


def check_call(fn: Any, wanted: str, *values: Any, **named: Any) -> None:
    """Raises TypeError, naming the function, its file and line, for one that is async or cannot be called
    with these. `wanted`: how it is declared."""
    import inspect

    code = getattr(inspect.unwrap(fn), "__code__", None) or getattr(
        getattr(fn, "__init__", None), "__code__", None
    )
    name = getattr(fn, "__qualname__", repr(fn))
    its = f"{name}() ({code.co_filename}:{code.co_firstlineno})" if code else name
    if inspect.iscoroutinefunction(fn) or inspect.isasyncgenfunction(fn):
        raise TypeError(f"{its} must not be asynchronous; declare it as `{wanted}`")
    try:
        inspect.signature(fn).bind(*values, **named)
    except TypeError as error:
        raise TypeError(f"{its}: {error}; declare it as `{wanted}`") from None
    except ValueError:  # of a function that is written in C
        return


@functools.cache
def extensions(group: str) -> Mapping[str, Extension]:
    """The entry points of a group, by name. Imports none of them."""
    found: dict[str, Extension] = {}
    for each in _all(group):
        earlier = found.setdefault(each.name, each)
        if earlier.entry != each.entry and earlier.package != OWN:
            found[each.name] = dataclasses.replace(earlier, rival=each)
    return found


def extension(group: str, name: str) -> Extension:
    """One of a group. Raises ConfigError with the names that there are."""
    if (found := extensions(group).get(name)) is None:
        there = ", ".join(sorted(extensions(group))) or "none"
        raise ConfigError(
            f"no {GROUPS[group]} is called {name!r}; installed are: {there}{misplaced(group, name)}"
        )
    return found


def not_used(group: str, name: str) -> list[str]:
    """The packages that have something of this name in a group, of which Assay has one itself."""
    return [each.package for each in _all(group) if each.name == name and each.package != OWN]


def usable(group: str) -> list[str]:
    """The names in a group that may be asked for, as far as that is known without importing any."""
    return sorted(name for name, each in extensions(group).items() if not each.fault)


def versions_of(group: str, name: str) -> dict[str, str]:
    """The package that a name in a group comes from, with its version, and a hash of its code, which may be
    edited under one version; {} for one of ours or of nobody."""
    found = extensions(group).get(name)
    if found is None or found.package == OWN:
        return {}
    package, _, version = found.package.rpartition(" ")
    code = code_of(found.entry.module) if group in CODED else ""
    return {package: version, **({f"{GROUPS[group]} {name}": code} if code else {})}


def extending() -> frozenset[str]:
    """The top-level modules that other packages extend Assay with by entry points."""
    theirs = (each for group in GROUPS for each in extensions(group).values() if each.package != OWN)
    return frozenset(each.entry.module.partition(".")[0] for each in theirs if not each.fault)


def misplaced(group: str, name: str) -> str:
    """For the end of an error about a name that nothing has: the package that declares it in a group whose
    name is misspelt; '' if none does."""
    import difflib
    import importlib.metadata as metadata

    for each in metadata.entry_points(name=name):
        if each.group not in GROUPS and group in difflib.get_close_matches(each.group, GROUPS, 1, 0.8):
            package = f"{each.dist.name} {each.dist.version}" if each.dist else "?"
            return (
                f". The package {package} declares {name} in the group {each.group}, which does not exist; "
                f"did you mean {group}?"
            )
    return ""


def misnamed() -> Iterator[tuple[str, str]]:
    """The groups that packages name like Assay's and that nothing reads, each with the package."""
    import importlib.metadata as metadata

    for package in metadata.distributions():
        for each in package.entry_points:
            if each.group.startswith("assay.") and each.group not in GROUPS:
                yield each.group, f"{package.name} {package.version}"


def of_others(
    group: str, ours: Iterable[str] = (), load: Callable[[str], Any] | None = None
) -> Iterator[tuple[Extension, str]]:
    """What other packages add to a group, each with '' or why it cannot be used. Imports them. `ours`: names
    of Assay's own that are not entry points. `load`: what loads one by its name, and refuses one of a wrong
    type."""
    own = {*ours, *(each.name for each in _all(group) if each.package == OWN)}
    for each in _all(group):
        if each.package != OWN:
            try:
                if each.name in own:
                    raise each.broken("Assay has one of that name", "")
                found = extensions(group)[each.name]
                found.load() if load is None or found.rival else load(each.name)
            except AssayError as error:
                yield each, str(error)
            except Exception as error:  # noqa: BLE001 - one package's code may hide no other's
                yield each, str(each.raised(error))
            else:
                yield each, ""


@functools.lru_cache(maxsize=1)
def _named(path: tuple[str, ...]) -> frozenset[str] | None:
    """The groups of entry points that installed packages may have; None for any. Reads the files where they
    stand, which takes a tenth of importing what knows how."""
    found: set[str] = set()
    for folder in path:
        try:
            entries = list(os.scandir(folder or "."))
        except OSError:
            if Path(folder).is_file():  # packages in an archive
                return None
            continue
        for entry in entries:
            if entry.name.endswith((".dist-info", ".egg-info")):
                with contextlib.suppress(OSError):
                    text = Path(entry.path, "entry_points.txt").read_bytes()
                    found.update(group for group in GROUPS if f"[{group}]".encode() in text)
    return frozenset(found)


def _all(group: str) -> Iterator[Extension]:
    """Assay's own first: in a checkout those of its pyproject.toml, whatever is installed beside it."""
    ours = CHECKOUT / "pyproject.toml" if group in OURS and CHECKOUT else None
    if ours is None and (named := _named(tuple(sys.path))) is not None and group not in named:
        return
    import importlib.metadata as metadata  # whose import takes a twentieth of a short run

    theirs: list[Extension] = []
    for entry in metadata.entry_points(group=group):
        name, version = (entry.dist.name, entry.dist.version) if entry.dist else ("?", "")
        if name != OWN and entry not in (each.entry for each in theirs):  # installed twice is no clash
            theirs.append(Extension(group, entry.name, f"{name} {version}", entry))
        elif not CHECKOUT:
            yield Extension(group, entry.name, OWN, entry)
    if ours and ours.is_file():
        import tomllib

        groups = tomllib.loads(ours.read_text("utf-8"))["project"]["entry-points"]
        for name, value in groups.get(group, {}).items():
            yield Extension(group, name, OWN, metadata.EntryPoint(name, value, group))
    yield from theirs
