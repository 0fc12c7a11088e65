"""Which texts of rows of data are numbers, and how they are written."""

import csv

import pytest

from assay.records import Outcome, TrialRecord
from assay.results.export.csv_file import write_csv
from assay.results.export.frame import frame_of
from assay.results.export.parquet_file import write_parquet
from assay.results.export.rows import as_number, numbers
from assay.results.export.source import Source
from assay.results.store import Results
from testing.export.recorded import keep


def test_numbers_are_those_that_lose_nothing():
    texts = ["0", "-7", "2.5", "2.0", "9007199254740991", "-1e+20"]
    assert [as_number(text) for text in texts] == [0, -7, 2.5, 2.0, 2**53 - 1, -1e20]
    codes = ["007", "1e5", "3.10", "1_000", " 1", "+1", "-0", "nan", "-inf", "1,5", "9" * 20, "9" * 6000, ""]
    assert {as_number(each) for each in (*codes, True, 2**53, float("nan"))} == {None}


def test_a_column_is_of_numbers_if_every_cell_is_one():
    assert numbers(["1", "", None, "2.5", 3]) == [1, None, None, 2.5, 3]
    assert numbers([1.5, "", 2.5]) == [1.5, None, 2.5]
    for other in (["1", "007"], [1, True], ["", None], [2**60]):
        assert numbers(other) is other


def test_a_whole_number_is_whole_in_csv(tmp_path):
    record = TrialRecord("a.T", "m", 1, Outcome.PASS, extra={"row": {"digits": 6, "share": "2.5"}})
    keep(Results(tmp_path), "c", [record])
    write_csv(Source(Results(tmp_path).files()), tmp_path / "a.csv")
    names, cells = csv.reader((tmp_path / "a.csv").read_text("utf-8").splitlines())
    assert dict(zip(names, cells, strict=True)).items() >= {("row_digits", "6"), ("row_share", "2.5")}


COLUMNS = {
    "number": ([1.5, "", 2.5], "float64", [1.5, None, 2.5]),
    "whole": ([1, None, 3], "float64", [1, None, 3]),
    "large": ([1e20, "", 0.5], "float64", [1e20, None, 0.5]),
    "truth": ([True, "", False], "boolean", [True, None, False]),
    "several": ([1, "x", True], "str", ["1", "x", "True"]),
    "text": (["a", "", "b"], "str", ["a", "", "b"]),
    "infinite": ([1, float("inf"), 2], "float64", [1, None, 2]),
}


def test_a_column_with_gaps_has_one_type_in_a_frame_and_in_parquet(tmp_path):
    pandas, parquet = pytest.importorskip("pandas"), pytest.importorskip("pyarrow.parquet")
    rows = [{name: values[number] for name, (values, *_) in COLUMNS.items()} for number in range(3)]
    records = [
        TrialRecord("a.T", "m", number, Outcome.PASS, extra={"row": row})
        for number, row in enumerate(rows, 1)
    ]
    keep(Results(tmp_path), "c", records)
    files = Results(tmp_path).files()
    df = frame_of(files)
    for name, (_, dtype, values) in COLUMNS.items():
        column = df[f"row_{name}"]
        assert pandas.api.types.pandas_dtype(dtype) == column.dtype, name
        assert column.astype(object).where(column.notna(), None).tolist() == values
    write_parquet(Source(files), tmp_path / "a.parquet")
    types = {field.name: str(field.type) for field in parquet.read_schema(tmp_path / "a.parquet")}
    wanted = {name: "double" if dtype == "float64" else "string" for name, (_, dtype, _) in COLUMNS.items()}
    assert {name: types[f"row_{name}"] for name in COLUMNS} == wanted
