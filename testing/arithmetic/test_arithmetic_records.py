"""Stored replies: older files, our own runs, and lines that are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.arithmetic.records import read_line, stored

OLD = {
    "model": "acme-1", "variant": "int_add", "depth": 2, "operands": [40, 2], "correct": 42,
    "raw_response": "It is **42**.", "parsed": 42, "classification": "Correct", "error": None,
    "tokens": {"prompt_tokens": 25, "completion_tokens": 4}, "cost": 0.25,
    "timestamp": "2025-05-11T10:00:00Z",
}  # fmt: skip
NEWER = {**OLD, "attempts": 2, "failed_to_get_reply": False, "extra_context": 1, "surprise": [1]}


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines))
    return path


def test_older_and_newer_lines(tmp_path: Path) -> None:
    tenths = {
        **OLD,
        "variant": "float_mul",
        "operands": ["1.10", "2.00"],
        "correct": "2.2000",
        "tokens": None,
    }
    failed = {**NEWER, "raw_response": None, "failed_to_get_reply": True, "timestamp": "2025-05-10T00:00:00Z"}
    (found,) = stored(write(tmp_path / "a.jsonl", OLD, NEWER, tenths, failed)) or []
    assert found.model == "acme-1" and found.problems == ()
    first, second, fourth, third = found.trials()
    assert [each.epoch for each in (first, second, third, fourth)] == [1, 2, 1, 3]
    assert first.sample.id == "arithmetic.int_add_02" and third.sample.id == "arithmetic.float_mul_02"
    (reply,) = second.replies
    assert (reply.text, reply.cost, reply.attempts, reply.usage.output_tokens) == (
        "It is **42**.",
        0.25,
        2,
        4,
    )
    assert first.replies[0].attempts == 1
    free = read_line({**OLD, "cost": 0.0}).reply
    assert free is not None and free.cost is None, "no price was known"
    assert fourth.replies == () and "no reply" in fourth.error
    assert first.sample.extra["timestamp"] == "2025-05-10T00:00:00Z"


def test_a_file_of_several_models_and_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", OLD, {**OLD, "model": "acme-2"})
    write(tmp_path / "b.jsonl", OLD)
    write(tmp_path / "aggregate.jsonl", OLD)
    found = stored(tmp_path) or []
    assert [(each.model, len(list(each.trials()))) for each in found] == [("acme-1", 2), ("acme-2", 1)]


def test_what_is_not_ours(tmp_path: Path) -> None:
    assert stored(write(tmp_path / "a.jsonl", {"text": "hello"}, "nonsense")) is None
    assert stored(write(tmp_path / "a.txt", OLD)) is None
    (tmp_path / "empty").mkdir()
    assert stored(tmp_path / "empty") is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"model": "acme-1", "vari', "Unterminated string"),
        ("[]", "not an object"),
        ("7", "not an object"),
        ({**OLD, "variant": "int_pow"}, "unknown variant 'int_pow'"),
        ({**OLD, "operands": [1]}, "not enough values"),
        ({**OLD, "operands": [1, "x"]}, "not a number: 'x'"),
        ({**OLD, "operands": [1, True]}, "not a number: True"),
        ({**OLD, "correct": None}, "not a number: None"),
        ({**OLD, "correct": "42.5"}, "not whole"),
        ({**OLD, "variant": "float_add", "correct": "1e999999999"}, "not a number that a problem can have"),
        ({**OLD, "variant": "float_add", "correct": "NaN"}, "not a number that a problem can have"),
        ({**OLD, "depth": "2"}, "not a depth: '2'"),
        ({**OLD, "depth": 10**9}, "not a depth"),
        ({**OLD, "raw_response": 42}, "is not a string"),
        ({key: value for key, value in OLD.items() if key != "raw_response"}, "no 'raw_response'"),
        ({**OLD, "tokens": {"completion_tokens": "many"}}, "invalid literal"),
        ("[" * 100_000, "recursion"),
        ('{"depth": ' + "9" * 5000 + "}", "integer string"),
    ],
)
def test_a_broken_line_is_named_and_skipped(tmp_path: Path, line: object, why: str) -> None:
    path = write(tmp_path / "a.jsonl", OLD, line, NEWER)
    (found,) = stored(path) or []
    assert len(list(found.trials())) == 2
    (problem,) = found.problems
    assert problem.startswith(f"{path}:2: ") and why in problem
