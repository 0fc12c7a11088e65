"""Every FAIL and ERROR says what it is due to, in one sentence with the deciding fact."""

import json

import pytest

from assay.errors import GraderError, NodeError, ProviderError, SandboxError, TestFileError
from assay.language.dsl import NoOutput
from assay.records import EVAL_LLM, Block, Cause, Completion, Usage
from assay.results.serialize import decode_line, encode_line, record_from_json
from evaluator import Branch, ContainsIntEvaluator, LLMRun, Node, Reason, SubstringEvaluator, UntilDone
from testing.harness.test_engine import ASK, Does, Readings, trial


class Marks(Node):
    """Passes the value on, with a mark among its steps."""

    def __init__(self, cause, why):
        self.cause, self.why = cause, why

    async def run(self, value, ctx):
        yield Branch(
            value, Reason(self, (Block("text", body="step"), Block("text", body=self.why, cause=self.cause)))
        )


def ended(reason, text="4", tokens=200):
    return Completion(text, Usage(5, tokens), finish_reason=reason)


def has(text):
    return SubstringEvaluator(text)


def test_a_wrong_answer_is_said_in_one_sentence():
    record = trial(ASK >> ContainsIntEvaluator(5), "4")
    assert record.cause == Cause.WRONG and "\n" not in record.why
    assert "5" in record.why and "4" in record.why


def test_a_pass_has_no_cause():
    record = trial(ASK >> has("4"), "4")
    assert (record.cause, record.why) == ("", "")


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (ProviderError("503"), Cause.PROVIDER),
        (SandboxError("gone"), Cause.SANDBOX),
        (GraderError("t.py:3: no such name"), Cause.GRADER),
        (NodeError("cannot"), Cause.GRADER),
        (TestFileError("references/t.py:3: t has no tool 'search'"), Cause.GRADER),
        (NameError("x"), Cause.GRADER),
        (SystemExit(1), Cause.GRADER),
    ],
)
def test_an_error_has_the_cause_of_what_broke(error, cause):
    def breaks(value, ctx):
        raise error

    record = trial(ASK >> Does(breaks), "4")
    assert (record.outcome, record.cause) == ("error", cause)
    assert str(error) in record.why and "\n" not in record.why


def test_the_first_mark_since_the_last_reply_decides():
    early, late = Marks(Cause.CRASHED, "exit 1"), Marks(Cause.TIMED_OUT, "too slow")
    assert trial(ASK >> early >> late >> has("x"), "4").cause == Cause.CRASHED
    record = trial(ASK >> early >> LLMRun("again: <A>") >> late >> has("x"), "4", "5")
    assert (record.cause, record.why) == (Cause.TIMED_OUT, "too slow")


def test_of_and_only_the_side_that_failed_counts():
    crashed = Marks(Cause.CRASHED, "exit 1") >> has("4")
    record = trial(ASK >> (crashed & has("x")), "4")
    assert record.cause == Cause.WRONG and "lacks 'x'" in record.why and "exit 1" not in record.why
    assert "lacks 'y'" in trial(ASK >> (has("y") & has("x")), "4").why


def test_of_or_both_sides_are_said():
    record = trial(ASK >> (has("x") | has("y")), "4")
    assert record.why.startswith("neither holds: ") and "'x'" in record.why and "'y'" in record.why


def test_of_not_what_held_is_said():
    record = trial(ASK >> ~has("4"), "4")
    assert record.why == "what must not be true is: output contains '4'"
    beside = trial(ASK >> (~has("x") & has("y")), "4")
    assert "lacks 'y'" in beside.why


def test_a_last_reading_decides_and_their_number_is_said():
    record = trial(ASK >> Readings(("a", "b")) >> has("x"), "4")
    assert record.why.startswith("none of 2 readings of the reply passed; of the last: output lacks 'x'")
    assert "'b'" in record.why


def test_a_step_with_nothing_to_pass_on_says_why():
    record = trial(ASK >> Does(lambda value, ctx: NoOutput("no picture", Cause.NO_CODE)) >> has("x"), "4")
    assert (record.cause, record.why) == (Cause.NO_CODE, "no picture")


@pytest.mark.parametrize(
    ("finish", "cause"),
    [
        ("length", Cause.CUT_OFF),
        ("model_context_window_exceeded", Cause.CUT_OFF),
        ("refusal", Cause.REFUSED),
        ("content_filter", Cause.FILTERED),
        ("tool_calls", Cause.TOOL_CALL),
        ("stop", Cause.WRONG),
    ],
)
def test_how_the_reply_ended_comes_first(finish, cause):
    record = trial(ASK >> Marks(Cause.CRASHED, "exit 1") >> has("x"), ended(finish))
    assert record.cause == (Cause.CRASHED if cause is Cause.WRONG else cause)
    assert ("200 tokens" in record.why) == (cause is Cause.CUT_OFF)


def test_a_cut_reply_that_a_later_one_replaced_is_not_the_cause():
    again = ASK >> LLMRun("something else") >> has("x")
    assert trial(again, ended("length", "half a"), "whole").cause == Cause.WRONG
    quoted = ASK >> LLMRun("take the code out of: <A>") >> has("x")
    assert trial(quoted, ended("length", "half a"), "whole").cause == Cause.CUT_OFF


def test_a_cut_reply_of_another_branch_is_not_the_cause():
    record = trial((ASK >> has("y")) | ("other" >> LLMRun() >> has("x")), ended("length", "half"), "whole")
    assert record.cause == Cause.WRONG


def test_a_loop_says_that_it_was_not_done():
    assert "not done after 1 round" in trial(ASK >> UntilDone(has("x"), LLMRun("more"), 1), "4", "5").why


def test_a_judges_no_is_named():
    record = trial(ASK >> LLMRun("Is this right? <A>", llm=EVAL_LLM) >> has("yes"), "4")
    assert record.cause == Cause.JUDGE and record.why.startswith("the judge said: ")


def test_causes_are_kept_and_old_records_have_none():
    record = trial(ASK >> Marks(Cause.CRASHED, "exit 1") >> has("x"), "4")
    line = json.loads(encode_line(record, lambda data: ""))
    assert record_from_json(line) == decode_line(encode_line(record_from_json(line), lambda data: ""))
    assert (record_from_json(line).cause, record_from_json(line).why) == ("crashed", "exit 1")
    del line["cause"], line["why"]
    assert (record_from_json(line).cause, record_from_json(line).why) == ("", "")


def test_a_function_that_says_no_more_is_told_with_the_output_before_it():
    class Judges(Node):
        async def run(self, value, ctx):
            said = (
                Block("text", "output (exit 0, 0.1 s)", "41\n"),
                Block("verdict", "ok()", "ok() returned False", passed=False),
            )
            yield Branch(False, Reason(self, said))

    assert trial(ASK >> Judges(), "4").why == "ok() returned False; the output before it was '41'"
