"""An argument that cannot be meant is refused where the node is written, by node and argument."""

import pickle
from dataclasses import dataclass, replace
from functools import partial

import pytest

from assay.errors import NodeError, TestFileError
from assay.suites.rows import Rows
from assay.suites.suite import Sample
from evaluator import (
    AgentCommand,
    AgentRun,
    BashRun,
    ContainsIntEvaluator,
    CRun,
    Judge,
    LLMConversation,
    LLMRun,
    PyEvaluator,
    PythonRun,
    RegexEvaluator,
    Shell,
    SubstringEvaluator,
    UntilDone,
)


def yes(output):
    return True


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: SubstringEvaluator(["42", "43"]),
            r"substr must be one text.*SubstringEvaluator\(a\) \| Sub",
        ),
        (lambda: SubstringEvaluator(str), "substr must be one text"),
        (lambda: RegexEvaluator(("a", "b")), "RegexEvaluator: pattern must be one text"),
        (lambda: ContainsIntEvaluator("forty"), "num must be a whole number, not 'forty'"),
        (lambda: ContainsIntEvaluator(4.5), "num must be a whole number, not 4.5"),
        (lambda: ContainsIntEvaluator(None), "num must be a whole number, not None"),
        (lambda: PythonRun(time_limit_s="3"), "PythonRun: time_limit_s must be a number, not '3'"),
        (lambda: CRun(time_limit_s=True), "CRun: time_limit_s must be a number, not True"),
        (lambda: BashRun(test_case=["x"]), "BashRun: test_case must be one text"),
        (lambda: PyEvaluator(yes, time_limit_s="3"), "PyEvaluator: time_limit_s must be a number"),
        (lambda: LLMRun(max_tokens="100"), "LLMRun: max_tokens must be a whole number, not '100'"),
        (lambda: LLMConversation(temperature="hot"), "LLMConversation: temperature must be a number"),
        (lambda: LLMRun(system=["a"]), "LLMRun: system must be one text"),
        (lambda: Judge(["good?"]), "Judge: question must be one text"),
        (lambda: UntilDone(LLMRun(), LLMRun(), max_iters="3"), "UntilDone: max_iters must be a whole number"),
        (lambda: AgentRun(tools=[Shell()], max_turns="6"), "AgentRun: max_turns must be a whole number"),
        (lambda: AgentCommand("mini", max_calls="6"), "AgentCommand: max_calls must be a whole number"),
        (lambda: AgentCommand("mini {tsak}"), "{tsak} stands for nothing. Did you mean {task}?"),
        (lambda: AgentRun(tools=[Shell]), r"write Shell\(\)"),
        (lambda: AgentRun(tools=["shell"]), r"without quotes, as in tools=\[Shell\(\)\]"),
    ],
)
def test_what_cannot_be_meant_is_refused(make, said):
    with pytest.raises(NodeError, match=said):
        make()


def test_what_can_be_meant_stays():
    assert ContainsIntEvaluator("42").num == 42
    assert ContainsIntEvaluator(42.0).num == 42
    assert SubstringEvaluator(42).substr == 42  # a text of itself
    assert LLMRun(max_tokens=None, system=None).max_tokens is None
    assert PythonRun(time_limit_s=2).time_limit_s == 2
    AgentCommand("awk '{print $1}' ${tasks} {a,b} {task}")  # the shell's own braces


def test_columns_are_no_mistake():
    rows = Rows([{"n": 4, "s": 2}]) >> "<n>?" >> LLMRun(max_tokens="<n>") >> ContainsIntEvaluator("<n>")
    test = next(iter(rows)).test
    assert [node.num for node in test.walk() if isinstance(node, ContainsIntEvaluator)] == [4]


def test_a_users_own_annotations_are_his():
    @dataclass(frozen=True, repr=False)
    class Mine(SubstringEvaluator):
        substr: str = ""
        several: str = ""

    assert Mine(["a"], several=["b"]).several == ["b"]


def test_a_sample_needs_a_node():
    with pytest.raises(TestFileError, match="its test must be a node, not str: 'hi'"):
        Sample(id="x.one", test="hi")


def test_a_sample_makes_its_test_when_it_is_needed():
    made = []

    def make(question="1 + 1?"):
        made.append(question)
        return question >> LLMRun() >> SubstringEvaluator("2")

    sample = Sample(id="x.one", test=make).but(suite="x")
    other = sample.but(tags=("a",))
    assert (made, other.id, other.tags, sample.tags) == ([], "x.one", ("a",), ())
    assert sample.nodes[0] is sample.test
    assert made == ["1 + 1?"]
    assert replace(sample, suite="y").test is sample.test

    with pytest.raises(TestFileError, match=r"'x\.two': its test must be a node, not int: 3"):
        Sample(id="x.two", test=lambda: 3).test  # noqa: B018
    with pytest.raises(
        TestFileError, match=r"\.py:\d+: the sample 'x\.two': its test could not be made: ZeroDivisionError: "
    ):
        Sample(id="x.two", test=lambda: 1 / 0).test  # noqa: B018
    with pytest.raises(TestFileError, match=r"could not be made: StopIteration$"):
        Sample(id="x.two", test=partial(next, iter(()))).test  # noqa: B018
    assert not hasattr(sample, "tests")
    assert pickle.loads(pickle.dumps(Sample(id="x", test=partial(LLMRun)))).test == LLMRun()  # noqa: S301
