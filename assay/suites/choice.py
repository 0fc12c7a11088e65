"""The chosen part of the applied suite, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assay.home import BENCHMARKS, typed
from assay.suites.listing import (
    Listed,
    TestFile,
    holds_tests,
    imports_the_language,
    inner_folders,
    list_tests,
    namesakes,
)
from assay.suites.selection import APPLIED, Selection, two_commands
from assay.suites.unknown_names import check_names

if TYPE_CHECKING:
    from assay.suites.changed import ChangedTests


@dataclass
class Choice:
    """The chosen part of the applied suite. `errors`: files that could not be read. `deleted`: with
    only_changed, test files that are gone, and tests of others; `changed` tells it. `lone_references`: files
    of references that changed, and have no test file."""

    files: list[TestFile] = field(default_factory=list)
    tests: list[Listed] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    changed: ChangedTests | None = None
    lone_references: list[Path] = field(default_factory=list)


def choose(selection: Selection, cache: Path | None, *, strict: bool | None = None) -> Choice:
    """The selected applied tests; most files are not imported. `cache`: the file with facts about files.
    `strict`: a name that fits none of them is an error (by default if no other suite is requested)."""
    if strict is None:
        strict = set(selection.suites) <= {APPLIED} and not selection.tiers
    choice = Choice()
    everything = files = list_tests(selection.places(), cache)
    if selection.only_changed:
        everything, files, choice.changed = _only_changed(selection, files)
    files = [_computed(file, selection.root) if file.computed else file for file in files]
    if (changed := choice.changed) is not None:
        choice.deleted = changed.deleted(files)
        if not (selection.tests or selection.tags or selection.tiers):
            choice.lone_references = changed.lone_references()
        choice.messages += changed.messages(len(files), len(everything), choice.deleted)
    known = [test for file in everything for test in file.tests] + [
        test for file in files if file.computed for test in file.tests
    ]
    broken = [file for file in files if file.error or not file.tests]
    if strict:
        tags = (tag for test in known for tag in test.tags)
        own = tuple(each for each in selection.tests if not selection.suite_meant(each))
        unread = [file.path.stem for file in broken]
        check_names(replace(selection, tests=own), (test.id for test in known), tags, unread)
    elif selection.tests and {APPLIED} < {*selection.suites}:
        fits = any(selection.names(test.id) for test in known)
        if not fits and not any(map(selection.may_be_in, broken)):
            raise two_commands(APPLIED, selection)
    alike = namesakes(selection.tops())
    for file in files:
        if file.path.name.lower() in alike and not file.error:
            file = replace(file, error=_shares_its_name(file.path, alike))
        if file.error:
            if selection.may_be_in(file):
                choice.errors.append(file.error)
            continue
        if tests := [test for test in file.tests if selection.wants(test.id, test.tags)]:
            choice.files.append(file)
            choice.tests += tests
        elif not file.tests and not (selection.tags or selection.tiers) and selection.may_be_in(file):
            choice.files.append(file)  # loading it reports the error
    if not selection.tests:
        with_assay = _with_assay(selection) if choice.tests or selection.tiers else ""
        left_out = "" if selection.looks_inside else _left_out(selection, bool(everything))
        choice.messages += filter(None, (left_out, with_assay))
    return choice


def _only_changed(
    selection: Selection, files: list[TestFile]
) -> tuple[list[TestFile], list[TestFile], ChangedTests]:
    """The files that the names of tests may be in, those of them that changed, and what tells it."""
    from assay.suites.changed import ChangedTests

    assert selection.only_changed is not None
    folders = selection.test_folders()
    changed = ChangedTests(folders, selection.root, selection.only_changed)
    parts = [(changed, files)]
    for folder in inner_folders(folders) if selection.looks_inside else ():
        parts.append((changed.inside(folder), list_tests([folder])))
    everything = [file for _, its in parts for file in its]
    files = [file for part, its in parts for file in its if part.affects(file.path)]
    if judges := changed.judges_changed(selection.config, selection.flags):
        from assay.suites.changed_suites import ask
        from assay.suites.loading import load_file

        asking = [
            file
            for file in everything
            if file not in files and ask(load_file(file, root=selection.root).every(), judges)
        ]
        changed.judged = len(asking)
        files = [file for file in everything if file in files or file in asking]
    return everything, files, changed


def _shares_its_name(path: Path, alike: Mapping[str, Sequence[Path]]) -> str:
    """The error of a file whose tests have the ids of another's, chosen or not; '' if there is none."""
    from assay.suites.diagnostics import shown_path

    others = (each for each in alike[path.name.lower()] if each.resolve() != path.resolve())
    if (other := next(filter(imports_the_language, others), None)) is None:
        return ""
    return (
        f"{shown_path(path)}: {shown_path(other)} has the same name, so the results of their tests would "
        "count as those of the same tests; rename one of them"
    )


def _left_out(selection: Selection, beside: bool) -> str:
    """What to say of test files in folders of their own; '' if there are none. `beside`: whether there are
    others, which are chosen."""
    if not (found := inner_folders(selection.places())):
        return ""
    from assay.suites.diagnostics import shown_path

    if not beside:
        places = ", ".join(shown_path(each) for each in selection.places())
        return f"{places} has no test file, but {_only_inner(found)}"
    has = "has" if len(found) == 1 else "have"
    return (
        f"{_few(found)} {has} test files too, which are not among these; name the folder to choose them: "
        f"{typed()} run {shown_path(found[0])}"
    )


def _only_inner(found: Sequence[Path]) -> str:
    """The end of a sentence about a folder that has test files only in those that were `found` in it."""
    from assay.suites.diagnostics import shown_path

    its, has = ("its folder", "has") if len(found) == 1 else ("its folders", "have")
    named = " ".join(shown_path(each) for each in found[:3])
    return f"{its} {_few(found)} {has}: {typed()} run {named}"


def _few(found: Sequence[Path]) -> str:
    from assay.suites.diagnostics import shown_path

    more = f" and {len(found) - 3} more folders" if len(found) > 3 else ""
    return ", ".join(shown_path(each) for each in found[:3]) + more


def _with_assay(selection: Selection) -> str:
    """What to say if nobody named any tests and those that come with Assay are chosen; '' otherwise."""
    here = Path.cwd() / "tests"
    named = selection.folders or selection.suites
    if named or selection.places()[0].resolve() != BENCHMARKS or here == BENCHMARKS:
        return ""
    if holds_tests(here) and selection.tiers:
        return (
            f"these tests come with Assay, because tests/ here has none that are {', '.join(selection.tiers)}"
        )
    if holds_tests(here):
        return f"these tests come with Assay; to choose those in tests/ here: {typed()} run tests"
    none = "tests/ here has no test file of Assay" if here.is_dir() else "there is no folder tests/ here"
    said = f"these tests come with Assay, because {none}"
    return f"{said}; {_only_inner(found)}" if (found := inner_folders([here])) else said


def _computed(file: TestFile, root: Path) -> TestFile:
    """A file whose tests only an import can tell."""
    from assay.suites.fingerprint import Fingerprints
    from assay.suites.loading import load_file

    tests: list[Listed] = []

    def noted(test: Listed) -> bool:
        tests.append(test)
        return False

    errors = load_file(
        file, root=root, wanted=noted, fingerprints=Fingerprints(root, [file.path.parent])
    ).errors
    return TestFile(file.path, tuple(tests), True, errors[0] if errors else "")
