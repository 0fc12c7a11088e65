"""What trials were made under (Suite.conditions, a model's parameters), and which of them belong together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from assay.records import Outcome, TrialRecord


def kind_of(record: TrialRecord) -> str:
    """The conditions, in a form that can be a key."""
    return json.dumps(record.conditions, sort_keys=True, default=str) if record.conditions else ""


def rank(record: TrialRecord) -> tuple[bool, str]:
    """Which of two trials says under what conditions a model is shown: a verdict, of these the newer."""
    return record.outcome in (Outcome.PASS, Outcome.FAIL), record.started_at


def _told(conditions: Mapping[str, Any], names: Iterable[str]) -> str:
    """Those conditions in words."""
    return ", ".join(f"{name} {_value(conditions.get(name))}" for name in names) or "none"


def _value(value: Any) -> str:
    return "none" if value in (None, "", [], {}) else str(value)


def _differing(kinds: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names whose values are not the same in all."""
    kinds = list(kinds)
    names = sorted({name for each in kinds for name in each})
    return [name for name in names if any(each.get(name) != kinds[0].get(name) for each in kinds)]


def mixed_conditions(records: Iterable[TrialRecord]) -> list[str]:
    """What says that models of a suite cannot be compared, or that a model's own rate is of two minds, in a
    sentence each: verdicts under different conditions, or with different parameters of the same model."""
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    asked: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for record in records:
        if record.outcome not in (Outcome.PASS, Outcome.FAIL):
            continue
        if record.conditions:
            found.setdefault(record.suite, {}).setdefault(record.model, record.conditions)
        kinds = asked.setdefault((record.suite, record.model), [])
        if record.parameters not in kinds:
            kinds.append(record.parameters)
    said = []
    for suite, its in found.items():
        if names := _differing(its.values()):
            groups: dict[str, list[str]] = {}
            for model, conditions in its.items():
                groups.setdefault(_told(conditions, names), []).append(model)
            told = "; ".join(f"{', '.join(models)}: {text}" for text, models in groups.items())
            said.append(
                f"suite {suite}: not comparable, since models were tried under different conditions: {told}"
            )
    for (suite, model), kinds in asked.items():
        if names := _differing(kinds):
            told = "; ".join(_told(each, names) for each in kinds)
            said.append(
                f"suite {suite}: the results of {model} were made with different parameters ({told}); a name "
                f"such as {model}+{names[0]}=VALUE keeps them apart"
            )
    return said


def of_one_kind(
    records: Iterable[TrialRecord], kinds: Mapping[tuple[str, str], TrialRecord], problems: list[str]
) -> list[TrialRecord]:
    """Those made under the conditions of the trial that `kinds` has for their suite and model."""
    kept = []
    left_out: dict[tuple[str, str], list[TrialRecord]] = {}
    for record in records:
        group = (record.suite, record.model)
        if record.conditions == kinds[group].conditions:
            kept.append(record)
        else:
            left_out.setdefault(group, []).append(record)
    for (suite, model), its in left_out.items():
        used = kinds[suite, model].conditions
        made = _told(used, _differing([used, *(each.conditions for each in its)]))
        problems.append(
            f"{len(its)} results of suite {suite} by {model} are left out: they were made under other "
            f"conditions than its newest verdict ({made})"
        )
    return kept
