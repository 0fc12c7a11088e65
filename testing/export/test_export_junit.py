"""JUnit's XML, read by junitparser and by a plain XML parser."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from junitparser import JUnitXml

from assay.records import Outcome, TrialRecord
from assay.results.export.junit_file import write_junit
from assay.results.export.source import Source
from assay.results.store import Results
from testing.export.recorded import hostile, recorded


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("junit")
    records = recorded(folder / "results")
    assert write_junit(Source(Results(folder / "results").files()), folder / "a.xml") == len(records)
    return JUnitXml.fromfile(str(folder / "a.xml")), records


def test_a_suite_for_each_model_and_suite(written):
    xml, records = written
    names = sorted({f"{r.suite}: {r.model}" for r in records})
    assert sorted(suite.name for suite in xml) == names
    for suite in xml:
        its = [r for r in records if f"{r.suite}: {r.model}" == suite.name]
        found = [r.outcome for r in its]
        assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (
            len(its),
            found.count("fail"),
            found.count("error"),
            found.count("skipped"),
        )
        assert suite.time == pytest.approx(sum(r.seconds for r in its), abs=0.01)
        assert {p.name: p.value for p in suite.properties()}["model"] == its[0].model


def test_a_testsuite_names_all_commits_and_versions_that_its_cases_are_of(tmp_path):
    results = Results(tmp_path)
    for number, commit in enumerate(("aaaa", "bbbb")):
        with results.open_new(commit, "m") as store:
            versions = {"sandbox tier": ("podman", "bubblewrap")[number], "assay": "1"}
            store.append(TrialRecord(f"t{number}.T", "m", 1, Outcome.PASS, commit=commit, versions=versions))
    write_junit(Source(results.files()), tmp_path / "a.xml")
    (suite,) = JUnitXml.fromfile(str(tmp_path / "a.xml"))
    said = {each.name: each.value for each in suite.properties()}
    assert said["commit"] == "aaaa, bbbb" and said["sandbox tier"] == "podman, bubblewrap"
    assert (said["assay"], said["model"]) == ("1", "m")


def test_what_the_saboteur_passes_is_the_failure(tmp_path):
    results = Results(tmp_path)
    with results.open_new("aaaa", "saboteur") as store:
        for name, outcome in (("good", Outcome.FAIL), ("bad", Outcome.PASS)):
            store.append(TrialRecord(f"{name}.T", "saboteur", 1, outcome, commit="aaaa"))
    write_junit(Source(results.files()), tmp_path / "a.xml")
    (suite,) = JUnitXml.fromfile(str(tmp_path / "a.xml"))
    (failure,) = [case for case in suite if case.is_failure]
    assert suite.failures == 1 and failure.classname == "saboteur.applied.bad"
    assert failure.result[0].message == "a wrong reference passed"


def test_the_totals_are_those_of_the_cases(written):
    xml, records = written
    assert (xml.tests, xml.failures) == (len(records), sum(r.outcome == "fail" for r in records))
    said = [xml.tests, xml.failures, xml.errors, xml.skipped]
    xml.update_statistics()
    assert said == [xml.tests, xml.failures, xml.errors, xml.skipped]


def test_what_has_no_trials_is_an_error_and_counts(tmp_path):
    """Servers show these; nobody would miss a testcase that is not there."""
    source = Source([])
    stopped = "the last run of m is not finished"
    source.lacking = ["tests/a.py:3: '(' was never closed\n    x = (", f"{stopped}: 2 of 3"]
    assert write_junit(source, tmp_path / "a.xml") == 0
    xml = JUnitXml.fromfile(str(tmp_path / "a.xml"))
    assert (xml.tests, xml.errors) == (2, 2)
    found = {case.name: case.result[0] for suite in xml for case in suite}
    assert found["tests/a.py"].message == "tests/a.py:3: '(' was never closed"
    assert "x = (" in found["tests/a.py"].text and found[stopped].message.endswith("2 of 3")


def test_no_two_cases_have_one_name(written):
    xml, records = written
    names = {(case.classname, case.name) for suite in xml for case in suite}
    assert len(names) == len(records)


def test_a_failure_tells_why_and_how(written):
    xml, _ = written
    failures = [case for suite in xml for case in suite if case.is_failure and "applied" in case.classname]
    (failure,) = failures[0].result
    assert (failure.message, failure.type) == ("output lacks '12.5'", "wrong")
    assert "asks" not in failure.text and "Write a python program" in failure.text
    assert "SubstringEvaluator: failed, output lacks '12.5'" in failure.text
    skipped = [case for suite in xml for case in suite if case.is_skipped]
    assert "sandbox podman lacks gdb" in {case.result[0].message for case in skipped}


def test_what_xml_cannot_hold_is_shown_or_replaced(tmp_path):
    records = hostile(tmp_path / "results")
    write_junit(Source(Results(tmp_path / "results").files()), tmp_path / "a.xml")
    root = ElementTree.parse(tmp_path / "a.xml").getroot()  # expat refuses what is not well-formed
    assert len(root.findall(".//testcase")) == len(records)
    assert {each.tag for each in root.iter()} == {
        "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error",
    }  # fmt: skip
    text = (tmp_path / "a.xml").read_text("utf-8")
    assert "\x1b" not in text and "\u202e" not in text and "<script" not in text
    assert len(list(JUnitXml.fromfile(str(tmp_path / "a.xml")))) == len({(r.suite, r.model) for r in records})


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\ud800", "\ufffe", "\uffff", "\x0b", "\x85"])
def test_every_forbidden_character_leaves_a_readable_file(tmp_path, character):
    from assay.results.export.junit_file import _attribute, _text

    path = tmp_path / "a.xml"
    path.write_text(f"<a b={_attribute('x' + character)}>{_text(character + 'y]]>')}</a>", "utf-8")
    root = ElementTree.parse(path).getroot()
    assert root.get("b", "").startswith("x") and (root.text or "").endswith("y]]>")
