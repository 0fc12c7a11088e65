"""show, report and export: which saved results a command line chooses, and where they may be written."""

from __future__ import annotations

import csv
import json

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
