"""The tests that a call from Python names: nodes, Rows, files, suites."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import FrameType
from typing import Any

from assay.config import near
from assay.errors import ConfigError, NodeError, TestFileError
from assay.language.dsl import Node
from assay.language.expression_hash import expression_hash
from assay.language.node_type import NodeType, no_node
from assay.records import NOTEBOOK
from assay.running.request import RunRequest
from assay.running.session import Session
from assay.suites.flags import flags_of
from assay.suites.row_samples import RowSamples
from assay.suites.rows import Rows, RowTest
from assay.suites.sample import SameId, Sample
from assay.suites.selected import Selected, select_tests
from assay.suites.selection import APPLIED, Selection
from assay.suites.suite import Suite
from assay.suites.tiers import TIERS
from assay.suites.tree_warnings import doubts, ends_loosely, lacks_rows, precedence_trap
from assay.suites.unasked import unasked
from assay.suites.unknown_names import check_names

Tests = Node | Rows | Sample | str | Path | Mapping[str, Node] | Iterable[Any]
# besides those of a RunRequest: of run, and of rescore
MORE_FLAGS = ("test", "tag", "tier", "only_changed", "report", "generate_report", "live", "export")
CHOOSING = ("test", "tag", "tier", "suite", "model")


def select(tests: Tests, request: RunRequest, session: Session, names: Mapping[int, str]) -> Selected:
    """The samples of `tests`. Raises ConfigError if there are none, TestFileError for a file that cannot be
    loaded."""
    selected, nodes, rows = Selected(), dict[str, Node](), dict[str, Node]()
    for key, each in _named(tests):
        if isinstance(each, Sample):
            selected.applied.append(each)
        elif isinstance(each, Node):
            name = key if isinstance(tests, Mapping) else names.get(id(each), f"test{key}")
            sample = Sample(id=f"{NOTEBOOK}.{name}", test=each, fingerprint=_fingerprint(each))
            selected.applied.append(sample)
            nodes[name] = each
            selected.messages += _doubts(name, each, lacks_rows(each))
        elif isinstance(each, Rows):
            name = key if isinstance(tests, Mapping) else names.get(id(each), f"test{key}")
            selected.others.append(_of_rows(f"{NOTEBOOK}.{name}", each))
            if each.test is not None:
                rows[name] = each.test
                selected.messages += _doubts(name, each.test)
        elif isinstance(each, (str, Path)):
            found = select_tests(_selection_of(each, request, session), session.cache)
            if found.errors:
                raise TestFileError(found.errors[0])
            selected.applied += found.applied
            selected.suites |= found.suites
            selected.others += found.others
            selected.messages += found.messages
            selected.conditions = {**selected.conditions, **found.conditions}
        elif isinstance(each, NodeType):
            raise no_node(each)
        else:
            raise TypeError(
                f"a test is a node, a path or the name of a test or a suite, not {type(each).__name__}"
            )
    if text := unasked(nodes, rows):
        selected.messages.append(text)
    if request.selection.tests or request.selection.tags:
        every = list(selected())
        check_names(
            request.selection, [each.id for each in every], [tag for each in every for tag in each.tags]
        )
    if unknown := set(request.selection.tiers) - set(TIERS):
        raise ConfigError(f"unknown tier {min(unknown)!r}; there are: {', '.join(TIERS)}")
    selected = selected.only(session.request.selection.wants)
    check_flags(session, selected.suites, MORE_FLAGS)
    try:
        selected.make_all()
    except SameId as error:
        name = error.id.removeprefix(f"{NOTEBOOK}.")
        raise ConfigError(
            f"two of the tests are named {name!r}. Give a test once (times=2 makes two trials of it), and "
            'each test a name of its own, as in the dict {"first": one, "second": other}'
        ) from None
    if selected.errors:
        raise TestFileError(selected.errors[0])
    for text in selected.messages:
        session.message(text)
    if not selected.count:
        raise ConfigError("there is no test to run")
    return selected


def _doubts(name: str, test: Node, *more: str) -> list[str]:
    """Warnings of what is doubtful. Raises TestFileError for a test that cannot run."""
    try:
        wrong = [*doubts(test)]
    except NodeError as error:
        raise TestFileError(f"{name}: {error}") from None
    trap = precedence_trap(test)
    return [
        *(f"warning: {name} {text}" for text in (ends_loosely(test), *more) if text),
        *(f"warning: {name}: {text}" for text in (trap, *wrong) if text),
    ]


def check_flags(session: Session, suites: Mapping[str, Suite], more: Sequence[str]) -> None:
    """Raise TypeError for a flag that none of `suites`, which are run, has. `more`: flags of Assay besides
    those of a RunRequest."""
    its = {flag for suite in suites.values() for flag in flags_of(suite, {}).declared}
    if unknown := session.request.selection.flags.keys() - its:
        flags = [*(each.name for each in fields(RunRequest)), *sorted(its), *more]
        meant = near(min(unknown), {*flags} - unknown, 1)
        raise TypeError(f"neither assay nor a suite that is run has an argument {min(unknown)!r}.{meant}")


def _of_rows(name: str, rows: Rows) -> RowSamples:
    def sample(row: RowTest) -> Sample:
        return Sample(
            id=f"{name}[{row.key}]", test=row.test, description=row.description,
            fingerprint=_fingerprint(row.test),
        )  # fmt: skip

    return RowSamples(name, rows, sample, rows.pointed)


def _named(tests: Tests) -> Iterable[tuple[str, Any]]:
    """Each with its key in a dict, or else its number."""
    if isinstance(tests, Mapping):
        return ((str(key), each) for key, each in tests.items())
    several = [tests] if isinstance(tests, (Node, NodeType, Rows, Sample, str, Path)) else tests
    if not isinstance(several, Iterable):
        raise TypeError(
            "tests must be a node, Rows, a path, the name of a test or a suite or several of these, not "
            f"{type(tests).__name__}"
        )
    return ((str(number), each) for number, each in enumerate(several, 1))


def _fingerprint(test: Node) -> str:
    """A hash of the expression, by which `resume` and comparisons tell versions of a test apart."""
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(test))
    if any(callable(value) for node in test.walk() for value in vars(node).values()):
        text += expression_hash(test)  # a function is shown by its name, whatever it checks today
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _selection_of(each: str | Path, request: RunRequest, session: Session) -> Selection:
    """What a word of the command means: a test file, a folder of them, a suite or a test by its name."""
    selection = Selection(session.root, only_changed=request.selection.only_changed).also([str(each)])
    for name in selection.suite_names():
        if name != APPLIED:
            suite = selection.suite(name)
            flags = flags_of(suite, session.config.suites.get(name, {}))
            own = {"system_prompt": request.system_prompt, "engine": request.engine}
            given = request.selection.given_to(suite, flags)
            selection = replace(selection, flags={**selection.flags, **flags.defaults, **own, **given})
    return selection


def names_in(caller: FrameType) -> dict[int, str]:
    """The names of variables in which the caller holds nodes. `_` and `_2` are names that a shell gives to
    what it showed."""
    return {
        id(value): name
        for name, value in {**caller.f_globals, **caller.f_locals}.items()
        if isinstance(value, (Node, Rows)) and not name.startswith("_")
    }
