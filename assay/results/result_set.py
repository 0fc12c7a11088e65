"""The two sides of a comparison: saved results by model, commit, run or file, and their differences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from assay.config import near
from assay.errors import ConfigError
from assay.few import few
from assay.files import modified_ns
from assay.gc_pause import gc_paused
from assay.git import git
from assay.home import typed
from assay.records import VERDICTS, Outcome, TrialRecord
from assay.results.conditions import judges_asked, kind_of, mixed_conditions, mixed_software, names_of_test
from assay.results.merging import Merge, said_of, ways_to_count
from assay.results.natural_order import natural
from assay.results.saved_runs import RESCORED, run_files
from assay.results.scores import unusable
from assay.results.store import Read, Results, load_records, read_file
from assay.results.test_versions import covers_assay, is_other
from assay.results.workspace import Workspace

Keep = Callable[[TrialRecord], bool]
Say = Callable[[str], None]
TestKind = tuple[str, str, str]  # suite, test, and the conditions that it was tried under (kind_of)
NOT_COMMITS = ("images", RESCORED)
NAMED = 5  # tests in a warning
AS_THEY_ARE = "--with-changed compares verdicts of two versions, which may ask and check different things"
QUOTE = '"'


@dataclass(frozen=True)
class ResultSet:
    """One side of a comparison: the newest trials of one model. `label` names it in tables. `whole`: all of
    the model's results, not those of one commit, run or file. `outdated`: tests of which it has an older
    version than the newest of all models -> whether this is only suspected, because it cannot be told."""

    label: str
    model: str
    records: Sequence[TrialRecord]
    whole: bool = False
    outdated: Mapping[TestKind, bool] = field(default_factory=dict)
    files: Sequence[Path] = ()  # that the records are from
    path: str = ""  # what was named, if that is a file or a folder

    def labelled(self) -> list[TrialRecord]:
        """The records with the label as their model, so that two sides of one model stay apart."""
        return [replace(record, model=self.label) for record in self.records]


def find_result_set(
    text: str, workspace: Workspace, keep: Keep, say: Say, with_changed: bool = False
) -> ResultSet:
    """The side that `text` names: MODEL, MODEL@COMMIT, MODEL@COMMIT/run-K, a results file or a folder of
    them. A whole model has the trials that count in tables; `with_changed`, the newest version that it has of
    each test. `say` gets a message for what could not be read. Raises ConfigError naming what exists."""
    results = workspace.results
    if results.commits(text):
        files = model_files(results, text) if with_changed else results.files()
        return _whole_side(
            text, load_records(files, keep=lambda r: r.model == text and keep(r), light=True), workspace, say
        )
    if (path := Path(text)).exists() and (files := run_files(path)):
        records = read(files, keep, say)
        models = sorted({record.model for record in records})
        if len(models) > 1:
            raise ConfigError(
                f"{text} holds results of several models ({', '.join(models)}); name one model's file"
            )
        label = f"{models[0]} ({text})" if models else text
        side = _side(label, models[0] if models else text, records, workspace, files)
        return replace(side, path=text)
    model, at, rest = text.rpartition("@")
    if not at or not results.commits(model):
        raise ConfigError(_unknown(text, results))
    commit, slash, run = rest.partition("/run-")
    folder = find_commit(commit, workspace, results.commits(model), f"results of {model}")
    files = model_files(results, model, folder)
    if slash:
        files = [file for file in files if file.stem == f"run-{run}"]
        if not files:
            runs = ", ".join(f"run-{each}" for each in results.runs(folder, model))
            raise ConfigError(f"{model} has no run-{run} at commit {folder}; it has {runs}")
    return _side(f"{model}@{folder}{slash}{run}", model, read(files, keep, say, model), workspace, files)


def told_apart(first: ResultSet, second: ResultSet) -> tuple[ResultSet, ResultSet]:
    """The sides, those of files labelled by the model and as little of the path as tells them apart."""
    for parts in range(1 + max(len(Path(side.path).parts) for side in (first, second))):
        one, other = (_labelled(side, parts) for side in (first, second))
        if one.label != other.label:
            return one, other
    return first, second


def _labelled(side: ResultSet, parts: int) -> ResultSet:
    if not side.path:
        return side
    ends = "/".join(Path(side.path).parts[-parts:])
    return replace(side, label=f"{side.model} ({ends})" if parts else side.model)


def _whole_side(model: str, found: Read, workspace: Workspace, say: Say) -> ResultSet:
    there = {test_kind(record) for record in found.records}
    partly = [each for each in found.outdated if not each.replaced and test_kind(each.record) in there]
    for problem in (*found.unreadable, *found.other_kinds, *said_of(partly)):
        say(problem)
    older: Merge[None] = Merge()
    for each in found.outdated:
        if test_kind(each.record) not in there:
            older.add(each.record, None)
    records = [*found.records, *(record for record, _ in older.all_shown())]
    return _side(model, model, records, workspace, model_files(workspace.results, model), whole=True)


def _side(
    label: str,
    model: str,
    records: Sequence[TrialRecord],
    workspace: Workspace,
    files: Sequence[Path],
    whole: bool = False,
) -> ResultSet:
    if not records:
        raise ConfigError(f"no saved result of {label} in {workspace.results.root} matches these flags")
    return ResultSet(label, model, records, whole, _outdated(records, workspace.results), files)


def _outdated(records: Sequence[TrialRecord], results: Results) -> dict[TestKind, bool]:
    """Their tests of which some model has a newer version -> whether this is only suspected."""
    newest = _newest(tuple((path, modified_ns(path)) for path in results.files()))
    return {
        test: covers_assay(record.fingerprint, version)
        for record in records
        for test in (test_kind(record),)
        for when, version in (newest.get(test, ("", "")),)
        if record.started_at < when and is_other(record.fingerprint, version)
    }


@lru_cache(1)  # both sides of a comparison ask
@gc_paused(freeze=True)
def _newest(files: tuple[tuple[Path, int], ...]) -> dict[TestKind, tuple[str, str]]:
    """The newest verdict on each test: when it was, and on which version. `files`: with their times."""
    newest: dict[TestKind, tuple[str, str]] = {}
    for path, _ in files:
        for each in read_file(path, [], light=True):
            if each.outcome in VERDICTS and each.fingerprint:
                test, its = test_kind(each), (each.started_at, each.fingerprint)
                newest[test] = max(newest.get(test, its), its)
    return newest


def read(files: Iterable[Path], keep: Keep, say: Say, model: str | None = None) -> list[TrialRecord]:
    """The newest trials of the files, of `model` only if given; tells what could not be read."""
    found = load_records(
        files, keep=lambda record: model in (None, record.model) and keep(record), light=True
    )
    for problem in found.problems:
        say(problem)
    return found.records


def model_files(results: Results, model: str, commit: str | None = None) -> list[Path]:
    """The files of a model's runs, at one commit or at all commits."""
    commits = [commit] if commit else sorted(results.commits(model))
    return [results.run_file(at, model, run) for at in commits for run in results.runs(at, model)]


def recorded_models(results: Results) -> list[str]:
    """Every model that has results."""
    return sorted({record.model for record in load_records(results.files(), light=True).records})


def nothing_in(results: Results) -> str:
    return f"there are no saved results in {results.root}; run something first: {typed()} run"


def _unknown(text: str, results: Results) -> str:
    models = recorded_models(results)
    if not models:
        return f"{text!r}: {nothing_in(results)}"
    hint = near(text.rpartition("@")[0] or text, models)
    return (
        f"{text!r} is neither a model with saved results nor a results file.{hint} Models with results: "
        f"{', '.join(models)}; write MODEL, MODEL@COMMIT, MODEL@COMMIT/run-K or a file"
    )


def commits_of(results: Results) -> set[str]:
    """Every commit that has results."""
    return {path.parent.parent.name for path in results.files()} - set(NOT_COMMITS)


def find_commit(text: str, workspace: Workspace, known: set[str], what: str) -> str:
    """The results folder among `known` that `text` names: a short or full hash, a branch, a tag or e.g.
    HEAD~3. Raises ConfigError saying that `what` has no such commit."""
    if text in known:
        return text
    found = {each for each in known if len(text) >= 4 and (each.startswith(text) or text.startswith(each))}
    sha = ""
    if not found:
        try:
            verify = ("rev-parse", "--verify", "--quiet", "--end-of-options")
            sha = git(workspace.root, *verify, f"{text}^{{commit}}").decode().strip()
        except ConfigError:
            raise ConfigError(
                f"{text!r} is not a commit of {workspace.root}, and there are no {what} of that name; there "
                f"are some at {_listed(known)}"
            ) from None
        found = {each for each in known if sha.startswith(each)}
    if len(found) > 1:
        raise ConfigError(f"{text!r} is ambiguous: it may be {_listed(found)}; write more characters")
    if not found:
        raise ConfigError(f"no {what} at commit {text} ({sha[:12]}); there are some at {_listed(known)}")
    return found.pop()


def _listed(commits: Iterable[str]) -> str:
    return few(sorted(commits), 10) or "none"


# ---------------------------------------------------------------- what makes two sides differ


def changed_tests(first: ResultSet, second: ResultSet) -> list[str]:
    """Tests of which the sides tried different versions."""
    return sorted({test for _, test, _ in changed_kinds(first, second)}, key=natural)


def changed_kinds(first: ResultSet, second: ResultSet) -> dict[TestKind, bool]:
    """The tests of which the sides have different versions -> whether this is only suspected."""
    one, other = (_by_test(side) for side in (first, second))
    pairs = {
        key: (its, other[key])
        for key, its in one.items()
        if its != other.get(key, its) and any(is_other(a, b) for a in its for b in other[key])
    }
    return {
        key: any(covers_assay(a, b) or covers_assay(b, a) for a in its for b in others)
        for key, (its, others) in pairs.items()
    }


def comparable(first: ResultSet, second: ResultSet, with_changed: bool) -> tuple[ResultSet, ResultSet]:
    """The sides without the tests that changed in between."""
    gone = {} if with_changed else changed_kinds(first, second)
    if not gone:
        return first, second

    def rest(side: ResultSet) -> ResultSet:
        return replace(side, records=[record for record in side.records if test_kind(record) not in gone])

    return rest(first), rest(second)


def test_kind(record: TrialRecord) -> TestKind:
    """A test as it was tried."""
    return record.suite, record.test, kind_of(record)  # a suite's fingerprint may hold its conditions


def _by_test(side: ResultSet) -> dict[TestKind, set[str]]:
    found: dict[TestKind, set[str]] = {}
    for record in side.records:
        found.setdefault(test_kind(record), set()).update([record.fingerprint] if record.fingerprint else [])
    return found


def is_nothing_left(first: ResultSet, second: ResultSet) -> bool:
    """Whether all the tests that both have were changed in between."""
    both = _by_test(first).keys() & _by_test(second).keys()
    return bool(both) and both <= changed_kinds(first, second).keys()


def warnings_of(first: ResultSet, second: ResultSet, with_changed: bool = False, ways: str = "") -> list[str]:
    """What a reader must know before believing a difference between the sides as they were found;
    `with_changed` as for `comparable`. `ways`: how tests that were changed can be compared all the same."""
    kinds, both = changed_kinds(first, second), _by_test(first).keys() & _by_test(second).keys()
    changed, unknown = changed_tests(first, second), sum(kinds.values())
    older = {
        key: its
        for side in (first, second)
        for key, its in side.outdated.items()
        if key in both - kinds.keys()
    }
    first, second = comparable(first, second, with_changed)
    found = mixed_conditions([*first.labelled(), *second.labelled()])
    for side in (first, second):
        if later := [record.later for record in side.records if record.later]:
            trials = f"{len(later)} trial{'s'[: len(later) != 1]}"
            found.append(
                f"{side.label}: a later run of {trials} ended without a verdict; the earlier verdict "
                f"counts (e.g. {_short(later[0])})"
            )
    same = {_identity(record) for record in first.records} & {_identity(record) for record in second.records}
    if same:
        what = f"{len(same)} trials are" if len(same) > 1 else "1 trial is"
        found.append(f"{what} the same on both sides, because they are the newest of each")
    if changed:
        what = f"{len(changed)} test{'s were' if len(changed) > 1 else ' was'} changed in between"
        compared = f"{'are' if len(changed) > 1 else 'is'} compared anyway"
        names = ", ".join(changed[:NAMED]) + (" ..." if len(changed) > NAMED else "")
        found.append(f"{what} and {compared if with_changed else 'left out'}: {names}")
        if unknown:
            which = "it" if len(changed) == 1 else f"{unknown} of them" if unknown < len(changed) else "them"
            found[-1] += f"; for {which} this is unknown, because fingerprints then covered Assay's own code"
        if with_changed:
            found[-1] += "; its" if len(changed) == 1 else "; their"
            found[-1] += " verdicts are of two versions, which may ask and check different things"
        else:
            found[-1] += f"; {ways or ways_to_count(len(changed) == 1)}. {AS_THEY_ARE}"
    if older:
        tests = sorted({test for _, test, _ in older}, key=natural)
        one = len(tests) == 1
        were = "may have been" if any(older.values()) else "was" if one else "were"
        found.append(
            f"{len(tests)} test{'' if one else 's'} {were} changed since these verdicts, as newer ones show: "
            f"{few(tests, NAMED)}; {ways_to_count(one)}"
        )
    whole = [*first.labelled(), *second.labelled()]
    first, second = _on_tests_of(second, first), _on_tests_of(first, second)
    for what, of in (
        ("judges", lambda record: judges_asked(record) or None),
        ("parameters", lambda record: record.parameters),
        ("sandboxes", lambda record: record.sandbox or None),
        ("limits", lambda record: record.limits or None),
    ):
        a, b = _values(first, of), _values(second, of)
        if a and b and a != b:
            found.append(f"different {what}: {first.label}: {_said(a)}; {second.label}: {_said(b)}")
    return [*found, *mixed_software([*first.labelled(), *second.labelled()]), *unusable(whole)]


def _on_tests_of(other: ResultSet, side: ResultSet) -> ResultSet:
    """The part of `side` that is compared: on tests that the other side has, too."""
    tests = set[str]().union(*map(names_of_test, other.records))
    return replace(side, records=[each for each in side.records if not tests.isdisjoint(names_of_test(each))])


def _short(error: str) -> str:
    """The first line and the last."""
    lines = error.strip().splitlines() or [""]
    return (lines[0] if len(lines) == 1 else f"{lines[0].rstrip(':')}: {lines[-1].strip()}")[:500]


def _identity(record: TrialRecord) -> tuple[Any, ...]:
    """Which try of which model's trial it is."""
    return record.model, record.key, record.commit, record.started_at


def _values(side: ResultSet, of: Callable[[TrialRecord], Any]) -> set[str]:
    counted = (record for record in side.records if record.outcome in (Outcome.PASS, Outcome.FAIL))
    return {_in_words(value) for record in counted if (value := of(record)) is not None}


def _in_words(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    each = (f"{name} {json.dumps(its).strip(QUOTE)}" for name, its in sorted(value.items()))
    return ", ".join(each) or "none"


def _said(values: set[str]) -> str:
    return " or ".join(sorted(values))
