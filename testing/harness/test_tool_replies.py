"""Replies that call tools come back whole, from every place in which they are kept."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass

import pytest

from assay.language.dsl import Branch, Node, Reason
from assay.records import (
    LLM,
    Block,
    Completion,
    Message,
    Outcome,
    Tool,
    ToolCall,
    TrialKey,
    Usage,
)
from assay.rescoring.recorded_runs import Answers, RecordedModel
from assay.rescoring.stored_answers import StoredModel
from assay.results.replies import recorded
from assay.results.serialize import encode_line, record_from_json
from assay.running.trial import run_trial
from assay.running.trial_retry import RememberingModel
from assay.suites.suite import Sample, StoredTrial
from testing.harness.standins import ScriptedPool
from testing.language.pipeline import ScriptedModel
from testing.model_server import ModelServer
from testing.model_wire import Reply as Written
from testing.models.asking import ask

TOOLS = (Tool("shell", "Runs a command."), Tool("look", "Looks."))
TURNS = 60


def turn(number):
    calls = (
        ToolCall(f"a{number}", "shell", json.dumps({"command": f"step {number}\n" + "é\u2028" * 500})),
        ToolCall(f"b{number}", "look", '{"broken'),
    )
    said = "" if number % 2 else "the same words"
    return Completion(said, Usage(10 * number, 5, 2, 8, 1), 0.01, calls=calls, reasoning="Hm.", native="{}")


SCRIPT = [*map(turn, range(TURNS - 1)), Completion("Done.", finish_reason="stop")]


@dataclass(frozen=True)
class Loop(Node):
    """Asks until there is a reply without calls."""

    task: str = "Mend it."
    took: str = "3 s"  # what a tool measures
    asks = (LLM,)

    async def run(self, value, ctx):
        dialogue = (Message("user", self.task),)
        reply = await ctx.llm.complete(dialogue, tools=TOOLS)
        while reply.calls:
            results = (
                Message("tool", f"ran {call.arguments} in {self.took}", call_id=call.id)
                for call in reply.calls
            )
            dialogue = (*dialogue, reply.turn, *results)
            reply = await ctx.llm.complete(dialogue, tools=TOOLS)
        shown = Block("chat", "replied", reply.text, role="assistant")
        yield Branch(reply.text == "Done.", Reason(self, shown))


def played(model, loop=Loop()):
    sample = Sample("t.TestT", loop)
    return asyncio.run(run_trial(sample, model, model, model, ScriptedPool()))


@dataclass
class Saved:
    """A trial as a run's file has it."""

    line: bytes
    path = "run-1.jsonl"

    def whole(self):
        return record_from_json(json.loads(self.line))


@pytest.mark.parametrize("in_order", [False, True])
def test_a_trial_of_60_turns_is_judged_again_without_a_model(in_order):
    first = played(ScriptedModel(*SCRIPT))
    assert first.outcome is Outcome.PASS and len(first.replies) == TURNS
    saved = Saved(encode_line(first, lambda data: ""))
    assert saved.whole().replies == first.replies
    key = TrialKey("t.TestT", suite="applied")
    answers = Answers({key: saved}, {key} if in_order else set())
    again = played(RecordedModel("m", LLM, answers))
    assert (again.outcome, again.replies) == (first.outcome, first.replies)
    assert (again.cost, again.usage) == (first.cost, first.usage)


def test_results_of_tools_may_be_others_when_it_is_judged_again_but_not_the_task():
    first = played(ScriptedModel(*SCRIPT))
    saved = Saved(encode_line(first, lambda data: ""))

    def again(loop):
        return played(
            RecordedModel("m", LLM, Answers({TrialKey("t.TestT", suite="applied"): saved}, set())), loop
        )

    record = again(Loop(took="4 s"))
    assert record.outcome is Outcome.PASS
    assert [each.calls for each in record.replies] == [each.calls for each in first.replies]
    assert "NotRecorded" in again(Loop(task="Mend that.")).error


def test_a_reply_whose_calls_were_too_long_to_keep_says_so():
    call = ToolCall("a", "shell", json.dumps({"command": "x" * 2_000_000}))
    record = played(ScriptedModel(Completion("", calls=(call,)), Completion("Done.")))
    again = recorded(Saved(encode_line(record, lambda data: "")).whole())
    with pytest.raises(Exception, match="too long to be kept"):
        again.reply(LLM, "m", (Message("user", "Mend it."),), False, TOOLS)


def test_stored_replies_call_tools():
    key = TrialKey("t.TestT", suite="applied")
    stored = StoredModel("m", {key: StoredTrial(Sample("t.TestT", Loop()), 1, tuple(SCRIPT))})
    assert played(stored).outcome is Outcome.PASS


def test_a_trial_that_begins_anew_is_given_the_replies_that_it_had():
    model = ScriptedModel(*SCRIPT)
    remembering = RememberingModel(model)
    first = played(remembering)
    remembering.again()
    again = played(remembering)
    assert first.replies == again.replies and len(model.asked) == TURNS


def test_replay_gives_the_calls_of_the_run(tmp_path):
    made = {"id": "c", "function": {"name": "shell", "arguments": {"command": "ls"}}}
    message = {"role": "assistant", "content": "I look.", "thinking": "Hm.", "tool_calls": [made]}
    asked, path = Counter(), tmp_path / "cache.sqlite"

    def reply(request):
        asked[request.digest] += 1
        return Written("", extra={"message": message})

    with ModelServer(reply=reply) as server:
        first = ask(server, "ollama/m", tools=TOOLS, cache=path, hparams={"max_tokens": 9})
        again = ask(server, "replay/ollama/m", tools=TOOLS, cache=path)
        with pytest.raises(Exception, match="has no reply"):
            ask(server, "replay/ollama/m", tools=TOOLS[:1], cache=path)
    assert first.calls == (ToolCall("c", "shell", '{"command": "ls"}'),) and first.reasoning == "Hm."
    assert (again.text, again.calls, again.reasoning) == (first.text, first.calls, first.reasoning)
    assert again.cached and sum(asked.values()) == 1
