"""What was in a run's sandboxes: kept once, named in every record, shown, and compared."""

import json

import pytest

from assay.results.conditions import mixed_versions
from assay.results.sandbox_contents import read_sandbox_contents
from assay.results.store import load_records
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer

CODE = "TestFour = 'say: print(4)' >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator('4')\n"
RED = "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n"


@pytest.fixture
def work(tmp_path):
    replies = {"say: print(4)": "```python\nprint(4)\n```", "say red": "red"}
    with ModelServer(replies=replies) as server:
        made = Workspace(tmp_path, server)
        made.test_file("a", CODE + RED)
        yield made


@pytest.mark.slow(4)
def test_versions_are_kept_once_a_run_shown_and_compared(work):
    work.main("--run-tests", "--model", "local/m", "--generate-report")
    (run,) = work.results.glob("*/*/run-1.jsonl")
    ((name, inside),) = read_sandbox_contents(run.with_suffix(".sandboxes")).items()
    assert {"tier", "kernel", "python"} <= set(inside)
    assert {line["test"]: line["versions"].get("sandbox") for line in work.lines()} == {
        "a.TestFour": name,
        "a.TestRed": None,
    }
    records = {each.test: each for each in load_records([run]).records}
    assert records["a.TestFour"].versions["sandbox python"] == inside["python"]
    assert "sandbox" not in records["a.TestFour"].versions
    page = (work.folder / "report" / "index.html").read_text()
    assert "Versions in the sandbox" in page and inside["kernel"] in page

    work.main("--run-tests", "--model", "local/n")
    assert "versions" not in work.main("--load-saved")[1] + work.main("--compare", "local/m", "local/n")[1]
    other = next(path for path in work.results.glob("*/*n/run-1.sandboxes"))
    other.write_text(json.dumps({"v": 1, "sandboxes": {name: {**inside, "python": "2.7.1"}}}))
    said = (
        "suite applied: not all verdicts were made with the same versions: sandbox python "
        f"{inside['python']} (local/m), 2.7.1 (local/n)"
    )
    assert said in work.main("--load-saved")[1] and said in work.main("--compare", "local/m", "local/n")[1]


def test_a_file_of_versions_that_is_none_costs_no_result(work):
    work.main("--run-tests", "--model", "local/m")
    (run,) = work.results.glob("*/*/run-1.jsonl")
    for content in (b"", b"[]", b'{"sandboxes": 3}', b'{"sandboxes": {"a": []}}', b"\xff", b"[" * 99_999):
        run.with_suffix(".sandboxes").write_bytes(content)
        assert len(load_records([run]).records) == 2
    run.with_suffix(".sandboxes").unlink()
    assert mixed_versions(load_records([run]).records) == []
