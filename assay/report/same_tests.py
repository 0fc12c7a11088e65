"""Tests that were run under several names, such as from a file and from a notebook. They ask and check the
same, as their records tell (assay.language.expression_hash), so for all statistics they are one test: two
would make every interval too narrow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from assay.few import few
from assay.records import NOTEBOOK, TrialRecord
from assay.report.tally import Tally
from assay.report.wording import count
from assay.results.natural_order import natural

Key = tuple[str, str]
"""Suite and test."""
NAMED = 3  # pairs in a sentence


class Tested(Protocol):
    """A test with its tally for each model."""

    @property
    def suite(self) -> str: ...

    @property
    def test(self) -> str: ...

    @property
    def cells(self) -> Mapping[str, Tally]: ...


T = TypeVar("T", bound=Tested)


def _first(key: Key) -> tuple[bool, bool, str, str]:
    """The order of a test's names: those in files before those given from Python."""
    suite, test = key
    return test.startswith(f"{NOTEBOOK}."), suite != "applied", suite, natural(test)


@dataclass(frozen=True)
class SameTests:
    """`groups`: the names of each test that has several. Tables have it under the first of them, with each
    model's newest results under any."""

    groups: tuple[tuple[Key, ...], ...] = ()

    @classmethod
    def found(cls, expressions: Mapping[str, Mapping[str, int]]) -> SameTests:
        """`expressions`: suite -> test -> hash of its expression, where that is known."""
        seen, again = set[int](), set[int]()
        for its in expressions.values():
            for expression in its.values():
                (again if expression in seen else seen).add(expression)
        groups: dict[int, list[Key]] = {expression: [] for expression in again}
        for suite, its in expressions.items() if again else ():
            for test, expression in its.items():
                if expression in again:
                    groups[expression].append((suite, test))
        found = [tuple(sorted(keys, key=_first)) for keys in groups.values()]
        return cls(tuple(sorted(found, key=lambda group: _first(group[0]))))

    @classmethod
    def of(cls, records: Iterable[TrialRecord]) -> SameTests:
        """Among the tests of these records."""
        expressions: dict[str, dict[str, int]] = {}
        for record in records:
            if record.expression:
                expressions.setdefault(record.suite, {})[record.test] = hash(record.expression)
        return cls.found(expressions)

    def __bool__(self) -> bool:
        return bool(self.groups)

    def of_suites(self) -> SameTests:
        """The same within each suite, whose own results have no other one's."""
        found = []
        for group in self.groups:
            suites = dict.fromkeys(suite for suite, _ in group)
            parts = [tuple(key for key in group if key[0] == suite) for suite in suites]
            found += [part for part in parts if len(part) > 1]
        return SameTests(tuple(found))

    @cached_property
    def others(self) -> dict[Key, tuple[Key, ...]]:
        """The other names of a test, by its first one; none by the others, since it does not count there."""
        found: dict[Key, tuple[Key, ...]] = {}
        for first, *rest in self.groups:
            found |= {first: tuple(rest), **dict.fromkeys(rest, ())}
        return found

    def once(self, tests: Iterable[T], find: Callable[[Key], T]) -> Iterator[tuple[T, list[T]]]:
        """Each of the tests once, with what is known of it under its other names. `find`: gives that."""
        for each in tests:
            others = self.others.get((each.suite, each.test))
            if others is None:
                yield each, []
            elif others:
                yield each, [find(key) for key in others]

    @property
    def names(self) -> list[list[str]]:
        """The names of each test that has several."""
        return [[test for _, test in group] for group in self.groups]

    @property
    def _again(self) -> str:
        """How many tests do not count; the beginning of a sentence."""
        number = sum(len(group) - 1 for group in self.groups)
        verb = "asks and checks" if number == 1 else "ask and check"
        return f"{count(number, 'test')} {verb} the same as another"

    @property
    def left_out(self) -> str:
        """A line about the tests that do not count, for results that list all; '' if there are none."""
        if not self.groups:
            return ""
        again = [f"{group[1][1]} as {group[0][1]}" for group in self.groups[:NAMED]]
        more = ", ..." if len(self.groups) > NAMED else ""
        return (
            f"{self._again} ({', '.join(again)}{more}): rates and "
            "comparisons count such a test once, df, exports and the list of tests have all of its names"
        )

    def said(self, newest: Mapping[Key, str]) -> str:
        """A line about them; '' if there are none. `newest`: when each name's newest verdict began."""
        if not self.groups:
            return ""

        def in_words(group: Sequence[Key]) -> str:
            last = max(group, key=lambda key: newest.get(key, ""))
            some = len({newest.get(key, "") for key in group}) > 1
            return " is ".join(test for _, test in group) + f" (run last as {last[1]})" * some

        named = few([in_words(group) for group in self.groups], NAMED)
        file, other = (self.groups[0][at][1].partition(".")[0] for at in (0, 1))
        other = self.groups[0][1][1] if other == file else other
        return (
            f"{self._again}. Such a test counts once, by a model's newest results under any of its names: "
            f"{named}; --test {other} shows what was run under that name."
        )
