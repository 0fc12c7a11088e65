"""The samples of test files, and what is wrong with the files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from assay.config import near
from assay.errors import NodeError, TestFileError
from assay.language.dsl import Node
from assay.language.function_source import code_of
from assay.language.functions import PyFunc
from assay.results.trial_index import TrialIndex
from assay.suites.diagnostics import bound_in_loops, pointed, shown_path, where_bound, where_sign
from assay.suites.fingerprint import Fingerprints
from assay.suites.importing import import_file
from assay.suites.listing import (
    EVERY_ROW,
    Listed,
    TestFile,
    check_facts,
    imports_the_language,
    relative,
)
from assay.suites.row_samples import RowSamples
from assay.suites.rows import Rows
from assay.suites.sample import Sample
from assay.suites.tiers import tiers_in, with_tier
from assay.suites.tree_warnings import doubts, lacks_rows, precedence_trap
from assay.suites.undefined import undefined_names


@dataclass
class Loaded:
    """Samples of test files, and their problems: `errors` lose tests, `mistakes` trials, `warnings` neither;
    `testless`: the warnings of test files without a test. What is wrong with `rows` is known once they are
    made."""

    samples: list[Sample] = field(default_factory=list)
    rows: list[RowSamples] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    testless: list[str] = field(default_factory=list)

    def every(self) -> Iterator[Sample]:
        """Every sample, those of Rows made one by one. Their problems are added to the others."""
        yield from self.samples
        for made in self.rows:
            try:
                yield from made.unique(TrialIndex())
            except TestFileError as error:
                self.errors.append(str(error))
            self.warnings += made.warnings


def load_file(
    file: TestFile,
    *,
    root: Path,
    wanted: Callable[[Listed], bool] = lambda listed: True,
    fingerprints: Fingerprints | None = None,
) -> Loaded:
    """The `wanted` samples of one file, with changed helpers loaded anew if there are `fingerprints`. Nothing
    is raised: errors are in the result."""
    if file.error:
        return Loaded(errors=[file.error])
    loaded = Loaded()
    try:
        if fingerprints is not None:
            fingerprints.renew(file.path)
        module = import_file(file.path)
        if fingerprints is not None:
            fingerprints.renew(file.path)  # notes what was loaded
        facts = {name: value for name, value in vars(module).items() if name.isupper()}
        description, tags, requires, deterministic = check_facts(file.path, facts, {})
    except TestFileError as error:
        return Loaded(errors=[str(error)])
    lines = {each.variable: each.line for each in file.tests}
    tests: list[tuple[str, Node]] = []
    rows: list[tuple[str, Rows]] = []
    for name, value in vars(module).items():
        if not name.startswith("Test"):
            continue
        if isinstance(value, Node):
            tests.append((name, value))
        elif isinstance(value, Rows):
            rows.append((name, value.describes(description)))
        elif isinstance(value, tuple) and any(isinstance(each, Node) for each in value):
            comma = "remove the comma at its end" if len(value) == 1 else "join its parts with >>"
            text = f"{name} is a tuple, not a test: {comma}"
            loaded.warnings.append(pointed(file.path, where_bound(file.path, name), text))
        else:
            try:
                tests += _members(name, value).items()
            except ValueError as error:
                loaded.errors.append(pointed(file.path, where_bound(file.path, name), str(error)))
    if tests or rows:
        loaded.warnings += _lost_tests(vars(module), file.path, tests, rows)
    elif not loaded.errors:
        loaded.warnings = loaded.warnings or [_no_test(vars(module), file.path)]
        if imports_the_language(file.path):  # or it may be a file of something else
            loaded.testless = [*loaded.warnings]
    source, digest = relative(file.path, root), fingerprints(file.path) if fingerprints else ""
    tiers = tiers_in(file.path.parent)
    for name, statement in bound_in_loops(file.path):
        if isinstance(vars(module).get(name), (Node, Rows)):
            text = f"{name} is assigned in a loop, so only the last one is left"
            write = f"write {name} = {{KEY: TEST for ... in ...}}"
            loaded.warnings.append(pointed(file.path, statement.lineno, f"{text}; {write}"))

    def listed(name: str, description: str = description) -> Listed:
        test_id = f"{file.path.stem}.{name}"
        facts = (description, with_tier(tiers, test_id, tags), requires, deterministic)
        return Listed(test_id, name, str(file.path), line_of(name), *facts)

    def sample(name: str, test: Node, description: str = description) -> Sample | None:
        """The sample, None for a test that is not wanted."""
        if not wanted(its := listed(name, description)):
            return None
        return Sample(
            id=its.id, test=test, source=source, description=description, tags=its.tags, requires=requires,
            deterministic=deterministic, fingerprint=digest,
        )  # fmt: skip

    def line_of(name: str) -> int:
        return lines.get(name) or lines.get(name.partition("[")[0], 1)

    def of_rows(name: str, its: Rows) -> RowSamples:
        return RowSamples(
            f"{file.path.stem}.{name}",
            its,
            lambda row: sample(f"{name}[{row.key}]", row.test, row.description),
            lambda text: pointed(file.path, where_bound(file.path, name), f"{name}: {text}"),
            source,
        )

    def doubts_of(name: str, test: Node, *more: str) -> bool:
        """Note what is doubtful; False for a test that cannot run."""
        said = name.removesuffix(EVERY_ROW)
        try:
            for text in filter(None, (*more, *doubts(test))):
                loaded.warnings.append(pointed(file.path, line_of(name), f"{said}: {text}"))
        except NodeError as error:
            loaded.errors.append(pointed(file.path, line_of(name), f"{said}: {error}"))
            return False
        return True

    trees = (*(test for _, test in tests), *(its.test for _, its in rows if its.test is not None))
    on_host = {code_of(node.fn) for tree in trees for node in tree.walk() if isinstance(node, PyFunc)}
    for each in undefined_names(module, on_host):
        meant = near(each.name, each.local) or near(each.name, vars(module))
        text = f"the name {each.name} is not defined{meant and f'.{meant}'}"
        loaded.mistakes.append(pointed(file.path, each.line, text, each.begin, each.end))
    for name, test in tests:
        if (one := sample(name, test)) is None:
            continue
        if trap := precedence_trap(test):
            line, begin, end = where_sign(file.path, name, ("|", "&"))
            loaded.warnings.append(pointed(file.path, line or line_of(name), f"{name}: {trap}", begin, end))
        if doubts_of(name, test, lacks_rows(test)):
            loaded.samples.append(one)
    for name, its in rows:
        if wanted(listed(name + EVERY_ROW)) and (its.test is None or doubts_of(name + EVERY_ROW, its.test)):
            loaded.rows.append(of_rows(name, its))
    return loaded


def load_tests(
    files: Iterable[TestFile],
    *,
    root: Path,
    wanted: Callable[[Listed], bool] = lambda listed: True,
    fingerprints: Fingerprints | None = None,
) -> Loaded:
    """Every wanted sample of `files`; a broken file loses only its own tests."""
    all_of = Loaded()
    for file in files:
        one = load_file(file, root=root, wanted=wanted, fingerprints=fingerprints)
        for part in fields(Loaded):
            getattr(all_of, part.name).extend(getattr(one, part.name))
    return all_of


def _no_test(names: Mapping[str, Any], path: Path) -> str:
    """What to do about a file without tests, at the line that is to blame."""
    nodes = [name for name, value in names.items() if isinstance(value, Node)]
    if nodes:
        return _misnamed(nodes[-1], path, f", or, if there is none, name the file _{path.name}")
    for name, value in names.items():
        if name.startswith("Test"):
            return _not_of_nodes(name, value, path)
    return (
        f"{shown_path(path)}: defines no test; a test is a variable whose name begins with Test, such as "
        f'TestSum = "What is 2 + 2?" >> LLMRun() >> SubstringEvaluator("4"). '
        f"A file of something else is named _{path.name}"
    )


def _lost_tests(
    names: Mapping[str, Any], path: Path, tests: list[tuple[str, Node]], rows: list[tuple[str, Rows]]
) -> Iterator[str]:
    """What to say, in a file that has tests, of variables that look like others and are none."""
    trees = [test for _, test in tests] + [its.test for _, its in rows if its.test is not None]
    parts = {id(node) for tree in trees for node in tree.walk()}
    known = {name.partition("[")[0] for name, _ in (*tests, *rows)}
    for name, value in names.items():
        if name.startswith("Test") and name not in known:
            if not callable(value) and not (isinstance(value, tuple) and value):  # told before
                yield _not_of_nodes(name, value, path)
        elif re.match("test[A-Z_]", name) and isinstance(value, (Node, Rows)) and id(value) not in parts:
            yield _misnamed(name, path)


def _misnamed(name: str, path: Path, otherwise: str = "") -> str:
    test = f"Test{name.removeprefix('test').lstrip('_')}"
    hint = f"{name} is not a test; a test is a variable whose name begins with Test, so write {test}"
    return pointed(path, where_bound(path, name), hint + otherwise)


def _not_of_nodes(name: str, value: object, path: Path) -> str:
    kinds = {str: "a string", type: "a class"}
    kind = "a function" if callable(value) else f"of type {type(value).__name__}"
    kind = next((said for each, said in kinds.items() if isinstance(value, each)), kind)
    if isinstance(value, (list, tuple, dict)) and not value:
        kind = "empty"
    wanted = f'{name} = "a question" >> LLMRun() >> SubstringEvaluator("what must be in the answer")'
    hint = f"{name} is {kind}, but a test is made of nodes, e.g. {wanted}"
    return pointed(path, where_bound(path, name), hint)


def _members(name: str, value: object) -> dict[str, Node]:
    """The tests in a list or dict, named NAME[key]; {} if there are none. Raises ValueError if it also has
    other items, and for a set, whose order varies."""
    if not isinstance(value, (list, dict, set, frozenset)):
        return {}
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    if not any(isinstance(each, Node) for _, each in pairs):
        return {}
    if isinstance(value, (set, frozenset)):
        raise ValueError(f"{name} is a set of tests, which has no order: make it a list or a dict")
    found: dict[str, Node] = {}
    for key, each in pairs:
        member = f"{name}[{key}]"
        if not isinstance(each, Node):
            raise ValueError(f"{member} is of type {type(each).__name__}, but a test is made of nodes")
        if member in found or not member.isprintable():
            twice = f"{name} has two keys {key!r:.100}"
            odd = f"{name} has a key {key!r:.100}, which cannot be shown on one line"
            raise ValueError(twice if member in found else odd)
        found[member] = each
    return found
