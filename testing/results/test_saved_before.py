"""Results that commit 939f988 wrote are read as they were meant, and lines of now and then fit the schema."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from assay.records import Outcome, Reply, TrialRecord, Usage
from assay.report.html import write_report
from assay.results.conditions import judges_asked
from assay.results.past_usage import past_usage
from assay.results.replies import recorded
from assay.results.schema import json_schema
from assay.results.serialize import decode_line, encode_line
from assay.results.store import Results, load_records
from testing.harness.test_store import FULL

ROOT = Path(__file__).resolve().parents[2]
SAVED = Results(Path(__file__).parent / "saved_at_939f988")
LINES = [line for path in SAVED.files() for line in path.read_bytes().splitlines()]
SAME = (
    "test", "model", "epoch", "outcome", "suite", "cost", "error", "calls", "attempts", "seconds", "sandbox",
    "limits", "started_at", "commit", "fingerprint", "versions", "judges", "description", "source", "cause",
    "why",
)  # fmt: skip


def spoken(block):
    if block.get("role") == "assistant":
        yield block.get("body", "")
    for child in block.get("children", ()):
        yield from spoken(child)


def test_each_field_is_read_as_it_was_written():
    assert len(LINES) > 10
    for line in LINES:
        record, value = decode_line(line), json.loads(line)
        assert {name: getattr(record, name) for name in SAME if name in value} == {
            name: value[name] for name in SAME if name in value
        }
        assert record.usage == Usage(*value["usage"]) and record.tags == tuple(value.get("tags", ()))
        said = list(spoken(value["reason"]))
        texts = [each["text"] if "text" in each else said[each["at"]] for each in value["replies"]]
        assert [reply.text for reply in record.replies] == texts
        assert decode_line(line, light=True) == replace(
            record, reason=None, replies=(), judges=judges_asked(record), first_asked=record.question
        )
        assert decode_line(encode_line(record, lambda data: "")) == record


def test_a_folder_is_loaded_shown_and_judged_again(tmp_path):
    read = load_records(SAVED.files())
    assert not read.problems and len(read.records) == len(LINES)
    assert {each.model for each in read.records} == {"oracle", "saboteur"}
    assert any(each.versions.get("sandbox python") for each in read.records), "from the file beside the run's"
    write_report(read.records, tmp_path / "out", images=SAVED.images, root=tmp_path)
    shown = {path.name for path in (tmp_path / "out").rglob("*.png")}
    assert shown >= {path.name for path in SAVED.images.iterdir()}
    assert all(recorded(each).replies == each.replies for each in read.records)
    assert past_usage(SAVED.files(), ()).trials == 0, "the oracle costs nothing"


def test_the_published_schema_is_that_of_the_types():
    published = json.loads((ROOT / "docs" / "results.schema.json").read_text("utf-8"))
    assert published == json_schema(), (
        "write it anew: python -m assay.results.schema > docs/results.schema.json"
    )


@pytest.mark.parametrize("line", [*LINES, encode_line(FULL, lambda data: "")], ids=lambda line: "")
def test_real_lines_fit_the_schema(line):
    jsonschema.validate(json.loads(line), json_schema())


def test_what_is_no_line_does_not_fit_the_schema():
    value = json.loads(LINES[0])
    for change in (
        {"outcome": "maybe"},
        {"cost": -1},
        {"seconds": "1"},
        {"usage": [1, "2", 3]},
        {"reason": {}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**value, **change}, json_schema())


def test_the_field_that_is_wrong_is_named():
    value = json.loads(LINES[0])
    for change, said in (
        ({"epoch": "x"}, "field 'epoch'"),
        ({"usage": [-1]}, r"field 'usage\[0\]'"),
        ({"reason": {"kind": "group", "children": [{"kind": "x"}]}}, r"field 'reason.children\[0\].kind'"),
    ):
        with pytest.raises(ValueError, match=said):
            decode_line(json.dumps({**value, **change}).encode())


def test_every_field_is_described_on_the_page():
    page = (ROOT / "docs" / "results-files.md").read_text("utf-8")
    for kind in json_schema()["$defs"].values():
        for name, its in kind.get("properties", {}).items():
            assert f"| `{name}` | {its['description']} |" in page


def test_a_whole_record_comes_back():
    reply = Reply("llm", "0" * 32, "q", Usage(1, 2, 3), 0.5, "stop")
    record = replace(FULL, replies=(reply,), about={"a": 10**40}, rescored={"b": [None]})
    assert decode_line(encode_line(record, lambda data: "")) == record
    assert isinstance(record, TrialRecord) and record.outcome is Outcome.PASS
