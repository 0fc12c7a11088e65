"""Nodes as the first generation of test files wrote them: synchronous, with handles on self."""

import sys
import threading

import pytest

from assay.records import Outcome
from assay.suites.tree_warnings import doubts
from evaluator import (
    Conversation,
    Env,
    LLMRun,
    Node,
    PythonRun,
    Reason,
    SubstringEvaluator,
    UntilDone,
)
from testing.language.pipeline import ScriptedModel, run, run_in_sandbox, text_of, trial


class Shout(Node):
    def __init__(self):
        pass

    def __call__(self, text):
        yield text.upper(), Reason(type(self), ("shouted", text))


class AskTwice(Node):
    def __init__(self, question):
        self.question = question

    def setup(self, env, conv, llm, eval_llm, vision_eval_llm):
        super().setup(env, conv, llm, eval_llm, vision_eval_llm)
        self.judge = eval_llm

    def __call__(self, text):
        for number in range(2):
            answer = self.llm(f"{self.question} {text} {number}")
            yield self.judge(answer) == "yes", Reason(type(self), [text, answer])


class Retry(Node):
    """Holds a new-style pipeline and calls it."""

    def __init__(self, inner):
        self.inner = inner

    def __call__(self, text):
        for number in range(3):
            for output, reason in self.inner(f"{text}{number}"):
                yield output, Reason(type(self), [reason])


class InSandbox(Node):
    def __init__(self):
        pass

    def __call__(self, text):
        result = self.env.run(["sh", "-c", "cat > f; cat f"], files={"g": b"1"})
        yield result.output + self.env.read_file("g").decode(), Reason(type(self), text)


def test_it_runs_and_is_explained():
    ran = run("abc" >> Shout() >> SubstringEvaluator("ABC"))
    assert ran.output is True
    assert "Shout" in ran.text and "shouted" in ran.text


def test_it_may_ask_its_models():
    llm, judge = ScriptedModel("a", "b"), ScriptedModel("no", "yes")
    assert run("x" >> AskTwice("q"), llm=llm, judge=judge).outputs == [False, True]
    assert llm.asked[1][0].content == "q x 1"


def test_later_steps_of_its_generator_run_only_if_asked_for():
    llm, judge = ScriptedModel("a"), ScriptedModel("yes")
    assert run("x" >> AskTwice("q"), llm=llm, judge=judge, at_most=1).outputs == [True]


def test_the_shared_node_is_not_written():
    node = AskTwice("q")
    assert not [*doubts("x" >> node)], "it may keep what it likes"
    run("x" >> node, llm=ScriptedModel("a", "b"), judge=ScriptedModel("no", "no"))
    assert vars(node) == {"question": "q"}


def test_it_may_call_new_style_nodes_that_it_holds():
    inner = LLMRun("ask <A>") >> SubstringEvaluator("right")
    llm = ScriptedModel("wrong", "right")
    assert run("n" >> Retry(inner), llm=llm, at_most=2).outputs == [False, True]
    assert [asked[0].content for asked in llm.asked] == ["ask n0", "ask n1"]


def test_its_parts_are_walked_for_what_they_need():
    assert {need for node in Retry(PythonRun()).walk() for need in node.needs} == set(PythonRun().needs)


def test_it_may_use_the_sandbox():
    assert run_in_sandbox("x" >> InSandbox()).output == "1"


def test_it_runs_in_a_thread_and_inside_other_nodes():
    class Where(Node):
        def __init__(self):
            pass

        def __call__(self, text):
            yield threading.current_thread() is not threading.main_thread(), Reason(type(self), text)

    assert run(UntilDone(SubstringEvaluator("True"), Where()), "").output is True


class Mistaken(Node):
    """Its function is called, and its result returned or, with `yields`, yielded."""

    def __init__(self, result, yields):
        self.result, self.yields = result, yields

    def __call__(self, text):
        return self.yielded(text) if self.yields else self.result(text)

    def yielded(self, text):
        yield self.result(text)


@pytest.mark.parametrize(
    ("result", "yields", "line", "said"),
    [
        (lambda text: True, False, 0, "must yield output, Reason(type(self), ...), not return True"),
        (
            lambda text: (True, Reason(Shout, text)),
            False,
            0,
            "must yield output, Reason(type(self), ...), not",
        ),
        (lambda text: None, True, 4, "must yield output, Reason(type(self), ...), not None"),
        (lambda text: text.upper, True, 4, "must yield output, Reason(type(self), ...), not <built-in"),
        (lambda text: text[7], False, None, "raised IndexError: string index out of range"),
        (lambda text: text[7], True, None, "raised IndexError: string index out of range"),
        (lambda text: next(iter(())), False, None, "raised StopIteration"),
        (lambda text: sys.exit("no"), True, None, "raised SystemExit: no"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_class_file_and_line(result, yields, line, said):
    record = trial("x" >> Mistaken(result, yields))
    first = Mistaken.__call__ if line is not None else result
    where = f"test_old_style.py:{first.__code__.co_firstlineno + (line or 0)}: Mistaken.__call__ {said}"
    assert (record.outcome, record.cause) == (Outcome.ERROR, "grader") and where in record.why
    assert line is not None or "oldstyle.py" not in text_of(record.reason)


def test_a_node_with_neither_method_says_so():
    class Empty(Node):
        def __init__(self):
            pass

    record = trial("x" >> Empty())
    assert record.outcome is Outcome.ERROR and "Empty has no method run: write async def" in record.error


def test_reasons_may_hold_anything():
    for children in (None, 7, b"\xff", {"a": 1}, [("x", Reason(Shout, "inner"))], object()):
        assert text_of(Reason(Shout, children).block())


def test_the_old_names_can_be_made():
    assert Conversation().messages == () and Env() is not None
