"""A node says what it is like, so a stranger's is counted, explained, linted and warned of like ours."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.language.dsl import Branch, Node, Reason
from assay.records import EVAL_LLM, LLM
from assay.report.tree import tree
from assay.running.roles import roles_asked
from assay.suites.lint import needs_network, of_ending
from assay.suites.suite import Sample
from assay.suites.tree_warnings import precedence_trap
from evaluator import (
    ExtractCode,
    Judge,
    LLMRun,
    MakeFile,
    PyFunc,
    PythonRun,
    StringNode,
    SubstringEvaluator,
    UntilDone,
)


@dataclass(frozen=True)
class Debate(Node):
    """A stranger's: two questions to the model, one to the judge."""

    asks = (LLM, EVAL_LLM)
    fewest_calls = 3
    in_sandbox = True
    is_judge = False

    async def run(self, value, ctx):
        yield Branch(value, Reason(self))


@dataclass(frozen=True)
class Ask(Node):
    """A stranger's, with a role of its own."""

    llm: str = LLM

    async def run(self, value, ctx):
        yield Branch(value, Reason(self))


@dataclass(frozen=True)
class IsPolite(Node):
    is_judge = True

    async def run(self, value, ctx):
        yield Branch("please" in value, Reason(self))


@dataclass(frozen=True)
class Shell(Node):
    """A stranger's, and made of others: of nodes and texts."""

    body: Node = field(default_factory=lambda: StringNode(""))
    runs_input = True

    async def run(self, value, ctx):
        yield Branch(value, Reason(self))


def test_it_is_counted():
    assert ("q" >> Debate()).fewest_calls == 3
    assert ("q" >> Ask() >> (Ask() | Ask() >> Ask())).fewest_calls == 2
    assert ("q" >> LLMRun() >> ExtractCode() >> Judge("Good?", votes=3)).fewest_calls == 3
    assert Shell(LLMRun()).fewest_calls == 1


def test_its_judges_are_found():
    assert roles_asked(Sample("t.T", "q" >> Debate())) == {EVAL_LLM}
    assert roles_asked(Sample("t.T", "q" >> Ask(EVAL_LLM))) == {EVAL_LLM}
    assert roles_asked(Sample("t.T", "q" >> Ask())) == set()


def test_it_is_explained():
    debate, ask, shell, func = tree("q" >> Debate() >> Ask() >> Shell() >> PyFunc(len))[1:]
    assert debate.notes() == ["asks the model under test and the judge", "in the sandbox"]
    assert ask.notes() == ["asks the model under test"]
    assert shell.sandbox and not shell.asks and func.host
    assert tree(UntilDone(Ask(), Ask()))[0].repeats


def test_its_end_is_linted():
    assert "ends in Debate" in of_ending(Sample("t.T", "q" >> Debate())).text
    assert of_ending(Sample("t.T", "q" >> Debate() >> IsPolite())) is None
    assert of_ending(Sample("t.T", "q" >> Ask())) is None, "what it does not say is not known"


def test_the_text_that_it_runs_is_the_authors_code():
    assert needs_network("pip install numpy" >> Shell()) == ["pip install numpy"]
    assert needs_network("pip install numpy" >> Ask()) == []
    assert needs_network("import requests; requests.get(url)" >> PythonRun())


def test_the_precedence_trap_knows_it():
    assert "IsPolite after the |" in precedence_trap("q" >> Ask() >> IsPolite() | IsPolite())
    assert "Judge after the &" in precedence_trap("q" >> Debate() >> SubstringEvaluator("a") & Judge("Good?"))
    assert not precedence_trap("q" >> MakeFile("a") >> IsPolite() | IsPolite())
