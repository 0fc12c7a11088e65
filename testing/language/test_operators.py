"""Operators build a tree, refuse what they cannot mean, and run nothing."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import pytest

import assay
from assay.errors import NotANode
from assay.language.dsl import AndNode, Node, NotNode, OrNode, StringNode, ThenNode
from evaluator import BashRun, ExtractCode, Judge, LLMRun, PyEvaluator, PythonRun, Rows, SubstringEvaluator
from testing.language.pipeline import Emit, run

A, B = SubstringEvaluator("a"), SubstringEvaluator("b")


@dataclass(frozen=True)
class Rounds(Node):
    body: Node
    times: int = 3


def test_operators_build_a_tree():
    assert "q" >> LLMRun() >> (A & ~B) == ThenNode(
        ThenNode(StringNode("q"), LLMRun()), AndNode(A, NotNode(B))
    )
    assert OrNode(A, B) == A | B
    assert ThenNode(A, StringNode("next")) == A >> "next"
    assert A.then(B) == A >> B


def test_equality_is_structural_and_trees_can_be_keys():
    assert ("q" >> PythonRun("x")) == ("q" >> PythonRun("x"))
    assert ("q" >> PythonRun("x")) != ("q" >> PythonRun("y"))
    assert StringNode("a") != A
    assert {BashRun(args=["-v"]): 1}[BashRun(args=("-v",))] == 1


@pytest.mark.parametrize(
    "build",
    [
        lambda: LLMRun() >> 3,
        lambda: 3 >> LLMRun(),
        lambda: LLMRun() >> None,
        lambda: A & "text",
        lambda: "text" | A,
        lambda: A | (lambda value: True),
    ],
)
def test_foreign_operands_are_refused(build):
    with pytest.raises(TypeError, match="unsupported operand"):
        build()


@pytest.mark.parametrize(
    "build",
    [
        lambda: "text" >> LLMRun >> A,
        lambda: LLMRun >> A,
        lambda: LLMRun >> "text",
        lambda: Rows([{"n": 1}]) >> LLMRun,
        lambda: "text" >> LLMRun() >> (A & LLMRun),
        lambda: LLMRun & A,
        lambda: LLMRun | A,
        lambda: A | LLMRun,
        lambda: "text" | LLMRun,
        lambda: ~LLMRun,
        lambda: LLMRun < "text",
        lambda: LLMRun <= A,
        lambda: assay.run(LLMRun),
        lambda: assay.run({"a": LLMRun}, "oracle"),
    ],
)
def test_a_class_in_place_of_a_node_is_told(build):
    with pytest.raises(NotANode, match=r"^LLMRun is a class, not a node: write LLMRun\(\)$"):
        build()


def test_a_class_of_nodes_is_a_class_in_other_respects():
    class Kept(Rounds, ABC):
        @abstractmethod
        def judged(self): ...

    assert isinstance(A, LLMRun | SubstringEvaluator) and not isinstance(A, None | LLMRun)
    assert issubclass(Kept, Node) and not isinstance("text", Node)
    with pytest.raises(TypeError, match="abstract"):
        Kept()
    with pytest.raises(NotANode, match=r"write Judge\(question\)$"):
        "q" >> LLMRun() >> Judge
    with pytest.raises(NotANode, match=r"write Kept\(body\)$"):
        "q" >> Kept


@pytest.mark.parametrize(
    "build",
    [
        lambda: LLMRun() < "q",
        lambda: "q" >> LLMRun() > A,
        lambda: "q" < LLMRun() < A,
        lambda: A >= B,
        lambda: LLMRun() <= LLMRun,
        lambda: Rows([{"n": 1}]) > "q",
        lambda: Rows([{"n": 1}]) > LLMRun() >> A,
    ],
)
def test_a_comparison_in_place_of_a_join_is_told(build):
    with pytest.raises(TypeError, match="write >> to join the parts of a test, not > or <"):
        build()


@pytest.mark.parametrize(
    "build",
    [lambda: A and B, lambda: A or B, lambda: not A, lambda: bool(A), lambda: Rows([{"n": 1}]) and "q"],
)
def test_python_operators_are_refused(build):
    with pytest.raises(TypeError, match="not and/or/not"):
        build()


def test_building_runs_nothing():
    Emit.runs.clear()
    _ = Emit((1,)) >> Emit((2,)) & ~Emit((3,)) | "text" >> Emit((4,))
    assert Emit.runs == []


def test_nodes_cannot_be_changed():
    with pytest.raises(AttributeError):
        LLMRun().check_prompt = "other"


def test_walk_visits_every_node_left_to_right():
    tree = "q" >> LLMRun() >> ExtractCode() >> (PythonRun() >> A | ~B)
    names = [type(node).__name__ for node in tree.walk() if not isinstance(node, (ThenNode, OrNode))]
    assert names == [
        "StringNode",
        "LLMRun",
        "ExtractCode",
        "PythonRun",
        "SubstringEvaluator",
        "NotNode",
        "SubstringEvaluator",
    ]


def test_needs_of_a_pipeline_are_those_of_its_nodes():
    def check():
        return True

    tree = "q" >> LLMRun() >> PythonRun() >> PyEvaluator(check)
    assert {need for node in tree.walk() for need in node.needs} == set(PythonRun().needs)
    assert LLMRun().needs == ()


@pytest.mark.parametrize(
    ("sought", "passed", "words"),
    [("b", True, "what follows is not true, as it should be"), ("a", False, "what follows is true")],
)
def test_a_not_says_whether_that_was_wanted(sought, passed, words):
    """Inside a passed trial a cross alone would read as a fault."""
    step = run(~SubstringEvaluator(sought), "a").blocks[-1]
    verdict, below = step.children
    assert (step.title, verdict.passed, verdict.body) == ("not", passed, words)
    assert below.passed is not passed
