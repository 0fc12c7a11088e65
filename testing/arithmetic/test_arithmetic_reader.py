"""The number reader: every dressing reads back exactly, and no text makes it raise or dawdle."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.arithmetic.dressings import DRESSINGS
from tests.arithmetic.reader import MOST_DIGITS, lenient, strict

NUMBERS = st.builds(
    lambda coefficient, places: (
        Decimal(coefficient).scaleb(-places, None) if places else Decimal(coefficient)
    ),
    st.integers(-(10**27), 10**27),
    st.integers(0, 4),
)
PIECES = (
    *("0", "1", "12", "407", "58", ".", ",", "-", "+", "\u2212", "e", "E", "×", "10", "^", "{", "}", "{,}"),
    *("\\boxed{", "\\frac{", "\\times", "\\cdot", "\\,", "\\!", "\\(", "\\]", "\\", "(4)", "(", ")"),
    *("*", "$", "⁻", "⁵", "`"),
    *(" ", "\n", "\u2009", "\u202f", "<think>", "</think>", "think>", "answer", "🙂", "٣", "\x00", "\ud800"),
)  # fmt: skip


@pytest.mark.parametrize("name", DRESSINGS)
@given(number=NUMBERS)
@settings(max_examples=60, deadline=None)
def test_a_number_in_any_dressing_reads_back_exactly(name: str, number: Decimal) -> None:
    reply = DRESSINGS[name](number)
    assert lenient(reply) == number, reply


@given(number=NUMBERS, before=st.text("abc <>=:\n", max_size=10))
@settings(deadline=None)
def test_the_bare_number_at_the_end_is_in_the_format(number: Decimal, before: str) -> None:
    assert strict(f"{before} {number:f}\n") == number


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)))
@settings(max_examples=1500, deadline=None)
def test_no_text_makes_it_raise(text: str) -> None:
    for read in (lenient, strict):
        number = read(text)
        assert number is None or not number.is_finite() or abs(number.adjusted()) <= MOST_DIGITS


@pytest.mark.parametrize(
    "piece",
    [
        *PIECES,
        "\\frac{1}{2}",
        "\\frac{",
        "\\boxed{1}",
        "1.1",
        "1 1",
        "{}",
        "<think>1</think>",
        "1,234",
        "1e9",
    ],
)
@pytest.mark.parametrize("end", ["", "x", "7"])
def test_time_grows_with_length_and_not_faster(piece: str, end: str) -> None:
    """A quadratic step would take minutes over so many pieces; nothing here takes more than a moment."""
    begin = time.monotonic()
    text = piece * (300_000 // len(piece)) + end
    lenient(text)
    strict(text)
    assert time.monotonic() - begin < 10


def reads(text: str) -> str:
    number = lenient(text)
    return "nothing" if number is None else f"{number:f}"


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("407.58", "407.58"),
        ("It is 12, no, 13.", "13"),
        ("1. Add them.\n2. 30 + 12 = 42", "42"),
        ("Step 2. 42", "42"),
        ("12,34", "34"),  # no group of three
        ("1,2345", "2345"),
        ("3.14e2", "314"),
        ("10^3", "1000"),
        ("2×10^3 kg", "2000"),
        ("2 x 10⁵", "200000"),
        ("5²", "5"),
        ("-.5", "-0.5"),
        ("+7", "7"),
        ("a-7", "-7"),
        ("9-7", "7"),
        ("**-** 123", "-123"),
        (r"\boxed{\{42\}}", "42"),
        (r"\boxed{\boxed{42}}", "42"),
        (r"\boxed{x = 42, y = 7} 8", "42"),
        (r"\boxed{42", "42"),
        (r"\boxed{} 42", "nothing"),
        (r"\boxed 42", "42"),
        (r"\boxed{\frac{1}{2}}", "1"),
        (r"\frac{84}{2}", "nothing"),
        (r"42 = \dfrac{84}{\frac{4}{2}}", "42"),
        (r"\frac{84}", "84"),
        ("<think>1</think>2<think>3</think>", "2"),
        ("1</think>\n2", "2"),
        ("<think>1</think>", "nothing"),
        ("Is it 1? No.</think>\nI do not know.", "nothing"),
        ("(42)", "42"),
        ("about 1.5(42) m, f(4)", "4"),
        ("٣", "nothing"),  # other digits than ours
        ("", "nothing"),
    ],
)
def test_what_it_reads(reply: str, number: str) -> None:
    assert reads(reply) == number


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        (" -12 \n", "-12"), ("= 12.5", "12.5"), ("It is 12.", "12"), ("12 apples", None), ("**12**", None),
        (r"\boxed{12}", None), ("1,234", "234"), ("1.2.3", "2.3"), ("\u221212", "12"), (".5", "5"),
        ("", None),
        ("<think>12", "12"), ("5-3", "-3"), ("- 12", "12"), ("١٢", None),
    ],
)  # fmt: skip
def test_the_strict_reading_forgives_nothing(reply: str, number: str | None) -> None:
    assert strict(reply) == (None if number is None else Decimal(number))


@pytest.mark.parametrize(
    "reply",
    ["1e999999999", "1e-999999999", "1e" + "9" * 1000, "9" * 301, "0." + "1" * 1000, "1" + "0" * 4000,
     "5 × 10^999999", "2e300", "8" * 1_000_000, "1e301"],
)  # fmt: skip
def test_what_would_hang_arithmetic_is_infinite(reply: str) -> None:
    assert lenient(reply) == Decimal("Infinity")
    assert lenient("-" + reply) == Decimal("-Infinity")
    assert lenient("9" * 300) == Decimal("9" * 300), "as large as they may be"
