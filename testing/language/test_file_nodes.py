"""MakeFile, MakeFilesFromJSON, and what steers: Echo, UntilDone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import NodeError
from assay.language.dsl import NoOutput
from assay.language.files import files_in, name_fault
from evaluator import MakeFile, MakeFilesFromJSON, PythonRun
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
