"""What the code of a package or a suite prints is on stderr, and stdout has results only."""

from __future__ import annotations

import json

import pytest

from assay.cli.main import main
from assay.extensions import extension
from testing.cli.stranger import MODULE

pytestmark = pytest.mark.usefixtures("stranger")

LOUD = """
from assay.suites.suite import Sample, Suite
from evaluator import *

def made():
    print("the test")
    return "Say yes" >> LLMRun() >> PyFunc(lambda reply: print("the check") or reply == "yes")

class Loud(Suite):
    name = "loud"
    def flags(self, parser):
        print("flags")
    def samples(self, options):
        print("samples")
        yield Sample(id="loud.A", test=made)
    def references(self, trial, right):
        print("references")
        return ["yes" if right else "no"]
    def tables(self, records):
        print("tables")
        return []
SUITE = Loud
"""


def test_what_the_code_of_a_suite_or_a_package_prints_is_not_on_stdout(tmp_path, capsys):
    (tmp_path / "tests" / "loud").mkdir(parents=True)
    (tmp_path / "tests" / "loud" / "suite.py").write_text(LOUD)
    for command, printed in (
        (["list", "loud"], ["flags", "samples"]),
        (["explain", "loud.A"], ["references"]),
        (["lint", "--suite", "loud"], ["references", "the check"]),
        (["run", "loud", "--model", "oracle"], ["flags", "samples", "the test", "references", "tables"]),
    ):
        assert main([*command, "--format", "json"], tmp_path) == 0
        out, err = capsys.readouterr()
        assert isinstance(json.loads(out), (dict, list)) and set(printed) <= set(err.splitlines())
    module = MODULE.replace("return 3", "print('silent'); return 3")
    module = module.replace("return sum", "print('plain')\n    return sum")
    (tmp_path / "assay_stranger.py").write_text(module)
    assert main(["show", "--format", "json", "--export", f"plain={tmp_path}/x"], tmp_path) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) and "plain" in err.splitlines()
    for named in ("suites:loud", "exports:silent"):
        main(["conformance", named], tmp_path)
        out, err = capsys.readouterr()
        assert out.startswith(f"{named}\n") and err


def test_json_of_several_extensions_is_one_list(tmp_path, capsys):
    for named in (["exports:plain"], ["exports:plain", "exports:silent"]):
        main(["conformance", *named, "--format", "json"], tmp_path)
        assert [each["title"] for each in json.loads(capsys.readouterr().out)] == named


def test_what_a_package_prints_is_no_result(capsys):
    extension("assay.exports", "first").load()
    assert capsys.readouterr() == ("", "what a package prints\n")
