"""Which tests the flags mean."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.config import near
from assay.errors import ConfigError
from assay.home import BENCHMARKS, typed
from assay.suites.listing import Listed, TestFile, holds_tests, list_tests

if TYPE_CHECKING:  # importing the language costs more than --list may
    from assay.records import TrialRecord
    from assay.suites.suite import Sample, Suite

APPLIED = "applied"


def names_of(test_id: str) -> tuple[str, str, str]:
    """What a user may call a test: its id, its file's stem, its variable."""
    stem, _, variable = test_id.partition(".")
    return test_id, stem, variable or stem


def matches(test_id: str, pattern: str) -> bool:
    """
    >>> matches("print_hello.TestPrintHello", "print_*"), matches("print_hello.TestPrintHello", "TestPrint")
    (True, False)
    """
    pattern = pattern.rsplit("/", 1)[-1].removesuffix(".py")
    return any(fnmatchcase(name, pattern) for name in names_of(test_id))


@dataclass
class Choice:
    """The chosen part of the applied suite. `errors` are files that could not be read."""

    files: list[TestFile] = field(default_factory=list)
    tests: list[Listed] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


def wanted_by(options: argparse.Namespace) -> Callable[[str, Sequence[str]], bool]:
    """Whether a test's id and tags fit --test and --tag."""

    def wanted(test_id: str, tags: Sequence[str]) -> bool:
        named = not options.test or any(matches(test_id, pattern) for pattern in options.test)
        return named and (not options.tag or not set(options.tag).isdisjoint(tags))

    return wanted


def test_folders(options: argparse.Namespace, root: Path) -> list[Path]:
    """Where the tests are: --tests, else tests/ where there is one of ours, else what comes with Assay."""
    here = root / "tests"
    return [Path(folder) for folder in options.tests] or [here if holds_tests(here) else BENCHMARKS]


def from_tests(options: argparse.Namespace, root: Path) -> Callable[[TrialRecord], bool]:
    """Whether a record is of a test of the folders that --tests names; of any without that flag. One whose
    file is gone counts by the file's name, one that does not say its file always, and so does one of a suite
    that --suite names, which may come with Assay."""
    folders = [Path(folder).resolve() for folder in options.tests]
    known: dict[tuple[str, str], bool] = {}

    def lies_there(suite: str, source: str) -> bool:
        if (path := (root / source).resolve()).exists():
            return any(map(path.is_relative_to, folders))
        files = [folder / name for folder in folders for name in (f"{suite}/suite.py", path.name)]
        return any(file.is_file() for file in files)

    def wanted(record: TrialRecord) -> bool:
        key = (record.suite, record.source)
        if key not in known:
            named = not folders or not record.source or record.suite in options.suite
            known[key] = named or lies_there(*key)
        return known[key]

    return wanted


def suite_folders(options: argparse.Namespace, root: Path) -> list[Path]:
    """Where a suite that is named is looked for, in this order: tests of one's own do not hide those that
    come with Assay."""
    return list(dict.fromkeys([*test_folders(options, root), BENCHMARKS]))


def other_suites(folders: Iterable[Path]) -> list[str]:
    """The names of the suites that have a folder of their own: a listing, no import, since --list asks."""
    return sorted({path.parent.name for folder in folders for path in folder.glob("*/suite.py")})


def suites_of(options: argparse.Namespace, root: Path) -> list[str]:
    """The names of the suites asked for, applied first. Raises ConfigError for an unknown one."""
    asked = options.suite or [APPLIED]
    known = {APPLIED, *other_suites(suite_folders(options, root))}
    if unknown := [name for name in asked if name not in known and name != "all"]:
        raise ConfigError(
            f"unknown suite {unknown[0]!r}.{near(unknown[0], known)} "
            f"There are: {', '.join(sorted(known))} and all"
        )
    names = {APPLIED, *other_suites(test_folders(options, root))} if "all" in asked else set(asked)
    return sorted(names, key=lambda name: (name != APPLIED, name))


def check_names(
    options: argparse.Namespace,
    ids: Iterable[str],
    tags: Iterable[str],
    others: Iterable[str] = (),
    broken: Iterable[str] = (),
) -> None:
    """Raises ConfigError for a --test or --tag that fits nothing. `others`: names of other suites. `broken`:
    files that cannot be read, and so may hold what is asked for."""
    ids, unread = list(ids), [f"{stem}.{stem}" for stem in broken]
    for pattern in options.test:
        if any(matches(test_id, pattern.partition(".")[0]) for test_id in unread):
            continue
        if not any(matches(test_id, pattern) for test_id in ids):
            known = dict.fromkeys(name for test_id in ids for name in names_of(test_id))
            if (stem := pattern.partition(".")[0]) in others:
                raise ConfigError(f"no applied test is named {pattern!r}; for the suite: --suite {stem}")
            raise ConfigError(
                f"no test named {pattern!r}.{near(pattern, known)} {typed()} --list shows them all"
            )
    known_tags = sorted(set(tags))
    for tag in options.tag:
        if tag not in known_tags:
            raise ConfigError(
                f"no test has the tag {tag!r}.{near(tag, known_tags)} Tags: {', '.join(known_tags)}"
            )


def choose(options: argparse.Namespace, root: Path, cache: Path | None, *, strict: bool = True) -> Choice:
    """The applied tests that --test, --tag and --only-changed leave. `strict`: a name that fits none of
    them is an error (not so when other suites are asked for as well)."""
    folders = test_folders(options, root)
    choice = Choice()
    files = list_tests(folders, cache)
    if options.only_changed:
        from assay.suites.changed import ChangedTests

        changed = ChangedTests(folders, root, options.only_changed)
        choice.messages += [
            f"deleted since {options.only_changed}: {path.name}" for path in changed.deleted()
        ]
        everything, files = files, [file for file in files if changed.affects(file.path)]
        choice.messages.append(
            f"{len(files)} of {len(everything)} test files changed in or since {options.only_changed}"
        )
        if changed.through:
            shared, number = changed.through.most_common(1)[0]
            choice.messages.append(f"{number} of them import {os.path.relpath(shared, root)}, which changed")
        if changed.unclear:
            named = [f"{path.name} ({what})" for path, what in sorted(changed.unclear.items())]
            more = f" and {len(named) - 5} more" if len(named) > 5 else ""
            choice.messages.append(
                f"{len(named)} of them may have: which files they read, only a run would tell: "
                f"{', '.join(named[:5])}{more}"
            )
    else:
        everything = files
    files = [_computed(file, root) if file.computed else file for file in files]
    known = [test for file in everything for test in file.tests] + [
        test for file in files if file.computed for test in file.tests
    ]
    if strict:
        tags = (tag for test in known for tag in test.tags)
        broken = [file.path.stem for file in files if file.error or not file.tests]
        others = other_suites(suite_folders(options, root))
        check_names(options, (test.id for test in known), tags, others, broken)
    wanted = wanted_by(options)
    for file in files:
        if file.error:
            if _may_hold_wanted(file, options):
                choice.errors.append(file.error)
            continue
        if tests := [test for test in file.tests if wanted(test.id, test.tags)]:
            choice.files.append(file)
            choice.tests += tests
        elif not file.tests and not options.tag and _may_hold_wanted(file, options):
            choice.files.append(file)  # loading it tells what is wrong
    return choice


def _may_hold_wanted(file: TestFile, options: argparse.Namespace) -> bool:
    """A file that is broken or shows no test matters unless others were asked for by name."""
    stem = file.path.stem
    return not options.test or any(matches(f"{stem}.{stem}", p.partition(".")[0]) for p in options.test)


def _computed(file: TestFile, root: Path) -> TestFile:
    """A file whose tests only an import can tell."""
    from assay.suites.suite import load_file

    loaded = load_file(file, root=root)
    lines = {test.variable: test.line for test in file.tests}
    tests = tuple(
        Listed(
            sample.id,
            sample.id.partition(".")[2],
            str(file.path),
            lines.get(sample.id.partition(".")[2], 1),
            sample.description,
            sample.tags,
            sample.requires,
            sample.deterministic,
        )
        for sample in loaded.samples
    )
    return TestFile(file.path, tests, True, loaded.errors[0] if loaded.errors else "")


def suite_samples(suite: Suite, options: argparse.Namespace) -> Iterable[Sample]:
    """The samples of a suite of its own that --test and --tag leave, lazily, each with the conditions it
    is tried under. Raises TestFileError for a mistake in the suite."""
    from assay.suites.suite import blame

    wanted, conditions = wanted_by(options), conditions_of(suite, options)
    with blame(suite.name, suite.folder):
        for each in suite.samples(options):
            if wanted(each.id, each.tags):
                yield replace(each, conditions=conditions) if conditions else each


def conditions_of(suite: Suite, options: argparse.Namespace) -> dict[str, Any]:
    """The values of the suite's flags that change what its trials mean, as they are stored."""
    import json

    values = {name: getattr(options, name, None) for name in suite.conditions}
    found: dict[str, Any] = json.loads(json.dumps(values, default=str))
    return found
