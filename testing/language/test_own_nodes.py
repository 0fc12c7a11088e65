"""Nodes of somebody's own that are not what a node must be: told where they are made, or by their name."""

import asyncio
import copy
import gc
import re
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay import blocking
from assay.errors import NodeError, NotANode, TestFileError
from assay.language.dsl import Branch, Node, NoOutput, Reason
from assay.records import Block, Completion, ExecResult, Message, Outcome, Score, Usage
from assay.running.meter import Meter, MeteredSandbox, check_asked
from assay.suites.importing import import_file
from assay.suites.tree_warnings import doubts
from evaluator import (
    ContainsIntEvaluator,
    Echo,
    EqualEvaluator,
    ExtractCode,
    JSONSubsetEvaluator,
    LLMRun,
    PyFunc,
    RegexEvaluator,
    SubstringEvaluator,
)
from evaluator import Judge as LLMJudge
from testing.language.pipeline import Emit, text_of, trial


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


class Shout(Node):
    times: int = 2
    needs: tuple[str, ...] = ()

    async def run(self, value, ctx):
        yield Branch(value.upper() * self.times, Reason(self))


def test_a_class_with_fields_that_is_no_dataclass_is_told_when_it_is_given_arguments():
    assert trial(Emit(("a",)) >> Shout() >> EqualEvaluator("AA")).outcome is Outcome.PASS
    said = r"^test_own_nodes\.py:\d+: Shout takes no arguments, because its field times needs a dataclass: "
    for make in (lambda: Shout(3), lambda: Shout(times=3), lambda: Shout(1, 2)):
        with pytest.raises(NodeError, match=said):
            make()
    assert (
        trial(Emit(("a",)) >> dataclass(frozen=True)(Shout)(3) >> EqualEvaluator("AAA")).outcome
        is Outcome.PASS
    )

    class Unset(Node):
        times: int
        run = Shout.run

    with pytest.raises(
        NodeError, match="Unset takes no arguments, because its field times needs a dataclass"
    ):
        Unset()

    class Constant(Node):
        times = 2
        run = Shout.run

    with pytest.raises(NodeError, match="because fields, such as `times: int = 2`, need a dataclass: write"):
        Constant(3)


class Loud(SubstringEvaluator):
    loud: bool = False


class Lower(SubstringEvaluator):
    lower: bool = True


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Loud("a", False, True), "Loud: its field loud"),
        (lambda: Loud("a", loud=True), "Loud: its field loud"),
        (lambda: Lower("a"), "Lower: its field lower"),
    ],
)
def test_a_class_with_new_fields_of_a_dataclass_is_told_that_it_is_none(make, field):
    with pytest.raises(
        NodeError, match=rf"^test_own_nodes\.py:\d+: {field} needs a dataclass: write @dataclass"
    ):
        make()


def test_a_class_with_new_fields_that_loses_nothing_may_be_no_dataclass():
    assert copy.deepcopy(Loud("a")).loud is False

    @dataclass(frozen=True)
    class Made(SubstringEvaluator):
        loud: bool = False

    assert Made("a", loud=True).loud

    @dataclass(frozen=True)
    class SetsItself(SubstringEvaluator):
        def __init__(self, substr, loud):
            super().__init__(substr)
            object.__setattr__(self, "loud", loud)

    class Declares(SetsItself):
        loud: bool

    class IsSetLater(SubstringEvaluator):
        loud: bool

        def __post_init__(self):
            object.__setattr__(self, "loud", True)

    assert Declares("a", loud=True).loud and IsSetLater("a").loud and not Lower("a", lower=False).lower
    with pytest.raises(NotANode, match=r"write Loud\(substr\)"):
        "x" >> Loud
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        Loud()


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


class Panic(BaseException): ...


@pytest.mark.parametrize("kind", [SystemExit, asyncio.CancelledError, Panic])
def test_a_node_that_ends_the_program_or_cancels_itself_is_named(kind):
    class Ends(Node):
        async def run(self, value, ctx):
            raise kind("now")
            yield Branch(value, Reason(self, ()))

    assert f"Ends.run raised {kind.__name__}: now" in trial("x" >> Ends()).why


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


@dataclass(frozen=True, repr=False)
class Silent(Node):
    async def run(self, value, ctx):
        if value == "never":
            yield Branch(value, Reason(self))


@pytest.mark.parametrize(
    "test",
    [Silent(), ~Silent(), Silent() | ~Silent(), Silent() & Silent(), Silent() >> SubstringEvaluator("h")],
)
def test_a_node_that_yields_nothing_is_an_error_of_the_test(test):
    record = trial("x" >> test)
    line = Silent.run.__wrapped__.__code__.co_firstlineno
    assert (record.outcome, record.cause) == (Outcome.ERROR, "grader")
    assert f"test_own_nodes.py:{line}: Silent.run ended without a yield. Every way" in record.why
    assert 'yield Branch(NoOutput("why"), Reason(self, ...))' in record.error


def test_a_step_of_assay_without_an_output_stays_a_fail():
    assert trial("  " >> Kept() >> ExtractCode() >> ~SubstringEvaluator("h")).outcome is Outcome.FAIL


@dataclass(frozen=True, repr=False)
class Kept(Node):
    async def run(self, value, ctx):
        yield Branch(value, Reason(self))


@dataclass(frozen=True, repr=False)
class Judge(Node):
    verdict: object
    is_judge = True

    async def run(self, value, ctx):
        yield Branch(self.verdict, Reason(self, Block("text", "said")))


@pytest.mark.parametrize("verdict", ["no, too long", 1, ["a"]])
def test_a_judge_yields_a_verdict(verdict):
    record = trial("x" >> Judge(verdict))
    line = Judge.run.__wrapped__.__code__.co_firstlineno + 1
    said = f"test_own_nodes.py:{line}: Judge.run yields the output {verdict!r}, but is_judge = True"
    assert record.outcome is Outcome.ERROR and said in record.error


@pytest.mark.parametrize("verdict", [True, False, Score(1.0, True), NoOutput("no digit")])
def test_what_a_judge_may_yield(verdict):
    assert trial("x" >> Judge(verdict)).outcome is (Outcome.PASS if verdict else Outcome.FAIL)


def test_a_reason_without_its_node_is_an_error_of_the_test():
    @dataclass(frozen=True, repr=False)
    class Selfless(Node):
        async def run(self, value, ctx):
            yield Branch(value, Reason(Block("text", "said", value)))

    record = trial("x" >> Selfless())
    assert record.outcome is Outcome.ERROR
    assert (
        "Selfless.run raised TypeError: Reason: the node comes first, as in Reason(self, blocks)"
        in record.why
    )


def test_a_block_holds_texts():
    with pytest.raises(TypeError, match=r"Block: its body must be a text, not 5; write str"):
        Block("verdict", "t", 5)


def made(body, before=""):
    """A class of nodes in a file, as it is loaded."""
    return f"from evaluator import *\n{before}class Own(Node):\n{textwrap.indent(body, '    ')}\n"


RUN = "async def run(self, value, ctx):\n    yield Branch(value, Reason(self))\n"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('needs = "git"\n' + RUN, "2: Own: needs must be several words, such as ('git',), not a text"),
        ("asks = LLM\n" + RUN, "2: Own: asks must be several words"),
        ("is_jugde = True\n" + RUN, "2: Own: no node has an attribute is_jugde. Did you mean is_judge?"),
        ('need = ("git",)\n' + RUN, "2: Own: no node has an attribute need. Did you mean needs?"),
        (
            "async def run(self, value):\n    yield Branch(value, Reason(self))",
            "3: Own.run is called with a value and the trial's context: write async def run(",
        ),
        (
            "async def run(self, value, ctx):\n    a = 1\n    yield True",
            "5: Own.run must yield Branch(output, Reason(self, ...)), not True",
        ),
        (RUN.replace("run", "runn"), "3: Own has no method run, but runn. Did you mean run?"),
    ],
)
def test_a_class_that_cannot_be_meant_is_told_when_its_file_is_loaded(body, said, tmp_path):
    (path := tmp_path / "nodes.py").write_text(made(body))
    with pytest.raises(TestFileError) as raised:
        import_file(path)
    assert f"nodes.py:{said}" in str(raised.value)


@pytest.mark.parametrize(
    "body",
    [
        "tasks = ('a', 'b')\nlayers = 3\n" + RUN,
        "need: int = 3\n" + RUN,
        "def prune(self):\n    return 1\n",  # others may derive from it
        "async def run(self, value, ctx, *more):\n    raise ValueError\n    yield",
    ],
)
def test_a_class_that_may_be_meant_is_none_of_our_business(body, tmp_path):
    (path := tmp_path / "nodes.py").write_text(made(body))
    import_file(path)


def test_a_node_that_can_do_nothing_is_told_when_it_is_made():
    @dataclass(frozen=True)
    class Idle(Node):
        def work(self):
            pass

    with pytest.raises(
        NodeError, match=r"test_own_nodes\.py:\d+: Idle has no method run: write async def run"
    ):
        Idle()


@dataclass(frozen=True, repr=False)
class Hasty(Node):
    what: str

    async def run(self, value, ctx):
        got = ctx.llm.complete([]) if self.what != "sandbox" else ctx.open_sandbox()
        yield Branch(got if self.what == "output" else got.content, Reason(self))


@pytest.mark.parametrize("what", ["reply", "sandbox", "output"])
@pytest.mark.filterwarnings("error")
def test_an_await_that_was_forgotten(what, recwarn):
    record = trial("x" >> Hasty(what))
    gc.collect()
    assert record.outcome is Outcome.ERROR and "is an `await` missing?" in record.why
    line = Hasty.run.__wrapped__.__code__.co_firstlineno + 2
    assert f"test_own_nodes.py:{line}: Hasty.run" in record.error
    assert not recwarn.list


@pytest.mark.parametrize("output", [None, NoOutput])
def test_nothing_as_an_output_is_an_error_and_no_pass_by_a_not(output):
    record = trial("x" >> Yields(Branch(output, Reason(SubstringEvaluator("h")))) >> ~SubstringEvaluator("h"))
    assert record.outcome is Outcome.ERROR and "Yields.run yields the output" in record.error
    assert 'Branch(NoOutput("why"), Reason(self, ...))' in record.error


REPLY = Completion("4", Usage(11))


class Old(Node):
    def __call__(self, value):
        yield value, Reason(type(self))


@dataclass(frozen=True)
class Answer:
    number: int = 4


@pytest.mark.parametrize(
    "output", [REPLY, Answer(), {4}, iter("4"), len, Branch(True, None), [1, {"a": REPLY}]]
)
@pytest.mark.parametrize(
    "judge",
    [
        SubstringEvaluator("4"),
        ~SubstringEvaluator("4"),
        RegexEvaluator("4"),
        ContainsIntEvaluator(11),
        EqualEvaluator("4"),
        JSONSubsetEvaluator([4]),
        LLMJudge("4?"),
        Old() >> SubstringEvaluator("4"),
        Echo() >> SubstringEvaluator("4"),
        LLMRun() >> SubstringEvaluator("4"),
    ],
    ids=lambda judge: re.sub(" at 0x[0-9a-f]+", "", repr(judge)),
)
def test_what_has_no_text_is_judged_by_no_evaluator(judge, output):
    """In what Python calls it, the number of tokens was found as the answer."""
    record = trial("x" >> Yields(Branch(output, Reason(Yields))) >> judge)
    assert (record.outcome, record.cause) == (Outcome.ERROR, "grader")
    assert ", which the next step cannot read as a text: " in record.why
    line = Yields.run.__wrapped__.__code__.co_firstlineno + 1
    assert f"test_own_nodes.py:{line}: Yields.run yields a" in record.why


@pytest.mark.parametrize(
    ("output", "what", "do"),
    [
        (REPLY, "a Completion", "pass on its .text"),
        (ExecResult(b"4", b"", 0), "an ExecResult", "pass on its .output"),
        ([REPLY], "a list with a Completion in it", "pass on its .text"),
        ("4".isdigit, "a builtin_function_or_method", "are its brackets missing, as in value.isdigit()?"),
        ({4}, "a set", "pass on a text, such as str(...)"),
    ],
)
@pytest.mark.parametrize("node", [Yields, Old, PyFunc])
def test_what_has_no_text_is_told_with_the_place_and_what_to_do(node, output, what, do):
    place, step = {
        Yields: ("Yields.run yields", Yields((output, None))),
        Old: ("Old.__call__ yields", Emit((output,)) >> Old()),
        PyFunc: ("<lambda>() returned", PyFunc(lambda value: output)),
    }[node]
    words = re.escape(f"{place} {what}, which the next step cannot read as a text: {do}")
    assert re.search(rf"test_own_nodes\.py:\d+: {words}", trial("x" >> step >> SubstringEvaluator("4")).why)


def test_what_can_be_compared_is_compared_and_what_reads_a_record_gets_it():
    for output, judge in [
        ({4}, EqualEvaluator({4})),
        (Answer(), EqualEvaluator(Answer())),
        (REPLY, PyFunc(lambda reply: reply.usage.input_tokens == 11)),
        ([1, None, 2.5, {"a": (True, b"4")}], SubstringEvaluator("2.5")),
        (Path("a"), SubstringEvaluator("a")),
    ]:
        assert trial("x" >> Yields((output, None)) >> judge).outcome is Outcome.PASS
    assert trial("x" >> Yields(({4}, None)) >> EqualEvaluator(frozenset({5}))).outcome is Outcome.FAIL


@pytest.mark.parametrize("asked", [["hi"], "hi", [{"role": "user"}], Message("user", "hi")])
def test_what_is_no_message_is_told_with_how_one_is_made(asked):
    @dataclass(frozen=True, repr=False)
    class Asks(Node):
        async def run(self, value, ctx):
            yield Branch((await ctx.llm.complete(asked)).text, Reason(self))

    said = f'complete() takes a list of messages, such as [Message("user", "a question")], not {asked!r:.60}'
    assert said in trial("x" >> Asks()).why


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Message("human", "hi"), """"system", "user" or "assistant" ("tool" answers a call), not 'human'"""),
        (Message("user", 3), "the content of a Message is a text, not 3"),
        (
            Message("user", "hi", ("red.png",)),
            """behind Image("red.png") gets, not ('red.png',)""",
        ),
        (Message("user", "hi", b"png"), "the images of a Message are the bytes of pictures"),
        (Message("assistant", "hi", calls=None), "the calls of a Message are ToolCalls"),
    ],
)
def test_a_message_that_no_model_can_be_sent_is_told_before_it_is_paid_for(message, said):
    class Asks(Node):
        async def run(self, value, ctx):
            yield Branch((await ctx.llm.complete([message])).text, Reason(self))

    record = trial("x" >> Asks() >> SubstringEvaluator("h"))
    assert said in record.why and not record.replies


@pytest.mark.parametrize("more", [{"tools": [{"name": "look"}]}, {"json": "yes"}])
def test_what_no_model_can_be_given_beside_the_messages_is_told(more):
    with pytest.raises(TypeError, match=r'takes tools=\[Tool\("name", "what it does"\), ...\] and json=True'):
        check_asked([Message("user", "hi")], **more)


@pytest.mark.parametrize("how", ["run", "start"])
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ('echo "4"', r"""a list, such as ["sh", "-c", "echo \"4\""], not as a text"""),
        (["echo", 4], "a list of texts, not ['echo', 4]"),
    ],
)
def test_a_command_that_is_no_list_of_texts_is_told_and_not_run(how, command, said):
    """The first letter of a text would be run as a program."""
    with pytest.raises(TypeError, match=re.escape(f"{how}() takes a command as {said}")):
        asyncio.run(getattr(MeteredSandbox(None, Meter()), how)(command))


@pytest.mark.parametrize(
    ("how", "more", "said"),
    [
        ("run", {"files": {"a.txt": "1,5"}}, "a.txt as bytes, not '1,5'; write text.encode()"),
        ("run", {"stdin": "1,5"}, "stdin as bytes, not '1,5'; write text.encode()"),
        ("start", {"files": {"a.txt": 15}}, "a.txt as bytes, not 15"),
    ],
)
def test_what_a_command_is_given_that_is_not_bytes_is_told_and_not_sent(how, more, said):
    with pytest.raises(TypeError, match=re.escape(f"{how}() takes {said}")):
        asyncio.run(getattr(MeteredSandbox(None, Meter()), how)(["cat", "a.txt"], **more))


@dataclass
class Counts(Node):
    count: int = 0

    async def run(self, value, ctx):
        seen = Counts()
        seen.count = 1
        self.count += 1
        yield Branch(self.count % 2 == 1, Reason(self))


def test_a_run_that_keeps_something_on_its_node_is_warned_of():
    line = Counts.run.__wrapped__.__code__.co_firstlineno + 3
    (said,) = doubts("x" >> Kept() >> (Counts() | Counts()))
    assert said.startswith(f"Counts.run (test_own_nodes.py:{line}) sets self.count, but all trials share one")


def test_a_run_that_blocks_is_told_once(monkeypatch, recwarn):
    monkeypatch.setattr(blocking, "STEP_S", 0.01)
    monkeypatch.setattr(blocking, "SAID_S", 0.03)

    class Sleeps(Node):
        async def run(self, value, ctx):
            time.sleep(0.02)  # noqa: ASYNC251 - the mistake
            yield Branch(True, Reason(self))

    for _ in range(4):
        trial("x" >> Sleeps())
    (told,) = (str(each.message) for each in recwarn)
    assert told.startswith("test_own_nodes.py:") and "Sleeps.run blocked the event loop for 0." in told
