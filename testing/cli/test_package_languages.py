"""Languages of packages, and tests that name one that is not there or cannot be one."""

from __future__ import annotations

import json

import pytest

from assay.cli.doctor import languages, needs_of_tests, of_packages
from assay.cli.main import main
from assay.errors import ConfigError, NodeError
from assay.extensions import extensions
from assay.language.languages import Language, all_languages, find_language
from assay.language.run import LanguageRun
from assay.suites.selection import Selection
from testing.cli.stranger import MODULE, NONE_OPENED

pytestmark = pytest.mark.usefixtures("stranger")


def test_a_language_whose_command_is_missing_does_not_work(tmp_path):
    spoken = languages("podman", {"fish": ("no-such-fish",)}, {"no-such-fish", "chromium"}, {}, "")
    rows = of_packages(Selection(tmp_path), NONE_OPENED, spoken).rows
    assert ("language", "fish", "stranger 2.0", "no", "in podman: lacks no-such-fish") in rows


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"needs": "bc"}, "needs must be several words, such as ('bc',), not a text"),
        ({}, "needs must name the commands"),
        ({"needs": ("bc",), "report": "("}, "report is not a pattern: missing ), unterminated"),
        ({"needs": ("bc",), "aliases": "calc"}, "aliases must be several words"),
        ({"needs": ("bc",), "run": ["bc", "main.bc"]}, "run must be a text, not ['bc', 'main.bc']"),
        ({"needs": (3,)}, "needs must be several words, not (3,)"),
        ({"needs": 3}, "needs must be several words, not 3"),
    ],
)
def test_a_language_that_cannot_be_one_says_which_field_is_wrong(facts, said):
    (fault,) = Language("main.bc", **{"run": "bc main.bc"} | facts).faults
    assert said in fault


def test_a_language_that_cannot_be_one_spoils_no_other_of_its_module(tmp_path, stranger):
    wrong = 'WRONG = Language("main.bc", "bc main.bc", needs="bc", aliases="calc")\n'
    (tmp_path / "assay_stranger.py").write_text(MODULE + wrong)
    info = tmp_path / "stranger-2.0.dist-info/entry_points.txt"
    info.write_text("[assay.languages]\nfish = assay_stranger:FISH\nbc = assay_stranger:WRONG\n")
    extensions.cache_clear()
    assert "fish" in all_languages() and "bc" not in all_languages()
    with pytest.raises(ConfigError, match=r"used: needs must be several words.*; aliases must be several"):
        find_language("bc")


def test_a_node_without_a_language_says_so():
    class BcRun(LanguageRun):
        pass

    with pytest.raises(NodeError, match=r"BcRun names no language: class BcRun\(LanguageRun\): lang"):
        BcRun()


BCC = """from evaluator import *
from assay.language.run import LanguageRun
class R(LanguageRun):
    language = "bcc"
TestA = "x" >> LLMRun() >> R() >> EqualEvaluator("1")
TestB = "x" >> LLMRun() >> EqualEvaluator("1")
"""


def test_a_test_of_a_language_that_is_not_there_does_not_end_doctor(tmp_path, capsys):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/a.py").write_text(BCC)
    assert needs_of_tests(Selection(tmp_path)) == {"a.TestB": ()}
    assert "TestA: no language is named 'bcc'; there are: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bcc", "no language is named 'bcc'; there are: python, bash"),
        (
            "number",
            "the language 'number' of the package stranger 2.0 cannot be used: it must be of type Language",
        ),
    ],
)
def test_a_language_that_cannot_be_used_is_told_by_lint_and_before_a_run(tmp_path, capsys, name, said):
    with (tmp_path / "stranger-2.0.dist-info/entry_points.txt").open("a") as file:
        file.write("[assay.languages]\nnumber = assay_stranger:PLAIN\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/a.py").write_text(BCC.replace('"bcc"', f'"{name}"'))
    for command in (["lint", "a"], ["run", "a", "--model", "oracle", "--dry-run"]):
        assert main(command, tmp_path) == 1
        shown = " ".join("".join(capsys.readouterr()).split())
        assert said in shown


@pytest.mark.parametrize(
    ("run", "patterns", "said"),
    [
        ("sh main.loose; true", "", "set remark in its Language to a pattern"),
        ("sh main.loose", "remark='x'", "set report in its Language to a pattern"),
        ("sh main.loose 2>&1", "", "and prints on stdout, which is judged: 'main.loose: "),
        ("sh main.loose; true", r"remark=r'main\.loose: '", ""),
        ("sh main.loose", r"report=r'main\.loose: '", ""),
        ("sh main.loose", "", ""),
    ],
)
def test_what_an_interpreter_says_of_a_program_must_not_be_judged(tmp_path, capsys, run, patterns, said):
    """Without report and remark nothing is judged that stands on the stderr of a program that ended badly."""
    facts = f"""needs=("sh",), hello="echo 'hello'", lexer="text", version="echo 1.0", {patterns}"""
    row = f'Language("main.loose", {run!r}, {facts})'
    (tmp_path / "assay_stranger.py").write_text(f"{MODULE}LOOSE = {row}\n")
    with (tmp_path / "stranger-2.0.dist-info/entry_points.txt").open("a") as file:
        file.write("[assay.languages]\nloose = assay_stranger:LOOSE\n")
    assert main(["conformance", "languages:loose", "--format=json"], tmp_path) == bool(said)
    *_, tried = json.loads(capsys.readouterr().out)[0]["rows"]
    assert said in tried["outcome"] and (tried["result"] == "FAILED") == bool(said), tried
