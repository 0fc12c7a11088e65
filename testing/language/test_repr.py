"""The repr of a tree is the expression that makes it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import evaluator
from evaluator import (
    BashRun,
    Branch,
    CRun,
    EqualEvaluator,
    ExtractCode,
    Judge,
    LLMConversation,
    LLMRun,
    LLMVisionRun,
    MakeFile,
    Node,
    PyFunc,
    PythonRun,
    Reason,
    RegexEvaluator,
    StringNode,
    SubstringEvaluator,
    TerminalRun,
    UntilDone,
)

A, B, C = SubstringEvaluator("a"), SubstringEvaluator("b", lower=True), RegexEvaluator("c", True)
HELLO = "Write hello" >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator("hello")

TREES = [
    HELLO,
    "q" >> LLMRun("<A>!", json=True, temperature=0.5) >> (A & ~B | C),
    ("q" >> LLMRun() >> A) & B,
    A | (B | C) & ~(A >> C),
    A & (B & C),
    ~~A,
    A >> (B >> (C >> A)),
    "one" >> LLMConversation() >> "two" >> LLMConversation(max_tokens=5) >> A,
    StringNode("one") >> StringNode("two") >> A,
    StringNode("one") >> ("two" >> A),
    ~StringNode("one") | StringNode("two"),
    "ls" >> TerminalRun(time_limit_s=5) >> UntilDone(A, LLMRun(), max_iters=3),
    BashRun("echo", out_bytes=True)
    >> CRun("int main() {}", argv="x")
    >> BashRun(args=["-x", "1"])
    >> BashRun("echo", ["a"], errors=True),
    "q" >> LLMRun() >> Judge("Is <A> good?", votes=3) & Judge("How good?", scores=(0, 5)),
    LLMVisionRun("what?", llm=evaluator.LLM) >> MakeFile("a.txt"),
    PyFunc(len) >> A,
]


@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_it_evaluates_to_an_equal_tree(tree):
    assert eval(repr(tree), vars(evaluator).copy()) == tree


def test_it_reads_as_it_was_written():
    said = "'Write hello' >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator('hello')"
    assert repr(HELLO) == said
    assert repr("q" >> LLMRun() >> (A | ~B)) == (
        "'q' >> LLMRun() >> (SubstringEvaluator('a') | ~SubstringEvaluator('b', lower=True))"
    )


def test_an_authors_function_is_named():
    def grade(text):
        return text == "7"

    assert repr(PyFunc(grade)) == f"PyFunc({grade.__qualname__})"


def test_a_strangers_node_may_say_it_otherwise():
    @dataclass(frozen=True)
    class Shout(Node):
        mark: str = "!"

        async def run(self, value, ctx):
            yield Branch(value, Reason(self))

    class Old(Node):
        def __repr__(self):
            return "Old(1)"

    assert repr("q" >> Shout() >> Old()).endswith("Shout(mark='!') >> Old(1)")


def test_any_value_may_be_a_goal():
    class Odd:
        def __eq__(self, other):
            raise ValueError("no truth value")

        __hash__ = None

        def __repr__(self):
            return "Odd()"

    assert repr(EqualEvaluator(Odd())) == "EqualEvaluator(Odd())"
