"""Mistakes in a suite are told by doctor and before a run."""

from __future__ import annotations

import re

import pytest

from assay.cli.arguments import parse
from assay.cli.doctor import of_packages
from assay.cli.main import main
from assay.cli.request import selection_of
from assay.errors import TestFileError
from assay.suites.selection import Selection
from assay.suites.suite import Sample
from evaluator import LLMRun, SubstringEvaluator
from testing.cli.stranger import MODULE, NONE_OPENED

pytestmark = pytest.mark.usefixtures("stranger")


@pytest.mark.parametrize(
    ("facts", "tags", "said"),
    [
        ({"tags": ["a", "b"]}, ("a", "b"), ""),
        ({"tags": "ab"}, (), "the sample 'words.Say': its tags must be words, such as ['code'], not 'ab'"),
        ({"requires": [1]}, (), "its requires must be words"),
    ],
)
def test_words_of_a_sample_may_be_a_list_and_no_text(facts, tags, said):
    def made():
        return Sample("words.Say", "x" >> LLMRun() >> SubstringEvaluator("x"), **facts)

    if not said:
        assert made().tags == tags
        return
    with pytest.raises(TestFileError, match=re.escape(said)):
        made()


@pytest.mark.parametrize(
    ("wrong", "declare"),
    [
        ("def flags(self): pass", "def flags(self, parser)"),
        ("def references(self, trial): pass", "def references(self, trial, right)"),
        ("async def tables(self, records): pass", "def tables(self, records)"),
        ("async def samples(self, options): yield 1", "def samples(self, options)"),
        ("def __init__(self, data): pass", "def __init__(self)"),
    ],
)
def test_a_method_of_a_suite_that_is_declared_otherwise_is_told_by_doctor(tmp_path, wrong, declare):
    (tmp_path / "assay_stranger.py").write_text(MODULE + f"    {wrong}\n".join(["class Mute(Mute):\n", ""]))
    told = {row[1]: row[4] for row in of_packages(Selection(tmp_path), NONE_OPENED).rows}["mute"]
    name = declare.partition("(")[0].removeprefix("def ")
    assert f"Mute.{name}() (assay_stranger.py:" in told and f"; declare it as `{declare}`" in told
    assert ("must not be asynchronous" in told) == wrong.startswith("async")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("score = (0, 1)", "no suite has an attribute score. Did you mean scores?"),
        ("condition = ('seed',)", "no suite has an attribute condition. Did you mean conditions?"),
        ("def refrences(self, trial, right): pass", "attribute refrences. Did you mean references?"),
        ("conditions = ('seed')", "conditions must be several words, such as ('seed',), not a text"),
        ("score = 0.5", ""),
        ("scores, score = (0, 1), (0, 1)", ""),
        ("def table(self, one): pass", ""),
    ],
)
def test_an_attribute_of_a_suite_that_is_misspelt_or_no_tuple_is_told(tmp_path, wrong, said):
    code = MODULE.replace(
        "def samples(self, options): pass", f"def samples(self, options): return []\n    {wrong}"
    )
    (tmp_path / "assay_stranger.py").write_text(code)
    told = {row[1]: row[4] for row in of_packages(Selection(tmp_path), NONE_OPENED).rows}["mute"]
    line = code[: code.index("class Mute")].count("\n") + 1
    where = f"suite mute of the package stranger 2.0: assay_stranger.py:{line}: "
    assert told.startswith(where) and told.endswith(said) if said else told == ""


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ("def sample(self, options, more): pass", "suite mute must define samples(self, options)"),
        ("def samples(self, options): return [('mute.A', 'x')]", "must yield Sample, not tuple"),
        ("def samples(self, options): yield 'x' >> LLMRun()", "must yield Sample, not ThenNode"),
        ("def samples(self, options): raise ConfigError('name a folder: --tasks DIR')", ""),
    ],
)
def test_doctor_makes_the_first_sample_of_a_suite(tmp_path, samples, said):
    code = MODULE.replace("def samples(self, options): pass", samples)
    (tmp_path / "assay_stranger.py").write_text(f"from evaluator import *{code}")
    told = {row[1]: row for row in of_packages(Selection(tmp_path), NONE_OPENED).rows}["mute"]
    assert told[3] == ("no" if said else "yes") and said in told[4]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def flags(self, parser): parser.add_argument('--margin')", "--margin is a name that Assay uses"),
        ("conditions = ('seed',)", "its conditions name 'seed', but it has no such flag"),
    ],
)
def test_a_flag_that_a_run_refuses_is_told_by_doctor_and_conformance(tmp_path, capsys, code, said):
    made = "class Mute(Mute):\n    def samples(self, options): return []\n"
    (tmp_path / "assay_stranger.py").write_text(f"{MODULE}{made}    {code}\n")
    for command in (["run", "--suite", "mute", "--model", "oracle"], ["conformance", "suites:mute"]):
        assert main(command, tmp_path) == 1
        assert said in " ".join("".join(capsys.readouterr()).split())
    selection = selection_of(parse(["doctor"]), tmp_path)
    told = {row[1]: row[4] for row in of_packages(selection, NONE_OPENED).rows}["mute"]
    assert told.startswith("suite mute: ") and said in told


def test_a_suite_of_a_package_without_samples_is_named_as_in_a_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("assay.cli.conformance.WIDEST", 200)
    assert main(["run", "--suite", "mute", "--model", "oracle"], tmp_path) == 1
    said = (
        "suite mute of the package stranger 2.0: Mute.samples() (assay_stranger.py:36) must yield Sample, or "
        "return a list of them, not None"
    )
    assert said in capsys.readouterr().err
    assert main(["conformance", "suites:mute"], tmp_path) == 1
    shown = capsys.readouterr()
    out = " ".join(shown.out.split())
    assert "Assay's own" not in shown.err
    assert out.count(said.partition(" or ")[0]) == 4 and "extensions.py" not in out
