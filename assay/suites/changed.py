"""--only-changed: the tests whose file, imports, references or data changed since a commit of git, or are not
committed."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import ConfigError, TestFileError
from assay.few import few
from assay.git import git
from assay.model_roles import EVAL_LLM, VISION_EVAL_LLM
from assay.suites.data_files import Data, DataFiles, files_of
from assay.suites.data_names import matches
from assay.suites.imports import ImportGraph
from assay.suites.listing import NOT_TESTS, TestFile, parsed
from assay.suites.row_files import READERS

if TYPE_CHECKING:
    from assay.suites.row_samples import RowSamples

UNCOMMITTED = "."  # in place of a commit; no branch can have this name


@dataclass(frozen=True)
class Changes:
    """Changed files as absolute paths, and those of them that were deleted. `earlier`: what git
    calls a file's text from before the change, or before it was renamed, too."""

    paths: frozenset[Path]
    deleted: frozenset[Path]
    earlier: Mapping[Path, str] = field(default_factory=dict)

    def below(self, folder: Path) -> bool:
        return any(path.is_relative_to(folder) for path in self.paths)


def repository_of(folder: Path) -> Path:
    """The root of the git repository that contains `folder`. Raises ConfigError if there is none."""
    try:
        top = git(folder, "rev-parse", "--show-toplevel").decode().rstrip("\n")
    except ConfigError as error:
        raise ConfigError(f"--only-changed needs a git repository: {error}") from None
    return Path(top).resolve()


def in_words(commit: str) -> str:
    """When changes count that are asked for by `commit`."""
    return "since the last commit" if commit == UNCOMMITTED else f"in or since {commit}"


def _base(repository: Path, commit: str) -> str:
    """The commit with which the working tree is compared. Raises ConfigError for a bad one."""
    asked = "HEAD" if commit == UNCOMMITTED else commit
    try:
        verify = ("rev-parse", "--verify", "--quiet", "--end-of-options")
        sha = git(repository, *verify, f"{asked}^{{commit}}").decode().strip()
    except ConfigError:
        raise ConfigError(
            f"--only-changed: {asked!r} is not a commit of {repository}; "
            "give a hash, a branch, a tag, e.g. HEAD~3, or . for what is not committed"
        ) from None
    if commit == UNCOMMITTED:
        return sha
    try:
        return git(repository, "rev-parse", "--verify", "--quiet", f"{sha}^1").decode().strip()
    except ConfigError:  # the first commit, or the edge of a shallow clone: everything is new
        return git(repository, "hash-object", "-t", "tree", "--stdin").decode().strip()


def changes_since(repository: Path, commit: str) -> Changes:
    """Everything that differs between the working tree and the parent of `commit`, so that the commit's
    own changes count, as those of a branch's first commit should; uncommitted and untracked files count too,
    and with UNCOMMITTED only these. Raises ConfigError for a bad commit."""
    base = _base(repository, commit)
    words = iter(git(repository, "diff", "--name-status", "-M", "-z", base, "--").split(b"\0")[:-1])
    untracked = git(repository, "ls-files", "--others", "--exclude-standard", "-z").split(b"\0")[:-1]

    def absolute(name: bytes) -> Path:
        return repository / os.fsdecode(name)

    # compiled Python appears by itself, even if no .gitignore names it
    new = {absolute(name) for name in untracked if b"__pycache__" not in name.split(b"/")}
    paths, deleted, earlier = set(new), set[Path](), dict[Path, str]()
    for status in words:
        was = next(words)
        now = next(words) if status.startswith(b"R") else was
        paths |= {absolute(was), absolute(now)}
        if status == b"D" or was != now:
            deleted.add(absolute(was))
        if status == b"M" or (was != now and not now.endswith(b".py")):  # a test of another file is another
            earlier[absolute(now)] = f"{base}:{os.fsdecode(was)}"
    return Changes(frozenset(paths), frozenset(deleted - new), earlier)


def _read(config: bytes) -> dict[str, Any]:
    """What the text of a config.json holds; nothing if it is none."""
    with contextlib.suppress(ValueError):
        found = json.loads(config)
        return found if isinstance(found, dict) else {}
    return {}


def _flags_in(config: dict[str, Any], suite: str) -> object:
    flags = config.get("suites")
    return flags.get(suite) if isinstance(flags, dict) else None


def _judges_in(config: dict[str, Any], flags: Mapping[str, Any]) -> dict[str, object]:
    judge, vision = (flags.get(each) or config.get(each) or "" for each in ("judge", "vision_judge"))
    return {EVAL_LLM: judge, VISION_EVAL_LLM: vision or judge}


class ChangedTests:
    """For one suite: is a test file affected, and which test files were deleted."""

    def __init__(self, folders: Sequence[Path], root: Path, commit: str) -> None:
        folders = [folder.resolve() for folder in folders]
        self._folders, self._root, self._commit = folders, root, commit
        self._repositories = {repository_of(folder) for folder in folders}
        each = [changes_since(repository, commit) for repository in self._repositories]
        self._changes = Changes(
            frozenset().union(*(one.paths for one in each)),
            frozenset().union(*(one.deleted for one in each)),
            {path: text for one in each for path, text in one.earlier.items()},
        )
        # A submodule is one changed path; changes inside it are not examined.
        self._submodules = frozenset(path for path in self._changes.paths if path.is_dir())
        self._touched = frozenset(above for path in self._changes.paths for above in path.parents)
        above = (folder.parent for folder in folders)  # which a suite may have on sys.path
        self._roots = tuple(dict.fromkeys((root.resolve(), *self._repositories, *folders, *above)))
        self._graph = ImportGraph(self._roots, eager_below=folders)
        self._data = DataFiles(self._graph, folders, self._changes.paths)
        self.through: Counter[Path] = Counter()  # changed other file -> test files that import it
        self.unclear: dict[Path, str] = {}  # test file that counts because it may read this path
        self.judged = 0  # test files that count only because they ask a judge that changed

    def inside(self, folder: Path) -> ChangedTests:
        """The same for a folder inside these, told with them."""
        its = ChangedTests([folder], self._root, self._commit)
        its.through, its.unclear = self.through, self.unclear
        return its

    def deleted(self, files: Iterable[TestFile] = ()) -> list[str]:
        """Test files and suites that existed at the commit and are gone, also in folders inside, and the
        tests that are gone from `files`."""
        gone = sorted(
            str(path.relative_to(folder))
            for path in self._changes.deleted
            for folder in self._folders
            if path.is_relative_to(folder) and self._was_a_test(path, folder)
        )
        return gone + [test for file in files for test in self._lost(file)]

    def lone_references(self) -> list[Path]:
        """Files of references, changed or of a deleted test file, that have no test file."""
        found = {path for path in self._changes.paths if path.parent.name == "references"}
        found |= {path.parent / "references" / path.name for path in self._changes.deleted}
        return sorted(
            path
            for path in found
            if path.suffix == ".py" and path.is_file() and any(map(path.is_relative_to, self._folders))
            if not any((path.parents[1] / name).exists() for name in (path.name, "suite.py"))
        )

    def _lost(self, file: TestFile) -> list[str]:
        """The tests that the file's text showed before it was changed, and that are gone from it."""
        if file.error or (text := self._before(file.path)) is None:
            return []
        now = {name for test in file.tests for name in (test.id, test.id.partition("[")[0])}
        return [test.id for test in parsed(file.path, text).tests if test.id not in now]

    def lost_rows(self, samples: RowSamples) -> list[str]:
        """The tests of rows that their file had before it was changed, and that are gone from it. A test that
        reads a file itself has all its rows if their ids are the same."""
        given = isinstance(samples.rows.source, Path)
        for path in [samples.rows.source] if given else self._changed_tables(self._root / samples.source):
            if (text := self._before(path)) is None:
                continue
            with tempfile.NamedTemporaryFile(suffix=path.suffix) as file:
                file.write(text)
                file.flush()
                with contextlib.suppress(
                    TestFileError
                ):  # a row has no id: whoever runs those of today is told
                    now = {*samples.rows.ids()}
                    if given or now == {*samples.rows.but(source=path).ids()}:
                        then = samples.rows.but(source=Path(file.name)).ids()
                        return [f"{samples.name}[{key}]" for key in then if key not in now]
        return []

    def _changed_tables(self, test: Path) -> list[Path]:
        """The changed files of rows that a test file names, or a module that it imports."""
        named = self._own_data(self._graph.closure(test.resolve(), ours=False))
        found = {path for each in named for path in files_of(each) if path.suffix in READERS}
        return sorted(found & self._changes.earlier.keys())

    def _before(self, path: Path) -> bytes | None:
        """What a changed file held at the commit; None if it did not change, or was not there."""
        path = path.resolve()
        text = self._changes.earlier.get(path)
        return git(path.parent, "show", text) if text else None

    def said_of(self, deleted: Sequence[str]) -> str:
        return f"deleted {in_words(self._commit)}: {few(deleted, 5)}"

    def messages(self, files: int, of: int, deleted: Sequence[str]) -> Iterator[str]:
        """What is said of the changed files."""
        when = in_words(self._commit)
        yield from (self.said_of([name]) for name in deleted)
        yield f"{files} of {of} test files changed {when}"
        if self.through:
            shared, number = self.through.most_common(1)[0]
            yield f"{number} of them import {os.path.relpath(shared, self._root)}, which changed"
        if self.judged:
            yield f"{self.judged} of them only ask the judge, which changed in the settings"
        if self.unclear:
            named = [f"{path.name} ({what})" for path, what in sorted(self.unclear.items())]
            yield (
                f"{len(named)} of them may have changed; which files they read is known only when they run: "
                f"{few(named, 5)}"
            )

    def _was_a_test(self, path: Path, folder: Path) -> bool:
        parts = path.relative_to(folder).parts
        if path.suffix != ".py" or any(each.startswith(("_", ".")) or each == "references" for each in parts):
            return False
        suites = (each / "suite.py" for each in path.parents[: len(parts) - 1])
        its = any(each.is_file() or each in self._changes.deleted for each in suites)
        return path.name == "suite.py" if its else path.name not in NOT_TESTS

    def below(self, place: Path) -> bool:
        """Whether a file, or anything in a folder, changed."""
        return self._changes.below(place.resolve())

    def surely_affects(self, path: Path) -> bool:
        """Whether the file, something that it imports, apart from Assay, or data that it names as a whole or
        by `__file__` changed, but not in a folder of many tests' files, all of which it may read."""
        code = self._graph.closure(path.resolve(), ours=False)
        names = {name.pattern for file in code for name in self._graph.data(file) if not name.here}
        return (
            any(map(self._has_changed, code))
            or any(self._changed(each) for each in self._own_data(code) if each.here)
            or any(root / name in self._changes.paths for root in self._roots for name in names)
        )

    def flags_changed(self, suite: str, config: Path) -> bool:
        """Whether the flags of a suite in config.json changed."""
        then, now = self._before_and_now(config.resolve())
        return _flags_in(then, suite) != _flags_in(now, suite)

    def judges_changed(self, config: Path, flags: Mapping[str, Any]) -> set[str]:
        """The roles of the judges of which config.json now names another, unless flags name one."""
        then, now = (_judges_in(each, flags) for each in self._before_and_now(config.resolve()))
        return {role for role, name in now.items() if name != then[role]}

    def _before_and_now(self, config: Path) -> tuple[dict[str, Any], dict[str, Any]]:
        """What config.json held at the commit and holds now; nothing if it has not changed."""
        if not self._has_changed(config):
            return {}, {}
        base = _base(repository_of(config.parent), self._commit)
        try:
            then = git(config.parent, "show", f"{base}:./{config.name}")
        except ConfigError:  # it was not there
            then = b""
        return _read(then), _read(config.read_bytes() if config.is_file() else b"")

    def affects(self, path: Path) -> bool:
        """Whether the test file, something that it imports, its references or its data changed."""
        path = path.resolve()
        references = path.parent / "references" / path.name
        code = self._graph.closure(path, references) if references.is_file() else self._graph.closure(path)
        if changed := [each for each in code if self._has_changed(each)]:
            self.through.update(each for each in changed if each not in (path, references))
        if changed or self._has_changed(references):
            return True
        return self._imports_something_deleted(code) or self._data_changed(path, code)

    def _has_changed(self, path: Path) -> bool:
        """Whether a file, or the submodule that contains it, changed."""
        changed = self._changes.paths
        return path in changed or (bool(self._submodules) and not self._submodules.isdisjoint(path.parents))

    def _imports_something_deleted(self, code: frozenset[Path]) -> bool:
        """Whether a file imports a deleted module, which is no longer in the graph."""
        gone = {path.stem for path in self._changes.deleted if path.suffix == ".py"}
        if not gone:
            return False
        own = (file for file in code if any(map(file.is_relative_to, self._folders)))
        return any(not gone.isdisjoint(parts) for file in own for parts in self._graph.names(file))

    def _data_changed(self, path: Path, code: frozenset[Path]) -> bool:
        data = path.parent / "data"
        own = Data(f"{data / glob.escape(path.stem)}*", True, False)
        if any(map(self._changed, (own, *self._own_data(code)))):
            return True
        for each in (each for file in code for each in self._data.of(file)):
            if (
                each.shared
                and each.here
                and any(self._may_read(changed, each) for changed in self._changes.paths)
            ):
                self.unclear[path] = os.path.relpath(each.path, path.parent.parent)
                return True
        return False

    def _own_data(self, code: frozenset[Path]) -> Iterator[Data]:
        """The data that files name, but for what many tests share."""
        return (each for file in code for each in self._data.of(file) if not each.shared)

    def _changed(self, data: Data) -> bool:
        """Whether a file that `data` matches changed, appeared or disappeared, or links to such a file."""
        if not any(map(Path(data.path).is_relative_to, self._repositories)):
            return False
        if data.is_pattern:
            if any(matches(str(changed), data.path) for changed in self._changes.paths):
                return True
        else:
            named = Path(data.path)
            if self._has_changed(named) or named in self._touched:
                return True
        return any(map(self._link_changed, files_of(data)))

    def _link_changed(self, path: Path) -> bool:
        """Whether `path` is a link to something that changed, or lies behind such a link."""
        real = Path(os.path.realpath(path))
        if real == path:
            return False
        return self._has_changed(real) or (real.is_dir() and real in self._touched)

    def _may_read(self, changed: Path, data: Data) -> bool:
        """Whether a test may read a changed file in a folder of many tests' files, judging by names: a file
        named after another test is not this test's."""
        if not matches(str(changed), data.path):
            return False
        others = changed.parent in self._folders or changed.parent.name == "references"
        return not (others and changed.suffix == ".py" and not data.path.endswith(".py"))
