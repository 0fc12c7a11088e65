"""ExtractCode and ExtractJSON."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language import extract as module
from assay.language.apart import SHORT
from assay.language.dsl import NoOutput
from assay.language.extract import json_readings
from evaluator import ExtractCode, ExtractJSON, JSONSubsetEvaluator, SubstringEvaluator
from testing.language.pipeline import ScriptedModel, run

TWO = "Install:\n```bash\npip install x\n```\nThen:\n```python\nimport x\n```"


def extract(reply, node=ExtractCode(), *answers):  # noqa: B008 - frozen
    model = ScriptedModel(*answers)
    return run(node, reply, llm=model), model


def test_the_only_block_needs_no_question():
    ran, model = extract("Sure:\n```python\nprint(1)\n```")
    assert (ran.output, model.asked) == ("print(1)\n", [])
    assert ran.blocks[0].children[0].language == "python"


@pytest.mark.parametrize("lang", ["python", "py", "Python3"])
def test_the_only_block_in_the_asked_language(lang):
    assert extract(TWO, ExtractCode(lang=lang))[0].output == "import x\n"


def test_a_language_without_a_row_is_asked_for_by_its_label():
    page = "```css\na{}\n```\n```html\n<p>\n```"
    assert extract(page, ExtractCode(lang="HTML"))[0].output == "<p>\n"


def test_the_only_unlabelled_block_if_none_says_the_language():
    assert extract("```\nx = 1\n```\n```text\n1\n```", ExtractCode(lang="python"))[0].output == "x = 1\n"


def test_repeated_blocks_are_one():
    assert extract("```py\nx\n```\nagain:\n```py\nx\n```")[0].output == "x\n"


def test_the_postfix_is_appended():
    assert extract("```py\nx\n```", ExtractCode(postfix="\nf()"))[0].output == "x\n\n\nf()"


def test_an_unclear_reply_is_asked_about():
    ran, model = extract(TWO, ExtractCode(), "```python\nimport x\n```")
    assert ran.output == "import x\n"
    (asked,) = model.asked
    assert len(asked) == 1 and TWO in asked[0].content
    assert "main function" in asked[0].content
    assert "unclear which of 2 blocks" in ran.text


def test_keep_main_asks_for_a_complete_file_and_postfix_is_mentioned():
    assert (
        "complete file" in extract(TWO, ExtractCode(keep_main=True), "```py\nx\n```")[1].asked[0][0].content
    )
    asked = extract(TWO, ExtractCode(postfix="check()"), "```py\nx\n```")[1].asked[0][0].content
    assert "check()" in asked


def test_manual_is_the_prompt():
    _, model = extract(TWO, ExtractCode(manual="Only the shell part of: <A>"), "```sh\nls\n```")
    assert model.asked[0][0].content == f"Only the shell part of: {TWO}"


def test_a_second_reply_without_fences_is_taken_whole():
    assert extract(TWO, ExtractCode(), "import x")[0].output == "import x"


def test_a_long_second_reply_is_not_read_in_this_process(monkeypatch):
    monkeypatch.setattr(module, "looks_like_code", lambda *asked: pytest.fail("read here"))
    assert extract("no code" * SHORT, ExtractCode(), "1," * SHORT)[0].output == "1," * SHORT


def test_a_second_reply_with_several_blocks_gives_several_readings():
    ran, _ = extract(
        "no code", ExtractCode(lang="python"), "```sh\nlonger than it\n```\n```py\na\n```\n```py\nbcd\n```"
    )
    assert ran.outputs == ["bcd\n", "a\n", "longer than it\n"]


def test_the_second_reading_can_pass():
    test = ExtractCode() >> SubstringEvaluator("right")
    assert run(test, TWO, llm=ScriptedModel("```\nthe longer one\n```\n```\nright\n```")).outputs == [
        False,
        True,
    ]


@pytest.mark.parametrize("reply", ["", "  \n", "<think>hmm"])
def test_an_empty_reply_is_a_fail_without_a_question(reply):
    ran, model = extract(reply)
    assert isinstance(ran.output, NoOutput) and model.asked == []


@pytest.mark.parametrize(
    ("reply", "lang"),
    [
        ("print('hello')", None),
        ("def f(x):\n    return x\n", "python"),
        ("#include <stdio.h>\nint main() { return 0; }", "c"),
        ("#!/bin/sh\nls", None),
        ("SELECT * FROM t;", "sql"),
        ("<!DOCTYPE html><html></html>", "html"),
    ],
)
def test_a_reply_that_is_a_program_is_taken_whole(reply, lang):
    assert extract(reply, ExtractCode(lang=lang))[0].output == reply


@pytest.mark.parametrize(
    "reply",
    [
        "I cannot help with that.",
        "No",
        "Sorry",
        "Use a loop; it is easy.",
        "yes, it is",
        "int values are nice",
    ],
)
def test_prose_is_asked_about(reply):
    _, model = extract(reply, ExtractCode(), "```py\nx\n```")
    assert len(model.asked) == 1


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("reply", "readings"),
    [
        ('{"a": 1}', ['{"a": 1}']),
        ('Here: {"a": "}{"} ok', ['{"a": "}{"}']),
        ('```json\n{"a": [1]}\n```', ['{"a": [1]}']),
        ('[1] says {"a": {"b": 2}} or {"c": 3}', ['{"a": {"b": 2}}', '{"c": 3}', "[1]"]),
        ('```\n{"small": 1}\n```\n```json\n{"x": 2}\n```', ['{"x": 2}', '{"small": 1}']),
        ('<think>{"no": 1}</think>{"yes": 1}', ['{"yes": 1}']),
        ("{} ", ["{}"]),
        ('{broken {"a": 1}', ['{"a": 1}']),
    ],
)
def test_json_readings_best_first(reply, readings):
    ran = run(ExtractJSON(), reply, llm=ScriptedModel())
    assert [json.loads(found) for found in ran.outputs] == [json.loads(found) for found in readings]


def test_json_backtracks_to_the_reading_that_fits():
    test = ExtractJSON() >> JSONSubsetEvaluator({"c": 3})
    assert run(test, '{"example": "the long one"} but really {"c": 3}').outputs == [False, True]


def test_no_json_is_asked_about_in_json_mode():
    model = ScriptedModel('{"a": 1}')
    assert run(ExtractJSON(), "a is one", llm=model).output == '{"a": 1}'
    assert model.json == [True] and "a is one" in model.asked[0][0].content


def test_no_json_in_the_second_reply_either_is_a_fail():
    assert isinstance(run(ExtractJSON(), "a is one", llm=ScriptedModel("no")).output, NoOutput)
    assert isinstance(run(ExtractJSON(), "", llm=ScriptedModel()).output, NoOutput)


def test_an_object_passes_through():
    assert json.loads(run(ExtractJSON(), {"a": [1]}).output) == {"a": [1]}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=5), VALUES, min_size=1, max_size=4),
    st.sampled_from("ab.:\n "),
    st.booleans(),
)
def test_an_object_is_found_inside_prose(value, around, pretty):
    text = json.dumps(value, indent=2 if pretty else None, ensure_ascii=False)
    found = [json.loads(reading) for reading, _ in json_readings(f"Well{around}{text}{around}so")]
    assert value in found


@pytest.mark.parametrize(
    "reply", ["[" * 100_000, '{"a":' * 50_000, '{"' * 100_000, "[1]" * 100_000, "9" * 100_000, "{}" * 50_000]
)
def test_hostile_json_is_read_in_time(reply):
    began = time.process_time()
    list(json_readings(reply))
    assert time.process_time() - began < 10
