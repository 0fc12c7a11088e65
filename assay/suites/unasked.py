"""Tests that are judged without the model, mostly because LLMRun() was forgotten: they judge their prompt."""

from __future__ import annotations

from collections.abc import Mapping

from assay.few import few
from assay.language.dsl import Node
from assay.suites.questions import asks_the_model, may_ask, shown_to_judge

NAMED = 3  # tests in a message


def asks_nobody(test: Node) -> bool:
    """Whether no step asks the model under test, unless a reply is unclear, as far as it says so."""
    return not any(asks_the_model(node) or may_ask(node) for node in test.walk())


def unasked(tests: Mapping[str, Node], rows: Mapping[str, Node] | None = None, of: int = 0) -> str:
    """A line about those of the tests and of the Rows, by name, that do not ask the model; '' if all do. It
    is no error: some do so on purpose. `of`: how many tests there are, if `tests` are only some."""
    found = {name: test for name, test in {**tests, **(rows or {})}.items() if asks_nobody(test)}
    if not found:
        return ""
    names, seen = list(found), [shown_to_judge(test) for test in found.values()]
    forgot = [">> LLMRun()"] * (not all(seen)) + ["llm=LLM"] * any(seen)
    total = of or len(tests) if not rows else len(names)  # how many tests the Rows make is not known yet
    number = f"{len(names):,}" + (f" of {total:,}" if not rows else "") + f" test{'s'[: total != 1]}"
    said = ("do", "their verdicts say") if len(names) > 1 else ("does", "its verdict says")
    return (
        f"{number} {said[0]} not ask the model, so {said[1]} nothing about it: "
        f"{few(names, NAMED)} (forgot {' or '.join(forgot)}?)"
    )
