"""Agents in whole runs: judged again without a model, and resumed after a kill."""

import asyncio
import json

import pytest

import assay
from assay.records import Completion, ToolCall, Usage
from assay.results.journal import Journal
from assay.running.trial import run_trial
from assay.sandboxes.pool import open_pool
from assay.suites.suite import Sample
from evaluator import AgentRun, Call, EqualEvaluator, Shell, TerminalRun

TEST = """
from evaluator import *
TestSum = (
    Files({"numbers": "1\\n2\\n"}) >> "Write the sum of the numbers into sum.txt" >> AgentRun([Shell()])
    >> ("cat sum.txt" >> TerminalRun() >> EqualEvaluator("%s\\n") & EqualEvaluator("Done."))
)
"""


def agent(messages):
    return (
        "Done." if messages[-1].role == "tool" else Call("shell", command="echo $((1+2)) > sum.txt; date +%N")
    )


@pytest.fixture
def ran(tmp_path):
    (tmp_path / "sums.py").write_text(TEST % "4")
    asked = []

    def counted(messages, tools):
        asked.append(messages)
        return agent(messages)

    model = assay.model(counted, name="agent")
    results = assay.run(tmp_path / "sums.py", models=model, logdir=str(tmp_path / "results"))
    return tmp_path, results, asked


def test_the_saved_files_are_judged_again_without_a_model(ran):
    folder, results, asked = ran
    (before,) = results.df.to_dict("records")
    assert before["outcome"] == "fail", before["why"]
    assert len(asked) == 2
    (folder / "sums.py").write_text(TEST % "3")
    (after,) = assay.rescore(results, folder / "sums.py").df.to_dict("records")
    assert after["outcome"] == "pass" and len(asked) == 2
    assert (before["calls"], after["calls"]) == (2, 2)


def test_without_the_saved_files_the_calls_are_done_again(ran):
    folder, results, asked = ran
    for file in folder.glob("results/images/*.bin"):
        file.unlink()
    (folder / "sums.py").write_text(TEST % "3")
    again = assay.rescore(results, folder / "sums.py")
    (after,) = again.df.to_dict("records")
    # what `date` says is another text now; the replies come in their order
    assert after["outcome"] == "pass", after["why"]
    assert len(asked) == 2


class Dying:
    """Replies in order; at the end the process is killed, as it were."""

    name = "dying"

    def __init__(self, *replies):
        self.replies, self.asked = list(replies), []

    def for_trial(self, trial):
        return self

    async def complete(self, messages, *, json=False, tools=()):
        self.asked.append(tuple(messages))
        if not self.replies:
            raise asyncio.CancelledError
        reply = self.replies.pop(0)
        return reply if isinstance(reply, Completion) else Completion(reply)


def sh(number, command):
    call = ToolCall(f"c{number}", "shell", json.dumps({"command": command}))
    return Completion("", Usage(10, 1), 0.5, calls=(call,), finish_reason="tool_calls")


ONE = "x" >> AgentRun([Shell()]) >> "cat log" >> TerminalRun() >> EqualEvaluator("1\n2\n3\n")
TWO = "x" >> AgentRun([Shell()]) >> "y" >> AgentRun([Shell()]) >> "cat log" >> TerminalRun()


def run(model, path, test=ONE):
    async def work():
        async with open_pool("bubblewrap", ahead=0) as pool:
            journal = Journal(path)
            return await run_trial(Sample("t.Test", test), model, model, model, pool, journal=journal)

    return asyncio.run(work())


def test_after_a_kill_no_reply_is_asked_for_twice(tmp_path):
    commands = [f"echo {number} >> log; date +%N" for number in (1, 2, 3)]
    first = Dying(sh(1, commands[0]), sh(2, commands[1]))
    assert (
        "CancelledError" in run(first, tmp_path / "run-1.journal").error
    )  # as good as killed: nothing tidied up
    second = Dying(sh(3, commands[2]), "Done.")
    record = run(second, tmp_path / "run-1.journal")
    assert record.outcome == "pass", record.why
    assert len(second.asked) == 2 and record.calls == 4 and record.cost is None
    # what the model was told then still stands, though the calls were done again
    assert second.asked[0] == first.asked[2]


def test_where_a_call_fails_that_did_not_the_model_is_asked_anew(tmp_path):
    path = tmp_path / "run-1.journal"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AgentRun, "max_turns", 50)
        run(Dying(sh(1, "echo 1 > log; echo 2 >> log; echo 3 >> log"), sh(2, "true")), path)
    parts = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [sorted(part["part"]) for part in parts] == [["reply"], ["done"]] * 2
    parts[1]["part"]["done"][0]["failed"] = True
    path.write_text("".join(json.dumps(part) + "\n" for part in parts))
    second = Dying("Done.")
    record = run(second, path)
    assert record.outcome == "pass" and [len(asked) for asked in second.asked] == [3]


def test_a_second_agent_forgets_no_reply_of_the_first(tmp_path):
    path = tmp_path / "run-1.journal"
    first = [sh(1, "echo 1 >> log; date +%N"), "First done."]
    test = TWO >> EqualEvaluator("1\n2\n3\n")
    run(Dying(*first, sh(2, "echo 2 >> log; date +%N")), path, test)
    run(again := Dying(sh(3, "echo 3 >> log; date +%N")), path, test)
    record = run(last := Dying("Done."), path, test)
    assert record.outcome == "pass", record.why
    assert (len(again.asked), len(last.asked), record.calls) == (2, 1, 5)
    assert record.usage == Usage(30, 3) and last.asked[0] == again.asked[1]


def test_what_is_asked_anew_is_kept_too(tmp_path):
    path = tmp_path / "run-1.journal"
    test = TWO >> EqualEvaluator("1\n2\n3\n")
    run(Dying(sh(1, "echo 1 > log"), "First.", sh(2, "true"), sh(3, "true")), path, test)
    parts = [json.loads(line) for line in path.read_bytes().splitlines()]
    parts[4]["part"]["done"][0]["failed"] = True  # of the second agent's first call
    path.write_text("".join(json.dumps(part) + "\n" for part in parts))
    run(again := Dying(sh(4, "echo 2 >> log")), path, test)
    record = run(last := Dying(sh(5, "echo 3 >> log"), "Done."), path, test)
    assert record.outcome == "pass", record.why
    assert [len(asked) for asked in again.asked] == [3, 5]
    assert [len(asked) for asked in last.asked] == [5, 7] and last.asked[0] == again.asked[1]


def test_the_journal_grows_with_the_turns_and_not_with_their_square(tmp_path):
    sizes = []
    for turns in (10, 20):
        path = tmp_path / f"run-{turns}.journal"
        run(Dying(*(sh(number, "true # " + "x" * 3000) for number in range(turns))), path)
        sizes.append(path.stat().st_size)
    assert sizes[1] < 2.5 * sizes[0]


@pytest.mark.slow(15)
def test_what_an_agent_saw_is_in_the_report_also_of_a_trial_that_is_judged_again(tmp_path):
    def looks(messages, tools):
        return "Done." if messages[-1].images else Call("open_page", url="a.html")

    file = tmp_path / "pages.py"
    test = 'Files({"a.html": "<h1>Hi"}) >> "Look" >> AgentRun([Browser()]) >> EqualEvaluator("%s")'
    file.write_text(f"from evaluator import *\nTestLook = {test % 'No.'}\n")
    model = assay.model(looks, name="agent")
    results = assay.run(file, models=model, logdir=str(tmp_path / "results"))
    file.write_text(f"from evaluator import *\nTestLook = {test % 'Done.'}\n")
    again = assay.rescore(results, file)
    assert [row["outcome"] for row in again.df.to_dict("records")] == ["pass"]
    for number, each in enumerate((results, again)):
        each.report(tmp_path / f"report{number}")
    shown, later = ([p.name for p in tmp_path.glob(f"report{n}/images/*.png")] for n in (0, 1))
    assert len(shown) == 1 and shown == later
