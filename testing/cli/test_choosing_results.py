"""show, report and export: which saved results a command line chooses, and where they may be written."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import pytest

from assay.cli.main import main
from assay.records import Outcome, TrialRecord
from assay.results import serialize, store
from assay.results.store import Results

OF_FILE, OF_PYTHON = "colours.TestRed", "notebook.capitals[France]"


@pytest.fixture
def assay(tmp_path, monkeypatch, capsys):
    """Runs a command line in a folder with results; returns its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    with Results(tmp_path / "results").open_new("commit", "local/large") as store:
        store.append(TrialRecord(OF_FILE, "local/large", 1, Outcome.PASS, source="tests/colours.py"))
        store.append(TrialRecord(OF_PYTHON, "local/large", 1, Outcome.PASS))

    def run(*words):
        code = main(words, tmp_path)
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("suite", "tests"), [("applied", [OF_FILE]), ("tests", [OF_PYTHON]), ("all", [OF_PYTHON, OF_FILE])]
)
def test_suites_go_by_the_names_that_tables_show(assay, tmp_path, suite, tests):
    _, out, _ = assay("show", "--suite", suite, "--format", "json")
    assert sorted(each["test"] for each in json.loads(out)["tests"]) == sorted(tests)
    assert assay("export", "all.csv", "--suite", suite)[0] == 0
    with (tmp_path / "all.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["test"] for row in rows} == set(tests)
    assert suite == "all" or {row["suite"] for row in rows} == {suite}


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--model", "local/lrge"), "no saved results of a model 'local/lrge'. Did you mean local/large? "),
        (("--test", "TestRad"), "no saved results of a test 'TestRad'. Did you mean TestRed?"),
        (("--test", "TestRed", "--suite", "tests"), "match these flags; models recorded: local/large"),
    ],
)
def test_the_flag_that_fits_no_result_is_named(assay, flags, said):
    code, _, err = assay("export", "csv=all.csv", *flags)
    assert code == 1 and said in err and "csv" not in err


def test_a_model_without_results_is_told_of_beside_others(assay):
    code, out, err = assay("show", "local/large", "colours")
    assert code == 0 and "100%" in out
    assert "no saved results of a model 'colours'. A test is chosen by --test colours. Models" in err


def test_a_page_of_somebody_else_is_not_replaced(assay, tmp_path):
    report = ("report", "--report-dir", "own")
    assert assay(*report)[0] == assay(*report)[0] == 0  # its own page it replaces
    (tmp_path / "own" / "index.html").write_text("<title>My site</title>")
    for words in (report, ("run", "print_hello", "--model", "none/m", "--report", "--report-dir", "own")):
        code, _, err = assay(*words)
        assert code == 1 and "own/index.html was not written by Assay" in err
    assert (tmp_path / "own" / "index.html").read_text() == "<title>My site</title>"


def test_a_path_with_a_slash_at_its_end_is_a_folder(assay, tmp_path):
    code, _, err = assay("export", "csv=out/")
    assert code == 1 and "out/ is a folder; name a file in it" in err and not (tmp_path / "out").exists()


def test_an_export_reads_each_line_once_for_its_facts_and_once_for_its_explanation(assay, monkeypatch):
    whole, read = serialize.read_line, []
    monkeypatch.setattr(
        store, "read_line", lambda line, kind: read.append(kind.__name__) or whole(line, kind)
    )
    assert assay("export", "a.csv")[0] == 0
    assert read == ["LightLine"] * 2 + ["Line"] * 2


BAKERY = """
from assay.suites.suite import Sample, Suite
from evaluator import *


class Bakery(Suite):
    name = "bakery"
    description = "Prices"
    conditions = ("delivery",)

    def flags(self, parser):
        parser.add_argument("--delivery", type=int, default=0, help="the price of it")
        parser.add_argument("--rounded", type=int, help="to so many digits")

    def samples(self, options):
        yield Sample(id="bakery.Loaf", test="?" >> LLMRun() >> SubstringEvaluator(str(options.delivery)))


SUITE = Bakery
"""


@pytest.fixture
def bakery(assay, tmp_path):
    """The same, with results under two conditions; local/old has some under the older alone."""
    (tmp_path / "tests" / "bakery").mkdir(parents=True)
    (tmp_path / "tests" / "bakery" / "suite.py").write_text(BAKERY)
    tries = [
        ("local/large", Outcome.FAIL, 0),
        ("local/large", Outcome.PASS, 2),
        ("local/small", Outcome.PASS, 0),
    ]
    tries += [("local/small", Outcome.FAIL, 2), ("local/old", Outcome.FAIL, 0)]
    for model, outcome, delivery in tries:
        record = TrialRecord("bakery.Loaf", model, 1, outcome, suite="bakery", started_at=str(delivery))
        with Results(tmp_path / "results").open_new("c", model) as store:
            store.append(replace(record, conditions={"delivery": delivery}))
    return assay


def test_a_condition_that_is_typed_chooses_the_results_under_it(bakery, tmp_path):
    def passed(*flags):
        code, out, err = bakery("show", "--suite", "bakery", "--format", "json", *flags)
        assert code == 0 and ("left out" in err) is not bool(flags)
        return {each["model"]: each["passed"] for each in json.loads(out)["models"]}

    assert passed() == {"local/large": 1, "local/small": 0, "local/old": 0}
    assert passed("--delivery", "0") == {"local/large": 0, "local/small": 1, "local/old": 0}
    assert passed("--delivery=2") == {"local/large": 1, "local/small": 0}
    typed = ("--test", "bakery.Loaf", "--delivery", "0")
    assert bakery("show", "local/small", *typed, "--fail-under", "100")[0] == 0
    assert bakery("show", "local/large", *typed, "--fail-under", "100")[0] == 3
    assert bakery("export", "all.csv", *typed)[0] == 0
    with (tmp_path / "all.csv").open() as file:
        assert {row["conditions"] for row in csv.DictReader(file)} == {'{"delivery": 0}'}
    _, out, _ = bakery("compare", "local/large", "local/small", *typed, "--format", "json")
    assert json.loads(out)["difference"]["difference"] == -1
    _, _, err = bakery("compare", "local/large", "local/small", *typed)
    assert "report --suite bakery --delivery 0" in err, "as without these flags it would show others"
    assert "the results of suite bakery under delivery 0 only" in bakery("report", *typed)[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show --delivery 3", "bakery are under delivery 3; there are some under delivery 0 and under"),
        ("export all.csv --model local/old --delivery 2", "bakery by local/old are under delivery 2; there"),
        ("compare local/large local/old --delivery 2", "bakery by local/old are under delivery 2; there"),
    ],
)  # fmt: skip
def test_a_condition_without_results_is_told_with_those_that_have_some(bakery, words, said):
    code, out, err = bakery(*words.split(), "--suite", "bakery")
    assert (code, out) == (1, "") and f"error: no saved results of suite {said}" in err


@pytest.mark.parametrize("words", ["show", "report", "export all.csv", "compare local/large local/old"])
def test_a_flag_of_a_suite_that_chooses_no_results_is_refused_where_they_are_shown(bakery, words):
    its = ("--suite", "bakery")
    code, out, err = bakery(*words.split(), *its, "--delivery", "0", "--rounded", "1")
    assert (code, out) == (1, "") and "error: --rounded decides which tests run or how they are judged" in err
    assert "rescore RUN --suite NAME --rounded ... judges them again" in err
    page = bakery(words.split()[0], "--help", *its)[1]
    assert "the price of it" in page and "--rounded" not in page
    assert "--rounded" in bakery("rescore", "--help", *its)[1]
