"""The conditions of trials (Suite.conditions, a model's parameters), and which trials can be compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from assay.records import EVAL_LLM, VERDICTS, VISION_EVAL_LLM, TrialRecord, suite_title
from assay.results.scores import unusable

JUDGED = {EVAL_LLM: "judge", VISION_EVAL_LLM: "judge of pictures"}
NAMED = 8  # versions in a sentence
NOT_BESIDES = ("sandbox", "sandbox tier", "assay", "assay code")  # versions that other messages tell
SELF_JUDGED = "self_judged"  # in a record's `about`: its model has this trait


def self_judged(record: TrialRecord) -> bool:
    """Whether the trial proves its test instead of measuring a model. Records before 2026-12 do not say
    so."""
    before = record.model in ("oracle", "saboteur") and not record.about
    return before or bool(record.about.get(SELF_JUDGED))


_in_order = json.JSONEncoder(sort_keys=True, default=str).encode


class Conditioned(Protocol):
    """A record, a line of a file or a sample."""

    @property
    def conditions(self) -> Mapping[str, Any]: ...


def kind_of(record: Conditioned) -> str:
    """The conditions as a hashable key."""
    return _in_order(record.conditions) if record.conditions else ""


def is_under(record: TrialRecord, wanted: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a record was made under the conditions that are `wanted` of its suite, if any are."""
    return all(record.conditions.get(name) == value for name, value in wanted.get(record.suite, {}).items())


def rank(record: TrialRecord) -> tuple[bool, str, str]:
    """Sort key of the trials that decide under which conditions a model is shown: a verdict before a try
    without one, then the newer answer; of two verdicts on one saved answer, the newer."""
    return record.outcome in VERDICTS, record.answered_at, record.started_at


def in_words(conditions: Mapping[str, Any], names: Iterable[str]) -> str:
    """These conditions in words."""
    return ", ".join(f"{name} {_value(conditions.get(name))}" for name in names) or "none"


def _value(value: Any) -> str:
    return "none" if value in (None, "", [], {}) else str(value)


def differing(kinds: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names whose values differ."""
    kinds = list(kinds)
    names = sorted({name for each in kinds for name in each})
    return [name for name in names if any(each.get(name) != kinds[0].get(name) for each in kinds)]


def mixed_conditions(records: Iterable[TrialRecord]) -> list[str]:
    """Warnings that models of a suite cannot be compared, or that a model's own rate mixes different things,
    a sentence each: verdicts under different conditions, or with different parameters of the same model."""
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    asked: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for record in records:
        if record.outcome not in VERDICTS:
            continue
        if record.conditions:
            found.setdefault(suite_title(record), {}).setdefault(record.model, record.conditions)
        kinds = asked.setdefault((suite_title(record), record.model), [])
        if record.parameters not in kinds:
            kinds.append(record.parameters)
    said = []
    for suite, its in found.items():
        if names := differing(its.values()):
            groups: dict[str, list[str]] = {}
            for model, conditions in its.items():
                groups.setdefault(in_words(conditions, names), []).append(model)
            told = "; ".join(f"{', '.join(models)}: {text}" for text, models in groups.items())
            said.append(
                f"suite {suite}: not comparable, because models ran under different conditions: {told}"
            )
    for (suite, model), kinds in asked.items():
        if names := differing(kinds):
            told = "; ".join(in_words(each, names) for each in kinds)
            said.append(
                f"suite {suite}: the results of {model} were made with different parameters ({told}); a name "
                f"such as {model}+{names[0]}=VALUE keeps them apart"
            )
    return said


def judges_asked(record: TrialRecord) -> Mapping[str, str]:
    """Role -> name of each judge that this trial asked; all that it had if the record does not say."""
    roles = {reply.role for reply in record.replies}
    every = not roles and (record.calls > 0 or record.outcome in VERDICTS)
    return {role: name for role, name in record.judges.items() if every or role in roles}


def names_of_test(record: TrialRecord) -> set[str]:
    """Records of a suite with one of these in common are of one test."""
    return {record.test, record.expression or record.test}


Tests = Callable[[TrialRecord], set[str]]
"""The tests, by `names_of_test`, of the verdicts that a record stands for."""
Kinds = dict[str, dict[str, list[TrialRecord]]]
"""Value -> the models that had it -> their verdicts."""


def _kinds(
    records: Iterable[TrialRecord], facts: Callable[[TrialRecord], Iterable[tuple[str, str]]], tests: Tests
) -> Iterator[tuple[str, dict[str, Kinds]]]:
    """Each suite with the facts in which a model's verdicts differ, or those of two models on one test.
    `facts`: (name, value) of a record; an unknown value ('') differs from nothing."""
    found: dict[str, dict[str, Kinds]] = {}
    for record in records:
        if record.outcome in VERDICTS and not self_judged(record):
            for what, which in facts(record):
                if which:
                    its = found.setdefault(suite_title(record), {}).setdefault(what, {})
                    its.setdefault(which, {}).setdefault(record.model, []).append(record)
    for suite, whats in found.items():
        if several := {what: kinds for what, its in whats.items() if (kinds := _contrary(its, tests))}:
            yield suite, several


def _contrary(kinds: Kinds, tests: Tests) -> Kinds:
    """Without the models of which no verdict differs from another one of theirs, or on the same test."""
    found: Kinds = {}
    for which, its in kinds.items():
        others = [each for other, models in kinds.items() if other != which for each in models.items()]
        for model, records in its.items():
            if any(model == name or _share(records, theirs, tests) for name, theirs in others):
                found.setdefault(which, {})[model] = records
    return found


def _share(records: Sequence[TrialRecord], others: Sequence[TrialRecord], tests: Tests) -> bool:
    return any(not tests(a).isdisjoint(tests(b)) for a in records for b in others)


def _listed(kinds: Kinds, between: str = "; ") -> str:
    return between.join(f"{which} ({', '.join(models)})" for which, models in kinds.items())


def mixed_surroundings(records: Iterable[TrialRecord], tests: Tests = names_of_test) -> list[str]:
    """Judges, sandboxes and their limits that differ between verdicts of a suite, a sentence each."""

    def facts(record: TrialRecord) -> Iterator[tuple[str, str]]:
        asked = judges_asked(record).items()
        yield from ((JUDGED[role], name) for role, name in asked if role in JUDGED)
        yield "sandbox", record.sandbox
        profile = record.limits.partition(", ")[0]  # tests may have some of their own
        yield f"limits ({profile})" if profile != "default" else "limits", record.limits

    return [
        f"suite {suite}: not all verdicts had the same {what}: {_listed(its)}"
        for suite, whats in _kinds(records, facts, tests)
        for what, its in whats.items()
    ]


def mixed_assays(records: Iterable[TrialRecord], tests: Tests = names_of_test) -> list[str]:
    """Versions of Assay, of its release and of the code that judges, that differ between verdicts of a suite,
    a sentence each. A record that does not name the code differs by the release only."""

    def facts(record: TrialRecord) -> Iterator[tuple[str, str]]:
        release, code = record.versions.get("assay", ""), record.versions.get("assay code", "")
        if release:
            yield "release", release
            yield "code", code
            yield "both", f"{release}, code {code}" if code else release

    return [
        f"suite {suite}: verdicts are by several versions of Assay: {_listed(whats['both'])}"
        for suite, whats in _kinds(records, facts, tests)
        if "release" in whats or "code" in whats
    ]


def mixed_versions(records: Iterable[TrialRecord], tests: Tests = names_of_test) -> list[str]:
    """Versions of other software, and of what was in the sandboxes, that differ between verdicts of a suite,
    a sentence each."""

    def facts(record: TrialRecord) -> Iterator[tuple[str, str]]:
        return (each for each in record.versions.items() if each[0] not in NOT_BESIDES)

    said = []
    for suite, whats in _kinds(records, facts, tests):
        other = [f"{what} {_listed(its, ', ')}" for what, its in sorted(whats.items())]
        more = f"; and {len(other) - NAMED} more" if len(other) > NAMED else ""
        said.append(
            f"suite {suite}: not all verdicts were made with the same versions: "
            f"{'; '.join(other[:NAMED])}{more}"
        )
    return said


def mixed(records: Sequence[TrialRecord]) -> list[str]:
    """Everything that a reader of tables of `records` must know before comparing."""
    alike, tests = _one_of_each(records)
    said = [*mixed_conditions(alike), *mixed_surroundings(alike, tests)]
    return [*said, *mixed_assays(alike, tests), *mixed_versions(alike, tests), *unusable(records)]


def mixed_software(records: Iterable[TrialRecord]) -> list[str]:
    """What `mixed_assays` and `mixed_versions` say."""
    alike, tests = _one_of_each(records)
    return [*mixed_assays(alike, tests), *mixed_versions(alike, tests)]


def _one_of_each(records: Iterable[TrialRecord]) -> tuple[list[TrialRecord], Tests]:
    """The first of the verdicts that are alike in everything that is looked at above, and the tests of
    all."""
    found: dict[tuple[Any, ...], tuple[TrialRecord, set[str]]] = {}
    last: dict[tuple[Any, ...], tuple[tuple[Mapping[str, Any], ...], set[str]]] = {}  # most are like it
    versions: dict[int, str] = {}  # by id: records of a run share theirs
    for each in records:
        if each.outcome not in VERDICTS:
            continue
        if (which := versions.get(id(each.versions))) is None:
            which = versions[id(each.versions)] = str(each.versions)
        roles = frozenset([reply.role for reply in each.replies]) if each.replies else None
        key = (suite_title(each), each.model, each.sandbox, each.limits, which, roles)
        facts = (each.conditions, each.parameters, each.judges, each.about)
        if (before := last.get(key)) is None or before[0] != facts:
            _, tests = found.setdefault((*key, str(facts)), (each, set()))
            before = last[key] = facts, tests
        before[1].update(names_of_test(each))
    tests_of = {id(record): tests for record, tests in found.values()}
    return [record for record, _ in found.values()], lambda record: tests_of[id(record)]


def left_out_kinds(suite: str, model: str, shown: TrialRecord, its: Sequence[TrialRecord]) -> str:
    """Why `its` are left out: their conditions differ from those of `shown`."""
    used = shown.conditions
    made = in_words(used, differing([used, *(each.conditions for each in its)]))
    one = len(its) == 1
    return (
        f"{len(its):,} {'result' if one else 'results'} of suite {suite} by {model} {'is' if one else 'are'} "
        f"left out: {'it was' if one else 'they were'} made under other conditions than its newest verdict "
        f"({made})"
    )
