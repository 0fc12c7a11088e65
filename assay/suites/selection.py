"""Which tests are selected: by suite, name, tag, folder and change, as in the command's flags."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache as cache_of
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.config import near
from assay.errors import ConfigError
from assay.extensions import extensions, misplaced
from assay.few import few
from assay.home import BENCHMARKS
from assay.suites.flags import SuiteFlags, SuiteOptions, flags_of
from assay.suites.listing import (
    PLUGINS,
    TestFile,
    holds_tests,
    inner_folders,
    list_tests,
    matches,
    relative,
    test_files,
)

if TYPE_CHECKING:  # importing the language is too slow for --list
    from assay.records import TrialRecord
    from assay.suites.sample import Sample
    from assay.suites.suite import Suite

APPLIED = "applied"
NAMED = 6  # tests in a message


def other_suites(folders: Iterable[Path]) -> list[str]:
    """The names of the suites that have their own folder, and of those of installed packages, found without
    an import, because --list asks."""
    of_folders = {path.parent.name for folder in folders for path in folder.glob("*/suite.py")}
    return sorted(of_folders | extensions(PLUGINS).keys())


def _is_in_a_suite(file: Path) -> bool:
    """Whether a file is one of a suite with a folder of its own, which may have a test of that name."""
    with contextlib.suppress(OSError):  # no file can have such a name
        return file.suffix == ".py" and file.name != "suite.py" and (file.parent / "suite.py").is_file()
    return False


@dataclass(frozen=True)
class Selection:
    """Which tests are selected. `root`: the folder of config.json and results. `suites`: names, or all.
    `tests`, `tags`: patterns of names, and tags, any of which may fit. `folders`: of the tests, or single
    files. `only_changed`: a commit, or `.`. `flags`: values of all flags, including suites'. `tiers`: tags
    of which one must fit too; they mean all suites, unless some are named. `typed`: suite -> those of its
    conditions that the command line gives, if only with their defaults. `given`: all flags of suites that
    were given, likewise, or from Python. `unread`: from Python, so that no suite has read their values."""

    root: Path
    suites: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    only_changed: str | None = None
    flags: Mapping[str, Any] = field(default_factory=dict)
    tiers: tuple[str, ...] = ()
    typed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    given: frozenset[str] = frozenset()
    unread: bool = False

    @property
    def options(self) -> SuiteOptions:
        """The options passed to a suite."""
        return SuiteOptions(self.flags)

    # ---------------------------------------------------------------- what fits

    def wants(self, test_id: str, tags: Sequence[str]) -> bool:
        """Whether --test, --tag and --tier choose a test with this id and these tags."""
        if not (self.tests or self.tags or self.tiers):
            return True
        wanted = (each for each in (self.tags, self.tiers) if each)
        return self.names(test_id) and not any(set(each).isdisjoint(tags) for each in wanted)

    def names(self, test_id: str) -> bool:
        """Whether a test of this id is among those that were named; any is, if none was."""
        return not self.tests or any(matches(test_id, pattern) for pattern in self.tests)

    def wants_record(self, record: TrialRecord) -> bool:
        """Whether a record's test and suite, as people see its name, are selected."""
        from assay.records import suite_title

        its = not self.suites or "all" in self.suites or suite_title(record) in self.suites
        return its and self.wants(record.test, record.tags)

    def may_be_in(self, file: TestFile) -> bool:
        """Whether a file that is broken or shows no test may contain selected tests: unless others were
        named."""
        stem = file.path.stem
        return not self.tests or any(matches(f"{stem}.{stem}", p.partition(".")[0]) for p in self.tests)

    def lies_in_folders(self, suite: str, source: str) -> bool:
        """Whether a test of this file is in `folders`; any is, if none is given. A deleted file counts by its
        name. A test without a file always counts, and so does one of a named suite with a folder of its own,
        which may come with Assay."""
        if not self.folders or not source or (suite != APPLIED and suite in self.suites):
            return True
        folders = [Path(folder).resolve() for folder in self.folders]
        if (path := (self.root / source).resolve()).exists():
            return any(map(path.is_relative_to, folders))
        files = [folder / name for folder in folders for name in (f"{suite}/suite.py", path.name)]
        return any(file.is_file() for file in files)

    def elsewhere(self, source: str) -> str:
        """The folder, for --tests, of a test file that is there, but not where tests are looked for; else
        ''."""
        file = (self.root / source).resolve()
        place = file.parent.parent if (file.parent / "suite.py").is_file() else file.parent
        looked_in = [each.resolve() for each in self.places()]
        if not source or not file.is_file() or file in looked_in or place in looked_in:
            return ""
        here = Path.cwd()
        return str(place.relative_to(here) if place.is_relative_to(here) else place)

    def folders_with(self, sources: Collection[str]) -> list[str]:
        """`folders`, and those that must be named with them so that these test files are found."""
        more = [folder for each in sources if (folder := self.elsewhere(each))]
        usual = [str(self._default_place)] * (0 < len(more) < len(sources) and not self.folders)
        return [*self.folders, *usual, *sorted({*more})]

    def keeps(self) -> Callable[[TrialRecord], bool]:
        """A function that tells whether a record is selected, by its test, suite, folder and conditions."""
        from assay.results.conditions import is_under

        lies_there, wanted = cache_of(self.lies_in_folders), self.conditions

        def keep(record: TrialRecord) -> bool:
            its = self.wants_record(record) and lies_there(record.suite, record.source)
            return its and is_under(record, wanted)

        return keep

    def also(self, words: Iterable[str]) -> Selection:
        """The selection extended by `words`: each is a test file, a test in it (FILE::NAME), a folder, the
        folder or name of a suite, or else a test's name or pattern. Files and folders say where, names
        which."""
        suites, tests, folders = list(self.suites), list(self.tests), list(self.folders)
        words, beside = list(words), False
        alone = any(".py::" in word or _is_in_a_suite(Path(word)) for word in words)
        for word in words:
            name, _, variable = word.partition("::")
            path = Path(name)
            try:
                is_file, is_folder = path.is_file(), bool(name) and path.is_dir()  # "" is not the folder here
                is_suite = is_folder and (path / "suite.py").is_file()
            except OSError:  # no file can have such a name
                is_file = is_suite = is_folder = False
            if is_file and _is_in_a_suite(path):
                folders.append(str(path.parent / "suite.py"))
                suites.append(path.resolve().parent.name)
                tests.append(path.stem)
            elif path.suffix == ".py" and is_file:
                folders.append(name)
                tests += [f"{path.stem}.{variable}" if variable else path.stem] * alone
            elif is_suite:
                folders.append(str(path / "suite.py"))
                suites.append(path.resolve().name)
            elif is_folder:
                folders.append(word)
                beside = True
                tests += [file.stem for file in test_files([path])] if alone else ()
            elif word in ("all", APPLIED) or word in self.own_suites():
                suites.append(word)
            else:
                tests.append(word)
        beside = beside or any(each.is_file() and each.name != "suite.py" for each in map(Path, folders))
        if suites and beside:
            suites.append(APPLIED)
        return replace(self, suites=tuple(suites), tests=tuple(tests), folders=tuple(folders))

    @property
    def is_whole(self) -> bool:
        """Whether all tests of some folders are selected."""
        some = self.tests or self.tags or self.tiers or self.only_changed
        return not some and all(place.is_dir() for place in self.places())

    # ---------------------------------------------------------------- where tests are

    def places(self) -> list[Path]:
        """The folders, and single files, in which tests are looked for."""
        return [Path(each) for each in self.folders] or [self._default_place]

    @cached_property
    def _default_place(self) -> Path:
        """tests/ if it has Assay tests, else those that come with Assay; --tier alone means those, too, if
        tests/ has none of that tier."""
        here = self.root / "tests"
        if self.looks_inside and inner_folders([here]):
            return here
        if not holds_tests(here):
            return BENCHMARKS
        suites = any(here.glob("*/suite.py"))  # whose tests may be of that tier
        if not self.tiers or self.tests or {*self.suites} - {"all"} or suites:
            return here
        tests = (test for file in list_tests([here]) for test in file.tests)
        return here if any(set(test.tags) & set(self.tiers) for test in tests) else BENCHMARKS

    def test_folders(self) -> list[Path]:
        """The folders of tests: `folders`, or the default."""
        found: dict[Path, None] = {}
        for place in self.places():
            of_suite = place.name == "suite.py"
            found[place.parent.parent if of_suite else place.parent if place.is_file() else place] = None
        return list(found)

    def tops(self) -> list[Path]:
        """The same, but for folders inside tests/ that folder: a name stands for one file in all of it."""
        ours = [(top, top.resolve()) for top in (self.root / "tests", BENCHMARKS)]
        return list(
            dict.fromkeys(
                next((top for top, its in ours if folder.resolve().is_relative_to(its)), folder)
                for folder in self.test_folders()
            )
        )

    def suite_folders(self) -> list[Path]:
        """The folders in which a named suite is looked for, in order: own tests do not hide those that come
        with Assay."""
        return list(dict.fromkeys([*self.test_folders(), BENCHMARKS]))

    @property
    def looks_inside(self) -> bool:
        """Whether folders inside those of tests count, too: nobody has named a folder, or a test in one."""
        return bool(self.only_changed) and not self.folders

    def own_suites(self) -> list[str]:
        """The names of the suites other than the applied one that may be named."""
        return other_suites(self.suite_folders())

    def suite_names(self, saved: bool = False) -> list[str]:
        """The names of the requested suites, applied first. `saved`: of results, which may be of tests given
        from Python, too. Raises ConfigError for an unknown one."""
        meant = {name for pattern in self.tests if (name := self.suite_meant(pattern))}
        changed = () if self.tiers else self._changed_suites
        asked = self.suites or (("all",) if self.tiers else (APPLIED, *meant, *changed))
        if set(asked) == {APPLIED}:
            return [APPLIED]
        from assay.records import FROM_PYTHON

        known = {APPLIED, *self.own_suites()}
        if saved and FROM_PYTHON not in known:
            asked = tuple(name for name in asked if name != FROM_PYTHON)
        if unknown := [name for name in asked if name not in known and name != "all"]:
            from assay.results.saved_suites import no_longer_here

            if gone := no_longer_here(unknown[0], self.root / "results"):
                raise ConfigError(gone)
            hint = misplaced(PLUGINS, unknown[0])
            if unknown[0] == FROM_PYTHON:
                hint = f"; {FROM_PYTHON} is the suite of results of tests that were given from Python"
            raise ConfigError(
                f"unknown suite {unknown[0]!r}.{near(unknown[0], known)} "
                f"There are: {', '.join(sorted(known))} and all{hint}"
            )
        names = {APPLIED, *other_suites(self.test_folders())} if "all" in asked else set(asked)
        return sorted(names, key=lambda name: (name != APPLIED, name))

    @cached_property
    def _changed_suites(self) -> list[str]:
        """The suites in the default folder, and those of packages, that changed, if nothing but what changed
        was asked for."""
        if not self.looks_inside or self.suites or self.tests:
            return []
        from assay.suites.changed_suites import suite_changed

        names = other_suites([self._default_place])
        return [name for name in names if suite_changed(self, name, named=False)]

    @property
    def config(self) -> Path:
        """The settings of the run."""
        return Path(self.flags.get("config") or self.root / "config.json")

    # ---------------------------------------------------------------- suites of their own

    def suite_meant(self, pattern: str) -> str:
        """The suite of which a name or pattern has the name, and more: hard.exact_machine, euler001.python;
        '' if suites are named otherwise."""
        if self.suites:
            return ""
        found = (name for name in self.own_suites() if re.match(rf"{re.escape(name)}[^a-zA-Z_]", pattern))
        return next(found, "")

    def is_named(self, suite: str) -> bool:
        """Whether a suite was asked for by its name or a test's, and is not only one of all."""
        return suite in self.suites or any(self.suite_meant(pattern) == suite for pattern in self.tests)

    def suite(self, name: str) -> Suite:
        """A suite of its own, from the first folder of tests that has it, or of an installed package. Raises
        ConfigError."""
        from assay.suites.finding import find_suite

        suite = find_suite(name, self.suite_folders())
        if suite.folder is not None and name not in extensions(PLUGINS):
            suite.defined_in = relative(suite.folder / "suite.py", self.root)
        return suite

    def suites_in(
        self, errors: list[str], left_out: list[str] | None = None
    ) -> Iterator[tuple[str, Suite | None]]:
        """Each requested suite, None for the applied one. One that cannot be loaded and was not named, but is
        only one of all, is left out, and its error added to `errors`. With `left_out`, so is one that cannot
        make its samples, and one whose chosen samples cannot run here, which are added to `left_out`; there,
        too, are the errors of installed suites if only a tier asks for all. Raises ConfigError."""
        for name in self.suite_names():
            try:
                suite = None if name == APPLIED else self.suite(name)
                if suite is not None and left_out is not None and not self.is_named(name):
                    flags_of(suite, {})
                    lacks = suite.lacks()
                    if ids := [each.id for each in self.samples_of(suite) if lacks]:
                        told = errors if name in self._changed_suites else left_out
                        told.append(f"left out: {few(ids, NAMED)}, because suite {name} needs {lacks}")
                    if lacks:
                        continue
            except ConfigError as error:
                if self.is_named(name):
                    raise
                if left_out is None or "all" in self.suites or name not in extensions(PLUGINS):
                    errors.append(str(error))
                else:
                    left_out.append(f"warning: the suite {name} is left out: {error}")
            else:
                yield name, suite

    def samples_of(self, suite: Suite) -> Iterable[Sample]:
        """The selected samples of a suite of its own, lazily, each with its conditions. Raises TestFileError
        for an error in the suite, and ConfigError if it was named whole and the names choose none of it."""
        conditions, none = self.conditions_of(suite), bool(self.tests) and suite.name in self.suites
        for each in suite.owned(self.options):
            none = none and not self.names(each.id)
            if self.wants(each.id, each.tags):
                yield each.but(conditions=conditions) if conditions else each
        if none:
            raise two_commands(suite.name, self)

    def check_flags(self, suite: Suite, declared: SuiteFlags) -> None:
        """Raise ConfigError for flags or conditions of a suite that a run refuses."""
        declared.check_free(suite.name, self.flags)
        replace(self, flags={**self.flags, **declared.defaults}).conditions_of(suite)

    def given_to(self, suite: Suite, declared: SuiteFlags) -> dict[str, Any]:
        """The suite's flags that were given, as it reads them. Raises ConfigError for a value that it does
        not take."""
        given = {name: self.flags[name] for name in declared.declared.keys() & self.given}
        return declared.checked(suite.name, given, "{}") if self.unread else given

    def conditions_of(self, suite: Suite) -> dict[str, Any]:
        """The values of the suite's flags that change what its trials mean, as stored."""
        for name in suite.conditions:
            if name not in self.flags and not hasattr(self.options, name):
                raise ConfigError(
                    f"suite {suite.name}: its conditions name {name!r}, but it has no such flag"
                )
        return self._stored(suite.conditions)

    @property
    def conditions(self) -> dict[str, dict[str, Any]]:
        """The conditions that were typed, by suite, as stored."""
        return {suite: self._stored(names) for suite, names in self.typed.items()}

    def _stored(self, names: Iterable[str]) -> dict[str, Any]:
        values = {name: self.flags.get(name) for name in names}
        found: dict[str, Any] = json.loads(json.dumps(values, default=str))
        return found


def two_commands(suite: str, selection: Selection) -> ConfigError:
    """What is raised if names would drop a suite that was asked for."""
    return ConfigError(
        f"no test of suite {suite} is named {' or '.join(selection.tests)}; "
        "a whole suite and other tests take two commands"
    )
