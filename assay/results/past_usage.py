"""The usage of earlier trials of each test, from the lines of saved runs.

Only test, model, outcome and what was paid become objects: ten thousand trials take a fraction of a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.json import Decoder

from assay.files import modified_ns
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, Usage
from assay.results.schema import Tokens
from assay.results.serialize import cost_from_json, count_from_json, usage_of
from assay.results.untrusted_files import TooLong, lines, run_file

ENOUGH = 300  # trials of other tests that are kept for each model
TIME_LIMIT_S = 2.0  # for reading; what is left is older

PICTURE, AGENT = "a picture", "an agent"  # traits of a kind, beside the roles of judges
# As the store writes them: in a text these would have backslashes.
_SIGNS = {PICTURE: b'"kind":"image"', AGENT: b'"spent":['}

Test = tuple[str, str]  # suite, test


class _Said(Struct):
    role: Any = LLM
    usage: Tokens = Tokens()
    cost: Any = None


class _Head(Struct):
    test: str
    suite: str
    model: str
    outcome: str
    usage: Tokens
    cost: Any = None
    calls: Any = 0
    extra: Any = None
    judges: Any = None
    replies: list[_Said] = []


_HEADS = Decoder(_Head)


@dataclass
class Kind:
    """What costs in a test, by all its trials: roles of judges, PICTURE, AGENT; and the most calls of one."""

    traits: set[str] = field(default_factory=set)
    calls: int = 0


class Judged(NamedTuple):
    """What a judge used in a trial: as in `Used`."""

    role: str
    judge: str
    usage: Usage
    cost: float | None
    calls: int


@dataclass(frozen=True)
class Used:
    """Tokens, US dollars and calls of the model under test in one trial; the cost is None if a price was
    unknown. `by_batch`: whether it is that of calls by batch. `judges`: what they used beside it."""

    usage: Usage
    cost: float | None
    calls: int = 1
    by_batch: bool = False
    judges: tuple[Judged, ...] = ()
    kind: Kind = field(default_factory=Kind, compare=False)

    @property
    def tokens(self) -> float:
        sums = (self.usage, *(each.usage for each in self.judges))
        return float(sum(usage.input_tokens + usage.output_tokens for usage in sums))


def _sum(said: Sequence[_Said]) -> tuple[Usage, float | None, int]:
    costs = [cost_from_json(each.cost) for each in said]
    known = [cost for cost in costs if cost is not None]
    usages = [usage_of(each.usage) for each in said]
    usage = sum(usages[1:], start=usages[0]) if usages else Usage()
    return usage, sum(known) if len(known) == len(costs) else None, len(said)


def _used(head: _Head, kind: Kind) -> Used:
    batched = isinstance(head.extra, dict) and "by_batch" in head.extra
    usage = usage_of(head.usage)
    calls = max(count_from_json(head.calls), bool(usage.input_tokens or usage.output_tokens))
    asked = {str(each.role) for each in head.replies}
    roles = [role for role in (EVAL_LLM, VISION_EVAL_LLM) if role in asked]
    kind.traits.update(roles)
    kind.calls = max(kind.calls, calls)
    if not roles or len(head.replies) != calls:  # not all are recorded
        return Used(usage, cost_from_json(head.cost), calls, batched, kind=kind)
    judges = head.judges if isinstance(head.judges, dict) else {}
    by_role = {role: [each for each in head.replies if each.role == role] for role in (LLM, *roles)}
    its = tuple(Judged(role, str(judges.get(role)), *_sum(by_role[role])) for role in roles)
    return Used(*_sum(by_role[LLM]), batched, its, kind)


def rows_of(test: Test) -> Test:
    """The test of which it is a row or an item, '' if it is none."""
    suite, name = test
    return suite, name.partition("[")[0] if "[" in name else ""


def _of(its: Mapping[str, list[Used]], model: str) -> tuple[Sequence[Used], bool]:
    """Those of the model if there are any (True), else all other models'."""
    if own := its.get(model):
        return own, True
    return [used for each in its.values() for used in each], False


@dataclass
class PastUsage:
    """Verdicts' usage by test and model."""

    by_test: dict[Test, dict[str, list[Used]]] = field(default_factory=dict)
    trials: int = 0
    _others: dict[Test, dict[str, list[Used]]] = field(default_factory=dict)  # suite, rows -> model -> others
    _kinds: dict[Test, Kind] = field(default_factory=dict)

    def add(self, line: bytes, tests: Collection[Test], without: Callable[[str], bool]) -> None:
        with suppress(ValueError, RecursionError):
            head = _HEADS.decode(line)
            test, model = (head.suite, head.test), head.model
            if without(model) or head.outcome not in ("pass", "fail"):
                return
            used = _used(head, kind := self._kinds.setdefault(test, Kind()))
            kind.traits.update(trait for trait, sign in _SIGNS.items() if sign in line)
            if used.calls and not used.tokens:
                return  # its server does not say
            if test not in tests:
                its = self._others.setdefault(rows_of(test), {}).setdefault(model, [])
                if len(its) < ENOUGH:
                    its.append(used)
            else:
                self.by_test.setdefault(test, {}).setdefault(model, []).append(used)
                self.trials += 1

    @property
    def any(self) -> bool:
        return bool(self.by_test or self._others)

    def of(self, test: Test, model: str) -> tuple[Sequence[Used], bool]:
        """Earlier trials of a test: the model's own if there are any (True), else all other models'."""
        return _of(self.by_test.get(test, {}), model)

    @cached_property
    def _asking(self) -> dict[Test, dict[str, list[Used]]]:
        """Suite, rows -> model -> the trials that asked a model."""
        found: dict[Test, dict[str, list[Used]]] = {}
        own = ((rows_of(test), models) for test, models in self.by_test.items())
        for rows, models in (*self._others.items(), *own):
            for name, used in models.items():
                found.setdefault(rows, {}).setdefault(name, []).extend(each for each in used if each.calls)
        return found

    def rows_like(self, rows: Test, model: str) -> tuple[Sequence[Used], bool]:
        """The same for the rows of a test that were tried. `rows`: as `rows_of` says."""
        return _of(self._asking.get(rows, {}) if rows[1] else {}, model)

    def like(self, suite: str, model: str, wanted: Callable[[Used], bool]) -> tuple[Sequence[Used], bool]:
        """The same for the tests of the suite that were tried, of the wanted trials at most ENOUGH."""
        its: dict[str, list[Used]] = {}
        for (of, _), models in self._asking.items():
            for name, used in models.items() if of == suite else ():
                if found := [each for each in used if wanted(each)]:
                    its.setdefault(name, []).extend(found)
        like, own = _of(its, model)
        return like[:: -(-len(like) // ENOUGH) or 1], own


def past_usage(
    files: Sequence[Path],
    tests: Collection[Test],
    without: Callable[[str], bool] = lambda model: False,
    clock: Callable[[], float] = time.monotonic,
) -> PastUsage:
    """The usage of `tests` in run files, newest file first. `without`: models to leave out."""
    past, began = PastUsage(), clock()
    for path in sorted(files, key=modified_ns, reverse=True):
        if clock() - began > TIME_LIMIT_S:
            break
        with suppress(OSError, TooLong), run_file(path) as file:
            for line in lines(file):
                past.add(line, tests, without)
    return past
