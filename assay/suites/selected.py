"""The samples that a selection chooses, from all suites."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.config import near
from assay.errors import ConfigError, TestFileError
from assay.home import BENCHMARKS, typed
from assay.records import TrialKey
from assay.results.trial_index import TrialIndex
from assay.suites.blame import blame
from assay.suites.choice import Choice, choose
from assay.suites.fingerprint import Fingerprints
from assay.suites.listing import Listed, TestFile, is_among, names_of
from assay.suites.row_samples import RowSamples
from assay.suites.sample import Sample, unique_ids
from assay.suites.selection import Selection
from assay.suites.suite import Suite, odd_id
from assay.suites.tree_warnings import ends_loosely, told
from assay.suites.unasked import asks_nobody, unasked
from assay.suites.unknown_names import check_names_of

if TYPE_CHECKING:
    from assay.language.dsl import Node
    from assay.suites.loading import Loaded

NAMED = 3  # tests in messages
WARNING = "warning: "
MOST_ROWS = 20_000  # among which a misspelt one is looked for


@dataclass
class Selected:
    """The samples of the applied suite, and functions that make those of the others again at each call, so
    that none are kept. `files`: those of the applied suite. `errors`: of files that could not be loaded.
    `count`: of all samples. `conditions`: suite -> values of its flags that change what a trial means."""

    applied: list[Sample] = field(default_factory=list)
    suites: dict[str, Suite] = field(default_factory=dict)
    others: list[RowSamples | Callable[[], Iterable[Sample]]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    count: int = 0
    conditions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    lone_references: list[Path] = field(default_factory=list)
    files: list[TestFile] = field(default_factory=list)

    def __call__(self) -> Iterator[Sample]:
        yield from self.applied
        for suite in self.others:
            yield from suite()

    @property
    def warnings(self) -> list[str]:
        """The warnings among the messages."""
        return [each.removeprefix(WARNING) for each in self.messages if each.startswith(WARNING)]

    def names(self) -> set[str]:
        """The tests, the tables of rows as one each, and the suites."""
        rows = {make.name for make in self.others if isinstance(make, RowSamples)}
        return {each.id for each in self.applied} | rows | self.suites.keys()

    def only(self, wants: Callable[[str, Sequence[str]], bool]) -> Selected:
        """Keep only the samples whose id and tags fit."""

        def kept(make: Callable[[], Iterable[Sample]]) -> Iterator[Sample]:
            return (each for each in make() if wants(each.id, each.tags))

        applied = list(kept(lambda: self.applied))
        others: list[RowSamples | Callable[[], Iterable[Sample]]] = [
            make.only(wants) if isinstance(make, RowSamples) else partial(kept, make) for make in self.others
        ]
        return replace(self, applied=applied, others=others)

    def from_python(self) -> Selected:
        """Keep only the tests that were given as objects; files may have changed since."""
        rows = [each for each in self.others if isinstance(each, RowSamples) and not each.source]
        return Selected([each for each in self.applied if not each.source], others=[*rows])

    def make_all(self) -> None:
        """Make every sample once: they are counted, and Rows that cannot be used become an error and are left
        out. Raises ConfigError if two samples have one id."""
        seen, usable = TrialIndex(), []
        self.count = sum(1 for _ in unique_ids(self.applied, seen))
        for make in self.others:
            try:
                made = make.unique(seen) if isinstance(make, RowSamples) else unique_ids(make(), seen)
                odd, loose, doubtful = "", list[str](), list[str]()
                silent: dict[str, Node] = {}
                before = self.count
                for each in made:
                    self.count += each.test is not None  # or it cannot be made
                    if each.suite in self.suites:
                        if asks_nobody(each.test):
                            silent[each.id] = each.test
                        odd = odd or odd_id(each)
                        if text := ends_loosely(each.test):
                            loose.append(f"warning: {each.id} {text}")
                        doubtful += [f"{kind}: {each.id}: {text}" for kind, text in told(each.test)]
                self.messages += [f"warning: {odd}"] * bool(odd) + _first(loose)
                self.messages += _first(doubtful, "like them")
                if silent:
                    self.messages.append(unasked(silent, of=self.count - before))
                usable.append(make)
            except TestFileError as error:
                if not isinstance(make, RowSamples):
                    raise
                self.errors.append(str(error))
            if isinstance(make, RowSamples):
                self.messages += (f"warning: {text}" for text in make.warnings)
        self.others = usable

    def references(self, trial: TrialKey, right: bool) -> Sequence[Any] | Path | None:
        """The replies that a suite of its own gives the oracle or the saboteur, or the file that has them."""
        suite = self.suites.get(trial.suite)
        if suite is None:
            return None
        with blame(suite.name, suite.folder):
            found = suite.references(trial, right)
        if found is None and not trial.source and suite.folder is not None:
            return suite.folder / "references" / "suite.py"
        return found


def select_tests(selection: Selection, cache: Path | None) -> Selected:
    """Load the selected tests. `cache`: the folder of facts about files. Raises ConfigError if no test is
    selected, or if two have one name."""
    selected, reasons = Selected(), list[str]()
    for name, suite in selection.suites_in(selected.errors, selected.messages):
        if suite is None:
            choice = choose(selection, cache / "listing.json" if cache else None)
            selected.files, selected.deleted = choice.files, choice.deleted
            selected.lone_references = choice.lone_references
            loaded = load_chosen(selection, choice, cache)
            if selection.only_changed:  # a test may have got lost by the change
                loaded.errors += loaded.testless
                loaded.warnings = [each for each in loaded.warnings if each not in loaded.testless]
            reasons = loaded.warnings
            doubts = (*loaded.mistakes, *(f"warning: {text}" for text in loaded.warnings))
            selected.messages += [*choice.messages, *doubts, *_loose_ends(loaded), *_unasked(loaded)]
            for rows in loaded.rows:
                if choice.changed and (gone := choice.changed.lost_rows(rows)):
                    selected.deleted += gone
                    selected.messages.append(choice.changed.said_of(gone))
            selected.others += loaded.rows
            selected.applied = loaded.samples
            selected.errors += [*choice.errors, *loaded.errors]
        elif selection.only_changed and not _changed(selection, name):
            from assay.suites.changed import in_words

            selected.messages.append(f"suite {name} did not change {in_words(selection.only_changed)}")
        else:
            check_names_of(suite, selection)
            selected.suites[name] = suite
            selected.others.append(partial(selection.samples_of, suite))
    selected.conditions = {name: selection.conditions_of(each) for name, each in selected.suites.items()}
    selected.make_all()
    everything = not (selection.tests or selection.tags or selection.tiers)
    if selection.only_changed and everything:
        selected.errors += (
            f"suite {name} changed, and has no test with these flags"
            for name, suite in selected.suites.items()
            if not any(True for _ in selection.samples_of(suite))
        )
    selected.messages += [f"error: {error}" for error in selected.errors]
    if not selected.errors and not selection.only_changed and not selected.count:
        if empty := [file.path.name for file in selected.files if not file.tests]:
            raise ConfigError("\n".join(reasons) or f"there is no test in {', '.join(empty[:3])}")
        if selected.suites and everything:
            raise ConfigError(f"there is no test in suite {' or '.join(selected.suites)} with these flags")
        if selected.messages and everything:
            why = (text.removeprefix("warning: ") for text in selected.messages)
            raise ConfigError("\n".join(why))
        own = BENCHMARKS not in selection.test_folders() and not selection.suites
        named = "; suites that come with Assay are chosen by name, such as --suite hard" if own else ""
        meant = _meant_rows(selection, cache) or f"; {typed()} list shows them all{named}"
        raise ConfigError("\n".join((f"no test matches these flags{meant}", *selected.messages)))
    return selected


def _changed(selection: Selection, suite: str) -> bool:
    from assay.suites.changed_suites import suite_changed

    return suite_changed(selection, suite)


def _meant_rows(selection: Selection, cache: Path | None) -> str:
    """Whether rows of a table have names like those that were asked for, or ''."""
    for pattern in selection.tests:
        name, bracket, _ = pattern.partition("[")
        if bracket and name:
            try:
                rows = select_tests(replace(selection, tests=(name,)), cache)
            except ConfigError:
                continue
            ids = islice((each.id for each in rows()), MOST_ROWS)
            meant = near(pattern, [each if "." in name else names_of(each)[2] for each in ids])
            return f": {name} has {rows.count:,} rows, but none with this name.{meant}"
    return ""


def _loose_ends(loaded: Loaded) -> list[str]:
    """Warnings of tests that pass with any reply: a run of them would say PASS 100%."""
    tests = [(each.id, each.test) for each in loaded.samples]
    tests += [(each.name, each.rows.test) for each in loaded.rows if each.rows.test is not None]
    found = [f"warning: {name} {text}" for name, test in tests if (text := ends_loosely(test))]
    return _first(found, f"end without a judge; {typed()} lint names them all")


def _first(found: list[str], rest: str = "end without a judge") -> list[str]:
    """The first of such warnings, and how many more there are."""
    more = len(found) - NAMED
    return found[:NAMED] + [f"warning: {more:,} more {rest}"] * (more > 0)


def _unasked(loaded: Loaded) -> list[str]:
    """A notice of tests that do not ask the model."""
    tests = {each.id: each.test for each in loaded.samples}
    rows = {each.name: each.rows.test for each in loaded.rows if each.rows.test is not None}
    return [text] if (text := unasked(tests, rows)) else []


def load_chosen(
    selection: Selection, choice: Choice, cache: Path | None, ids: Collection[str] | None = None
) -> Loaded:
    """The selected samples of chosen files, or those with one of `ids`, with their fingerprints."""
    from assay.suites.loading import load_tests  # a suite of its own needs none of it

    def wanted(listed: Listed) -> bool:
        return selection.wants(listed.id, listed.tags) if ids is None else is_among(listed.id, ids)

    imports = cache / "imports.json" if cache else None
    folders = [*selection.test_folders(), *(file.path.parent for file in choice.files)]
    fingerprints = Fingerprints(selection.root, list(dict.fromkeys(folders)), imports)
    loaded = load_tests(
        choice.files,
        root=selection.root,
        wanted=wanted,
        fingerprints=fingerprints,
    )
    fingerprints.remember()
    return loaded
