"""Suites and their samples: test files are imported one by one, and a broken one affects only itself."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial, wraps
from inspect import isfunction
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from assay.config import Config
from assay.errors import AssayError, ConfigError, NodeError, TestFileError
from assay.extensions import extensions, misplaced
from assay.extras import need, what_lacks
from assay.language.dsl import Node
from assay.records import Cell, Completion, Layer, Limits, Standby, Table, TrialKey, TrialRecord
from assay.results.scores import Scale, is_scale
from assay.results.trial_index import TrialIndex
from assay.suites.diagnostics import (
    bound_in_loops,
    of_error,
    of_syntax,
    pointed,
    shown_path,
    where_bound,
    where_sign,
)
from assay.suites.exhibits import Figure, Page
from assay.suites.listing import EVERY_ROW, PLUGINS, Facts, Listed, TestFile, check_facts
from assay.suites.rows import Rows, RowTest
from assay.suites.tiers import tiers_in, with_tier
from assay.suites.tree_warnings import doubts, lacks_rows, precedence_trap

T = TypeVar("T", bound=type)


def _positional_too(cls: T) -> T:
    """Accept positional arguments too, for suites written before Sample's fields had to be named."""
    made, names = cls.__init__, tuple(each.name for each in fields(cls))  # type: ignore[misc]

    @wraps(made)
    def __init__(self: Any, *values: Any, **named: Any) -> None:
        made(self, **dict(zip(names[: len(values)], values, strict=True)), **named)

    cls.__init__ = __init__  # type: ignore[misc]
    return cls


@_positional_too
@dataclass(frozen=True, kw_only=True)
class Sample:
    """One test of a suite, ready to run. `id` is '<file stem>.<variable>'; `source` is the file's path,
    relative to the repository if the file is inside it. `test` may also be a function without parameters that
    makes the test: it is called when the test is first needed, so that a list need not wait for it."""

    id: str
    test: Node
    suite: str = "applied"  # the suite's name, set by the harness
    source: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    deterministic: bool = False
    fingerprint: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)  # a suite's own facts, kept in every record
    times: int = 1  # number of trials, unless --times is given
    limits: Limits | None = None  # of its sandbox; None: those of config.json
    standby: Standby | None = None  # a program that its sandbox starts in advance
    time_limit_s: float | None = None  # of a trial; None: that of config.json
    conditions: Mapping[str, Any] = field(default_factory=dict)  # see Suite; set by the harness
    scores: Scale | None = None  # see Suite; set by the harness

    def __post_init__(self) -> None:
        for name in ("tags", "requires"):  # a list is one too, as in a test file
            vars(self)[name] = self._words(name)
        if isfunction(self.test) or isinstance(self.test, partial):
            vars(self)["_make"] = vars(self).pop("test")
        else:
            self._checked(self.test)

    def __getattr__(self, name: str) -> Node:
        """The test, where it is not made yet."""
        if name != "test" or "_make" not in vars(self):
            raise AttributeError(f"a Sample has no {name}")
        try:
            test = vars(self)["_make"]()
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            raise TestFileError(
                f"{shown_path(Path(last.filename))}:{last.lineno}: the sample {self.id!r}: its test could "
                f"not be made: {type(error).__name__}: {error}"
            ) from error
        vars(self)["test"] = made = self._checked(test)
        return made

    def _words(self, name: str) -> tuple[str, ...]:
        given = vars(self)[name]
        if isinstance(given, (list, tuple, set, frozenset)) and all(isinstance(each, str) for each in given):
            return given if isinstance(given, tuple) else tuple(given)
        raise TestFileError(
            f"the sample {self.id!r}: its {name} must be words, such as ['code'], not {given!r:.60}"
        )

    def _checked(self, test: Any) -> Node:
        if isinstance(test, Node):
            return test
        kind = type(test).__name__
        raise TestFileError(f"the sample {self.id!r}: its test must be a node, not {kind}: {test!r:.60}")

    def but(self, **facts: Any) -> Sample:
        """A copy with other facts, for which the test is not made yet either."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), **facts)
        return other

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All of its test, left to right."""
        return tuple(self.test.walk())

    @property
    def needs(self) -> tuple[str, ...]:
        """The requirements on the sandbox: REQUIRES of the file and the needs of every node, each once."""
        below = (need for node in self.nodes for need in node.needs)
        return tuple(dict.fromkeys((*self.requires, *below)))

    def limits_in(self, config: Config) -> Limits:
        """Those of its sandboxes, with the layers that its nodes name."""
        names = {node.layer for node in self.nodes if node.layer}
        known = {each.name: each for each in config.layers}
        layers = tuple(known.get(name, Layer(name)) for name in sorted(names))
        limits = self.limits or config.limits
        return limits if limits.layers == layers else replace(limits, layers=layers)


@dataclass(frozen=True)
class StoredTrial:
    """A model's stored answer to a sample: its replies in order, or why there are none (an error)."""

    sample: Sample
    epoch: int
    replies: tuple[Completion, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Stored:
    """One model's answers in a file or folder, from an earlier run or another program. `trials()` makes them
    again at each call. `problems`: what could not be read (file, line and why)."""

    model: str
    trials: Callable[[], Iterable[StoredTrial]]
    problems: tuple[str, ...] = ()


class Suite:
    """A benchmark of its own. SUITE in tests/<name>/suite.py is a subclass or an instance of this class.

    A suite defines `name`, `description` and `samples`, and overrides other methods as it needs them.
    `options` are the parsed flags, `records` the suite's TrialRecords. The folder is a package: suite.py
    may say `from .problems import ...`.

    >>> class Sums(Suite):
    ...     name = "sums"
    ...     def samples(self, options):
    ...         yield Sample(id="sums.one", test="1 + 1?" >> LLMRun() >> ContainsIntEvaluator(2))
    """

    name: str = ""
    description: str = ""
    conditions: tuple[str, ...] = ()
    """Names of the flags that change what a trial means (a seed, a tolerance). Every record keeps their
    values, a run is not resumed with other values, and results with different values are never merged."""
    scores: Scale | None = None
    """(worst, best), if every test scores with a number between them. Records hold scores from 0, the worst,
    to 1, the best. Without a score, a PASS counts as the best and a FAIL as the worst."""
    extras: tuple[str, ...] = ()
    """Extras (names in assay.extras) that judging the trials needs."""
    figure_extras: tuple[str, ...] = ()
    """Extras that drawing the figures needs."""
    code: str = ""  # a hash of the files that define it; set by the harness
    folder: Path | None = None  # their folder; set by the harness

    def __init__(self, *parts: Any, **named: Any) -> None:
        """New suites pass no arguments. Suites written before Suite was a class pass their parts, with
        functions of `options` or `records` instead of methods."""
        given = dict(zip(_PARTS[: len(parts)], parts, strict=True)) | named
        if unknown := given.keys() - {*_PARTS, "code", "folder"}:
            raise TypeError(f"a Suite has no part {sorted(unknown)[0]!r}; its parts: {', '.join(_PARTS)}")
        for part, value in given.items():
            setattr(self, "flags" if part == "add_options" else part, value)

    def samples(self, options: Any) -> Iterable[Sample]:
        """The samples; use a generator if there are many."""
        raise NotImplementedError(f"suite {self.name} must define samples(self, options)")

    def flags(self, parser: Any) -> None:
        """Add the suite's flags to a group of an argparse parser."""

    def tables(self, records: Sequence[TrialRecord]) -> Iterable[Table]:
        """Tables for the report and the terminal."""
        return ()

    def figures(self, records: Sequence[TrialRecord]) -> Iterable[Figure]:
        """Figures for the report."""
        return ()

    def pages(self, records: Sequence[TrialRecord]) -> Iterable[Page]:
        """Further pages for the report."""
        return ()

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any] | None:
        """The replies of the oracle (`right`) or the saboteur to a test: variants as in a references file.
        None: they are in tests/<name>/references/suite.py."""
        return None

    def stored(self, path: Path, options: Any) -> Iterable[Stored] | None:
        """Read a file or folder of answers for `assay rescore`: one Stored for each model in it; None if the
        suite does not know the format."""
        return None

    def sample_for(self, record: TrialRecord, options: Any) -> Sample | None:
        """The current sample of a saved trial, for `assay rescore`. Override it if `samples(options)` may not
        contain that sample; `options` has the flags' defaults and the record's conditions. None: search
        `samples`."""
        return None

    def summary(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        """Facts about one Stored for `assay rescore --format json`."""
        return {}

    def aggregate(self, records: Sequence[TrialRecord]) -> Mapping[str, Any]:
        """A summary of a finished run: one line of aggregate.jsonl beside the run's file."""
        return {}

    def command(self, options: Any) -> int | None:
        """If the suite's own flags ask for something other than tests, do it and return the exit code."""
        return None

    def tiers(self) -> Mapping[str, str]:
        """The measured tiers of its tests and of those beside it. Raises TestFileError."""
        return tiers_in(self.folder.parent) if self.folder else {}

    def own(self, sample: Sample, tiers: Mapping[str, str] | None = None) -> Sample:
        """The sample with the suite's name, its scale of scores and its measured tier. `tiers`: tiers(), if
        there are many samples."""
        if not isinstance(sample, Sample):
            raise TypeError(f"samples() must yield Sample, not {type(sample).__name__}")
        tags = with_tier(self.tiers() if tiers is None else tiers, sample.id, sample.tags)
        if (sample.suite, sample.scores, sample.tags) == (self.name, self.scores, tags):
            return sample
        return sample.but(suite=self.name, scores=self.scores, tags=tags)

    def owned(self, options: Any) -> Iterator[Sample]:
        """`samples(options)`, lazily, each as `own` makes it. Raises TypeError for what are none."""
        tiers, found = self.tiers(), self.samples(options)
        if not isinstance(found, Iterable):
            raise TypeError(f"samples() must yield or return samples, not {found!r:.60}")
        return (self.own(sample, tiers) for sample in found)

    def defines(self, part: str) -> bool:
        """Whether the suite overrides the method `part`; if not, no records need to be read for it."""
        return part in vars(self) or getattr(type(self), part) is not getattr(Suite, part)

    def lacks(self) -> str:
        """What it needs and this Python lacks, with the command that installs it; '' for nothing."""
        return next(filter(None, map(what_lacks, self.extras)), "")

    def check_extras(self, *, draws: bool) -> None:
        """Raise ConfigError, with the command to install it, if a library is missing. `draws`: figures will
        be drawn too."""
        for extra in self.extras:
            need(extra, f"suite {self.name}")
        for extra in self.figure_extras if draws else ():
            need(extra, f"the report of suite {self.name}")


_PARTS = (  # positional order from before Suite became a base class
    "name", "description", "samples", "tables", "add_options", "figures", "pages", "references", "stored",
    "sample_for", "summary", "aggregate", "command", "conditions", "scores", "extras", "figure_extras",
)  # fmt: skip


def tables_by(suite: Suite, records: Sequence[TrialRecord]) -> list[Table]:
    """The suite's tables. Raises TestFileError if they fail, or cannot be shown."""
    with blame(suite.name, suite.folder):
        tables = list(suite.tables(records))
    for table in tables:
        if not isinstance(table, Table):
            its = _known_as(suite.name)
            raise TestFileError(f"{its}: tables() must yield Table, not {table!r:.60}")
        for row in table.rows:
            odd = next((each for each in row if not isinstance(each, str | int | float | Cell | None)), None)
            if odd is not None or len(row) != len(table.columns):
                what = f"{odd!r:.60} is no value" if odd is not None else f"it has {len(row)}"
                raise TestFileError(
                    f"{_known_as(suite.name)}: a row of the table {table.title!r} needs {len(table.columns)} "
                    f"strings, numbers, Cells or None; {what}: {row!r:.80}"
                )
    return tables


@dataclass
class RowSamples:
    """The samples of Rows, made again at each call, so that none are kept. `name`: their id before the key.
    `sample`: makes one, or None if it is not wanted. `shown`: a message about these Rows with its place.
    `warnings`: those of the calls so far."""

    name: str
    rows: Rows
    sample: Callable[[RowTest], Sample | None]
    shown: Callable[[str], str] = str
    warnings: list[str] = field(default_factory=list)

    def __call__(self) -> Iterator[Sample]:
        try:
            for row in self.rows.tests(lambda text: self.warnings.append(self.shown(text))):
                if (sample := self.sample(row)) is not None:
                    yield sample.but(extra={**sample.extra, "row": row.row})
        except TestFileError as error:
            raise TestFileError(self.shown(str(error))) from error

    def only(self, wants: Callable[[str, Sequence[str]], bool]) -> RowSamples:
        def kept(row: RowTest) -> Sample | None:
            sample = self.sample(row)
            return sample if sample is not None and wants(sample.id, sample.tags) else None

        return replace(self, sample=kept, warnings=[])

    def unique(self, seen: TrialIndex) -> Iterator[Sample]:
        """The samples, lazily. Raises TestFileError, naming both rows, at a second one of one id."""
        try:
            yield from unique_ids(self(), seen)
        except SameId as error:
            key = error.id.removeprefix(f"{self.name}[").removesuffix("]")
            if not (said := self.rows.same_id(key)):
                raise  # the other one is in another file
            raise TestFileError(self.shown(said)) from error


@dataclass
class Loaded:
    """Samples of test files, and their problems: `errors` lose tests, `warnings` do not. What is wrong with
    `rows` is known once they are made."""

    samples: list[Sample] = field(default_factory=list)
    rows: list[RowSamples] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def every(self) -> Iterator[Sample]:
        """Every sample, those of Rows made one by one. Their problems are added to the others."""
        yield from self.samples
        for made in self.rows:
            try:
                yield from made.unique(TrialIndex())
            except TestFileError as error:
                self.errors.append(str(error))
            self.warnings += made.warnings


def import_file(path: Path, purpose: str = "test") -> ModuleType:
    """Import one file under a unique name. Raises TestFileError naming file, line and cause.

    Its output goes to stderr, because stdout may be read by a program. Files in its folder can be imported
    too, but never hide a module of Python or of the project.
    """
    path = path.resolve()
    if (folder := str(path.parent)) not in sys.path:
        sys.path.append(folder)
    return _import_as(f"assay_{purpose}_file_{path.stem}_{_digest(path)}", path, path)


def _import_package(folder: Path, code: str) -> ModuleType:
    """Import suite.py of a suite's folder as part of a package, whose files import each other by `from .`.
    The same files are imported once. `code`: their hash. Raises TestFileError."""
    folder = folder.resolve()
    package = f"assay_suite_{folder.name}_{_digest(folder)}_{code}"
    if (known := sys.modules.get(f"{package}.suite")) is not None:
        return known
    parent = ModuleType(package)
    parent.__path__ = [str(folder)]
    sys.modules[package] = parent
    try:
        return _import_as(f"{package}.suite", folder / "suite.py", folder)
    except TestFileError:
        for name in [name for name in sys.modules if name.startswith(package)]:
            del sys.modules[name]
        raise


def _digest(path: Path) -> str:
    return hashlib.sha256(str(path).encode()).hexdigest()[:8]


def _import_as(name: str, path: Path, place: Path) -> ModuleType:
    """Import a file as the module `name`. `place`: the file, or the folder, in which an error's line is
    looked for."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TestFileError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look up a class's module
    try:
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        raise TestFileError(of_syntax(path, error)) from None
    except (Exception, SystemExit) as error:  # the file's own code may raise anything
        del sys.modules[name]
        raise TestFileError(of_error(place, error)) from error
    return module


def _line_in(place: Path, error: BaseException) -> str:
    """file:line of the innermost frame in `place` (a file, or a folder) that an error passed through; or
    ''."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{f.filename}:{f.lineno}" for f in frames if Path(f.filename).is_relative_to(place)]
    return lines[-1] if lines else ""


def _cause(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


@contextlib.contextmanager
def blame(name: str, folder: Path | None) -> Iterator[None]:
    """Run a suite's own code: any exception becomes a TestFileError that names suite and line."""
    try:
        yield
    except AssayError:
        raise
    except (Exception, SystemExit) as error:
        where = _line_in(folder, error) if folder is not None else ""
        raise TestFileError(f"{_known_as(name)}: {where + ': ' if where else ''}{_cause(error)}") from error


def _known_as(name: str) -> str:
    """A suite of its own, with the package that it comes from."""
    plugin = extensions(PLUGINS).get(name)
    return f"suite {name}" + (f" of the package {plugin.package}" if plugin is not None else "")


def odd_id(sample: Sample) -> str:
    """What is wrong with the id of a sample of a suite of its own; '' for nothing. Saved results tell suites
    apart by other means, so it is no error: in tables and lists nobody can tell where the test comes from."""
    if sample.id.startswith(sample.suite):
        return ""
    suite, id = sample.suite, sample.id
    return f"{_known_as(suite)}: the id {id!r} does not begin with the suite's name; write '{suite}.{id}'"


def _no_test(names: Mapping[str, Any], path: Path) -> str:
    """What to do about a file without tests, at the line that is to blame."""
    nodes = [name for name, value in names.items() if isinstance(value, Node)]
    if nodes:
        test = f"Test{nodes[-1].removeprefix('test').lstrip('_')}"
        hint = f"{nodes[-1]} is no test; a test is a variable whose name begins with Test, so write {test}"
        return pointed(path, where_bound(path, nodes[-1]), hint)
    for name, value in names.items():
        if name.startswith("Test"):
            kinds = {str: "a string", type: "a class"}
            kind = "a function" if callable(value) else f"of type {type(value).__name__}"
            kind = next((said for each, said in kinds.items() if isinstance(value, each)), kind)
            wanted = f'{name} = "a question" >> LLMRun() >> SubstringEvaluator("what must be in the answer")'
            hint = f"{name} is {kind}, but a test is made of nodes, e.g. {wanted}"
            return pointed(path, where_bound(path, name), hint)
    return (
        f"{shown_path(path)}: defines no test; a test is a variable whose name begins with Test, such as "
        f'TestSum = "What is 2 + 2?" >> LLMRun() >> SubstringEvaluator("4"). '
        f"A file of something else is named _{path.name}"
    )


def _members(name: str, value: object) -> dict[str, Node]:
    """The tests in a list or dict, named NAME[key]; {} if there are none. Raises ValueError if it also has
    other items, and for a set, whose order varies."""
    if not isinstance(value, (list, dict, set, frozenset)):
        return {}
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    if not any(isinstance(each, Node) for _, each in pairs):
        return {}
    if isinstance(value, (set, frozenset)):
        raise ValueError(f"{name} is a set of tests, which has no order: make it a list or a dict")
    found: dict[str, Node] = {}
    for key, each in pairs:
        member = f"{name}[{key}]"
        if not isinstance(each, Node):
            raise ValueError(f"{member} is of type {type(each).__name__}, but a test is made of nodes")
        if member in found or not member.isprintable():
            twice = f"{name} has two keys {key!r:.100}"
            odd = f"{name} has a key {key!r:.100}, which cannot be shown on one line"
            raise ValueError(twice if member in found else odd)
        found[member] = each
    return found


def _relative(path: Path, root: Path) -> str:
    path = path.resolve()
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def load_file(
    file: TestFile,
    *,
    root: Path,
    wanted: Callable[[Listed], bool] = lambda listed: True,
    fingerprint: Callable[[Path], str] = lambda path: "",
) -> Loaded:
    """The `wanted` samples of one file. Nothing is raised: errors are in the result."""
    if file.error:
        return Loaded(errors=[file.error])
    loaded = Loaded()
    try:
        module = import_file(file.path)
        facts = {name: value for name, value in vars(module).items() if name.isupper()}
        description, tags, requires, deterministic = check_facts(file.path, facts, {})
    except TestFileError as error:
        return Loaded(errors=[str(error)])
    lines = {each.variable: each.line for each in file.tests}
    tests: list[tuple[str, Node]] = []
    rows: list[tuple[str, Rows]] = []
    for name, value in vars(module).items():
        if not name.startswith("Test"):
            continue
        if isinstance(value, Node):
            tests.append((name, value))
        elif isinstance(value, Rows):
            rows.append((name, value.describes(description)))
        elif isinstance(value, tuple) and any(isinstance(each, Node) for each in value):
            comma = "remove the comma at its end" if len(value) == 1 else "join its parts with >>"
            text = f"{name} is a tuple, not a test: {comma}"
            loaded.warnings.append(pointed(file.path, where_bound(file.path, name), text))
        else:
            try:
                tests += _members(name, value).items()
            except ValueError as error:
                loaded.errors.append(pointed(file.path, where_bound(file.path, name), str(error)))
    if not tests and not rows and not loaded.warnings and not loaded.errors:
        loaded.warnings.append(_no_test(vars(module), file.path))
    source, digest = _relative(file.path, root), fingerprint(file.path)
    tiers = tiers_in(file.path.parent)
    for name, statement in bound_in_loops(file.path):
        if isinstance(vars(module).get(name), (Node, Rows)):
            text = f"{name} is assigned in a loop, so only the last one is left"
            write = f"write {name} = {{KEY: TEST for ... in ...}}"
            loaded.warnings.append(pointed(file.path, statement.lineno, f"{text}; {write}"))

    def sample(name: str, test: Node, description: str = description) -> Sample | None:
        """The sample, None for a test that is not wanted."""
        test_id = f"{file.path.stem}.{name}"
        its_tags = with_tier(tiers, test_id, tags)
        facts: Facts = (description, its_tags, requires, deterministic)
        if not wanted(Listed(test_id, name, str(file.path), line_of(name), *facts)):
            return None
        return Sample(
            id=test_id, test=test, source=source, description=description, tags=its_tags, requires=requires,
            deterministic=deterministic, fingerprint=digest,
        )  # fmt: skip

    def line_of(name: str) -> int:
        return lines.get(name) or lines.get(name.partition("[")[0], 1)

    def may_be_wanted(rows: str) -> bool:
        test_id = f"{file.path.stem}.{rows}{EVERY_ROW}"
        its_tags = with_tier(tiers, test_id, tags)
        facts: Facts = (description, its_tags, requires, deterministic)
        name = rows + EVERY_ROW
        return wanted(Listed(test_id, name, str(file.path), line_of(name), *facts))

    def of_rows(name: str, its: Rows) -> RowSamples:
        return RowSamples(
            f"{file.path.stem}.{name}",
            its,
            lambda row: sample(f"{name}[{row.key}]", row.test, row.description),
            lambda text: pointed(file.path, where_bound(file.path, name), f"{name}: {text}"),
        )

    def doubts_of(name: str, test: Node, *more: str) -> bool:
        """Note what is doubtful; False for a test that cannot run."""
        said = name.removesuffix(EVERY_ROW)
        try:
            for text in filter(None, (*more, *doubts(test))):
                loaded.warnings.append(pointed(file.path, line_of(name), f"{said}: {text}"))
        except NodeError as error:
            loaded.errors.append(pointed(file.path, line_of(name), f"{said}: {error}"))
            return False
        return True

    for name, test in tests:
        if (one := sample(name, test)) is None:
            continue
        if trap := precedence_trap(test):
            line, begin, end = where_sign(file.path, name, ("|", "&"))
            loaded.warnings.append(pointed(file.path, line or line_of(name), f"{name}: {trap}", begin, end))
        if doubts_of(name, test, lacks_rows(test)):
            loaded.samples.append(one)
    for name, its in rows:
        if may_be_wanted(name) and (its.test is None or doubts_of(name + EVERY_ROW, its.test)):
            loaded.rows.append(of_rows(name, its))
    return loaded


def load_tests(
    files: Iterable[TestFile],
    *,
    root: Path,
    wanted: Callable[[Listed], bool] = lambda listed: True,
    fingerprint: Callable[[Path], str] = lambda path: "",
) -> Loaded:
    """Every wanted sample of `files`; a broken file loses only its own tests."""
    all_of = Loaded()
    for file in files:
        one = load_file(file, root=root, wanted=wanted, fingerprint=fingerprint)
        for part in fields(Loaded):
            getattr(all_of, part.name).extend(getattr(one, part.name))
    return all_of


def has_suite(name: str, tests: Path) -> bool:
    """Whether tests/<name>/suite.py exists. The name is untrusted, and need not be a valid file name."""
    return name.isidentifier() and len(name.encode()) < 256 and (tests / name / "suite.py").is_file()


def load_suite(name: str, tests: Path) -> Suite:
    """The suite defined in tests/<name>/suite.py. Raises ConfigError for an unknown or broken one."""
    path = tests / name / "suite.py"
    if not has_suite(name, tests):
        there = {each.parent.name for each in tests.glob("*/suite.py")} | extensions(PLUGINS).keys()
        known = ", ".join(["applied", *sorted(there), "all"])
        raise ConfigError(f"unknown suite {name!r}; choose one of {known}{misplaced(PLUGINS, name)}")
    code = _hash_of(path.parent)
    found = getattr(_import_package(path.parent, code), "SUITE", None)
    return _checked(found, name, f"{path}: must define SUITE,", path.parent, code)


def find_suite(name: str, folders: Sequence[Path]) -> Suite:
    """The suite of this name from the first of `folders` of tests that has it, or of an installed package.
    Raises ConfigError for an unknown or broken one, and for one that is in both."""
    folder = next((each for each in folders if has_suite(name, each)), None)
    plugin = extensions(PLUGINS).get(name)
    if plugin is None:
        return load_suite(name, folder or folders[0])
    if folder is not None:
        raise plugin.broken(f"{folder / name} has that name too", "rename one of the two")
    found, module = plugin.load(), plugin.entry.module
    file = Path(sys.modules[module].__file__ or "")
    alone = "." not in module and file.name != "__init__.py"  # its folder has other packages
    place = file if alone else file.parent
    return _checked(found, name, f"{plugin} must be", place, _hash_of(place))


def _checked(found: object, name: str, wrong: str, folder: Path, code: str) -> Suite:
    """The suite, checked and completed. `wrong`: the beginning of an error. Raises TestFileError."""
    suite = found() if isinstance(found, type) and issubclass(found, Suite) else found
    if not isinstance(suite, Suite) or suite.name != name:
        what = f"one named {suite.name!r}" if isinstance(suite, Suite) else f"of type {type(suite).__name__}"
        raise TestFileError(f"{wrong} a subclass of assay.suites.suite.Suite named {name!r}, not {what}")
    if suite.scores is not None and not is_scale(suite.scores):
        raise TestFileError(
            f"{wrong} a suite whose scores are two different numbers, (worst, best), "
            f"not {suite.scores!r:.100}"
        )
    suite = copy.copy(suite)
    suite.code, suite.folder = code, folder.resolve()
    return suite


def _hash_of(folder: Path) -> str:
    """A hash of one file, or of every file below `folder` that is not hidden, since its data matter as much
    as its code."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
        inner = file.relative_to(folder)
        if any(part.startswith((".", "__pycache__")) for part in inner.parts) or not file.is_file():
            continue
        with contextlib.suppress(OSError):
            digest.update(str(inner).encode("utf-8", "surrogateescape") + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


class SameId(ConfigError):
    """Two tests have one id, which would hide the first."""

    def __init__(self, sample: Sample) -> None:
        super().__init__(f"suite {sample.suite}: two tests have the id {sample.id!r}")
        self.id = sample.id


def unique_ids(samples: Iterable[Sample], seen: TrialIndex | None = None) -> Iterator[Sample]:
    """The samples, lazily. `seen`: those before these. Raises SameId at a second sample of one id."""
    seen = TrialIndex() if seen is None else seen
    for sample in samples:
        if not seen.add(TrialKey(sample.id, 1, sample.suite)):
            raise SameId(sample)
        yield sample
