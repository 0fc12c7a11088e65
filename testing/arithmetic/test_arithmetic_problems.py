"""The problems: in their ranges, exact, and the same for everyone who has the seed."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.arithmetic.problems import SEED, VARIANTS, Cell, cells, depths_of

CELLS = st.builds(Cell, st.sampled_from(VARIANTS), st.integers(1, 30), st.integers(0, 10**6))


@given(cell=CELLS, epoch=st.integers(1, 50))
@settings(max_examples=400, deadline=None)
def test_operands_lie_in_their_range_and_the_answer_is_exact(cell: Cell, epoch: int) -> None:
    problem = cell.problem(epoch)
    kind, _, operation = cell.variant.partition("_")
    left, right = (Fraction(each) for each in problem.operands)
    low, high = 10 ** (cell.depth - 1), 10**cell.depth - 1
    if kind == "float":
        assert all(f"{each:f}"[-3] == "." for each in problem.operands), "always two decimals"
    else:
        assert all(isinstance(each, int) for each in (*problem.operands, problem.correct))
    assert low <= right <= high
    if operation == "div":
        quotient = left / right
        assert quotient.denominator == 1 and quotient == Fraction(problem.correct)
        scale = 100 if kind == "float" else 1
        assert scale * low <= quotient <= scale * high
        assert kind == "int" or len(str(int(quotient))) == cell.depth + 2
    else:
        assert low <= left <= high
        exact = {"add": left + right, "sub": left - right, "mul": left * right}[operation]
        assert Fraction(problem.correct) == exact
    if kind == "float":
        places = 4 if operation in ("mul", "div") else 2
        assert isinstance(problem.correct, Decimal) and -places == problem.correct.as_tuple().exponent


def test_the_seed_decides_and_nothing_else() -> None:
    cell = Cell("int_mul", 6)
    assert [cell.problem(n) for n in range(1, 5)] == [
        Cell("int_mul", 6, SEED).problem(n) for n in range(1, 5)
    ]
    assert len({cell.problem(n).operands for n in range(1, 200)}) == 199
    assert cell.problem(1) != Cell("int_mul", 6, SEED + 1).problem(1)
    assert cell.problem(1).operands != Cell("int_add", 6).problem(1).operands


def test_the_problems_stay_what_they_are() -> None:
    """A run can be resumed, and models compared, across versions of Assay and Python."""
    assert [Cell(variant, 4).problem(3).expression for variant in VARIANTS] == [
        *("3050 + 6027", "1330 - 2564", "8810 × 5511", "48301945 ÷ 7615"),
        *("7576.18 + 8324.26", "6540.00 - 5213.68", "1835.67 × 1347.27", "3700611049.98 ÷ 4039.62"),
    ]


def test_differences_of_both_signs() -> None:
    found = [
        Cell(variant, 3).problem(n).correct for variant in ("int_sub", "float_sub") for n in range(1, 30)
    ]
    assert min(found) < 0 < max(found)


def test_the_question() -> None:
    first, second = Cell("float_div", 2).problem(1).question.split("\n")
    assert "only the numeric result" in first and "no explanation" in first
    assert second.startswith("   ") and second[3] != " " and " ÷ " in second and second.count(" ") == 5
    assert [cell.variant for cell in cells((2, 3))][::2] == list(VARIANTS)


@pytest.mark.parametrize("text", ["", "a", "5-2", "0-3", "1-101", "2-", "-3", "2--3", "3;4", "²"])
def test_lists_of_depths_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"depths"):
        depths_of(text)
