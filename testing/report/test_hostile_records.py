"""A record of a stranger's cannot keep the report busy: it is read in part, and then shown plain.

Bounds are generous, in processor time: without the budgets these records take minutes.
"""

import json
import time
from functools import partial

import pytest

from assay.records import Block
from assay.report import explanation
from assay.report.explanation import PLAIN, Pictures, pieces, walk
from assay.report.markup import Rendering, as_html, highlight
from assay.results.serialize import CHILDREN, RECORD_CHARS, record_from_json

SECONDS = 6.0
LEAST = {"test": "a.T", "model": "m", "epoch": 1, "outcome": "pass"}


def rendered(*blocks):
    begin = time.process_time()
    found = pieces(Block("group", children=blocks), Pictures())
    return found, time.process_time() - begin


def program(number, line="x\n"):
    """Java of one letter a line is what its lexer is slowest with."""
    return Block("code", "", f"// {number}\n" + line * (7_900 // len(line)), language="java")


def reply(number, line):
    return Block("chat", "", f"{number}\n\n" + line * (49_000 // len(line)), role="assistant")


def fences(number):
    block = "```java\n" + f"// {number}\n" + "x\n" * 3_900 + "```\n"
    return Block("chat", "", block * 6, role="assistant")


@pytest.mark.parametrize(
    "blocks",
    [
        [program(number) for number in range(125)],
        [reply(number, "*_a_*") for number in range(20)],
        [reply(number, "> - a\n") for number in range(20)],
        [reply(number, "|a|b|\n|-|-|\n|c|d|\n\n") for number in range(20)],
        [reply(number, "|a" * 6_000 + "|\n" + "|-" * 6_000 + "|\n" + "a|\n" * 8_000) for number in range(20)],
        [fences(number) for number in range(20)],
    ],
    ids=["java", "emphasis", "lists", "tables", "a huge table", "fences"],
)
def test_a_record_is_rendered_within_its_budget_and_then_shown_plain(blocks, monkeypatch):
    monkeypatch.setattr(explanation, "Rendering", partial(Rendering, 0.3))
    found, seconds = rendered(*blocks)
    assert seconds < SECONDS
    assert found[0].text == PLAIN and len(found) == 1 + len(blocks)
    assert all(piece.tree or piece.text for piece in found)


def test_a_usual_record_is_rendered_whole():
    found, _ = rendered(*(Block("chat", "", f"**{number}**", role="assistant") for number in range(200)))
    assert all(piece.tree[0][2][0] == "strong" for piece in found)


def test_what_is_shown_plain_is_escaped():
    spent = Rendering(characters=0)
    assert spent.markdown("<script>") == [["pre", "", "<script>"]]
    assert spent.highlight("<script>", "python") == ["<script>"]
    assert "&lt;script" in as_html(highlight("<script>\n" + "x\n" * 3_900, "java"))


def nested(depth):
    block = {"kind": "text", "body": "deepest"}
    for _ in range(depth):
        block = {"kind": "group", "title": "t", "children": [block]}
    return block


@pytest.mark.parametrize(
    "reason",
    [
        nested(400),
        {"kind": "group", "children": [{"kind": "text", "body": "b"}] * 300_000},
        {"kind": "group", "children": [{"kind": "text", "body": "b" * 1_000_000}] * 30},
        {"kind": "group", "title": "t" * 10_000_000, "children": []},
    ],
    ids=["deep", "many", "long", "a long title"],
)
def test_of_a_record_no_more_is_read_than_is_ever_written(reason):
    line = {**LEAST, "reason": reason}
    record = record_from_json(json.loads(json.dumps(line)))
    blocks = [block for _, block in walk(record.reason)]
    assert len(blocks) <= 3 * CHILDREN
    assert sum(len(block.body) + len(block.title) for block in blocks) <= 3 * RECORD_CHARS
    assert max(depth for depth, _ in walk(record.reason)) < 60
    with pytest.raises(ValueError, match="too long for a name"):
        record_from_json({**line, "suite": "s" * 10**6})


def test_a_record_of_our_own_comes_back_whole():
    reason = {"kind": "group", "children": [{"kind": "text", "body": str(number)} for number in range(1_050)]}
    assert len(record_from_json({**LEAST, "reason": reason}).reason.children) == 1_050
