"""Exports of packages: they are tried by `assay conformance`, and their mistakes told."""

from __future__ import annotations

import re
import sys

import pytest

from assay.cli.main import main
from assay.errors import ConfigError, StoreError
from assay.results.export.registry import exports_of, write_exports
from assay.results.store import Results
from assay.results.workspace import Workspace

pytestmark = pytest.mark.usefixtures("stranger")


def test_an_export_that_loses_trials_does_not_hold(tmp_path, capsys):
    assert main(["conformance", "exports:csv"], tmp_path) == 0
    assert "3 of 3 held" in capsys.readouterr().out
    assert main(["conformance", "exports:csv", "exports:first"], tmp_path) == 1
    out, err = capsys.readouterr()
    assert "write() returned 1 for 4 trials" in out and "trying" not in err


def test_each_check_is_told_on_a_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["conformance", "exports:csv"], tmp_path) == 0
    assert "trying trials of every outcome" in capsys.readouterr().err


def test_what_does_not_hold_is_said_without_our_code(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")
    assert main(["conformance", "exports:plain", "exports:breaks"], tmp_path) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "write() raises NotADirectoryError" in out and "must raise StoreError, as `with whole_file(" in out
    assert "KeyError: 'answer' (" in out and "assay_stranger.py:" in out
    assert " at: " not in out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("exits", "SystemExit: 0 ("),
        ("silent", "there is nothing at {path} after write()"),
        ("says_none", "write() must return the number of trials written, not None"),
    ],
)
def test_an_export_that_writes_nothing_is_no_success(tmp_path, name, said):
    path, results = tmp_path / "out", Results(tmp_path / "results")
    workspace = Workspace(tmp_path, results, tmp_path / "report", None)
    with pytest.raises(ConfigError, match=re.escape(said.format(path=path))) as error:
        write_exports(exports_of([f"{name}={path}"]), [], lambda _: True, workspace)
    assert f"the export {name!r} of the package stranger 2.0 cannot be used" in str(error.value)
    advice = ". The results are saved; when that is fixed, the same command writes the export"
    assert str(error.value).endswith(advice)


def test_the_advice_after_a_run_writes_that_runs_trials(tmp_path, capsys, monkeypatch):
    """Here `export` would write those of both runs."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/a.py").write_text(
        'from evaluator import *\nTestA = "?" >> LLMRun() >> SubstringEvaluator("a")\n'
    )
    path = tmp_path / "out"
    run = ["run", "--model", "oracle", "--logdir", str(tmp_path / "saved")]
    assert main(run, tmp_path) == 0
    run += ["--export", f"breaks={path}"]
    assert main(run, tmp_path) == 1
    said = capsys.readouterr().err
    (again,) = re.findall("when that is fixed, the same command with (.*) writes the export", said)
    monkeypatch.setattr("assay_stranger.BREAKS", sys.modules["assay_stranger"].PLAIN)
    assert main([*run, *again.split()], tmp_path) == 0
    assert f"export: {path} (1 trial)" in capsys.readouterr().err


def test_an_export_that_breaks_stops_no_other(tmp_path, capsys):
    wanted = exports_of([f"{name}={tmp_path / name}" for name in ("breaks", "full", "plain")])
    workspace = Workspace(tmp_path, Results(tmp_path / "results"), tmp_path / "report", None)
    with pytest.raises(StoreError, match="the disk is full"):
        write_exports(wanted, [], lambda record: True, workspace)
    said = capsys.readouterr().err
    assert "error: " in said and "KeyError" in said and f"export: {tmp_path / 'plain'} (0 trials)" in said


def test_an_export_that_cannot_be_called_is_told_before_a_run(tmp_path):
    said = (
        r"alone\(\) \(.*assay_stranger\.py:\d+\): too many positional arguments; declare it as `def write\("
    )
    with pytest.raises(ConfigError, match=said):
        exports_of([f"alone={tmp_path}/a"])


def test_the_folder_of_an_export_is_made(tmp_path):
    workspace = Workspace(tmp_path, Results(tmp_path / "results"), tmp_path / "report", None)
    write_exports(exports_of([f"plain={tmp_path}/new/deep/out"]), [], lambda record: True, workspace)
    assert (tmp_path / "new/deep/out").exists()


def test_an_error_of_a_package_names_it_when_it_is_used(tmp_path):
    (full,) = exports_of([f"full={tmp_path}/a"])
    with pytest.raises(StoreError, match=r"^the disk is full"), full.extension.blamed():
        full.export.write(None, full.path)
    (breaks,) = exports_of([f"breaks={tmp_path}/a"])
    with pytest.raises(ConfigError, match=r"stranger 2\.0 .*KeyError: 'answer'"), breaks.extension.blamed():
        breaks.export.write(None, breaks.path)
