"""Which texts of rows of data are numbers."""

from assay.results.export.rows import as_number, numbers


def test_numbers_are_those_that_lose_nothing():
    texts = ["0", "-7", "2.5", "2.0", "9007199254740991"]
    assert [as_number(text) for text in texts] == [0, -7, 2.5, 2.0, 2**53 - 1]
    codes = ["007", "1e5", "3.10", "1_000", " 1", "+1", "-0", "nan", "inf", "1,5", "9" * 20, "9" * 6000, ""]
    assert {as_number(text) for text in codes} == {None} and as_number(True) is None


def test_a_column_is_of_numbers_if_every_cell_is_one():
    assert numbers(["1", "", None, "2.5", 3]) == [1, None, None, 2.5, 3]
    for other in (["1", "007"], [1, True], ["", None], [2**60]):
        assert numbers(other) is other
