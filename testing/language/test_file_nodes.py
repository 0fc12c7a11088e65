"""MakeFile, MakeFilesFromJSON, and what steers: Echo, UntilDone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import NodeError
from assay.language.dsl import NoOutput
from assay.language.files import files_in, name_fault
from evaluator import Files, MakeFile, MakeFilesFromJSON, PythonRun, TerminalRun
from testing.language.pipeline import run, run_in_sandbox


def test_make_file_writes_the_value_and_passes_it_on():
    ran, content = run_in_sandbox("text é" >> MakeFile("deep/name.txt"), read=["deep/name.txt"])
    assert (ran.output, content.decode()) == ("text é", "text é")
    assert run_in_sandbox(MakeFile("raw"), b"\xff\x00", read=["raw"])[1] == b"\xff\x00"


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a/", "a\0b", "a\nb", "x" * 300, "."])
def test_make_file_refuses_a_name_outside_the_work_directory(name):
    with pytest.raises(NodeError, match="the name"):
        MakeFile(name)


def test_files_from_json():
    files = {"a.py": "from lib.b import X\nprint(X)", "lib/b.py": "X = 42", "data.json": {"n": [1]}}
    reply = f"Here they are:\n```json\n{json.dumps(files)}\n```"
    test = reply >> MakeFilesFromJSON() >> "import a" >> PythonRun()
    ran, data = run_in_sandbox(test, read=["data.json"])
    assert ran.output == "42\n" and json.loads(data) == {"n": [1]}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ('{"../x": "1"}', "leads out"),
        ('{"/etc/passwd": "1"}', "leads out"),
        ('{"a\\u001b[31m": "1"}', "control character"),
        ('{"a": "1", "a/b": "2"}', "both a file and a folder"),
        ("[1]", "no JSON object"),
        ("{}", "no JSON object"),
        ("sorry", "no JSON object"),
    ],
)
def test_a_models_bad_names_are_a_fail_and_nothing_is_written(value, why):
    ran = run(MakeFilesFromJSON(), value)
    assert isinstance(ran.output, NoOutput) and why in ran.output.why


@given(st.dictionaries(st.text("ab./\\\0~ ", max_size=6), st.text(max_size=3), min_size=1, max_size=3))
def test_accepted_names_stay_inside(value):
    try:
        files = files_in(value)
    except ValueError:
        return
    for name in files:
        assert name_fault(name) == "" and not name.startswith("/") and ".." not in name.split("/")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "task" / "src" / "__pycache__").mkdir(parents=True)
    (tmp_path / "task" / "src" / "__pycache__" / "a.pyc").write_text("old")
    (tmp_path / "task" / "src" / "a.txt").write_text("é")
    (tmp_path / "task" / "go").write_text("#!/bin/sh\necho ran")
    (tmp_path / "task" / "go").chmod(0o755)
    return tmp_path / "task"


def test_files_of_a_folder_keep_their_modes_and_leave_out_what_python_made(folder):
    ran = run_in_sandbox(Files(folder) >> "./go; cat src/a.txt; ls src" >> TerminalRun())
    assert ran.output == "ran\néa.txt\n" and "src/a.txt" in ran.text


def test_files_of_a_dict_pass_the_value_on():
    ran, content = run_in_sandbox("x" >> Files({"a/b": "1", "c": b"\xff"}), read=["c"])
    assert (ran.output, content) == ("x", b"\xff")


@pytest.mark.parametrize("source", ["nowhere/", {"../x": "1"}, {}])
def test_files_that_cannot_be_are_told_of_when_the_test_is_loaded(source):
    with pytest.raises(NodeError, match="Files"):
        Files(source)


def test_a_link_among_the_files_is_refused(folder):
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(NodeError, match="link"):
        run_in_sandbox(Files(folder))


def test_a_function_makes_the_files_when_a_trial_begins():
    made = []

    def make():
        made.append("now")
        return {"in/a.txt": "seven", "b": b"\x00"}

    test = Files(make) >> TerminalRun()
    assert made == []
    ran = run_in_sandbox(test, "wc -c in/a.txt b")
    assert "5 in/a.txt" in ran.output and made == ["now"]


@pytest.mark.parametrize(
    ("made", "words"), [({"../a": "x"}, "leads out"), (5, "not iterable"), ({}, "no JSON")]
)
def test_what_a_function_cannot_mean_by_files_is_an_error(made, words):
    with pytest.raises(NodeError, match=words):
        run_in_sandbox(Files(lambda: made), "x")
