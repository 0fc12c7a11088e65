"""What a model can do to the host's side of a test is its own failure: a FAIL with a cause, not an ERROR
that is not counted and that --resume pays for again."""

import asyncio
import json

import pytest

from assay.records import Outcome
from assay.running.trial import run_trial
from assay.suites.suite import Sample
from evaluator import (
    ContainsIntEvaluator,
    Echo,
    EqualEvaluator,
    ExtractCode,
    ExtractJSON,
    JavaRun,
    JSONSubsetEvaluator,
    LLMRun,
    MakeFile,
    MakeFilesFromJSON,
    PyFunc,
    PythonRun,
    SeleniumDraw,
    Setup,
    SubstringEvaluator,
    TerminalRun,
)
from testing.language.pipeline import ScriptedModel, trial

ASKED = "?" >> LLMRun()
TERMINAL = ASKED >> TerminalRun()
FILES = ASKED >> MakeFilesFromJSON()
DEEP = "[" * 900 + "]" * 900


def make_data_folder():
    os.mkdir("data")  # noqa: F821 - the sandbox knows it


def nested(text):
    value = 1
    for _ in range(int(text)):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("test", "replies", "why"),
    [
        (ASKED >> MakeFile("a") >> TerminalRun() >> SubstringEvaluator("42"), ["echo \ud800"], "lacks"),
        (FILES, ['{"a\\ud800": "1"}'], "not valid text"),
        (FILES, ['{"a\\u0000b": "1"}'], "control character"),
        (FILES, [json.dumps({"x" * 300: "1"})], "too long"),
        (FILES, [json.dumps({"a/" * 400 + "b": "1"})], "folders deep"),
        (FILES, [json.dumps(dict.fromkeys(range(2000), ""))], "2000 files"),
        (FILES, ['{"a": 1, "./a": 2, "a/b": 3}'], "both a file and a folder"),
        (Setup(make_data_folder) >> ASKED >> MakeFilesFromJSON(), ['{"data": "x"}'], "it is a folder"),
        (TERMINAL >> MakeFile("out/x.txt"), ["echo > out"], "not a folder"),
        (TERMINAL >> "1" >> PythonRun(), ["mkdir main.py"], "it is a folder"),
        (TERMINAL >> "<p>" >> SeleniumDraw(), ["mkdir page.html"], "it is a folder"),
        (TERMINAL >> MakeFile("x"), ["chmod 555 ."], "cannot write x"),
        (ASKED >> JavaRun(), [f"enum A {{}} public class {'B' * 300} {{ static void main() }}"], "too long"),
        (ASKED >> JSONSubsetEvaluator({"a": 1}), ['{"a": 1e999}'], "should be 1"),
        (ASKED >> JSONSubsetEvaluator({"a": 1}), [f'{{"a": {"9" * 5000}}}'], "no JSON object"),
        (ASKED >> JSONSubsetEvaluator({"a": 1}), [f'{{"a": {DEEP}}}'], "no JSON object"),
        (ASKED >> ExtractJSON() >> Echo() >> JSONSubsetEvaluator({"a": 1}), [DEEP, DEEP], "no JSON object"),
        (ASKED >> PyFunc(nested) >> ExtractJSON() >> EqualEvaluator(1), ["2000"], "written as JSON"),
        (ASKED >> PyFunc(nested) >> JSONSubsetEvaluator([{}]), ["2000"], "cannot be compared"),
        (ASKED >> ContainsIntEvaluator(42), ["9" * 5000], "no 42"),
        (ASKED >> PyFunc(lambda text: 10 ** int(text)) >> EqualEvaluator(1), ["5000"], "differs"),
        (ASKED >> PyFunc(json.loads) >> EqualEvaluator(1), ["[" * 2000], "raised RecursionError"),
        (ASKED >> ExtractCode() >> PythonRun() >> SubstringEvaluator("1"), ["```\n'\ud800'\n```"], "lacks"),
    ],
)  # fmt: skip
def test_it_is_a_fail_with_a_cause(test, replies, why):
    record = trial(test, *replies)
    assert (record.outcome, why in record.why) == (Outcome.FAIL, True), (record.error, record.why)
    assert record.cause


def test_a_record_holds_no_half_of_a_surrogate_pair():
    record = trial(ASKED >> SubstringEvaluator("x"), "\ud800x")
    assert record.replies[0].text == "\ufffdx" and record.outcome is Outcome.PASS


def test_a_browser_that_a_program_kept_from_starting_starts_in_a_fresh_sandbox():
    record = trial(TERMINAL >> "<p>" >> SeleniumDraw() >> PyFunc(bool), "chmod 000 /tmp")
    assert record.outcome is Outcome.PASS, record.error


def test_what_an_author_did_wrong_stays_an_error():
    async def work():
        model = ScriptedModel("hi")
        return await run_trial(Sample("t.Test", TERMINAL), model, model, model, None)

    assert asyncio.run(work()).outcome is Outcome.ERROR
