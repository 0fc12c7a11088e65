"""Suites are tried by `assay conformance`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.cli.main import main
from assay.errors import SandboxUnavailable

pytestmark = pytest.mark.usefixtures("stranger")

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_on_suites_has_one_with_a_seed(tmp_path, capsys):
    page = (ROOT / "docs/suites.md").read_text("utf-8")
    (text,) = (each for each in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "Drawn(" in each)
    (tmp_path / "tests/drawn").mkdir(parents=True)
    (tmp_path / "tests/drawn/suite.py").write_text(text)
    assert main(["conformance", "suites:drawn"], tmp_path) == 0
    assert "5 of 5 held" in capsys.readouterr().out


DICE = """
import random
from assay.suites.suite import Sample, Suite
from evaluator import *
class Dice(Suite):
    name = "dice"
    description = "Thrown numbers"
    conditions = ()
    def flags(self, parser):
        parser.add_argument("--sides", type=int, default=10**9)
    def samples(self, options):
        number = 4
        yield Sample(id="dice.One", test=f"What is {number}?" >> LLMRun() >> ContainsIntEvaluator(number))
    def references(self, trial, right):
        return ["4" if right else "5"]
SUITE = Dice
"""


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        ({}, "5 of 5 held"),
        (
            {"number = 4": "number = random.randrange(10**9)"},
            "dice.One asks or checks something else at the second",
        ),
        (
            {"number = 4": "number = options.sides"},
            "--sides 1000000001 makes dice.One ask or check something else, so results by other values",
        ),
        (
            {"conditions = ()": "conditions = ('seed',)"},
            "its conditions name 'seed', but it has no such flag",
        ),
        ({"--sides": "--model"}, "--model is a name that Assay uses itself"),
    ],
)
def test_a_suite_must_be_the_same_each_time_and_one_that_a_run_takes(
    tmp_path, capsys, instead, said, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "500")
    monkeypatch.setattr("assay.cli.conformance.WIDEST", 400)
    text = DICE
    for old, new in instead.items():
        text = text.replace(old, new)
    (tmp_path / "tests/dice").mkdir(parents=True)
    (tmp_path / "tests/dice/suite.py").write_text(text)
    assert main(["conformance", "suites:dice"], tmp_path) == bool(instead)
    out = " ".join(capsys.readouterr().out.split())
    assert said in out


def test_a_suite_without_samples_says_what_it_returned(tmp_path, capsys):
    folder = tmp_path / "tests" / "words"
    folder.mkdir(parents=True)
    head, _, _ = SUITE.replace("REFERENCES", "[]").partition("        for n")
    (folder / "suite.py").write_text(f"{head}        return None\n\nSUITE = Words\n")
    assert main(["run", "words", "--model", "oracle"], tmp_path) == 1
    said = "suite words: Words.samples() (suite.py:11) must yield Sample, or return a list of them, not None"
    assert said in capsys.readouterr().err


SUITE = """
from evaluator import LLMRun, PythonRun, SubstringEvaluator
from assay.suites.suite import Sample, Suite

class Words(Suite):
    name, description = "words", "Words to be said"

    def references(self, trial, right):
        return REFERENCES

    def samples(self, options):
        for n in range(9):
            yield Sample(id=f"words.Say{n}", test=f"Say yes {n}" >> LLMRun() >> LAST)

SUITE = Words
"""


@pytest.mark.parametrize(
    ("references", "last", "code", "said"),
    [
        ("['yes' if right else 'no']", "SubstringEvaluator('yes')", 0, "6 trials end as they should"),
        ("['yes']", "SubstringEvaluator('yes')", 1, "words.Say0: the saboteur ends in PASS: it passes"),
        ("['no']", "SubstringEvaluator('yes')", 1, "words.Say0: the oracle ends in FAIL: output lacks 'yes'"),
        (
            "None",
            "SubstringEvaluator('yes')",
            1,
            "no references: nothing proves this test (references() of the",
        ),
        ("['1']", "PythonRun()", 0, "not tried  words.Say0, oracle: SandboxUnavailable: none here"),
    ],
)
def test_the_references_of_a_suite_are_tried(tmp_path, capsys, monkeypatch, references, last, code, said):
    async def nowhere(*args, **more):
        raise SandboxUnavailable("none here")

    monkeypatch.setattr("assay.sandboxes.pool.choose", nowhere)
    monkeypatch.setenv("COLUMNS", "200")
    folder = tmp_path / "tests" / "words"
    folder.mkdir(parents=True)
    (folder / "suite.py").write_text(SUITE.replace("REFERENCES", references).replace("LAST", last))
    assert main(["conformance", "suites:words"], tmp_path) == code
    assert said in capsys.readouterr().out
    assert not (tmp_path / "results").exists()


def test_a_table_that_cannot_be_shown_does_not_hold(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    folder = tmp_path / "tests" / "words"
    folder.mkdir(parents=True)
    text = SUITE.replace("REFERENCES", "['yes' if right else 'no']").replace(
        "LAST", "SubstringEvaluator('yes')"
    )
    (folder / "suite.py").write_text(f"{text}\nSUITE.tables = lambda self, records: [('a', len(records))]\n")
    assert main(["conformance", "suites:words"], tmp_path) == 1
    assert "<lambda>() (suite.py:17) must yield Table, not tuple" in " ".join(capsys.readouterr().out.split())


def test_ids_without_the_name_of_the_suite_do_not_hold(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("assay.cli.conformance.WIDEST", 200)
    folder = tmp_path / "tests" / "words"
    folder.mkdir(parents=True)
    text = SUITE.replace("REFERENCES", "None").replace("LAST", "SubstringEvaluator('yes')")
    (folder / "suite.py").write_text(text.replace('f"words.Say{n}"', 'f"Say{n}"'))
    assert main(["conformance", "suites:words"], tmp_path) == 1
    said = "suite words: the id 'Say0' does not begin with the suite's name; write 'words.Say0'"
    assert said in " ".join(capsys.readouterr().out.split())
    assert main(["run", "words", "--model", "oracle"], tmp_path) == 0
    assert capsys.readouterr().err.count(f"warning: {said}") == 1
