"""Test files are imported as they are, however soon after an edit."""

import os
import sys

import pytest

from assay.errors import TestFileError
from assay.models.references import variants_for
from assay.records import TrialKey
from assay.suites.importing import FRESH_S, import_file, import_package


def test_an_edit_within_the_same_second_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "mine.py"
    for value in "123":
        path.write_text(f"VALUE = {value}\n")  # of the same size
        os.utime(path, (second := int(path.stat().st_mtime), second))
        assert str(import_file(path).VALUE) == value
    assert not (tmp_path / "__pycache__").exists()


def test_an_edit_of_a_suite_s_helper_within_the_same_second_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "suite.py").write_text("from .own import VALUE\n")
    path = tmp_path / "own.py"
    for value in "123":
        path.write_text(f"VALUE = {value}\n")
        os.utime(path, (second := int(path.stat().st_mtime), second))
        assert str(import_package(tmp_path, value).VALUE) == value


def test_of_an_older_file_bytecode_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "mine.py"
    path.write_text("VALUE = 1\n")
    then = path.stat().st_mtime - FRESH_S - 1
    os.utime(path, (then, then))
    assert import_file(path).VALUE == 1
    assert list((tmp_path / "__pycache__").iterdir())


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("from _ask import ASK", True),
        ("from .._ask import ASK", True),
        ("from its_tests._ask import ASK", True),
        ("from own import ASK", True),
        ("from .own import WORD", False),
        ("import no_such_library", False),
    ],
)
def test_a_suite_is_told_which_files_it_can_import(tmp_path, line, told):
    folder = tmp_path / "its_tests" / "words"
    folder.mkdir(parents=True)
    for file in (folder.parent / "_ask.py", folder / "own.py"):
        file.write_text("ASK = 'q'\n")
    (folder / "suite.py").write_text(f"{line}\n")
    with pytest.raises(TestFileError) as raised:
        import_package(folder, "1")
    said = str(raised.value)
    assert line in said and ("\nA suite imports the files of its own" in said) is told


def test_references_import_what_their_test_file_can(tmp_path):
    test, references = tmp_path / "sky.py", tmp_path / "references" / "sky.py"
    references.parent.mkdir()
    (tmp_path / "_beside_sky.py").write_text("BLUE = 'blue'\n")
    test.write_text("TestSky = None\n")
    references.write_text("from _beside_sky import BLUE\nRIGHT = {'TestSky': [BLUE]}\n")
    import_file(test)
    key = TrialKey("sky.TestSky", source=str(test))
    assert variants_for(key, True, tmp_path) == ["blue"]
