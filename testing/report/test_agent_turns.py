"""The turns of an agent in a trial's page: one line each, opened by a click."""

from assay.records import Block
from assay.report.explanation import Pictures, as_data, pieces


def test_a_folded_group_is_a_line_that_can_be_opened():
    inside = Block("group", "reasoning", children=(Block("text", "", "hm\n" * 5),), folded=True)
    turn = Block("group", "turn 1: shell: a: b (exit 1)", children=(inside,), folded=True, passed=False)
    found = as_data(pieces(Block("group", "AgentRun", children=(turn,)), Pictures()))
    assert [
        (each["kind"], each.get("title"), each.get("text")) for each in found if each["kind"] == "round"
    ] == [
        ("round", "turn 1", "shell: a: b (exit 1)"),
        ("round", "reasoning", None),
    ]
    assert [each["kind"] for each in found].count("close") == 3
    assert found[1]["role"] == "failed" and "role" not in found[2]
