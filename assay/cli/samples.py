"""The samples that a run is about, of all suites asked for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from assay.cli.choose import APPLIED, choose, suite_folders, suite_samples, suites_of, test_folders, wanted_by
from assay.cli.listing import find_suite
from assay.cli.place import Place, say
from assay.errors import ConfigError
from assay.home import typed
from assay.records import TrialKey
from assay.running.roles import roles_asked
from assay.suites.changed import ChangedTests
from assay.suites.fingerprint import Fingerprints
from assay.suites.suite import Sample, Suite, load_tests, unique_ids


@dataclass
class Chosen:
    """The samples of the applied suite, and how to make those of the others: again at each call, so that
    nothing of them is kept. `errors`: files that could not be loaded. `count`: of all samples."""

    applied: list[Sample] = field(default_factory=list)
    suites: dict[str, Suite] = field(default_factory=dict)
    others: list[Callable[[], Iterable[Sample]]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    count: int = 0

    def __call__(self) -> Iterator[Sample]:
        yield from self.applied
        for suite in self.others:
            yield from suite()

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any] | None:
        """What a suite of its own gives the oracle or the saboteur to say."""
        suite = self.suites.get(trial.suite)
        return None if suite is None else suite.references(trial, right)

    def roles(self) -> dict[str, str]:
        """The judges that the applied tests ask, each with the first test that does."""
        found: dict[str, str] = {}
        for sample in self.applied:
            for role in roles_asked(sample):
                found.setdefault(role, sample.id)
        return found


def choose_samples(options: argparse.Namespace, place: Place) -> Chosen:
    """Load the tests that the flags mean. Raises ConfigError if there are none, or two of one name."""
    suites = suites_of(options, place.root)
    chosen = Chosen()
    if APPLIED in suites:
        _load_applied(chosen, options, place, alone=suites == [APPLIED])
    for name in suites:
        if name == APPLIED:
            continue
        if options.only_changed and not _suite_changed(name, options, place.root):
            say(f"suite {name} did not change since {options.only_changed}")
            continue
        suite = find_suite(name, options, place.root)
        chosen.suites[name] = suite
        chosen.others.append(partial(suite_samples, suite, options))
    for error in chosen.errors:
        say(f"error: {error}")
    chosen.count = sum(1 for _ in unique_ids(chosen()))
    if not chosen.errors and not options.only_changed and not chosen.count:
        raise ConfigError(f"no test fits these flags; {typed()} --list shows them all")
    return chosen


def _load_applied(chosen: Chosen, options: argparse.Namespace, place: Place, *, alone: bool) -> None:
    listing = place.cache / "listing.json" if place.cache else None
    imports = place.cache / "imports.json" if place.cache else None
    choice = choose(options, place.root, listing, strict=alone)
    wanted = wanted_by(options)
    fingerprints = Fingerprints(place.root, test_folders(options, place.root), imports)
    loaded = load_tests(
        choice.files,
        root=place.root,
        wanted=lambda listed: wanted(listed.id, listed.tags),
        fingerprint=fingerprints,
    )
    fingerprints.remember()
    for text in (*choice.messages, *loaded.warnings):
        say(text)
    chosen.applied, chosen.errors = loaded.samples, [*choice.errors, *loaded.errors]


def _suite_changed(name: str, options: argparse.Namespace, root: Path) -> bool:
    """Whether a suite of its own changed as --only-changed means it."""
    for folder in suite_folders(options, root):
        if (folder / name / "suite.py").is_file():
            changed = ChangedTests([folder / name], root, options.only_changed)
            return changed.affects(folder / name / "suite.py") or changed.folder_changed()
    return True
