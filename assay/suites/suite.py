"""Suites and their samples: test files are imported, each on its own, and a broken one stops only itself."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.errors import AssayError, ConfigError, TestFileError
from assay.extras import need
from assay.language.dsl import AndNode, Node, NotNode, OrNode, ThenNode
from assay.records import Completion, Limits, Standby, Table, TrialKey, TrialRecord
from assay.results.scores import Scale, is_scale
from assay.suites.diagnostics import of_error, of_syntax, pointed, shown_path, where_bound, where_sign
from assay.suites.exhibits import Figure, Page
from assay.suites.listing import Listed, TestFile, check_facts


@dataclass(frozen=True, slots=True)
class Sample:
    """One test of a suite, ready to run. `id` is '<file stem>.<variable>'; `source` the file's path,
    relative to the repository where it lies inside it."""

    id: str
    test: Node
    suite: str = "applied"
    source: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    deterministic: bool = False
    fingerprint: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)  # a suite's own facts, kept in every record
    times: int = 1  # trials of it, unless --times says otherwise
    limits: Limits | None = None  # of its sandbox, None for config.json's
    standby: Standby | None = None  # a program that its sandbox has started ahead of need
    time_limit_s: float | None = None  # of a trial, None for config.json's
    conditions: Mapping[str, Any] = field(default_factory=dict)  # see Suite; set by the harness
    scores: Scale | None = None  # see Suite; set by the harness

    @property
    def needs(self) -> tuple[str, ...]:
        """What the sandbox must have: REQUIRES of the file and the needs of every node, each once."""
        below = (need for node in self.test.walk() for need in node.needs)
        return tuple(dict.fromkeys((*self.requires, *below)))


def _no_tables(records: Sequence[TrialRecord]) -> Iterable[Table]:
    return ()


def _no_figures(records: Sequence[TrialRecord]) -> Iterable[Figure]:
    return ()


def _no_pages(records: Sequence[TrialRecord]) -> Iterable[Page]:
    return ()


def _no_options(parser: Any) -> None:
    return None


def _no_references(trial: TrialKey, right: bool) -> None:
    return None


def _nothing_stored(path: Path, options: Any) -> None:
    return None


def _no_command(options: Any) -> int | None:
    return None


def _no_sample(record: TrialRecord, options: Any) -> None:
    return None


def no_summary(records: Sequence[TrialRecord]) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class StoredTrial:
    """What a model once answered to a sample: its replies in order, or why there are none (an error)."""

    sample: Sample
    epoch: int
    replies: tuple[Completion, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Stored:
    """A file or folder of one model's answers, of an earlier run or of another program. `trials()` makes
    them anew at each call; `problems`: what could not be read (file, line and why)."""

    model: str
    trials: Callable[[], Iterable[StoredTrial]]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Suite:
    """A benchmark of its own, defined as SUITE in tests/<name>/suite.py.

    `samples(options)` makes its samples, lazily if they are many; `options` are the parsed flags.
    `tables(records)` is what the report and the terminal show of it, `figures(records)` and
    `pages(records)` are the report's alone. `add_options(parser)` adds its flags (to a group of an
    argparse parser). `references(trial, right)` are the oracle's (right) or the saboteur's replies to a
    test: variants as in a references file, None to look in tests/<name>/references/suite.py.
    `stored(path, options)` reads a file or folder of answers for --rescore, one Stored for each model in
    it; None if it is not in a form that the suite knows. `sample_for(record, options)`: today's sample of a
    saved trial, for --rescore, where `samples` may not hold it (it is asked with the flags' defaults and the
    record's conditions); None to look there. `summary(records)`: what --rescore
    --format json says of one Stored. `aggregate(records)`: what a finished run comes to, a line of
    aggregate.jsonl beside the run's file. `command(options)` is asked when no flag says to run, show or list
    tests: if the suite's own flags ask for something, it does that and returns the exit code. `conditions`:
    names of its flags that change what a trial means (a seed, a tolerance): their values are kept in every
    record, a run is not resumed under others, and results of different ones are never merged. `scores`:
    (worst, best) says that all its tests score, with numbers between these; records hold them as a share, 0
    the worst and 1 the best, and verdicts without a score have that of their end. `extras`: libraries, by
    their names in assay.extras, without which its trials cannot be judged; `figure_extras`: nor its figures
    drawn. `code`: a hash of the files that define it; `folder`: where they lie.

    The folder is a package: suite.py may say `from .problems import ...`.
    """

    name: str
    description: str
    samples: Callable[[Any], Iterable[Sample]]
    tables: Callable[[Sequence[TrialRecord]], Iterable[Table]] = _no_tables
    add_options: Callable[[Any], None] = _no_options
    figures: Callable[[Sequence[TrialRecord]], Iterable[Figure]] = _no_figures
    pages: Callable[[Sequence[TrialRecord]], Iterable[Page]] = _no_pages
    references: Callable[[TrialKey, bool], Sequence[Any] | None] = _no_references
    stored: Callable[[Path, Any], Iterable[Stored] | None] = _nothing_stored
    sample_for: Callable[[TrialRecord, Any], Sample | None] = _no_sample
    summary: Callable[[Sequence[TrialRecord]], Mapping[str, Any]] = no_summary
    aggregate: Callable[[Sequence[TrialRecord]], Mapping[str, Any]] = no_summary
    command: Callable[[Any], int | None] = _no_command
    conditions: tuple[str, ...] = ()
    scores: Scale | None = None
    extras: tuple[str, ...] = ()
    figure_extras: tuple[str, ...] = ()
    code: str = ""
    folder: Path | None = None

    def check_extras(self, *, draws: bool) -> None:
        """Raises ConfigError, with the command to install it, for a library that is not here. `draws`:
        figures are wanted as well."""
        for extra in self.extras:
            need(extra, f"suite {self.name}")
        for extra in self.figure_extras if draws else ():
            need(extra, f"the report of suite {self.name}")

    @property
    def has_tables(self) -> bool:
        """Whether it computes any: else its records need not be read for that."""
        return self.tables is not _no_tables


@dataclass
class Loaded:
    """Samples of test files, and what was wrong with some: `errors` lose tests, `warnings` do not."""

    samples: list[Sample] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def import_file(path: Path, purpose: str = "test") -> ModuleType:
    """Import one file under a name of its own. Raises TestFileError naming file, line and cause.

    What the file prints goes to stderr, since stdout may be read by a program. Files beside it can be
    imported too, but never hide a module of Python or of the project.
    """
    path = path.resolve()
    if (folder := str(path.parent)) not in sys.path:
        sys.path.append(folder)
    return _import_as(f"assay_{purpose}_file_{path.stem}_{_digest(path)}", path, path)


def _import_package(folder: Path, code: str) -> ModuleType:
    """suite.py of a suite's folder, as part of a package: its files import each other by `from .`. The
    same files are imported once. `code`: their hash. Raises TestFileError."""
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
    """Import a file as the module `name`. `place`: the file, or the folder, whose line an error names."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TestFileError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look a class's module up
    try:
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        raise TestFileError(of_syntax(path, error)) from None
    except (Exception, SystemExit) as error:  # whatever the file's own code raises
        del sys.modules[name]
        raise TestFileError(of_error(place, error)) from error
    return module


def _line_in(place: Path, error: BaseException) -> str:
    """file:line, the innermost of `place` (a file, or a folder) that an error passed through; or ''."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{f.filename}:{f.lineno}" for f in frames if Path(f.filename).is_relative_to(place)]
    return lines[-1] if lines else ""


def _cause(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


@contextlib.contextmanager
def blame(name: str, folder: Path | None) -> Iterator[None]:
    """Around a suite's own code: whatever it raises becomes a TestFileError that names suite and line."""
    try:
        yield
    except AssayError:
        raise
    except (Exception, SystemExit) as error:
        where = _line_in(folder, error) if folder is not None else ""
        raise TestFileError(f"suite {name}: {where + ': ' if where else ''}{_cause(error)}") from error


def precedence_trap(test: Node) -> str:
    """What is wrong if `test` reads `q >> LLMRun() >> A | B`, where B judges the question; else ''."""
    while isinstance(test, (AndNode, OrNode)):
        asks = any(node.asks and not node.asks_again for node in test.left.walk())
        if isinstance(test.left, ThenNode) and asks and _judges_only(test.right):
            sign = "&" if isinstance(test, AndNode) else "|"
            judge = type(test.right).__name__
            return (
                f">> binds tighter than {sign}, so {judge} after the {sign} judges the empty start of the "
                f"pipeline, not the answer; write ... >> (A {sign} B)"
            )
        test = test.left
    return ""


def _judges_only(node: Node) -> bool:
    if isinstance(node, NotNode):
        return _judges_only(node.node)
    if isinstance(node, (AndNode, OrNode)):
        return _judges_only(node.left)
    return node.is_judge is True


def _no_test(names: Mapping[str, Any], path: Path) -> str:
    """What to do with a file that has none."""
    nodes = [name for name, value in names.items() if isinstance(value, Node)]
    if nodes:
        return f"the name of one begins with Test, so write Test{nodes[-1].removeprefix('test').lstrip('_')}"
    for name, value in names.items():
        if name.startswith("Test"):
            kind = "text" if isinstance(value, str) else f"of type {type(value).__name__}"
            wanted = f'{name} = "a question" >> LLMRun() >> SubstringEvaluator("what must be in the answer")'
            return f"{name} is {kind}, and a test is made of nodes, e.g. {wanted}"
    return f"name one Test..., or the file _{path.name}"


def _kind_of_several(value: object) -> str | None:
    """'list' or 'dict' for one that holds tests."""
    if isinstance(value, dict):
        return "dict" if any(isinstance(each, Node) for each in value.values()) else None
    held = isinstance(value, list | set | frozenset) and any(isinstance(each, Node) for each in value)
    return "list" if held else None


def _several(name: str, kind: str) -> str:
    """What to do with tests that stand in one variable: each must have a name, by which it is chosen."""
    pairs, key = ("tests.items()", "key") if kind == "dict" else ("enumerate(tests)", "at")
    return (
        f"{name} is a {kind} of tests, and each must have a name of its own: call it tests, and write below: "
        f'for {key}, each in {pairs}: globals()[f"{name}_{{{key}}}"] = each'
    )


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
    """The samples of one file that are `wanted`. Nothing is raised: errors stand in the result."""
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
    named = [(name, value) for name, value in vars(module).items() if name.startswith("Test")]
    tests = [(name, value) for name, value in named if isinstance(value, Node)]
    for name, value in named:
        if isinstance(value, tuple) and any(isinstance(each, Node) for each in value):
            text = f"{name} is a tuple and no test: take away the comma at its end"
            loaded.warnings.append(pointed(file.path, where_bound(file.path, name), text))
        elif (kind := _kind_of_several(value)) is not None:
            loaded.errors.append(pointed(file.path, where_bound(file.path, name), _several(name, kind)))
    if not tests and not loaded.warnings and not loaded.errors:
        hint = _no_test(vars(module), file.path)
        loaded.warnings.append(f"{shown_path(file.path)}: defines no test; {hint}")
    source, digest = _relative(file.path, root), fingerprint(file.path)
    for name, test in tests:
        test_id = f"{file.path.stem}.{name}"
        listed = Listed(test_id, name, str(file.path), lines.get(name, 1), description, tags, requires,
                        deterministic)  # fmt: skip
        if not wanted(listed):
            continue
        if trap := precedence_trap(test):
            line, begin, end = where_sign(file.path, name, ("|", "&"))
            loaded.warnings.append(pointed(file.path, line or listed.line, f"{name}: {trap}", begin, end))
        loaded.samples.append(
            Sample(test_id, test, "applied", source, description, tags, requires, deterministic, digest)
        )
    return loaded


def load_tests(
    files: Iterable[TestFile],
    *,
    root: Path,
    wanted: Callable[[Listed], bool] = lambda listed: True,
    fingerprint: Callable[[Path], str] = lambda path: "",
) -> Loaded:
    """Every wanted sample of `files`; a broken file costs only its own tests."""
    all_of = Loaded()
    for file in files:
        one = load_file(file, root=root, wanted=wanted, fingerprint=fingerprint)
        all_of.samples += one.samples
        all_of.errors += one.errors
        all_of.warnings += one.warnings
    return all_of


def suite_names(tests: Path) -> list[str]:
    """The names of the suites that have a folder of their own."""
    return sorted(path.parent.name for path in tests.glob("*/suite.py"))


def has_suite(name: str, tests: Path) -> bool:
    """Whether tests/<name>/suite.py is there. The name may be a stranger's, and no file's at all."""
    return name.isidentifier() and len(name.encode()) < 256 and (tests / name / "suite.py").is_file()


def load_suite(name: str, tests: Path) -> Suite:
    """The suite that tests/<name>/suite.py defines. Raises ConfigError for an unknown or broken one."""
    path = tests / name / "suite.py"
    if not has_suite(name, tests):
        known = ", ".join(["applied", *suite_names(tests), "all"])
        raise ConfigError(f"unknown suite {name!r}; choose one of {known}")
    code = _hash_of(path.parent)
    suite = getattr(_import_package(path.parent, code), "SUITE", None)
    if not isinstance(suite, Suite) or suite.name != name:
        raise TestFileError(f"{path}: must define SUITE = Suite({name!r}, ...) (assay.suites.suite.Suite)")
    if suite.scores is not None and not is_scale(suite.scores):
        raise TestFileError(
            f"{path}: scores must be two different numbers, (worst, best), not {suite.scores!r:.100}"
        )
    return replace(_on_its_scale(suite), code=code, folder=path.parent.resolve())


def _on_its_scale(suite: Suite) -> Suite:
    """The suite, whose samples know what it says of scores."""
    if suite.scores is None:
        return suite

    def known(sample: Sample) -> Sample:
        return replace(sample, scores=suite.scores)

    def samples(options: Any) -> Iterable[Sample]:
        return map(known, suite.samples(options))

    def sample_for(record: TrialRecord, options: Any) -> Sample | None:
        found = suite.sample_for(record, options)
        return None if found is None else known(found)

    def stored(path: Path, options: Any) -> Iterable[Stored] | None:
        found = suite.stored(path, options)
        return None if found is None else [replace(each, trials=partial(trials, each)) for each in found]

    def trials(its: Stored) -> Iterable[StoredTrial]:
        return (replace(each, sample=known(each.sample)) for each in its.trials())

    return replace(suite, samples=samples, sample_for=sample_for, stored=stored)


def _hash_of(folder: Path) -> str:
    """Of every file below `folder`, since its data decide as much as its code; not of hidden ones."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        inner = file.relative_to(folder)
        if any(part.startswith((".", "__pycache__")) for part in inner.parts) or not file.is_file():
            continue
        with contextlib.suppress(OSError):
            digest.update(str(inner).encode("utf-8", "surrogateescape") + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def unique_ids(samples: Iterable[Sample]) -> Iterator[Sample]:
    """The samples, lazily. Raises ConfigError at the second one of an id, which would hide the first."""
    seen: set[tuple[str, str]] = set()
    for sample in samples:
        if (key := (sample.suite, sample.id)) in seen:
            raise ConfigError(f"suite {sample.suite}: two samples of one id {sample.id!r}")
        seen.add(key)
        yield sample
