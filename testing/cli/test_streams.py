"""A command whose stdout or stderr is closed, or a terminal of another width than the other stream's."""

import json
import os
import pty
import re
import sys
import termios

import pytest

from assay.cli import explain
from assay.cli.main import main
from assay.language.dsl import StringNode
from assay.report.messages import say
from assay.suites.sample import Sample
from testing.harness.commanding import HEAD


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_command_does_its_work_if_a_stream_is_closed(tmp_path, capfd, monkeypatch, closed):
    (tmp_path / "one.py").write_text(f"{HEAD}TestA = 'a' >> LLMRun() >> SubstringEvaluator('b')\n")
    for name in ("stdout", "stderr"):  # as in a process of its own
        stream = None if name == closed else getattr(sys, f"__{name}__")
        monkeypatch.setattr(sys, name, stream)
        monkeypatch.setattr(sys, f"__{name}__", stream)
    number = 1 if closed == "stdout" else 2
    kept = os.dup(number)
    os.close(number)
    try:
        assert main(["list", "one", "--tests", str(tmp_path), "--format", "json"], tmp_path) == 0
        assert os.get_inheritable(number), "no file of ours has it, and programs may write to it"
    finally:
        getattr(sys, closed).close()
        os.dup2(kept, number)
        os.close(kept)
    out, err = capfd.readouterr()
    if closed == "stdout":
        assert not out and "Traceback" not in err
    else:
        assert [each["test"] for each in json.loads(out)] == ["one.TestA"]


@pytest.fixture
def narrow(monkeypatch):
    """A terminal of 50 columns, and what it shows; no other stream is a terminal."""
    monkeypatch.delenv("COLUMNS", raising=False)
    screen, end = pty.openpty()
    termios.tcsetwinsize(end, (24, 50))
    with os.fdopen(end, "w", 1) as out:
        yield out, lambda: re.sub(r"\x1b\[[0-9;]*m", "", os.read(screen, 65536).decode()).splitlines()
    os.close(screen)


def test_a_message_is_as_wide_as_its_own_terminal(narrow):
    out, shown = narrow
    say("word " * 30, out)
    assert 40 < max(map(len, shown())) <= 50


def test_a_drawn_test_is_as_wide_as_its_own_terminal(narrow, monkeypatch):
    out, shown = narrow
    monkeypatch.setattr("assay.stdout._results", out)
    about = [("about", "word " * 30)]
    explain.show([explain.Explained(Sample("t.TestA", StringNode("a")), "t.py", about, [], [])], "table")
    assert 40 < max(map(len, shown())) <= 50
