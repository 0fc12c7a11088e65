"""Fenced blocks by CommonMark's rules, and thinking."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.fences import drop_thinking, fenced_blocks


def codes(text):
    return [block.code for block in fenced_blocks(text)]


@pytest.mark.parametrize(
    ("text", "label", "code"),
    [
        ("```python\nx\n```", "python", "x\n"),
        ("~~~~ C++ \nx\n~~~~", "c++", "x\n"),
        ("````md\n```py\nx\n```\n````", "md", "```py\nx\n```\n"),
        ("```\nx\n`````", "", "x\n"),
        ("```py\r\nx\r\ny\r\n```\r\n", "py", "x\ny\n"),
        ("```py\nx\n", "py", "x\n"),
        ("text\n   ```py\n   def f():\n       pass\n   ```", "py", "def f():\n    pass\n"),
        ("1. Do:\n\n    ```py\n    x\n    ```\n", "py", "x\n"),
        ("- ```sh\n  ls\n  ```", "sh", "ls\n"),
        ("\t```py\n\tif x:\n\t\ty\n\t```", "py", "if x:\n\ty\n"),
        ("```{.python .numberLines}\nx\n```", "python", "x\n"),
        ('```python title="a.py"\nx\n```', "python", "x\n"),
        ("```python:src/a.py\nx\n```", "python", "x\n"),
        ("```py\n~~~\n```", "py", "~~~\n"),
        ("```py\n``` not the end\n```", "py", "``` not the end\n"),
        ('```py\n"""\n    ```\n"""\n```', "py", '"""\n    ```\n"""\n'),
        ("```py\n```", "py", ""),
        ("\ufeff```py\nx\n```", "py", "x\n"),
        ("Here: ```py\nx\n```\nIt prints 1.", "py", "x\n"),
        ("By `f` it is **so:**```\nx\n```\nIt prints 1.", "", "x\n"),
        ("```py\nx\ny```", "py", "x\ny\n"),
        ("```py\nx``` \nIt prints 1.", "py", "x\n"),
        ("```py\nx\n``` It prints 1.\nAnd no more.", "py", "x\n"),
    ],
)
def test_one_block(text, label, code):
    (block,) = fenced_blocks(drop_thinking(text))
    assert (block.label, block.code) == (label, code)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no fence",
        "``x``",
        "`````",
        "``` a `b` ```",
        "```x``` inline",
        "    \n",
        "it ends in ```\nx",
        "> ```py\n> x",
    ],
)
def test_no_block(text):
    assert codes(text) == []


def test_a_block_that_no_line_of_its_own_closes_ends_where_the_next_one_can_begin():
    assert codes("```a\n1```\nThen\n~~~b\n2\n~~~\n") == ["1\n", "2\n"]


def test_several_blocks_in_order():
    assert codes("```a\n1\n```\nand\n~~~b\n2\n~~~\n") == ["1\n", "2\n"]


@given(st.text("`~ab \n\t#", max_size=60))
def test_what_is_fenced_longer_than_anything_inside_comes_back_whole(code):
    fence = "`" * (3 + max(map(len, code.replace("`", " ` ").split()), default=0) + code.count("`"))
    assert codes(f"Here:\n{fence}py\n{code}\n{fence}\nDone.") == [f"{code}\n"]


@given(st.text("`~<>/think\n \t-1.ab"))
def test_any_text_can_be_read(text):
    list(fenced_blocks(drop_thinking(text)))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<think>a\nb</think>\n\nanswer", "answer"),
        ("<thinking>a</thinking>answer", "answer"),
        ("<THINK>a</THINK>answer", "answer"),
        ("<think>never closed", ""),
        ("a <b> c\n</think>\nanswer", "answer"),
        ("so it is.</think>\nanswer", "answer"),
        ("answer <think> is a tag", "answer <think> is a tag"),
        ("```py\n<think>\n</think>\n```", "```py\n<think>\n</think>\n```"),
        ("<think>```py\nwrong\n```</think>\n```py\nx\n```", "```py\nx\n```"),
        ("```py\nhalf\n</think>\n```py\nx\n```", "```py\nx\n```"),
        ("hello\n<think>more</think>\nanswer", "hello\nanswer"),
        ("no thinking", "no thinking"),
    ],
)
def test_thinking_is_dropped(text, kept):
    assert drop_thinking(text) == kept


@pytest.mark.parametrize(
    "text", ["<think></think>" * 50_000, "<think>\n" * 100_000, "</think>\n" * 100_000, "```\n" * 200_000]
)
def test_hostile_replies_are_read_in_time(text):
    began = time.process_time()
    list(fenced_blocks(drop_thinking(text)))
    assert time.process_time() - began < 5
