"""Nodes of somebody's own that are not what a node must be: told where they are made, or by their name."""

from dataclasses import dataclass

import pytest

from assay.errors import NodeError, TestFileError
from assay.language.dsl import Branch, Node, NoOutput, Reason
from assay.records import Block, Outcome
from assay.suites.suite import import_file
from evaluator import SubstringEvaluator
from testing.language.pipeline import text_of, trial


def test_a_run_that_is_no_async_generator_is_told_when_the_class_is_made():
    with pytest.raises(
        NodeError, match=r"^test_own_nodes\.py:\d+: Returns\.run must be an async generator: async def run"
    ):

        class Returns(Node):
            async def run(self, value, ctx):
                return Branch(value, Reason(self))

    with pytest.raises(NodeError, match=r"NotAsync\.run must be an async generator"):

        class NotAsync(Node):
            def run(self, value, ctx):
                yield Branch(value, Reason(self))


@dataclass(frozen=True, repr=False)
class Yields(Node):
    what: object

    async def run(self, value, ctx):
        yield self.what


@pytest.mark.parametrize("what", ["hi", ("a", "b"), None, ("a", "b", "c")])
def test_what_is_no_branch_is_an_error_that_names_the_node(what):
    record = trial("x" >> Yields(what) >> SubstringEvaluator("h"))
    assert record.outcome is Outcome.ERROR
    assert "Yields.run must yield Branch(output, Reason(self, ...)), not" in record.error


def test_no_output_without_a_branch_says_how_it_is_written():
    record = trial("x" >> Yields(NoOutput("no digit")))
    assert "it is an output: Branch(NoOutput(...), Reason(self, ...))" in record.error


@dataclass(frozen=True, repr=False)
class Forgets(Node):
    async def run(self, value, ctx):
        yield Branch(value)


def test_a_node_that_raises_is_named_with_its_file_and_line():
    record = trial("x" >> Forgets() >> SubstringEvaluator("h"))
    line = Forgets.run.__wrapped__.__code__.co_firstlineno + 1
    said = f"test_own_nodes.py:{line}: Forgets.run raised TypeError: Branch.__new__() missing 1 required"
    assert (record.outcome, record.cause) == (Outcome.ERROR, "grader")
    assert record.error.startswith(f"GraderError: {said}") and said in record.why
    assert "yield Branch(value)" in text_of(record.reason) and "dsl.py" not in text_of(record.reason)


def test_a_return_of_a_value_among_yields_is_told_in_our_words(tmp_path):
    (path := tmp_path / "nodes.py").write_text("async def run():\n    yield 1\n    return 2\n")
    with pytest.raises(TestFileError, match=r"nodes\.py:3: run of a node yields its branches: write yield"):
        import_file(path)


def test_a_pair_is_a_branch():
    assert (
        trial("x" >> Yields(("hi", Block("text", "said"))) >> SubstringEvaluator("h")).outcome is Outcome.PASS
    )


def test_a_block_of_an_unknown_kind_is_refused():
    """Its record could not be read again."""
    with pytest.raises(ValueError, match="the kind 'info' must be one of text, code, chat"):
        Block("info", "x")


@pytest.mark.parametrize("output", [None, NoOutput])
def test_nothing_as_an_output_is_an_error_and_no_pass_by_a_not(output):
    record = trial("x" >> Yields(Branch(output, Reason(SubstringEvaluator("h")))) >> ~SubstringEvaluator("h"))
    assert record.outcome is Outcome.ERROR and "Yields.run yields the output" in record.error
    assert 'Branch(NoOutput("why"), Reason(self, ...))' in record.error
