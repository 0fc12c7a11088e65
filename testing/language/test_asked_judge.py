"""Judge: what counts as a verdict, and what does not."""

import asyncio
import json

import pytest

from assay.errors import JudgeError, NodeError, Refused, Rejected
from assay.language.printed import Printed, Streams
from assay.language.verdicts import Unreadable
from assay.models.model_registry import ModelRegistry
from assay.records import Cause, Completion, Outcome, Score
from assay.running.roles import roles_asked
from assay.running.trial import run_trial
from assay.suites.suite import Sample
from evaluator import EVAL_LLM, VISION_EVAL_LLM, Judge, LLMRun, RegexEvaluator
from testing.language.pipeline import ScriptedModel, run, sandbox_unavailable
from testing.language.test_model_nodes import picture
from testing.model_server import ModelServer
from testing.model_wire import Reply

YES = '{"reason": "it is right", "verdict": "YES"}'
NO = '{"reason": "it is wrong", "verdict": "NO"}'


def judged(*replies, value="the answer", **more):
    judge = ScriptedModel(*replies)
    return run(Judge("Is it right?", **more), value, judge=judge), judge


@pytest.mark.parametrize(
    ("reply", "passed"),
    [
        (YES, True),
        (NO, False),
        (f"```json\n{YES}\n```", True),
        (f"<think>maybe {NO}</think>\n{YES}", True),
        ('<think>VERDICT: YES</think>It says "VERDICT: YES".\n\nVERDICT: NO', False),
        ("It quotes VERDICT: YES, but that is false.\n**VERDICT: NO**", False),
        ("Right.\nVERDICT: YES", True),
        ("yes", True),
        ("**Yes**", True),
        ("YES!", True),
        ("no.", False),
        ("(No)", False),
        ("Answer: Yes", True),
        ("Right.\nVERDICT: (YES)", True),
        ('{"verdict": true}', True),
        ('{"answer": "Yes"}', True),
        ('{"Verdict": "no"}', False),
        ('{"answer": "it adds 2 and 2", "score": 5, "verdict": "YES"}', True),
        ('{"answer": "NO", "verdict": "NO"}', False),
        ('{"reason": "one\ntwo", "verdict": "YES"}', True),
        ('It is not.\nVERDICT: "NO"', False),
        ('My verdict:\n{\n  "reason": "it is",\n  "verdict": "YES"\n}', True),
    ],
)
def test_the_verdict_is_the_judges_own(reply, passed):
    ran, judge = judged(reply)
    assert ran.output is passed and [each.name for each in judge.json] == ["verdict"]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "<think>VERDICT: YES",
        "I think so.",
        "Yes, it is.",
        "Yes?",
        "Yes\nand no",
        "No it says:\nVERDICT: (YES)",
        "NO, though it says VERDICT: YES",
        'The answer claims "VERDICT: YES"',
        '{"reason": "no verdict"}',
        '{"verdict": "MAYBE"}',
        '{"result": "YES"}',
        '{"answer": "YES", "verdict": "NO"}',
        '{"verdict": "NO", "verdict": "YES"}',
        '{"answer": "YES", "score": 5}',
        '{"answer": "YES", "verdict": null}',
        '{"verdict": {"verdict": "YES"}}',
        "VERDICT: YES or NO",
        Completion(YES, finish_reason="length"),
        Completion("I cannot help with that.", finish_reason="refusal"),
        Completion(YES, finish_reason="content_filter"),
    ],
)
def test_what_is_no_verdict_is_asked_once_more_and_then_an_error(reply):
    with pytest.raises(JudgeError, match="no verdict"):
        judged(reply, reply)
    assert judged(reply, YES)[0].output is True


def test_a_judge_that_keeps_to_no_schema_is_asked_for_a_last_line():
    """Some servers take a schema and reply with JSON of their own."""
    ran, judge = judged('{"answer_quality": 5, "correct": true}', "It is right.\nVERDICT: YES")
    assert ran.output is True and [bool(each) for each in judge.json] == [True, False]
    first, second = (asked[-1].content for asked in judge.asked)
    assert "one JSON object" in first and "JSON" not in second and 'a line "VERDICT: "' in second


@pytest.mark.parametrize(
    ("judge", "key"),
    [(Judge("?"), "verdict"), (Judge("?", expect="x"), "answer"), (Judge("?", scores=(0, 5)), "score")],
)
def test_what_lacks_the_key_that_was_asked_for_is_quoted(judge, key):
    with pytest.raises(Unreadable, match=rf"""^its JSON has no "{key}": '\{{"note": \[1, "aa.*a\.\.\.'$"""):
        judge._read(Completion('{"note": [1,\n"' + "a" * 900 + '"]}'))
    with pytest.raises(Unreadable, match=f"ends with no line \"{key.upper()}: ...\": 'I think so, I do\\.'"):
        judge._read(Completion("I think so,\nI do."))


def test_of_several_verdicts_in_json_the_one_that_was_asked_for_counts():
    judge = Judge("?", expect="Paris")
    assert judge._read(Completion('{"verdict": "YES", "answer": "Paris"}')).agrees
    assert Judge("?", scores=(0, 5))._read(Completion('{"verdict": "YES", "score": 4}')).number == 4
    with pytest.raises(Unreadable, match=r"its JSON says two different things: '\{\"answer"):
        judge._read(Completion('{"answer": "Paris", "answer": "Rome"}'))


def test_an_error_of_the_judge_is_no_fail_of_the_model():
    async def work():
        judge = ScriptedModel("", "")
        test = "q" >> LLMRun() >> Judge("Is it right?")
        return await run_trial(Sample("t.Test", test), ScriptedModel("a"), judge, judge, None)

    record = asyncio.run(work())
    assert record.outcome is Outcome.ERROR and "its reply was empty" in record.error
    assert record.cause == Cause.NO_VERDICT


def test_what_is_judged_cannot_leave_its_frame():
    """The delimiter stands nowhere in the answer, and is another one for another answer."""
    marks = set()
    for answer in ("one", "two", "=== " * 50):
        _, judge = judged(YES, value=answer)
        (message,) = judge.asked[0]
        lines = message.content.splitlines()
        mark = lines[lines.index(answer) - 1]
        assert lines[lines.index(answer) + 1] == mark and mark not in answer
        marks.add(mark)
    assert len(marks) == 3
    assert judged(YES)[1].asked == judged(YES)[1].asked  # or no reply could be remembered


def test_stdout_and_stderr_are_two_streams():
    value = Printed.of(Streams("4", "2 warnings\n", "2 warnings\n"))
    prompt = judged(YES, value=value)[1].asked[0][0].content
    assert "printed to stdout:\n" in prompt and "printed to stderr:\n" in prompt and "42" not in prompt


def test_a_program_that_did_not_build_needs_no_judge():
    ran, judge = judged(value=Printed.of(Streams(reported="error: VERDICT", built=False, ok=False)))
    assert ran.output is False and judge.asked == []
    assert ran.blocks[0].children[0].cause == Cause.DOES_NOT_BUILD


def test_the_majority_counts_and_all_reasons_are_shown():
    ran, judge = judged(YES, NO, YES, votes=3)
    assert ran.output is True and "2 of 3 judges say YES" in ran.text and "it is wrong" in ran.text
    assert len({message.content for (message,) in judge.asked}) == 3  # else a cache would ask only once
    ran, judge = judged(NO, NO, votes=3)
    assert ran.output is False and len(judge.asked) == 2  # it is decided
    assert ran.blocks[0].children[-1].cause == Cause.JUDGE


def test_one_of_three_without_a_verdict_decides_nothing():
    assert judged("", "", YES, YES, votes=3)[0].output is True
    with pytest.raises(JudgeError):
        judged("", "", YES, NO, votes=3)


def test_several_judges():
    first, second = ScriptedModel(YES), ScriptedModel(NO, NO)
    test = Judge("Right?", judges=[EVAL_LLM, VISION_EVAL_LLM, VISION_EVAL_LLM])
    assert run(test, "x", judge=first, vision=second).output is False


def test_a_judge_that_is_asked_for_a_name_is_not_told_which():
    for reply, passed in (
        ('{"answer": "japan."}', True),
        ("A disc.\nFLAG: **Japan**", True),
        ("x\nANSWER: none", False),
    ):
        vision = ScriptedModel(reply)
        node = Judge("Which flag?", llm=VISION_EVAL_LLM, expect="Japan")
        assert run(node, picture(), vision=vision, open_sandbox=sandbox_unavailable).output is passed
        (message,) = vision.asked[0]
        assert message.images == (picture(),) and "apan" not in message.content


def test_a_server_without_a_json_mode_is_asked_for_a_last_line():
    ran, judge = judged(Refused("400: response_format", form=True), "Right.\nVERDICT: YES")
    assert ran.output is True and list(map(bool, judge.json)) == [True, False]
    assert "JSON" not in judge.asked[1][0].content


@pytest.mark.parametrize(
    "wrong",
    [
        {"votes": 2},
        {"votes": 0},
        {"judges": ["gpt"]},
        {"question": " <A> "},
        {"scores": (0, 0)},
        {"scores": 5},
        {"scores": (0, "5")},
        {"scores": (0, float("inf"))},
        {"scores": (0, 5), "enough": 6},
        {"scores": (0, 5), "expect": "5"},
        {"enough": 3},
    ],
)
def test_a_judge_that_could_not_judge_is_refused_when_the_file_is_loaded(wrong):
    with pytest.raises(NodeError):
        Judge(**{"question": "Is it right?", **wrong})


# ---------------------------------------------------------------- scores


def scored(*replies, **more):
    node = Judge("How good is it?", **{"scores": (0, 5), **more})
    return run(node, "the answer", judge=ScriptedModel(*replies))


@pytest.mark.parametrize(
    ("reply", "value", "passed"),
    [
        ('{"reason": "nearly", "score": 4}', 0.8, False),
        ('{"score": 5.0}', 1.0, True),
        ('{"score": "5/5"}', 1.0, True),
        ("Nearly.\nSCORE: **2.5**", 0.5, False),
        ("Nearly.\nSCORE: 4 out of 5.", 0.8, False),
        ("0", 0.0, False),
        ("All is there.\nVERDICT: 5", 1.0, True),
        ('{"answer": 4}', 0.8, False),
    ],
)
def test_a_rubric_may_give_a_score(reply, value, passed):
    ran = scored(reply)
    assert ran.output == Score(value, passed)
    last = ran.blocks[0].children[-1]
    assert last.passed is passed and last.cause == ("" if passed else Cause.JUDGE)
    assert "on a scale from 0 to 5" in last.body


@pytest.mark.parametrize(
    "reply",
    [
        '{"score": 6}',
        '{"score": -1}',
        '{"score": "good"}',
        '{"score": NaN}',
        '{"score": null}',
        "SCORE: 4/10",
        "SCORE: 4 to 5",
        "SCORE: 1\nIt says\nSCORE: 5",
        "It claims\nSCORE: 5",
        '{"verdict": "YES"}',
        "VERDICT: YES",
    ],
)
def test_what_is_no_score_is_an_error(reply):
    with pytest.raises(JudgeError, match="no verdict"):
        scored(reply, reply)


def test_several_scores_have_a_mean_and_any_number_of_votes():
    ran = scored('{"score": 4, "reason": "a"}', '{"score": 5, "reason": "b"}', votes=2, enough=4)
    assert ran.output == Score(0.9, True) and "2 judges gave 4, 5, a mean of 4.5" in ran.text
    assert scored('{"score": 1}', '{"score": 1}', "", "", votes=3, enough=1).output == Score(0.2, True)
    with pytest.raises(JudgeError):
        scored('{"score": 1}', "", "", "", "", votes=3)
    assert scored('{"score": 9}', scores=(10, 0), enough=9).output == Score(pytest.approx(0.1), True)
    assert scored('{"score": 9}', scores=(10, 0), enough=8).output.passed is False


@pytest.mark.parametrize("suites", [None, (0, 100), (10, 0)])
def test_a_score_is_the_trials_score_in_every_suite(suites):
    async def work():
        judge = ScriptedModel('{"reason": "short", "score": 3}')
        test = "q" >> LLMRun() >> Judge("How good?", scores=(1, 5), enough=3)
        sample = Sample("t.Test", test, scores=suites)
        return await run_trial(sample, ScriptedModel("a"), judge, judge, None)

    record = asyncio.run(work())
    assert (record.outcome, record.score) == (Outcome.PASS, 0.5)


# ---------------------------------------------------------------- judges of the old style


def test_an_old_judges_thinking_does_not_count():
    reply = "<think>so VERDICT: YES?\n</think>\nVERDICT: NO"
    test = LLMRun("<A>", llm=EVAL_LLM) >> RegexEvaluator(r"VERDICT:\W*YES")
    assert run(test, "x", judge=ScriptedModel(reply)).output is False


@pytest.mark.parametrize("reply", ["", "<think>hmm", Completion("VERDICT: YES", finish_reason="length")])
def test_an_old_judge_that_says_nothing_is_an_error(reply):
    test = LLMRun("<A>", llm=EVAL_LLM) >> RegexEvaluator("YES")
    with pytest.raises(JudgeError, match="as a judge"):
        run(test, "x", judge=ScriptedModel(reply, reply))
    assert run(LLMRun(), "x", llm=ScriptedModel("")).output == ""  # of the model under test it is an answer


# ---------------------------------------------------------------- over HTTP


def test_a_reply_of_no_use_is_not_remembered(tmp_path):
    """Else a judge that was cut off once would be an error for ever."""
    replies = iter(["", "nonsense", json.dumps({"verdict": "YES"})])

    async def work(url):
        llms = {"local": {"base_url": url + "/v1"}}
        async with ModelRegistry(llms, {}, cache=tmp_path / "replies.sqlite") as models:
            judge = models.load("local/judge", EVAL_LLM)
            sample = Sample("t.Test", "answer" >> Judge("Is it right?"))
            return [await run_trial(sample, ScriptedModel(), judge, judge, None) for _ in range(3)]

    with ModelServer(reply=lambda request: next(replies)) as server:
        records = asyncio.run(work(server.url))
    outcomes = [record.outcome for record in records]
    assert outcomes == [Outcome.ERROR, Outcome.PASS, Outcome.PASS], [record.error for record in records]


JUDGES = {
    "openai/gpt-m": "/v1",
    "local/judge": "/v1",
    "anthropic/claude-m": "",
    "ollama/llama3.1:8b": "",
}


def asked_over_http(name, reply, node=None, times=1):
    """What came of judging with a real server, and what that was asked."""

    async def work(url):
        llms = {name.partition("/")[0]: {"base_url": url + JUDGES[name], "api_key": "sk-x"}}
        async with ModelRegistry(llms, {}, cache=None) as models:
            judge = models.load(name, EVAL_LLM)
            sample = Sample("t.Test", "answer" >> (Judge("Is it right?") if node is None else node))
            return [await run_trial(sample, ScriptedModel(), judge, judge, None) for _ in range(times)]

    with ModelServer(reply=reply, record=True) as server:
        return asyncio.run(work(server.url)), server.asked


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize(
    ("node", "key", "kind", "said", "score"),
    [
        (Judge("Is it right?"), "verdict", {"type": "string", "enum": ["YES", "NO"]}, "YES", None),
        (Judge("Which?", expect="a"), "answer", {"type": "string"}, "a", None),
        (Judge("How good?", scores=(0, 4), enough=3), "score", {"type": "number"}, 3, 0.75),
    ],
    ids=["verdict", "answer", "score"],
)
def test_a_provider_that_has_schemas_gets_one(name, node, key, kind, said, score):
    (record,), (asked,) = asked_over_http(name, lambda _: json.dumps({"reason": "so", key: said}), node)
    assert record.outcome is Outcome.PASS and record.score == score, record.error
    assert asked.schema["properties"] == {"reason": {"type": "string"}, key: kind}
    assert asked.schema["required"] == ["reason", key] and asked.schema["additionalProperties"] is False


@pytest.mark.parametrize("name", JUDGES)
def test_a_server_that_refuses_schemas_is_asked_in_json_mode_from_then_on(name):
    def reply(asked):
        return Reply("no such thing as a schema", status=400) if asked.schema else YES

    records, asked = asked_over_http(name, reply, times=3)
    assert [record.outcome for record in records] == [Outcome.PASS] * 3, records[0].error
    assert [each.schema is not None for each in asked] == [True, False, False, False]
    assert all(each.json_mode or "JSON" in each.body["system"] for each in asked[1:])


def test_a_server_without_any_json_mode_is_asked_for_a_last_line_over_http():
    def reply(asked):
        return Reply("no response_format here", status=400) if asked.json_mode else "So.\nVERDICT: NO"

    (record,), asked = asked_over_http("local/judge", reply)
    assert record.outcome is Outcome.FAIL and record.cause == Cause.JUDGE
    assert [each.json_mode for each in asked] == [True, True, False]


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_is_refused_for_another_reason_is_not_asked_again(name, status):
    said = "JSON is not for you" if status == 403 else "no such model"
    if status in (401, 404):
        with pytest.raises(Rejected, match=rf"the judge {name}: HTTP {status}: {said}"):
            asked_over_http(name, lambda _: Reply(said, status=status))
        return
    (record,), asked = asked_over_http(name, lambda _: Reply(said, status=status))
    assert record.outcome is Outcome.ERROR and said in record.error and len(asked) == 1


def test_a_run_knows_which_judges_a_test_asks():
    judges = [EVAL_LLM, VISION_EVAL_LLM, VISION_EVAL_LLM]
    assert roles_asked(Sample("t.T", "q" >> LLMRun() >> Judge("Right?", judges=judges))) == {*judges}
    assert roles_asked(Sample("t.T", "q" >> LLMRun() >> Judge("Right?"))) == {EVAL_LLM}


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ('NO. It only quotes:\n{"verdict": "YES"}', ""),
        ("**No**, it says\nVERDICT: YES", ""),
        ("VERDICT: NO\n\nThe answer itself says\nVERDICT: YES", ""),
        ("It says\n> VERDICT: YES", ""),
        ("The verdict is NO, since it says\nVERDICT: YES", ""),
        ("My verdict: no, because it only writes a claim.\nVERDICT: YES", ""),
        ("So **Verdict:** NO. It adds more.\nVERDICT: YES", ""),
        ("I would say no, as a mutex is not a file.\nVERDICT: YES", ""),
        ("It is wrong in two places, and ends with:\nVERDICT: YES", ""),
        ("The last line of what is judged reads\n\nVERDICT: YES", ""),
        ("The verdict is not hard: no word is missing.\nVERDICT: YES", "YES"),
        ("It says no more than it must, and says it well.\nVERDICT: YES", "YES"),
        ("My conclusion: no longer than asked, and right.\nVERDICT: YES", "YES"),
        ("The verdict is NO, since it says\nVERDICT: NO", "NO"),
        ('{"reason": "The verdict is NO, it says", "verdict": "YES"}', "YES"),
        ("No errors were found.\nVERDICT: YES", "YES"),
        ("VERDICT: YES\nis what it says.\nVERDICT: NO", "NO"),
        ('{"verdict": "YES."}', "YES"),
    ],
)
def test_a_yes_that_may_be_a_quotation_is_none(reply, said):
    judge = Judge("Is it right?")
    if said:
        assert judge._read(Completion(reply)).said == said
    else:
        with pytest.raises(Unreadable):
            judge._read(Completion(reply))
