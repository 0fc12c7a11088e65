"""The examples of docs/writing-tests.md: each can be built, and those that ask no model pass."""

import asyncio
import linecache
import re
from pathlib import Path

import pytest

import evaluator
from assay.errors import ProviderError
from assay.language.dsl import Node
from assay.records import Outcome
from assay.suites.lint import of_asking, of_verdict
from assay.suites.rows import Rows
from assay.suites.suite import Sample
from testing.language.pipeline import ScriptedModel, run, run_in_sandbox, trial

PAGE = (Path(__file__).parents[2] / "docs" / "writing-tests.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


class Asked(ProviderError):
    """The model was asked."""


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example(number, tmp_path, monkeypatch):
    (tmp_path / "capitals.csv").write_text("name,country,capital\nfr,France,Paris\n")
    monkeypatch.chdir(tmp_path)
    name, source = f"<example {number}>", "from evaluator import *\n" + EXAMPLES[number]
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)  # for Setup's source
    space = {"__name__": "example"}
    exec(compile(source, name, "exec"), space)
    values = [value for key, value in space.items() if key.startswith("Test")]
    tests = [value for value in values if isinstance(value, Node)]
    tests += [row.test for value in values if isinstance(value, Rows) for row in value]
    assert tests
    for test in tests:
        if any(type(node).__name__.startswith("LLM") for node in test.walk()):
            model = ScriptedModel(Asked())
            with pytest.raises(Asked):  # and not passed, or failed, without
                run_in_sandbox(test, llm=model)
        else:
            ran = run_in_sandbox(test)
            assert any(ran.outputs), ran.text


@pytest.mark.parametrize("source", [each for each in EXAMPLES if "(Node)" in each])
def test_nodes_of_ones_own_are_shown_in_tests_that_lint_passes(source):
    space = {"__name__": "example"}
    exec("from evaluator import *\n" + source, space)
    ((name, test),) = [(key, value) for key, value in space.items() if key.startswith("Test")]
    for check in (of_verdict, of_asking):
        assert asyncio.run(check(Sample(f"t.{name}", test))) is None
    assert Outcome.PASS in [trial(test, reply).outcome for reply in ("Paris", "Bonjour!")]


@pytest.mark.parametrize("name", ["TestJudged", "TestGraded"])
def test_the_references_of_a_judged_test_pass_it(name):
    (source,) = (each for each in EXAMPLES if f"{name} = " in each)
    space, table = {}, re.search(r"^```\n(def answers.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[1]
    exec("from evaluator import *\n" + source + table, space)
    ((answer, judgement),) = space["RIGHT"][name]
    ran = run(space[name], llm=ScriptedModel(answer), judge=ScriptedModel(judgement))
    assert all(each is True or each.passed for each in ran.outputs) and ran.outputs


def test_every_public_name_is_explained():
    missing = [name for name in evaluator.__all__ if not re.search(rf"\b{name}\b", PAGE)]
    combinators = {
        "AndNode",
        "OrNode",
        "NotNode",
        "ThenNode",
        "StringNode",
        "Conversation",
        "Env",
        "PYTHON_ENV",
    }
    assert set(missing) <= combinators, "name them in docs/writing-tests.md"
