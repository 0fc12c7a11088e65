"""Numbers in names of tests are sorted as numbers, wherever tests are listed."""

import random
from dataclasses import replace
from pathlib import Path

from assay.records import Outcome, TrialRecord
from assay.report.aggregate import make_grid
from assay.report.compared import compare_sides
from assay.report.html import write_report
from assay.report.live.board import Board, Place
from assay.results.export.frame import frame_of
from assay.results.natural_order import alphabetical, natural
from assay.results.store import Results
from testing.harness.commanding import Workspace

NAMES = [f"qa.TestQa[{number}]" for number in (1, 2, 10, 11, 20)]


def shuffled():
    records = [
        TrialRecord(name, model, 1, outcome)
        for name in NAMES
        for model, outcome in (("m", Outcome.PASS), ("n", Outcome.FAIL))
    ]
    random.Random(0).shuffle(records)
    return records


def test_numbers_count_as_numbers():
    assert sorted(["t10", "t9", "a", "t1b20", "t1b3"], key=natural) == ["a", "t1b3", "t1b20", "t9", "t10"]
    assert natural("t01") != natural("t1")
    assert sorted(["t" + "9" * 5000, "t1"], key=natural)[0] == "t1"


def test_tables_reports_and_comparisons_have_them_so():
    assert [row.test for row in make_grid(shuffled()).rows] == NAMES
    gaps = compare_sides(shuffled(), "m", "n").gaps
    assert [row.test for row, *_ in gaps] == NAMES


def test_tags_are_in_the_order_of_the_alphabet_as_groups_are(tmp_path):
    tags = ["Århus", "Łódź", "Malmö", "Žilina", "kl. 2", "kl. 10"]
    records = [replace(record, tags=tuple(tags[::-1])) for record in shuffled()]
    in_order = sorted(tags, key=alphabetical)
    assert in_order[:2] == ["Århus", "kl. 2"] and in_order[-1] == "Žilina"
    assert list(compare_sides(records, "m", "n").tags) == in_order
    page = write_report(records, tmp_path, images=tmp_path, root=tmp_path).index.read_text("utf-8")
    places = [page.index(f"<option>{tag}</option>") for tag in in_order]
    assert places == sorted(places)


def test_the_live_page_lists_tests_so():
    board = Board()
    for record in shuffled():
        board.add(record, Place(Path("x"), 0, 0))
    assert [row.test for row in board.grid().rows] == NAMES


def test_a_frame_groups_tests_so(tmp_path):
    with Results(tmp_path).open_new("c", "m") as store:
        for record in shuffled():
            store.append(record)
    frame = frame_of([store.path])
    assert list(frame.groupby("test", observed=True).size().index) == NAMES


def test_files_of_tests_are_listed_so(tmp_path):
    work = Workspace(tmp_path)
    for name in ("q10", "q9", "q1"):
        work.test_file(name, "TestX = 'x' >> LLMRun() >> SubstringEvaluator('x')")
    out, _ = work.main("--list")
    assert out.index("q1.TestX") < out.index("q9.TestX") < out.index("q10.TestX")
