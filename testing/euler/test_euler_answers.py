"""Which line a program says its answer in, and when that line is the answer."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records import OUTPUT_TAIL
from tests.euler import answers, facts, flags, leaderboard, markup, nodes, series
from tests.euler.answers import is_answer, last_line, number_in


@pytest.mark.parametrize(
    "module", [answers, facts, flags, leaderboard, markup, nodes, series], ids=lambda m: m.__name__
)
def test_the_examples_in_the_code_hold(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("stdout", "line"),
    [
        (b"", ""),
        (b"\n \t\r\n", ""),
        (b"1\n2\n", "2"),
        (b"1\n2", "2"),
        (b"1\r\n2\r\n\r\n", "2"),
        (b"1\r2\r", "2"),
        (b"1\r\n  2 \t\n\n   \n", "2"),
        (b"a\x0b2\n", "a\x0b2"),  # a vertical tab ends no line
        ("a\u20282\n".encode(), "a\u20282"),  # nor does Unicode's separator
        (b"\xff42\n", "\ufffd42"),
        (b"42\n\xc3\n", "\ufffd"),
    ],
)
def test_the_last_line_that_is_not_empty_counts(stdout, line):
    assert last_line(stdout) == line


def test_of_an_output_whose_middle_is_cut_only_whole_lines_of_the_end_count():
    head = b"7" * 1000
    assert last_line(head + b"x" * (OUTPUT_TAIL - 4) + b"\n42\n", truncated=True) == "42"
    half = b"33168" + b"\n" * (OUTPUT_TAIL - 5)  # of a line that began with other digits
    assert last_line(head + half, truncated=True) == ""
    assert last_line(head + b"\n" * OUTPUT_TAIL, truncated=True) == "", "what was cut may have said more"


@pytest.mark.parametrize(
    ("said", "answer", "right"),
    [
        ("233168", "233168", True),
        ("+233168", "233168", True),
        ("000233168", "233168", True),
        ("233168n", "233168", True),
        ("233168nn", "233168", False),
        ("233168.0", "233168", True),
        ("233168.000", "233168", True),
        ("233168.", "233168", True),
        ("7.65765E7", "76576500", True),
        ("7.65765e+07", "76576500", True),
        ('"233168"', "233168", True),
        ("'233168'", "233168", True),
        ("\u201c233168\u201d", "233168", True),
        ("233,168", "233168", True),
        ("233_168", "233168", True),
        ("1,234,567", "1234567", True),
        ("233168N", "233168", True),
        ("233168M", "233168", True),
        ("-59231", "-59231", True),
        ("59231", "-59231", False),
        ("0.4643990", "0.464399", True),
        ("0.464399M", "0.464399", True),
        ("0.46439900001", "0.464399", False),
        ("233168.0000001", "233168", False),
        ("2.33168000000001E5", "233168", False),
        ("1.200856722E263", "1.200856722e263", True),
        ("1,13717420,8", "1,13717420,8", True),
        ('"1,13717420,8"', "1,13717420,8", True),
        ("1137174208", "1,13717420,8", False),
        ("123/59", "123/59", True),
        ("246/118", "123/59", False),
        ("2,33168", "233168", False),
        ("233,16", "233168", False),
        ("1,234_567", "1234567", False),
        ("233168 ms", "233168", False),
        ("the answer is 233168", "233168", False),
        ("[233168]", "233168", False),
        ("233168L", "233168", False),
        ("0x38ED0", "233168", False),
        ("\u0662\u0663\u0663\u0661\u0666\u0668", "233168", False),  # other digits than 0 to 9
        ("100", "10", False),
        ("1", "10", False),
        ("", "233168", False),
        ("nan", "nan", True),
        ("inf", "233168", False),
        ("3d58725572c62302", "3D58725572C62302", False),
        ("1e999999999", "233168", False),
        ("9" * 100_000, "233168", False),
    ],
)
def test_the_same_text_or_the_very_same_number(said, answer, right):
    assert is_answer(said, answer) is right


@given(st.integers(-(10**40), 10**40))
def test_a_whole_number_is_itself_in_every_way_to_write_it(number):
    for text in (
        f"{number}",
        f"{number:,}",
        f"{number:_}",
        f"{number}.0",
        f"{number}N",
        f'"{number}"',
        f" {number} ",
    ):
        assert number_in(text) == number, text


@given(st.integers(0, 10**20), st.integers(0, 10**20))
def test_no_other_number_passes(a, b):
    assert is_answer(f"{a:,}.00", str(b)) is (a == b)
