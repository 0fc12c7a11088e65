"""One test of a suite, ready to run."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial, wraps
from inspect import isfunction
from pathlib import Path
from typing import Any, TypeVar

from assay.config import Config
from assay.errors import ConfigError, TestFileError
from assay.language.content_hash import content_hash
from assay.language.dsl import Node
from assay.language.expression_hash import expression_hash, version_hash
from assay.language.package_parts import packages_hash
from assay.mistakes import said
from assay.records import Layer, Limits, Standby, TrialKey
from assay.results.scores import Scale
from assay.results.test_versions import SAMPLE, with_content
from assay.results.trial_index import TrialIndex
from assay.suites.diagnostics import shown_path
from assay.suites.fingerprint import hashing_code, judging_code

T = TypeVar("T", bound=type)


def _positional_too(cls: T) -> T:
    """Accept positional arguments too, for suites written before Sample's fields had to be named."""
    made, names = cls.__init__, tuple(each.name for each in fields(cls))  # type: ignore[misc]

    @wraps(made)
    def __init__(self: Any, *values: Any, **named: Any) -> None:
        author = sys._getframe(1)
        vars(self)["_author"] = author.f_code.co_filename, author.f_lineno
        made(self, **dict(zip(names[: len(values)], values, strict=True)), **named)

    cls.__init__ = __init__  # type: ignore[misc]
    return cls


@_positional_too
@dataclass(frozen=True, kw_only=True)
class Sample:
    """One test of a suite, ready to run. `id` is '<file stem>.<variable>'; `source` is the file's path,
    relative to the repository if the file is inside it. `test` may also be a function without parameters that
    makes the test: it is called when the test is first needed, so that a list need not wait for it."""

    id: str
    test: Node
    suite: str = "applied"  # the suite's name, set by the harness
    source: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    deterministic: bool = False
    fingerprint: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)  # a suite's own facts, kept in every record
    times: int = 1  # number of trials, unless --times is given
    limits: Limits | None = None  # of its sandbox; None: those of config.json
    standby: Standby | None = None  # a program that its sandbox starts in advance
    time_limit_s: float | None = None  # of a trial; None: that of config.json
    conditions: Mapping[str, Any] = field(default_factory=dict)  # see Suite; set by the harness
    scores: Scale | None = None  # see Suite; set by the harness

    def __post_init__(self) -> None:
        for name in ("tags", "requires"):  # a list is one too, as in a test file
            vars(self)[name] = self._words(name)
        if isfunction(self.test) or isinstance(self.test, partial):
            vars(self)["_make"] = vars(self).pop("test")
        else:
            self._checked(self.test)

    def __getattr__(self, name: str) -> Node:
        """The test, where it is not made yet."""
        if name != "test" or "_make" not in vars(self):
            raise AttributeError(f"a Sample has no {name}")
        try:
            with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
                test = vars(self)["_make"]()
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            raise TestFileError(
                f"{shown_path(Path(last.filename))}:{last.lineno}: the sample {self.id!r}: its test could "
                f"not be made: {said(error)}"
            ) from error
        vars(self)["test"] = made = self._checked(test)
        return made

    def _words(self, name: str) -> tuple[str, ...]:
        given = vars(self)[name]
        if isinstance(given, (list, tuple, set, frozenset)) and all(isinstance(each, str) for each in given):
            return given if isinstance(given, tuple) else tuple(given)
        raise TestFileError(
            f"the sample {self.id!r}: its {name} must be words, such as ['code'], not {given!r:.60}"
        )

    def _checked(self, test: Any) -> Node:
        if isinstance(test, Node):
            return test
        kind = type(test).__name__
        raise TestFileError(f"the sample {self.id!r}: its test must be a node, not {kind}: {test!r:.60}")

    def but(self, **facts: Any) -> Sample:
        """A copy with other facts, for which the test is not made yet either."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), **facts)
        return other

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All of its test, left to right."""
        return tuple(self.test.walk())

    @property
    def expression(self) -> str:
        """A hash of what it asks and checks, whatever its name is (assay.language.expression_hash); '' of a
        test that cannot be made, which its trial tells."""
        try:
            return expression_hash(self.test)
        except Exception:  # noqa: BLE001 - the author's code
            return ""

    @cached_property
    def version(self) -> str:
        """The fingerprint, in the applied suite with what the fingerprint does not cover: what the test
        holds, such as its row of a file, and the code of installed packages. In a suite that gives none it
        is made of what the sample asks and checks; '' for a test that cannot be made, which its trial
        tells."""
        if not self.fingerprint and self.suite != "applied":
            try:
                return with_content(SAMPLE, hashing_code(), version_hash(self.test))
            except TestFileError:
                return ""
        if not self.fingerprint or self.suite != "applied":
            return self.fingerprint
        return with_content(
            self.fingerprint, judging_code(), content_hash(self.test), packages_hash(self.test)
        )

    @property
    def place(self) -> str:
        """Its source, with the line that makes it if that is in this file; without a source, that file."""
        file, line = vars(self)["_author"]
        if not self.source:
            return f"{shown_path(Path(file))}:{line}"
        return f"{self.source}:{line}" if Path(file).match(self.source) else self.source

    @property
    def needs(self) -> tuple[str, ...]:
        """The requirements on the sandbox: REQUIRES of the file and the needs of every node, each once."""
        below = (need for node in self.nodes for need in node.needs)
        return tuple(dict.fromkeys((*self.requires, *below)))

    def limits_in(self, config: Config) -> Limits:
        """Those of its sandboxes, with the layers that its nodes name."""
        names = {node.layer for node in self.nodes if node.layer}
        known = {each.name: each for each in config.layers}
        layers = tuple(known.get(name, Layer(name)) for name in sorted(names))
        limits = self.limits or config.limits
        return limits if limits.layers == layers else replace(limits, layers=layers)


class SameId(ConfigError):
    """Two tests have one id, which would hide the first."""

    def __init__(self, sample: Sample) -> None:
        super().__init__(f"suite {sample.suite}: two tests have the id {sample.id!r}")
        self.id = sample.id


def unique_ids(samples: Iterable[Sample], seen: TrialIndex | None = None) -> Iterator[Sample]:
    """The samples, lazily. `seen`: those before these. Raises SameId at a second sample of one id."""
    seen = TrialIndex() if seen is None else seen
    for sample in samples:
        if not seen.add(TrialKey(sample.id, 1, sample.suite)):
            raise SameId(sample)
        yield sample
