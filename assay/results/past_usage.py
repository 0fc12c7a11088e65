"""The usage of earlier trials of each test, from the lines of saved runs.

Only test, model, outcome, tokens and cost of a line become objects: ten thousand trials take a fraction of a
second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.json import Decoder

from assay.files import modified_ns
from assay.records import Usage
from assay.results.schema import Tokens
from assay.results.serialize import cost_from_json, count_from_json, usage_of
from assay.results.untrusted_files import TooLong, lines, run_file

ENOUGH = 300  # trials of other tests that are kept for each model
TIME_LIMIT_S = 2.0  # for reading; what is left is older

Test = tuple[str, str]  # suite, test


class _Head(Struct):
    test: str
    suite: str
    model: str
    outcome: str
    usage: Tokens
    cost: Any = None
    calls: Any = 1
    extra: Any = None


_HEADS = Decoder(_Head)


@dataclass(frozen=True)
class Used:
    """Tokens, US dollars and calls of one trial with its judges; the cost is None if a price was unknown.
    `by_batch`: whether it is that of calls by batch."""

    usage: Usage
    cost: float | None
    calls: int = 1
    by_batch: bool = False


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
    """Verdicts' usage by test and model. `models`: left out, because they cost nothing by nature."""

    by_test: dict[Test, dict[str, list[Used]]] = field(default_factory=dict)
    trials: int = 0
    _others: dict[Test, dict[str, list[Used]]] = field(default_factory=dict)  # suite, rows -> model -> others

    def add(self, line: bytes, tests: Collection[Test], without: Callable[[str], bool]) -> None:
        with suppress(ValueError, RecursionError):
            head = _HEADS.decode(line)
            test, model = (head.suite, head.test), head.model
            if without(model) or head.outcome not in ("pass", "fail"):
                return
            usage, cost = usage_of(head.usage), cost_from_json(head.cost)
            batched = isinstance(head.extra, dict) and "by_batch" in head.extra
            used = Used(usage, cost, max(1, count_from_json(head.calls)), batched)
            if not (usage.input_tokens or usage.output_tokens):
                return
            if test not in tests:
                its = self._others.setdefault(rows_of(test), {}).setdefault(model, [])
                if len(its) < ENOUGH:
                    its.append(used)
            else:
                self.by_test.setdefault(test, {}).setdefault(model, []).append(used)
                self.trials += 1

    def of(self, test: Test, model: str) -> tuple[Sequence[Used], bool]:
        """Earlier trials of a test: the model's own if there are any (True), else all other models'."""
        return _of(self.by_test.get(test, {}), model)

    def rows_like(self, rows: Test, model: str) -> tuple[Sequence[Used], bool]:
        """The same for the other rows of a test that were tried. `rows`: as `rows_of` says."""
        return _of(self._others.get(rows, {}) if rows[1] else {}, model)

    def like(self, suite: str, model: str) -> tuple[Sequence[Used], bool]:
        """The same for all tests of the suite that were tried."""
        its: dict[str, list[Used]] = {}
        for (of, _), models in (*self._others.items(), *self.by_test.items()):
            for name, used in models.items() if of == suite else ():
                its.setdefault(name, []).extend(used)
        return _of(its, model)


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
