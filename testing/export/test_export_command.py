"""--export as a user meets it: after a run, of what is saved, and what it says when it cannot."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import zipfile

import pytest

from testing.harness.commanding import Workspace
from testing.model_server import ModelServer

RUN = ("--run-tests", "--model", "local/m")


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    with ModelServer() as server:
        made = Workspace(tmp_path_factory.mktemp("export"), server)
        made.test_file(
            "colours",
            "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n"
            "TestBlue = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n",
        )
        made.main(*RUN)
        yield made


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return {row["test"]: row for row in csv.DictReader(file)}


def test_every_format_of_what_is_saved(work):
    _, err = work.main(
        *("--load-saved", "--export", "csv=out/a.csv", "--export", "parquet=out/a.parquet"),
        *("--export", "junit=out/a.xml", "--export", "inspect=out/logs"),
    )
    out = work.folder / "out"
    assert {path.name for path in out.iterdir()} == {"a.csv", "a.parquet", "a.xml", "logs"}
    assert err.count("(2 trials)") == 3 and "(1 log; inspect view --log-dir out/logs)" in err
    found = rows(out / "a.csv")
    assert found["colours.TestRed"]["outcome"] == "pass" and found["colours.TestBlue"]["passed"] == "false"
    assert found["colours.TestRed"]["question"] == "say red" and "red" in found["colours.TestRed"]["answer"]
    (log,) = (out / "logs").iterdir()
    assert "samples/colours.TestRed_epoch_1.json" in zipfile.ZipFile(log).namelist()


def test_of_a_run_that_just_ended(work, tmp_path):
    """Its own trials, also those that --resume found done; the flags that choose tests choose here too."""
    work.main(*RUN, "--resume", "--test", "colours.TestRed", "--export", f"csv={tmp_path}/a.csv")
    assert rows(tmp_path / "a.csv").keys() == {"colours.TestRed"}
    work.main("--load-saved", "--test", "colours.TestBlue", "--export", f"csv={tmp_path}/b.csv")
    assert rows(tmp_path / "b.csv").keys() == {"colours.TestBlue"}


def test_of_what_was_judged_again(work, tmp_path):
    """Today's verdicts, not those of the run."""
    file = work.tests / "colours.py"
    before = file.read_text()
    file.write_text(before.replace("'blue'", "'red'"))
    try:
        work.main("--rescore", "local/m", "--export", f"csv={tmp_path}/a.csv")
    finally:
        file.write_text(before)
    assert {row["outcome"] for row in rows(tmp_path / "a.csv").values()} == {"pass"}
    work.main("--load-saved", "--export", f"csv={tmp_path}/b.csv")
    assert rows(tmp_path / "b.csv")["colours.TestBlue"]["outcome"] == "fail"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("cvs=a.csv", "Did you mean csv?"),
        ("a.csv", "write one of csv=PATH, inspect=PATH, junit=PATH, parquet=PATH"),
        ("csv", "name the file to write: --export csv=FILE"),
        ("csv=", "name the file to write: --export csv=FILE"),
        ("csv=config.json/a.csv", "cannot write into config.json: it is not a folder"),
        ("csv=results", "results is a folder; name a file in it"),
        ("csv=pipe", "pipe is not an ordinary file"),
        ("csv=/dev/null", "/dev/null is not an ordinary file"),
        ("csv=/dev/fd/0", "/dev/fd/0 is not an ordinary file"),
        ("inspect=config.json", "config.json is a file; name a folder"),
    ],
)
def test_what_cannot_be_written_is_said_before_anything_runs(work, value, said):
    before = len(work.lines())
    if not (pipe := work.folder / "pipe").exists():
        os.mkfifo(pipe)
    for flags in (RUN, ("--load-saved",)):
        out, err = work.main(*flags, "--export", value, code=1)
        assert said in err and not out
    assert len(work.lines()) == before


def test_two_exports_to_one_file(work):
    _, err = work.main("--load-saved", "--export", "csv=x", "--export", "junit=./x", code=1)
    assert "two formats would be written to x" in err and not (work.folder / "x").exists()


def test_export_needs_results(work):
    assert "--export goes with" in work.main("--list", "--export", "csv=x", code=1)[1]
    assert "nothing to write" in work.main(*RUN, "--dry-run", "--export", "csv=x", code=1)[1]


def test_parquet_without_pyarrow_says_how_to_get_it(work):
    hidden = "import sys; sys.modules['pyarrow'] = None\nfrom assay.cli.main import main\n"
    hidden += "from pathlib import Path\n"
    command = [sys.executable, "-c", hidden + "sys.exit(main(root=Path('.')))", *work.command()[2:]]
    for fields in (["parquet=a.parquet"], ["csv=fine.csv"]):
        done = subprocess.run(
            [*command, "--load-saved", "--export", *fields],
            cwd=work.folder, env=work.environment, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert done.returncode == (1 if "parquet" in fields[0] else 0), done.stderr
        if done.returncode:
            assert "--export parquet needs pyarrow: make" in done.stderr
    assert (work.folder / "fine.csv").exists()


def test_a_full_disk_leaves_the_old_file_and_no_part(work, tmp_path):
    """A file-size limit stands for a full disk: both end a write in the middle."""
    target = tmp_path / "a.csv"
    target.write_text("old")
    command = " ".join(work.command("--load-saved", "--export", f"csv={target}"))
    done = subprocess.run(
        ["bash", "-c", f"trap '' XFSZ; ulimit -f 0; exec {command}"],
        cwd=work.folder, env={**work.environment, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1 and f"cannot write {target}" in done.stderr, done.stderr
    assert target.read_text() == "old" and [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_a_link_is_followed_and_stays(work, tmp_path):
    (tmp_path / "a.csv").symlink_to(tmp_path / "there.csv")
    work.main("--load-saved", "--export", f"csv={tmp_path}/a.csv")
    assert (tmp_path / "a.csv").is_symlink() and rows(tmp_path / "there.csv")
