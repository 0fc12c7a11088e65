"""Languages of installed packages: entry points of the group assay.languages."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from assay.errors import ConfigError, NodeError
from assay.extensions import extensions
from assay.language import languages
from assay.language.languages import (
    LANGUAGES,
    Language,
    all_languages,
    find_language,
    language_row,
    same_language,
)
from assay.language.run import LanguageRun
from assay.report.markup import KINDS, highlight, lexer_of, markdown
from evaluator import ContainsIntEvaluator, ExtractCode, SubstringEvaluator
from testing.language.pipeline import Emit, trial

MODULE = """
from assay.language.languages import Language

TAC = Language(
    "main.tac", "tac main.tac", needs=("tac",), hello="hello", aliases=("cat-backwards",), lexer="delphi"
)
NOTHING = "tac"
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs a package whose entry points are these lines."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "backwards.py").write_text(MODULE)

    def install(*lines, package="backwards"):
        folder = tmp_path / f"{package}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text("\n".join(["[assay.languages]", *lines, ""]))
        forget()

    def forget():
        extensions.cache_clear()

    yield install
    sys.modules.pop("backwards", None)
    monkeypatch.undo()
    forget()


class TacRun(LanguageRun):
    """Print the incoming lines, the last one first."""

    language = "tac"


def test_a_language_of_a_package_runs_by_a_declared_node(installed):
    installed("tac = backwards:TAC")
    assert TacRun().needs == ("tac",)
    reply = "Here:\n```cat-backwards\none\ntwo\n```\n```python\nprint()\n```"
    test = Emit((reply,)) >> ExtractCode(lang="tac") >> TacRun("three")
    record = trial(test >> SubstringEvaluator("three\n\n\ntwo"))
    assert record.outcome.value == "pass", record.reason


@pytest.mark.parametrize("end, passes", [("1", False), ("0", True)])
def test_what_an_unknown_interpreter_says_as_it_fails_is_not_judged(installed, monkeypatch, end, passes):
    row = Language("main.tac", f"echo line 42: missing >&2; exit {end}", needs=("sh",))
    for module in ("run", "programs", "printed"):
        name = "find_language" if module == "printed" else "language_row"
        monkeypatch.setattr(f"assay.language.{module}.{name}", {"tac": row}.get)
    record = trial(Emit(("one",)) >> TacRun() >> ContainsIntEvaluator(42))
    assert (record.outcome.value == "pass") == passes, record.reason


@pytest.mark.parametrize("command", ["taac main.tac", "X=1 /usr/no/tac main.tac", "tac main.tac; exit 127"])
@pytest.mark.parametrize("what", ["run", "build"])
def test_a_command_that_is_not_there_is_the_languages_mistake(installed, monkeypatch, command, what):
    """An exit status says nothing by itself: the model's program may have it, too."""
    row = replace(Language("main.tac", "true", needs=("sh",)), **{what: command})
    monkeypatch.setattr("assay.language.run.language_row", {"tac": row}.get)
    monkeypatch.setattr("assay.language.programs.language_row", {"tac": row}.get)
    record = trial(Emit(("one",)) >> TacRun() >> SubstringEvaluator("two"))
    if "exit" in command:
        assert record.outcome.value == "fail"
    else:
        assert record.cause == "grader" and record.error.startswith("GraderError: the language 'tac' calls ")
        assert f"{command.split()[-2]}, which the sandbox does not have: correct" in record.error


def test_it_stands_beside_ours_which_win_a_clash(installed):
    installed("tac = backwards:TAC", "python = backwards:TAC")
    assert list(all_languages()) == [*LANGUAGES, "tac"]
    assert language_row("python") is LANGUAGES["python"] and same_language("Cat-Backwards", "tac")
    assert find_language("cobol") is None and find_language("") is None


def test_the_report_colours_it_like_ours(installed):
    code = "begin { tac } end."
    installed("tac = backwards:TAC")
    (fence,) = markdown(f"```Cat-Backwards\n{code}\n```")[::2]
    for coloured in (highlight(code, "tac"), fence[2:]):
        assert coloured[0] == [KINDS.index("k"), "begin "]
    assert lexer_of("text") is None and lexer_of("") is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("tac = backwards:MISSING", "AttributeError"),
        ("tac = nowhere:TAC", "ModuleNotFoundError"),
        ("tac = backwards:NOTHING", "it must be of type Language, not str"),
    ],
)
def test_a_broken_one_is_named(installed, line, why):
    installed(line)
    assert list(all_languages()) == [*LANGUAGES], "it stops nobody who does not use it"
    said = f"the language 'tac' of the package backwards 1.0 cannot be used: {why}"
    with pytest.raises(ConfigError, match=said):
        find_language("tac")
    record = trial("one" >> TacRun() >> SubstringEvaluator("one"))
    assert record.error.startswith(f"NodeError: {said}") and record.cause == "grader"


def test_two_packages_with_one_name_are_an_error(installed):
    installed("tac = backwards:TAC")
    installed("tac = backwards:NOTHING", package="other")
    with pytest.raises(ConfigError, match=r"(backwards|other) 1\.0 has another of that name"):
        find_language("tac")


def test_a_language_that_nobody_has_is_an_error(installed):
    with pytest.raises(NodeError, match="no language is named 'tac'; there are: python, bash"):
        _ = TacRun().needs


def test_looking_for_ours_asks_no_package(monkeypatch):
    monkeypatch.setattr(languages, "extensions", None)
    assert all(find_language(name) is row for name, row in LANGUAGES.items())
    assert same_language("py", "python") and not same_language("json", "python")
