"""AgentRun: the loop, its limits and its end. What tools do is in test_agent_tools.py."""

import base64
import json
import time

import pytest

from assay.errors import NodeError, ProviderError, Refused
from assay.language.picture_files import header
from assay.records import Cause, Completion, Message, Outcome, ToolCall, Usage
from assay.report.explanation import walk
from evaluator import (
    AgentRun,
    EditFile,
    EqualEvaluator,
    Files,
    Image,
    Mcp,
    PyEvaluator,
    Shell,
    SubstringEvaluator,
    TerminalRun,
)
from testing.language.pipeline import run, trial

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
NUMBER = iter(range(10**6))


def call(name, **arguments):
    return ToolCall(f"call_{next(NUMBER)}", name, json.dumps(arguments))


def says(*calls, text="", **more):
    return Completion(text, calls=calls, finish_reason="tool_calls" if calls else "stop", **more)


def sh(command, text=""):
    return says(call("shell", command=command), text=text)


def results(model, turn):
    """What the model was told by its tools before it replied for the `turn`-th time (from 0)."""
    told = []
    for message in reversed(model.asked[turn]):
        if message.role != "tool":
            break
        told.insert(0, message)
    return told


def test_it_works_until_a_reply_calls_no_tool():
    record, model = trial(
        "Count to 3" >> AgentRun([Shell()]) >> EqualEvaluator("Done: 3"),
        sh("echo $((1+2))"),
        "Done: 3",
        model=True,
    )
    assert record.outcome is Outcome.PASS and record.calls == 2
    assert [each.name for each in model.tools[0]] == ["shell"]
    assert model.asked[0] == (Message("user", "Count to 3"),)
    (told,) = results(model, 1)
    assert told.content == "3\n" and told.call_id == model.asked[1][1].calls[0].id and not told.failed


def test_calls_of_one_turn_are_done_in_order_and_each_is_answered():
    calls = [call("shell", command=f"echo {n} >> log; cat log") for n in range(3)]
    _, model = trial("x" >> AgentRun([Shell()]), says(*calls), "ok", model=True)
    assert [(each.call_id, each.content) for each in results(model, 1)] == [
        (each.id, "".join(f"{n}\n" for n in range(number + 1))) for number, each in enumerate(calls)
    ]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (ToolCall("1", "bash", "{}"), "there is no tool 'bash'; there are shell"),
        (ToolCall("1", "shell", '{"command": '), "the arguments are not JSON"),
        (ToolCall("1", "shell", '{"command": 3}'), "Expected `str`"),
        (ToolCall("1", "shell", '{"cmd": "ls"}'), "unknown argument 'cmd'"),
        (ToolCall("1", "shell", json.dumps({"command": "x" * 300_000})), "characters of arguments; at most"),
    ],
)
def test_a_call_that_cannot_be_done_is_an_error_for_the_model(bad, why):
    model = []
    _, model = trial("x" >> AgentRun([Shell()]), says(bad), "ok", model=True)
    (told,) = results(model, 1)
    assert told.failed and told.content.startswith("error: ") and why in told.content


def test_submit_ends_it_and_is_the_output():
    test = "x" >> AgentRun([Shell()], submit=True) >> EqualEvaluator("42")
    record, model = trial(
        test,
        says(call("shell", command="true"), call("submit", answer="42"), call("shell", command="touch no")),
        model=True,
    )
    assert record.outcome is Outcome.PASS and record.calls == 1
    assert [each.name for each in model.tools[0]] == ["shell", "submit"]


@pytest.mark.parametrize(
    ("limit", "cause", "words"),
    [
        ({"max_turns": 3}, Cause.OUT_OF_TURNS, "3 turns"),
        ({"max_tokens": 300}, Cause.OUT_OF_TOKENS, "300 tokens"),
        ({"max_cost": 0.03}, Cause.OUT_OF_MONEY, "$0.03"),
        ({"time_limit_s": 30.0}, Cause.OUT_OF_TIME, "30 s"),
    ],
)
def test_a_limit_is_said_one_turn_before_it_ends_the_work(limit, cause, words):
    turns = [
        says(call("shell", command="true"), text=f"turn {n}", usage=Usage(90, 10), cost=0.01, seconds=10.0)
        for n in range(9)
    ]
    record, model = trial("x" >> AgentRun([Shell()], **limit) >> EqualEvaluator("done"), *turns, model=True)
    assert record.outcome is Outcome.FAIL and record.cause == cause and words in record.why
    assert record.calls == 3
    notes = [words in (asked[-1].content) for asked in model.asked]
    assert notes == [False, False, True]


def test_a_limit_of_money_needs_to_know_what_a_turn_costs():
    first = says(call("shell", command="touch x"), cost=0.01)
    record, model = trial(
        "x" >> AgentRun([Shell()], max_cost=9.0) >> EqualEvaluator("done"), first, "done", model=True
    )
    assert record.outcome is Outcome.ERROR and "max_cost cannot be kept: the cost of" in record.error
    assert "set a price in config.json" in record.error and len(model.asked) == 2


def test_a_trial_that_passes_at_a_limit_passes():
    record = trial(
        "x" >> AgentRun([Shell()], max_turns=1) >> SubstringEvaluator("fine"), sh("true", text="fine")
    )
    assert record.outcome is Outcome.PASS and not record.cause


def test_the_last_text_is_the_output_even_if_the_last_turn_only_calls():
    test = "x" >> AgentRun([Shell()], max_turns=2) >> EqualEvaluator("so far")
    assert trial(test, sh("true", text="so far"), sh("true")).outcome is Outcome.PASS


def test_a_wrong_answer_after_calls_is_told_as_one():
    record = trial("x" >> AgentRun([Shell()]) >> EqualEvaluator("4"), sh("false"), "5")
    assert record.cause == Cause.WRONG and "tool" not in record.why


def test_an_agent_that_called_no_tool_is_told_as_one_beside_what_the_check_said():
    test = "x" >> AgentRun([Shell()]) >> EqualEvaluator("4")
    record = trial(test, "I cannot do that.")
    assert record.cause == Cause.NO_CALL
    no_call = "the agent called no tool: its first reply ended the work; "
    assert record.why == no_call + "output differs from '4'; it was 'I cannot do that.'"
    assert trial(test, "4").cause == "", "it may answer without one"
    assert trial("x" >> AgentRun() >> EqualEvaluator("4"), "5").cause == Cause.WRONG, "it had none"


def test_at_a_limit_the_check_is_told_too():
    record = trial("x" >> AgentRun([Shell()], max_turns=1) >> EqualEvaluator("4"), sh("true", text="5"))
    assert record.cause == Cause.OUT_OF_TURNS
    assert record.why.startswith("ended by its limit of 1 turn, ") and "'5'" in record.why


def test_what_broke_in_the_middle_is_an_error_with_the_turns_before():
    record = trial("x" >> AgentRun([Shell()]), sh("echo seen"), ProviderError("503"))
    assert record.outcome is Outcome.ERROR and "seen" in str(record.reason)


def test_a_dialogue_that_the_model_cannot_read_any_more_ends_the_work():
    outgrown = Refused("HTTP 400: the context is full", too_long=True)
    test = "x" >> AgentRun([Shell()]) >> EqualEvaluator("so far")
    record = trial(test, sh("seq 9000", text="so far"), outgrown)
    assert record.outcome is Outcome.PASS
    record = trial(test, sh("seq 9000", text="nothing"), outgrown)
    assert (record.outcome, record.cause) == (Outcome.FAIL, Cause.OUT_OF_TOKENS)
    assert "its limit of what the model can read, after 1 turn" in record.why
    record = trial(test, outgrown)
    assert record.outcome is Outcome.ERROR, "of the test's own task"
    assert trial(test, sh("true"), Refused("HTTP 400")).outcome is Outcome.ERROR


def test_later_steps_get_the_files_and_nothing_else():
    agent = (
        "echo kept > kept.txt; mkdir d; echo in > d/in.txt; ln -s /etc/passwd link; mkfifo pipe; "
        "echo 'echo forged' > ~/.bashrc; (sleep 1000 &) ; echo forged > /tmp/x"
    )
    look = "find . ~ /tmp -mindepth 1 | sort; pgrep sleep; cat kept.txt"
    test = (
        "x"
        >> AgentRun([Shell()])
        >> look
        >> TerminalRun()
        >> EqualEvaluator("./d\n./d/in.txt\n./kept.txt\nkept\n")
    )
    record = trial(test, sh(agent), "done")
    assert record.outcome is Outcome.PASS, record.why


def made_it():
    return open("a.txt").read() == "b\n"  # noqa: PTH123


def test_py_evaluator_judges_what_it_made():
    edit = says(call("edit_file", path="a.txt", old_text="", new_text="b\n"))
    record = trial("x" >> AgentRun([EditFile()]) >> PyEvaluator(made_it), edit, "done")
    assert record.outcome is Outcome.PASS, record.why


def test_an_agent_without_calls_needs_no_sandbox():
    assert run("2+2" >> AgentRun([Shell()]), llm=_model("4")).output == "4"


def _model(*replies):
    from testing.language.pipeline import ScriptedModel

    return ScriptedModel(*replies)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"tools": Shell()}, "a list of tools"),
        ({"tools": [Shell(), Shell()]}, "two tools are called shell"),
        ({"tools": [lambda: 1]}, "docstring"),
        ({"max_turns": 0}, "more than 0"),
        ({"task": 3}, "task is a text"),
        ({"max_cost": -1.0}, "more than 0"),
    ],
)
def test_what_cannot_be_is_told_when_the_test_is_loaded(wrong, why):
    with pytest.raises(NodeError, match=why):
        AgentRun(**wrong)


def test_without_the_client_of_mcp_a_trial_is_skipped_and_says_what_to_install(monkeypatch):
    monkeypatch.setattr("assay.extras._here", lambda module: False)
    record, model = trial("x" >> AgentRun([Mcp("python3 server.py")]), model=True)
    assert record.outcome is Outcome.SKIPPED and "Mcp needs the package mcp: " in record.error
    assert model.asked == []


def test_a_picture_is_shown_with_the_task_and_kept_from_the_tools():
    test = Image(lambda: PNG) >> Files({"a.txt": "1"}) >> AgentRun([Shell()], task="Draw <A>it.")
    record, model = trial(test >> EqualEvaluator("done"), sh("ls; file -b *"), "done", model=True)
    assert record.outcome is Outcome.PASS
    first = model.asked[0][0]
    assert first.content == "Draw it." and [header(each).format for each in first.images] == ["PNG"]
    assert model.asked[1][0] == first and "PNG" not in results(model, 1)[0].content
    shown = [block.title for _, block in walk(record.reason) if block.kind == "image"]
    assert shown.count("picture sent") == 1


def test_a_task_asks_about_the_incoming_text():
    _, model = trial(
        "two" >> AgentRun([Shell()], task="Add one to <A>.") >> EqualEvaluator("3"), "3", model=True
    )
    assert [each.content for each in model.asked[0]] == ["Add one to two."]


def test_a_picture_without_a_task_is_the_tests_mistake():
    record = trial(Image(lambda: PNG) >> AgentRun([Shell()]) >> EqualEvaluator("x"), "x")
    assert record.outcome is Outcome.ERROR and "say AgentRun(..., task=...)" in record.error


def test_bytes_that_begin_like_a_picture_and_are_none_fail():
    record = trial(Image(lambda: PNG[:40]) >> AgentRun([Shell()], task="Look.") >> EqualEvaluator("x"), "x")
    assert record.outcome is Outcome.FAIL and "no picture to show" in str(record.reason)


def test_it_prints_as_it_was_written():
    assert (
        repr(AgentRun([Shell(time_limit_s=5.0)], max_turns=3))
        == "AgentRun((Shell(time_limit_s=5.0, max_output=30000),), max_turns=3)"
    )


def test_the_record_shows_each_turn_folded_to_one_line():
    first = says(call("shell", command="ls -la"), text="I look.", reasoning="Where am I?", cost=0.25)
    second = says(call("shell", command="true"), call("bash", command="x" * 500))
    record = trial("x" >> AgentRun([Shell()]), first, second, "done")
    agent = record.reason.children[-1].children
    one, two = [block for block in agent if block.folded]
    assert one.title.startswith("turn 1: shell: ls -la (exit 0, ") and one.spent.cost == 0.25
    assert [block.title for block in one.children] == ["reasoning", "scripted replied", "command", "result"]
    assert one.passed is None and two.passed is False and len(two.title) < 400
    assert [block.folded for block in two.children] == [True, True] and agent[-1].body == "done"
    assert two.children[0].title.endswith(" s, no output)") and " s, result of " in two.children[1].title
    (how,) = [block.body for block in record.reason.children[-1].children if block.role == "end"]
    assert how.startswith("ended by a reply that calls no tool (turn 3), after 3 turns, ")


def sleeps(seconds: int) -> str:
    """Sleep."""
    import time

    time.sleep(seconds)
    return "slept"


@pytest.mark.parametrize(
    ("tool", "name", "given"),
    [(Shell(), "shell", {"command": "sleep 30"}), (sleeps, "sleeps", {"seconds": 30})],
)
def test_a_call_gets_what_is_left_of_the_agents_time(tool, name, given):
    sleeping = [says(call(name, **given)) for _ in range(4)]
    began = time.monotonic()
    record = trial("task" >> AgentRun([tool], time_limit_s=2) >> SubstringEvaluator("x"), *sleeping)
    assert time.monotonic() - began < 20
    assert (record.outcome, record.cause, record.calls) == (Outcome.FAIL, Cause.OUT_OF_TIME, 1)


def test_calls_of_one_turn_are_not_begun_once_the_time_is_over():
    calls = [call("shell", command=f"sleep 1; echo {n}") for n in range(20)]
    record = trial("task" >> AgentRun([Shell()], time_limit_s=1.5) >> SubstringEvaluator("x"), says(*calls))
    told = [block.body for _, block in walk(record.reason) if block.title == "result"]
    assert len(told) == 20 and told[0] == "0\n" and set(told[2:]) == {"not done: the time limit is over"}
    assert (record.outcome, record.cause, record.calls) == (Outcome.FAIL, Cause.OUT_OF_TIME, 1)


def test_no_call_of_a_reply_that_came_too_late_is_begun():
    late = says(call("shell", command="echo a > there"), seconds=3.0)
    record = trial("task" >> AgentRun([Shell()], time_limit_s=2) >> SubstringEvaluator("x"), late)
    assert [block.body for _, block in walk(record.reason) if block.title == "result"] == [
        "not done: the time limit is over"
    ]
    assert record.cause is Cause.OUT_OF_TIME
