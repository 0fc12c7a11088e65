"""Which texts of rows of data are numbers, and how they are written."""

import csv

from assay.records import Outcome, TrialRecord
from assay.results.export.csv_file import write_csv
from assay.results.export.rows import as_number, numbers
from assay.results.export.source import Source
from assay.results.store import Results
from testing.export.recorded import keep


def test_numbers_are_those_that_lose_nothing():
    texts = ["0", "-7", "2.5", "2.0", "9007199254740991"]
    assert [as_number(text) for text in texts] == [0, -7, 2.5, 2.0, 2**53 - 1]
    codes = ["007", "1e5", "3.10", "1_000", " 1", "+1", "-0", "nan", "inf", "1,5", "9" * 20, "9" * 6000, ""]
    assert {as_number(text) for text in codes} == {None} and as_number(True) is None


def test_a_column_is_of_numbers_if_every_cell_is_one():
    assert numbers(["1", "", None, "2.5", 3]) == [1, None, None, 2.5, 3]
    for other in (["1", "007"], [1, True], ["", None], [2**60]):
        assert numbers(other) is other


def test_a_whole_number_is_whole_in_csv(tmp_path):
    record = TrialRecord("a.T", "m", 1, Outcome.PASS, extra={"row": {"digits": 6, "share": "2.5"}})
    keep(Results(tmp_path), "c", [record])
    write_csv(Source(Results(tmp_path).files()), tmp_path / "a.csv")
    names, cells = csv.reader((tmp_path / "a.csv").read_text("utf-8").splitlines())
    assert dict(zip(names, cells, strict=True)).items() >= {("row_digits", "6"), ("row_share", "2.5")}
