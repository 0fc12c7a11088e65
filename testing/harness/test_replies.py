"""Replies in records: kept once, found by what was asked; verdicts before and after, and why they differ."""

import hashlib
import json
from dataclasses import replace

import pytest

from assay.errors import NotRecorded
from assay.records import Block, Message, Outcome, Reply, TrialKey, TrialRecord, Usage
from assay.rescoring.verdict_diff import judged_again
from assay.results.causes import cause_of, of_error, of_record
from assay.results.replies import Recorded, question_hash, recorded
from assay.results.saved_runs import is_run_file, newest_trials, run_files
from assay.results.serialize import encode_line, record_from_json
from assay.results.store import Results


def asked(*texts, images=()):
    return tuple(Message("user", text, images) for text in texts)


def said(text, question, role="llm", **more):
    return Reply(role, question_hash(asked(question)), text, Usage(3, 2), 0.5, **more)


def turn(prompt, reply, name="m"):
    return (
        Block("chat", f"asked {name}", prompt, role="user"),
        Block("chat", f"{name} replied", reply, role="assistant"),
    )


def trial(*replies, reason=None, **more):
    return TrialRecord("a.TestA", "m", 1, Outcome.PASS, replies=replies, reason=reason, **more)


def stored(record):
    return record_from_json(json.loads(encode_line(record, lambda data: "")))


def test_a_reply_that_the_steps_show_is_kept_once():
    long = "x" * 5000
    record = trial(
        said(long, "q"), said("hidden", "j", "eval_llm"), reason=Block("group", children=turn("q", long))
    )
    line = encode_line(record, lambda data: "")
    assert line.count(long.encode()) == 1 and b'"at":0' in line and b'"text":"hidden"' in line
    assert record_from_json(json.loads(line)).replies == record.replies


def test_a_reply_that_is_shown_in_part_is_kept_whole_and_a_huge_one_is_not():
    long, huge = "y" * 200_000, "z" * 1_000_001
    again = stored(trial(said(long, "q"), said(huge, "h"), reason=Block("group", children=turn("q", long))))
    assert [reply.text for reply in again.replies] == [long, None]
    with pytest.raises(NotRecorded, match="too long to be kept"):
        recorded(again).reply("llm", "m", asked("h"))


def test_a_question_finds_its_own_reply():
    its = recorded(trial(said("one", "a"), said("two", "b"), said("three", "a"), said("no", "a", "eval_llm")))
    found = [its.reply("llm", "m", asked(each)).text for each in ("b", "a", "a", "a")]
    assert found == ["two", "one", "three", "three"], "in their order, the last one again and again"
    assert its.reply("eval_llm", "judge", asked("a")).text == "no"
    reply = its.reply("llm", "m", asked("b"))
    assert reply.cached and (reply.usage, reply.cost, reply.attempts) == (Usage(3, 2), 0.5, 0)
    for messages, json_mode in ((asked("c"), False), (asked("b"), True), (asked("x", "b"), False)):
        with pytest.raises(NotRecorded, match=r"m \(llm\) was not asked this"):
            its.reply("llm", "m", messages, json_mode)


def test_another_picture_is_another_question():
    its = recorded(trial(Reply("llm", question_hash(asked("what?", images=(b"1",))), "a cat")))
    assert its.reply("llm", "m", asked("what?", images=(b"1",))).text == "a cat"
    with pytest.raises(NotRecorded, match="about 1 picture when"):
        its.reply("llm", "m", asked("what?", images=(b"2",)))


def test_in_order_where_questions_hold_measurements():
    its = recorded(
        trial(said("one", "a"), said("two", "took 3 s"), said("x", "a", "eval_llm")), in_order=True
    )
    assert [its.reply("llm", "m", asked(q)).text for q in ("a", "took 4 s")] == ["one", "two"]
    with pytest.raises(NotRecorded):
        its.reply("llm", "m", asked("took 5 s"))


def test_a_record_from_before_hashes_is_read_by_its_steps():
    steps = Block("group", children=(*turn("q", "one"), Block("group", children=turn("q", "two", "judge"))))
    old = trial(reason=steps, usage=Usage(9, 9), cost=0.25)
    its = recorded(old)
    first, second = its.reply("llm", "m", asked("q")), its.reply("llm", "m", asked("q"))
    assert (first.text, first.usage, first.cost) == ("one", Usage(9, 9), 0.25)
    assert (second.text, second.usage, second.cost) == ("two", Usage(), 0.0)
    cut = Block("group", children=turn("q", "a\n[... 7 characters left out ...]\nb"))
    with pytest.raises(NotRecorded, match="too long"):
        recorded(trial(reason=cut)).reply("llm", "m", asked("q"))


def test_replies_that_we_never_wrote_are_a_broken_line():
    value = json.loads(encode_line(trial(said("a", "q")), lambda data: ""))
    for broken in ([{"role": "llm"}], "text", [7], [{"role": "llm", "asked": "x", "usage": "abc"}]):
        with pytest.raises(ValueError):
            record_from_json({**value, "replies": broken})
    value["replies"][0].pop("text")
    assert record_from_json({**value, "replies": [{**value["replies"][0], "at": 5}]}).replies[0].text is None


# ---------------------------------------------------------------- files


def test_files_of_runs_and_the_newest_of_each_trial(tmp_path):
    results = Results(tmp_path)
    with results.open_new("c1", "m") as store:
        store.append(trial(reason=Block("text", body="old"), started_at="2026-01-01"))
        store.append(replace(trial(started_at="2026-01-01"), epoch=2))
    with results.open_new("c2", "m") as store:
        store.append(trial(reason=Block("text", body="new"), started_at="2026-01-02"))
    with Results(tmp_path / "rescored").open_new("c2", "m") as store:
        store.append(trial(started_at="2026-01-03"))
    (tmp_path / "run-x.jsonl").write_text('{"model": "m", "raw_response": "4"}\n')
    assert len(run_files(tmp_path)) == 2 and len(run_files(tmp_path / "rescored")) == 1
    assert not is_run_file(tmp_path / "run-x.jsonl") and not is_run_file(tmp_path / "none")
    problems = []
    with (tmp_path / "c2" / "m" / "run-1.jsonl").open("a") as file:
        file.write("torn\n")
    found = newest_trials(run_files(tmp_path), problems)
    assert len(problems) == 1 and "run-1.jsonl:2: unreadable line" in problems[0]
    first, second = (found["m"][TrialKey("a.TestA", epoch, "applied")] for epoch in (1, 2))
    assert first.record.reason is None and first.whole().reason == Block("text", body="new")
    assert second.whole().epoch == 2, "read at its own place in the file"


@pytest.mark.parametrize("before", ["", "{}\n", "\n".join(["{broken"] * 30) + "\n"], ids=["", "{}", "30"])
def test_a_file_with_a_trial_is_a_run_whatever_is_before_it(tmp_path, before):
    least = {"test": "a.TestA", "model": "m", "epoch": 1, "outcome": "pass"}  # all that the schema requires
    file = tmp_path / "c" / "m" / "run-1.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(f"{before}{json.dumps(least)}\n")
    assert run_files(tmp_path) == [file] == Results(tmp_path).files()


# ---------------------------------------------------------------- what changed


def steps(output="41", verdict="lacks 42", passed=False, code="print(41)", prompt="q", seconds="0.12"):
    return Block(
        "group",
        children=(
            *turn(prompt, "reply"),
            Block("code", "program main.py", code),
            Block("text", f"output (exit 0, {seconds} s)", output),
            Block("verdict", "SubstringEvaluator", verdict, passed=passed),
        ),
    )


OLD = TrialRecord("a.TestA", "m", 1, Outcome.FAIL, reason=steps(), commit="c1")


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ({"reason": steps(verdict="has 41", passed=True, seconds="0.99")}, "the grader changed"),
        ({"reason": steps(output="42", verdict="has 42", passed=True)}, "the program's output changed"),
        ({"reason": steps(code="print(42)")}, "the program that is run changed"),
        ({"reason": steps(prompt="other")}, "the question changed"),
        ({"reason": steps(seconds="3.00")}, "the grader changed: every step is the same"),
        ({"reason": None}, "the test has fewer steps"),
        ({"outcome": Outcome.SKIPPED, "error": "no gcc"}, "the sandbox lacks something"),
        ({"outcome": Outcome.ERROR, "error": "SandboxError: gone"}, "it broke this time"),
        (
            {"outcome": Outcome.ERROR, "error": "NotRecorded: m was not asked:\nq"},
            "not answerable: m was not",
        ),
    ],
)
def test_why_a_verdict_changed(new, why):
    given = replace(OLD, **{"outcome": Outcome.PASS, **new})
    found = judged_again(OLD, given, "run-1.jsonl")
    assert found["changed"] and found["why"].startswith(why), found
    assert (found["before"], found["of"]) == ("FAIL", "run-1.jsonl")
    assert json.loads(json.dumps(found)) == found


def test_verdicts_of_the_same_words_are_told_apart_by_the_sentence_of_the_trial():
    old = replace(OLD, outcome=Outcome.PASS, reason=steps(verdict="Lima: names Lima", passed=True))
    said = "the judge said Lima, not Cusco: names Lima"
    new = replace(OLD, reason=steps(verdict="Lima: names Lima", passed=False), why=said)
    found = judged_again(old, new, "f")
    assert (found["was"], found["now"]) == ("\u2713 Lima: names Lima", f"\u2717 {said}")


def test_a_question_that_was_not_recorded_is_a_cause_of_its_own():
    with pytest.raises(NotRecorded) as raised:
        Recorded(()).reply("llm", "m", [Message("user", "What is the capital?\nOne word.")])
    found = of_error(raised.value, f"NotRecorded: {raised.value}")
    assert found.cause == "not recorded" and "saved: What is the capital? One word." in found.why
    bare = replace(OLD, outcome=Outcome.ERROR, error=f"NotRecorded: {raised.value}")
    assert cause_of(bare) == of_record(bare).cause == "not recorded", "also of a record older than causes"


def test_the_same_verdict_is_no_change_whatever_the_steps_say():
    found = judged_again(OLD, replace(OLD, reason=steps(output="40", seconds="9.00")), "f")
    assert not found["changed"] and "why" not in found


def test_a_score_may_change_without_the_outcome():
    old, new = replace(OLD, score=0.5), replace(OLD, score=0.625, reason=steps(output="x"))
    found = judged_again(old, new, "f")
    assert (found["before"], found["after"], found["changed"]) == ("FAIL 0.5", "FAIL 0.625", True)
    assert not judged_again(old, replace(old, score=0.5 + 1e-12), "f")["changed"]
    broken = replace(OLD, outcome=Outcome.ERROR, error="no connection")
    assert judged_again(broken, OLD, "f")["why"] == "it had ended in ERROR"


def test_of_long_steps_the_place_where_they_differ_is_shown():
    long = "line\n" * 400
    found = judged_again(OLD, replace(OLD, outcome=Outcome.PASS, reason=steps(code=long + "b = 2")), "f")
    assert found["why"] == "the program that is run changed" and len(found["now"]) < 200
    old, new = (replace(OLD, reason=steps(code=long + end + long)) for end in ("a = 1\n", "a = 2\n"))
    found = judged_again(old, replace(new, outcome=Outcome.PASS), "f")
    assert "line a = 1 line" in found["was"] and "line a = 2 line" in found["now"]
    assert found["was"].startswith("... ") and found["was"].endswith(" ...")


def test_a_program_that_waited_for_a_core_has_not_changed():
    quick = replace(OLD, reason=Block("text", "output (exit 0, 0.12 s)", "42"))
    busy = Block("text", "output (exit 0, 3.4 s (2.1 s of it waiting for a core))", "42")
    found = judged_again(quick, replace(OLD, reason=busy, outcome=Outcome.PASS), "f")
    assert found["why"].startswith("the grader changed: every step is the same")


def test_a_picture_is_told_apart_by_its_bytes_stored_or_not():
    def shown(passed, **picture):
        reason = Block(
            "group", children=(Block("image", "drawn", **picture), Block("verdict", "V", "x", passed=passed))
        )
        return TrialRecord("a.TestA", "m", 1, Outcome.PASS if passed else Outcome.FAIL, reason=reason)

    name = f"{hashlib.sha256(b'red').hexdigest()}.png"
    same = judged_again(shown(True, file=name), shown(False, data=b"red"), "run-1")
    assert same["why"] == "the grader changed"
    other = judged_again(shown(True, file=name), shown(False, data=b"blue"), "run-1")
    assert other["why"] == "the picture changed" and "was" not in other
