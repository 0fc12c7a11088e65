"""What earlier trials of each test used, from the lines of saved runs.

Of a line only test, model, outcome, tokens and cost become objects: ten thousand trials take a fraction of a
second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.json import Decoder

from assay.files import modified_ns
from assay.records import Usage
from assay.results.schema import Tokens
from assay.results.serialize import cost_from_json, usage_of
from assay.results.strangers import TooLong, lines, run_file

ENOUGH = 300  # trials of tests that are not asked for, of a model
TIME_LIMIT_S = 2.0  # of reading; what was not read until then is older than what was

Test = tuple[str, str]  # suite, test


class _Head(Struct):
    test: str
    suite: str
    model: str
    outcome: str
    usage: Tokens
    cost: Any = None


_HEADS = Decoder(_Head)


@dataclass(frozen=True)
class Used:
    """Tokens and US dollars of one trial, its judges' included; cost None where a price was unknown."""

    usage: Usage
    cost: float | None


@dataclass
class PastUsage:
    """Verdicts' usage by test and model; `models`: left out (they cost nothing by nature)."""

    by_test: dict[Test, dict[str, list[Used]]] = field(default_factory=dict)
    trials: int = 0
    _others: dict[str, dict[str, list[Used]]] = field(default_factory=dict)  # suite -> model, of other tests

    def add(self, line: bytes, tests: Collection[Test], without: Callable[[str], bool]) -> None:
        with suppress(ValueError, RecursionError):
            head = _HEADS.decode(line)
            test, model = (head.suite, head.test), head.model
            if without(model) or head.outcome not in ("pass", "fail"):
                return
            usage, cost = usage_of(head.usage), cost_from_json(head.cost)
            if not (usage.input_tokens or usage.output_tokens):
                return
            if test not in tests:
                its = self._others.setdefault(test[0], {}).setdefault(model, [])
                if len(its) < ENOUGH:
                    its.append(Used(usage, cost))
            else:
                self.by_test.setdefault(test, {}).setdefault(model, []).append(Used(usage, cost))
                self.trials += 1

    def of(self, test: Test, model: str) -> tuple[Sequence[Used], bool]:
        """Earlier trials of a test: the model's own if there are any (True), else all other models'."""
        its = self.by_test.get(test, {})
        if own := its.get(model):
            return own, True
        return [used for each in its.values() for used in each], False

    def like(self, suite: str, model: str) -> tuple[Sequence[Used], bool]:
        """The same of all tests of the suite that were tried."""
        its = {name: list(used) for name, used in self._others.get(suite, {}).items()}
        for (of, _), models in self.by_test.items():
            for name, used in models.items() if of == suite else ():
                its.setdefault(name, []).extend(used)
        if own := its.get(model):
            return own, True
        return [used for each in its.values() for used in each], False


def past_usage(
    files: Sequence[Path],
    tests: Collection[Test],
    without: Callable[[str], bool] = lambda model: False,
    clock: Callable[[], float] = time.monotonic,
) -> PastUsage:
    """The usage of `tests` in run files, read from the newest file on. `without`: models to leave out."""
    past, began = PastUsage(), clock()
    for path in sorted(files, key=modified_ns, reverse=True):
        if clock() - began > TIME_LIMIT_S:
            break
        with suppress(OSError, TooLong), run_file(path) as file:
            for line in lines(file):
                past.add(line, tests, without)
    return past
