"""Scores from 0 to 1: refused or scaled where others come, and filled in where a verdict has none."""

from __future__ import annotations

import csv
import math

import pytest

from assay.errors import TestFileError
from assay.language.dsl import NoOutput
from assay.language.functions import PyFunc
from assay.language.models import LLMRun
from assay.records import Cause, Outcome, Score, TrialRecord
from assay.results.export.inspect_log import write_logs
from assay.results.export.source import Source
from assay.results.scores import unusable, with_scores
from assay.results.store import Results
from assay.suites.finding import load_suite
from testing.export.recorded import COMMIT, keep
from testing.harness.commanding import Workspace
from testing.harness.test_engine import trial

PASS, FAIL, ERROR = Outcome.PASS, Outcome.FAIL, Outcome.ERROR


def scoring(value: float, passed: bool = True):
    return "q" >> LLMRun() >> PyFunc(lambda reply: Score(value, passed))


# ---------------------------------------------------------------- when a trial is made


@pytest.mark.parametrize("value", [32.1, -0.1, 1.001, math.nan, math.inf])
def test_a_score_outside_is_the_test_s_mistake(value: float) -> None:
    record = trial(scoring(value), "x")
    assert record.outcome is ERROR and record.cause == Cause.GRADER and record.score is None
    assert "Score.value must be between 0 and 1" in record.error and "scores=(worst, best)" in record.error


@pytest.mark.parametrize(
    ("scale", "value", "share"),
    [((0, 100), 75, 0.75), ((-1, 1), 0, 0.5), ((10, 0), 2.5, 0.75), ((0, 1), 1 + 1e-12, 1.0)],
)
def test_a_suite_s_word_scales_its_scores(scale: tuple[float, float], value: float, share: float) -> None:
    assert trial(scoring(value), "x", scores=scale).score == share


def test_outside_of_the_suite_s_own_scale_is_a_mistake_too() -> None:
    record = trial(scoring(101), "x", scores=(0, 100))
    assert record.outcome is ERROR and "must be between 0 and 100, not 101" in record.error


def judge(verdict: object):
    return PyFunc(lambda _: verdict)


@pytest.mark.parametrize(
    ("scale", "better", "worse"), [(None, 0.3, 0.2), ((0, 100), 30, 20), ((10, 0), 3, 9)]
)
def test_of_two_readings_that_fail_the_better_counts_on_either_side(
    scale, better: float, worse: float
) -> None:
    def score(left: object, right: object) -> float | None:
        return trial("q" >> LLMRun() >> (judge(left) | judge(right)), "x", scores=scale).score

    good, bad = Score(better, False), Score(worse, False)
    silent = NoOutput("no code")
    expected = score(bad, good)
    assert expected is not None and expected == pytest.approx({0.3: 0.3, 30: 0.3, 3: 0.7}[better])
    assert score(good, bad) == score(good, False) == score(False, good) == expected
    assert score(good, silent) == score(silent, good) == expected
    assert score(good, Score(worse, True)) == score(bad, worse_passed := Score(worse, True)) != expected
    assert score(worse_passed, good) == score(good, worse_passed)  # what passes counts


def test_of_two_scores_that_must_both_pass_the_worse_counts() -> None:
    def of(left: object, right: object):
        record = trial("q" >> LLMRun() >> (judge(left) & judge(right)), "x")
        return record.outcome, record.score

    good, low = Score(0.9, True), Score(0.6, True)
    assert of(good, low) == of(low, good) == (PASS, 0.6)
    assert of(good, True) == of(True, good) == (PASS, 0.9)
    assert of(good, Score(0.1, False)) == of(Score(0.1, False), good) == (FAIL, 0.1)
    assert of(good, False) == (FAIL, None)


def test_a_score_beside_no_verdict_is_nothing_to_turn_round() -> None:
    for sides in ((Score(0.3, False), NoOutput("no code")), (NoOutput("no code"), Score(0.3, False))):
        assert trial("q" >> LLMRun() >> ~(judge(sides[0]) | judge(sides[1])), "x").outcome is FAIL


def test_in_a_suite_that_scores_a_verdict_without_a_score_has_an_end_of_the_scale() -> None:
    silent = "q" >> LLMRun() >> PyFunc(lambda reply: False)
    assert trial(silent, "", scores=(0, 100)).score == 0.0
    assert trial("q" >> LLMRun() >> PyFunc(lambda reply: True), "x", scores=(0, 100)).score == 1.0
    assert trial(silent, "").score is None


def test_a_suite_that_scores_is_scaled_from_the_command_line_and_when_judged_again(tmp_path) -> None:
    work = Workspace(tmp_path)
    folder = work.tests / "points"
    folder.mkdir()
    (folder / "suite.py").write_text(SUITE)
    work.main("--suite", "points", "--run-tests", "--model", "oracle")
    work.main("--suite", "points", "--run-tests", "--model", "saboteur")
    assert [line["score"] for line in work.lines() if line["model"] == "oracle"] == [1.0]
    assert [line["score"] for line in work.lines() if line["model"] == "saboteur"] == [0.3, 0.0]
    out, _ = work.main("--load-saved", "--format", "json")
    assert '"score": 0.15' in out
    out, _ = work.main("--rescore", "saboteur", "--format", "json")
    assert '"changed": []' in out


SUITE = """
from assay.suites.suite import Sample, Suite
from evaluator import *


def points(reply):
    return Score(int(reply), passed=reply == "50") if reply.isdigit() else False


def samples(options):
    yield Sample("points.p", "Say 50." >> LLMRun() >> PyFunc(points), "points")


SUITE = Suite("points", "Points", samples, scores=(0, 50),
              references=lambda trial, right: ["50"] if right else ["15", "no"])
"""


@pytest.mark.parametrize("scores", ["(1, 1)", "1", "(0, 'x')", "(0, float('nan'))"])
def test_a_scale_that_is_none_is_named(tmp_path, scores: str) -> None:
    (tmp_path / "points").mkdir()
    (tmp_path / "points" / "suite.py").write_text(SUITE.replace("(0, 50)", scores))
    with pytest.raises(TestFileError, match="two different numbers"):
        load_suite("points", tmp_path)


# ---------------------------------------------------------------- when records are looked at


def made(model: str, test: str, outcome: Outcome, score: float | None = None, epoch: int = 1) -> TrialRecord:
    return TrialRecord(f"{test}.T", model, epoch, outcome, suite="sums", score=score)


def test_suites_get_a_score_for_every_verdict_of_a_scored_test() -> None:
    records = [made("a", "x", PASS, 0.8), made("b", "x", FAIL), made("c", "x", PASS), made("d", "x", ERROR)]
    records += [made("a", "y", PASS), made("b", "y", FAIL)]
    assert [each.score for each in with_scores(records)] == [0.8, 0.0, 1.0, None, None, None]


def test_old_scores_outside_are_left_alone_and_said() -> None:
    records = [made("a", "x", PASS, 32.1), made("b", "x", FAIL)]
    assert with_scores(records) == records
    said = "scores outside 0 to 1, so only pass or fail counts there"
    assert f"1 test has {said} (x.T)" in unusable(records)[0]
    assert f"2 tests have {said} (x.T, y.T)" in unusable([*records, made("a", "y", FAIL, -1.0)])[0]
    assert unusable([made("a", "x", ERROR, 7.0), made("a", "x", PASS, 1.0)]) == []


@pytest.fixture
def saved(tmp_path):
    """Of each of 40 tests one model passes three trials of four by 0.6, the other one of four by 0.9; of the
    rest the first one gets 0.2, and the other answers nothing."""
    work = Workspace(tmp_path)
    for model, passed, score, rest in (("lab/steady", 3, 0.6, 0.2), ("lab/silent", 1, 0.9, None)):
        its = [
            made(model, f"t{n}", *((PASS, score) if epoch < passed else (FAIL, rest)), epoch)
            for n in range(40)
            for epoch in range(4)
        ]
        keep(Results(work.results), COMMIT, its)
    return work


def test_the_gate_and_the_comparison_count_a_missing_score_as_the_worst(saved) -> None:
    out, _ = saved.main("--compare", "lab/silent", "lab/steady")
    assert "lab/silent is worse than lab/steady: -27.5 points" in out
    _, err = saved.main("--load-saved", "--model", "lab/silent", "--fail-if-worse-than", "lab/steady", code=3)
    assert "lab/silent is worse than lab/steady: -27.5 points" in err
    saved.main("--load-saved", "--model", "lab/steady", "--fail-if-worse-than", "lab/silent")


def test_exports_do_too(saved) -> None:
    saved.main("--load-saved", "--export", f"csv={saved.folder}/a.csv")
    with (saved.folder / "a.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["model"] == "lab/silent"]
    assert sum(float(row["score"]) for row in rows) / len(rows) == pytest.approx(0.9 / 4)


def test_a_log_of_inspect_ai_has_a_score_for_every_sample_or_another_headline(tmp_path) -> None:
    import json
    import zipfile

    results = Results(tmp_path)
    keep(results, COMMIT, [made("a", "x", FAIL), made("a", "y", PASS)])
    keep(results, COMMIT, [made("b", "x", PASS, 0.5), made("b", "z", FAIL)])
    write_logs(Source(results.files(), images=results.images), tmp_path / "logs")
    heads = {}
    for path in (tmp_path / "logs").iterdir():
        with zipfile.ZipFile(path) as log:
            head = json.loads(log.read("header.json"))
            heads[head["eval"]["model"]] = head["results"]
    scores = {model: {each["scorer"]: each for each in its["scores"]} for model, its in heads.items()}
    assert scores["a"]["score"]["metrics"]["mean"]["value"] == 0.0  # another model has one for x
    assert {its["headline"]["scorer"] for its in heads.values()} == {"passed"}  # not all samples have one
