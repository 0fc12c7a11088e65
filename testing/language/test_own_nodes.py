"""Nodes of somebody's own that are not what a node must be: told where they are made, or by their name."""

from dataclasses import dataclass

import pytest

from assay.errors import NodeError
from assay.language.dsl import Branch, Node, Reason
from assay.records import Block, Outcome
from evaluator import SubstringEvaluator
from testing.language.pipeline import trial


def test_a_run_that_is_no_async_generator_is_told_when_the_class_is_made():
    with pytest.raises(NodeError, match=r"Returns\.run must be an async generator: async def run"):

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


def test_a_pair_is_a_branch():
    assert (
        trial("x" >> Yields(("hi", Block("text", "said"))) >> SubstringEvaluator("h")).outcome is Outcome.PASS
    )


def test_a_block_of_an_unknown_kind_is_refused():
    """Its record could not be read again."""
    with pytest.raises(ValueError, match="the kind 'info' must be one of text, code, chat"):
        Block("info", "x")
