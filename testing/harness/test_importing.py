"""Test files are imported as they are, however soon after an edit."""

import os
import sys

from assay.suites.importing import FRESH_S, import_file


def test_an_edit_within_the_same_second_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "mine.py"
    for value in "123":
        path.write_text(f"VALUE = {value}\n")  # of the same size
        os.utime(path, (second := int(path.stat().st_mtime), second))
        assert str(import_file(path).VALUE) == value
    assert not (tmp_path / "__pycache__").exists()


def test_of_an_older_file_bytecode_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "mine.py"
    path.write_text("VALUE = 1\n")
    then = path.stat().st_mtime - FRESH_S - 1
    os.utime(path, (then, then))
    assert import_file(path).VALUE == 1
    assert list((tmp_path / "__pycache__").iterdir())
