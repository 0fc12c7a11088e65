"""Nodes whose output is the verdict."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import NodeError
from assay.language import judge
from assay.language.apart import LONGEST, SHORT
from assay.language.judge import difference, integers
from assay.language.printed import Printed, Streams
from evaluator import (
    ContainsIntEvaluator,
    EqualEvaluator,
    JSONSubsetEvaluator,
    RegexEvaluator,
    SubstringEvaluator,
)
from testing.language.pipeline import run

YES, NO = True, False


@pytest.mark.parametrize("goal", ["{a: 1}", "", {1, 2}])
def test_a_goal_that_is_not_json_is_told_where_it_is_written(goal):
    with pytest.raises(NodeError, match=r"JSONSubsetEvaluator: .* is not JSON"):
        JSONSubsetEvaluator(goal)
    for later in ("<goal>", '{"a": <n>}'):  # of Rows
        JSONSubsetEvaluator(later)


@pytest.mark.parametrize(
    ("goal", "value", "said"),
    [
        (42, "42", "output (text) differs from 42 (int); it was '42'"),
        ("42", 42, "output (int) differs from '42' (text)"),
        ("42", "43", "output differs from '42'; it was '43'"),
    ],
)
def test_a_number_that_differs_from_a_text_is_said_to_be_one(goal, value, said):
    assert run(EqualEvaluator(goal), value).blocks[0].body.startswith(said)


NO_MATCH = "the run failed, and with its error messages the output does not match /^42$/"
EQUALS_NOTHING = "the program printed '42', but a failed run equals nothing"


@pytest.mark.parametrize(
    ("node", "error", "notes", "said"),
    [
        (EqualEvaluator("42"), "Runtime error 216", (), EQUALS_NOTHING),
        (EqualEvaluator("42"), "", ("[killed: out of memory]",), EQUALS_NOTHING),
        (RegexEvaluator("^42$"), "Trap", (), NO_MATCH),
    ],
)
def test_a_failed_run_that_printed_what_is_wanted_is_not_said_to_differ(node, error, notes, said):
    ran = run(node, Printed.of(Streams("42\n", "", error, notes, ok=False)))
    assert ran.output is False and ran.blocks[0].body.startswith(
        f"{said}; all that was printed, errors too: "
    )


@pytest.mark.parametrize(
    ("node", "value", "passed"),
    [
        (SubstringEvaluator("hello"), "say hello\n", YES),
        (SubstringEvaluator("hello"), "Hello", NO),
        (SubstringEvaluator("Hello", lower=True), "HELLO", YES),
        (SubstringEvaluator("1"), b"\xff1", YES),
        (SubstringEvaluator("7"), 7, YES),
        (SubstringEvaluator(""), "", YES),
        (RegexEvaluator(r"a.c"), "xxabcxx", YES),
        (RegexEvaluator(r"A.C"), "abc", NO),
        (RegexEvaluator(r"A.C", ignore_case=True), "abc", YES),
        (RegexEvaluator(r"^b$"), "a\nb", NO),
        (RegexEvaluator(r"^42$"), "42\n", YES),
        (ContainsIntEvaluator(42), "The answer is 42.", YES),
        (ContainsIntEvaluator(42), "142 or 420", NO),
        (ContainsIntEvaluator(42), "**42**", YES),
        (ContainsIntEvaluator(42), "42.0", YES),
        (ContainsIntEvaluator(42), "42.5", NO),
        (ContainsIntEvaluator(42), "-42", NO),
        (ContainsIntEvaluator(-42), "x = -42", YES),
        (ContainsIntEvaluator(-42), "\u221242", YES),
        (ContainsIntEvaluator(1234567), "1,234,567 people", YES),
        (ContainsIntEvaluator(567), "1,234,567", NO),
        (ContainsIntEvaluator(2), "1, 2, 3", YES),
        (ContainsIntEvaluator(2), "[1,2,3]", YES),
        (ContainsIntEvaluator(86), "x86", NO),
        (ContainsIntEvaluator(5), "takes 5s", YES),
        (ContainsIntEvaluator(1), "1" * 10_000, NO),
        (ContainsIntEvaluator(42), "-----\n42", YES),
        (ContainsIntEvaluator(42), "- 42", YES),
        (ContainsIntEvaluator(42), "-----42", YES),
        (ContainsIntEvaluator(42), "rows - 42", YES),
        (ContainsIntEvaluator(-42), "rows -42", YES),
        (ContainsIntEvaluator(-42), "(-42)", YES),
        (ContainsIntEvaluator(-7), "it is \u22127.", YES),
        (ContainsIntEvaluator(42), "50-42", YES),
        (ContainsIntEvaluator(200), "[100,200,300]", YES),
        (ContainsIntEvaluator(-200), "[[1],[100,-200,300]]", YES),
        (ContainsIntEvaluator(100200300), "[100,200,300]", NO),
        (ContainsIntEvaluator(1234), r"\boxed{1,234}", YES),
        (ContainsIntEvaluator(1234), "[1] 1,234 [2]", YES),
        (ContainsIntEvaluator(1234), "1,234.00 in all", YES),
        (ContainsIntEvaluator(1234), "the 1,234th", YES),
        (ContainsIntEvaluator(1234), "1,234.5", NO),
        (ContainsIntEvaluator(1234), "1\u202f234", YES),
        (ContainsIntEvaluator(1234), "1_234", YES),
        (EqualEvaluator("42"), "42\n", YES),
        (EqualEvaluator("42"), "421", NO),
        (EqualEvaluator("Straße", ignore_case=True), "STRASSE\n", YES),
        (EqualEvaluator("Paris"), "paris", NO),
        (EqualEvaluator("1\n2"), "1\r\n2\r\n", YES),
        (EqualEvaluator("1\r\n2"), "1\n2", NO),
        (SubstringEvaluator("1\n2"), "0\r\n1\r\n2", YES),
        (EqualEvaluator(42), 42, YES),
        (EqualEvaluator([1, 2]), [1, 2], YES),
        (EqualEvaluator("4 2"), "42", NO),
        (JSONSubsetEvaluator({"a": 1}), '{"a": 1, "b": 2}', YES),
        (JSONSubsetEvaluator({"a": 1}), {"a": 1.0}, YES),
        (JSONSubsetEvaluator({"a": 1}), {"a": True}, NO),
        (JSONSubsetEvaluator({"a": None}), {}, NO),
        (JSONSubsetEvaluator({"a": {"b": [1]}}), {"a": {"b": [3, 2, 1], "c": 0}}, YES),
        (JSONSubsetEvaluator([1, 1]), "[1]", NO),
        (JSONSubsetEvaluator([{"x": 1}, {"x": 1, "y": 2}]), [{"x": 1, "y": 2}, {"x": 1}], YES),
        (JSONSubsetEvaluator([1, 2]), "[2, 3]", NO),
        (JSONSubsetEvaluator('{"a": 1}'), {"a": 1}, YES),
        (JSONSubsetEvaluator({"a": (1, 2)}), {"a": [1, 2]}, YES),
        (JSONSubsetEvaluator({"a": 1}), '[{"a": 1}]', NO),
    ],
)
def test_verdict(node, value, passed):
    ran = run(node, value)
    assert ran.output is passed
    (block,) = ran.blocks
    assert (block.kind, block.passed, block.title) == ("verdict", passed, type(node).__name__)


def test_a_failed_verdict_shows_a_short_excerpt_of_what_was_judged():
    (block,) = run(SubstringEvaluator("needle"), "hay " * 1000).blocks
    assert "'needle'" in block.body and "hay hay" in block.body and len(block.body) < 400


def test_a_pattern_shows_whether_case_counts():
    bodies = [run(RegexEvaluator("^a", ignore_case=True), text).blocks[0].body for text in ("ABC", "b")]
    assert bodies == ["output matches /^a/i with 'A'", "output does not match /^a/i; it was 'b'"]
    assert run(RegexEvaluator("^a"), "abc").blocks[0].body == "output matches /^a/ with 'a'"


def test_a_missing_key_is_named_with_its_place():
    said, inside = "the output's JSON", "in the output's JSON, "
    assert difference({"a": 1}, {"b": 1}) == f"{said} lacks the key 'a'"
    assert difference({"a": 1}, [1]) == f"{said} should be an object, is [1]"
    people = {"people": [{"name": "Ann"}]}, {"people": [{"name": "Bob"}]}
    assert difference(*people) == f'{inside}people lacks the item {{"name": "Ann"}}'
    assert difference({"a": {"b": 1}}, {"a": {"b": 2}}) == f"{inside}a.b should be 1, is 2"
    assert difference({"a": 1}, {"a": "1"}) == f'{inside}a should be 1, is "1"'
    assert difference({"a": "no"}, {"a": None}) == f'{inside}a should be "no", is null'
    assert difference([{"a": "\u00e9"}], [1]) == f'{said} lacks the item {{"a": "\u00e9"}}'
    assert difference({}, ["x" * 99]).endswith(" ... (103 characters)")


@pytest.mark.slow(2)
def test_the_numbers_of_a_long_text_are_not_read_in_this_process(monkeypatch):
    monkeypatch.setattr(judge, "integers", lambda text: pytest.fail("read here"))
    for length in (SHORT, LONGEST):
        assert run(ContainsIntEvaluator(42), "1," * length + " 42").output is True
        assert run(ContainsIntEvaluator(43), "1," * length + " 42").output is False


@given(st.lists(st.integers(-(10**12), 10**12)))
def test_integers_are_read_back_from_any_list(numbers):
    assert integers("; ".join(map(str, numbers))) == numbers
    assert integers("; ".join(f"{number:,}" for number in numbers)) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "1" * 10**6,
        "1." * 500_000,
        "-" * 10**6,
        "1," * 500_000,
        "1,000" * 200_000,
        "1a" * 500_000,
        "1" + ",000" * 200_000 + "x1",
        "[1," * 300_000,
        "1_000" * 200_000 + "x1",
    ],
    ids=lambda text: text[:8],
)
def test_hostile_numbers_are_read_in_time(text):
    began = time.process_time()
    integers(text)
    assert time.process_time() - began < 5


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=12,
)


@given(JSON, JSON, st.randoms())
def test_a_value_with_more_in_it_still_has_all_of_the_goal(goal, extra, rng):
    def grown(value):
        if isinstance(value, dict):
            return {**{key: grown(each) for key, each in value.items()}, "extra": extra}
        if isinstance(value, list):
            items = [*map(grown, value), extra]
            rng.shuffle(items)
            return items
        return value

    assert difference(goal, grown(json.loads(json.dumps(goal)))) == ""


@given(st.lists(JSON, min_size=1, max_size=4))
def test_a_list_with_an_item_less_is_not_enough(items):
    assert difference(items, items[:-1]) != ""
