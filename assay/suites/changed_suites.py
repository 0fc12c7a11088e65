"""--only-changed: whether a suite changed, in a folder of tests or in a package of the same repository."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import AssayError
from assay.extensions import extensions
from assay.git import git
from assay.package_code import file_of
from assay.suites.changed import ChangedTests, repository_of
from assay.suites.listing import PLUGINS

if TYPE_CHECKING:
    from assay.suites.sample import Sample
    from assay.suites.selection import Selection


def suite_changed(selection: Selection, name: str, named: bool = True) -> bool:
    """Whether a suite's files, what they import, its flags or the judge that it asks changed. If it is not
    `named`, what it only may read, perhaps all of tests/, does not count; one that was installed from
    elsewhere counts only if it is named."""
    commit = selection.only_changed
    assert commit is not None
    folders = (each / name for each in selection.suite_folders())
    own = next((each for each in folders if (each / "suite.py").is_file()), None)
    found = [(own / "suite.py", own, own)] if own else [*_of_packages(name, selection.root)]
    for file, place, folder in found:
        changed = ChangedTests([folder], selection.root, commit)
        judges = changed.judges_changed(selection.config, selection.flags)
        if (
            changed.below(place)
            or changed.surely_affects(file)
            or changed.flags_changed(name, selection.config)
            or (named and changed.affects(file))
            or (judges and _asks(selection, name, judges))
        ):
            return True
    return named and not found


def ask(samples: Iterable[Sample], judges: Set[str]) -> bool:
    """Whether a test among these asks one of the judges."""
    return any(not judges.isdisjoint(node.asks) for each in samples for node in each.nodes)


def _asks(selection: Selection, name: str, judges: Set[str]) -> bool:
    try:
        return ask(selection.samples_of(selection.suite(name)), judges)
    except AssayError:  # whoever runs it is told
        return False


def _of_packages(name: str, root: Path) -> Iterator[tuple[Path, Path, Path]]:
    """The files in the repository of an installed suite's module, which may have been copied when it was
    installed; each with what counts as the suite's own (as in assay.suites.finding), and its package."""
    plugin = extensions(PLUGINS).get(name)
    if plugin is None:
        return
    repository, module = repository_of(root), plugin.entry.module
    place = module.replace(".", "/")
    wanted = (f":(glob)**/{place}.py", f":(glob)**/{place}/__init__.py")
    listed = git(repository, "ls-files", "-z", "--", *wanted).split(b"\0")[:-1]
    files = {repository / each.decode(errors="surrogateescape") for each in listed}
    if (used := file_of(module)) and used.resolve().is_relative_to(repository):
        files |= {used.resolve()} if "site-packages" not in used.parts else set()
    for file in sorted(each for each in files if each.is_file()):
        whole = file.name == "__init__.py"
        package = file.parents[max(module.count(".") - (not whole), 0)]
        yield file, file.parent if whole or "." in module else file, package
