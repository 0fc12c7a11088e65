"""run_test: a test file that runs itself, and a notebook that runs one."""

import asyncio
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import ConfigError
from assay.records import Block, Outcome, TrialRecord
from assay.report.steps import print_steps
from evaluator import LLMRun, SubstringEvaluator, run_test

ROOT = Path(__file__).parents[2]
HELLO = "Say hello" >> LLMRun() >> SubstringEvaluator("hello")


def script(*arguments, path=ROOT / "tests" / "print_hello.py", cwd=ROOT):
    return subprocess.run(
        [sys.executable, str(path), *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_a_test_file_prints_its_steps_and_true():
    done = script("--model", "oracle", "--sandbox", "bubblewrap")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "True"
    for part in (
        "Write hello world in python",
        "oracle replied:",
        "program main.py:",
        "RegexEvaluator: passed",
    ):
        assert part in done.stdout


def test_a_failed_test_prints_why_and_false(tmp_path):
    done = script("--model", "saboteur", "--sandbox", "bubblewrap", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "False"
    assert "RegexEvaluator: failed, output does not match /(?m)^hello" in done.stdout


def test_help_and_errors_are_short():
    assert "--model" in script("--help").stdout
    done = script("--model", "nonsense")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.startswith("error: the provider of model 'nonsense' is unknown")
    done = script("--sandbox", "nonsense", "--model", "oracle")
    assert done.returncode == 1 and "unknown sandbox 'nonsense'. There are: auto, " in done.stderr


def test_arguments_of_the_file_itself_are_let_through(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(
        "import sys\nfrom evaluator import *\n"
        "TestOwn = 'x' >> SubstringEvaluator('x')\n"
        "print(sys.argv[1:], run_test(TestOwn))\n"
    )
    done = script("--mine", "1", path=path, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "['--mine', '1'] True", done.stderr


def test_it_works_inside_a_running_event_loop(capsys):
    async def cell():
        return run_test("x" >> SubstringEvaluator("x"))

    assert asyncio.run(cell()) is True
    assert "PASS" in capsys.readouterr().out


def test_a_test_imported_elsewhere_finds_its_references(capsys):
    from tests.print_hello import TestPrintHello

    assert run_test(TestPrintHello, model="oracle", sandbox="bubblewrap") is True
    assert "print_hello.TestPrintHello" in capsys.readouterr().out


def test_what_must_be_changed_is_raised():
    with pytest.raises(ConfigError, match="provider"):
        run_test(HELLO, model="nonsense")
    with pytest.raises(TypeError, match="nodes joined by >>"):
        run_test("only text")


def test_a_model_without_references_is_an_error_not_a_pass(capsys):
    assert run_test(HELLO, model="oracle") is False
    assert "ERROR" in capsys.readouterr().out


@pytest.mark.slow(2)
def test_the_notebook_runs(tmp_path):
    """In a real Jupyter kernel, whose event loop is running."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "run_a_simple_testcase.ipynb", as_version=4)
    NotebookClient(notebook, timeout=100, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]
    assert "PASS  print_hello.TestPrintHello  oracle" in "".join(out.get("text", "") for out in outputs)
    returned = [out["data"]["text/plain"] for out in outputs if out.output_type == "execute_result"]
    assert returned[0] == "True" and returned[1] == "False" and returned[-1] == "True"


def test_the_notebook_is_stored_without_outputs():
    import nbformat

    notebook = nbformat.read(ROOT / "run_a_simple_testcase.ipynb", as_version=4)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")


# ---------------------------------------------------------------- the printed steps


def shown(*blocks, **more):
    out = io.StringIO()
    print_steps(
        TrialRecord("t.Test", "m", 1, Outcome.PASS, reason=Block("group", "", children=blocks), **more), out
    )
    return out.getvalue()


def test_what_a_program_printed_cannot_drive_the_terminal():
    hostile = "\x1b]0;title\x07\x1b[2Jx\u202ey\r\x00\x9b31m"
    text = shown(
        Block("text", hostile, hostile),
        Block("verdict", hostile, hostile, passed=True),
        Block("group", hostile),
    )
    assert not set("\x1b\x07\x00\r\u202e\x9b") & set(text)


def test_long_output_is_cut_and_says_so():
    text = shown(Block("text", "output", "line\n" * 5000))
    assert text.count("line") < 300 and "25000 characters in all" in text


def test_deep_trees_and_all_kinds_are_printed():
    block = Block("text", "deep", "bottom")
    for number in range(100):
        block = Block("group", f"level {number}", children=(block,))
    text = shown(
        block, Block("image", "a page", data=b"123"), Block("chat", role="user", body="hi"), score=0.5
    )
    assert (
        "bottom" in text and "[picture] a page (3 bytes)" in text and "user:" in text and "score 0.5" in text
    )
