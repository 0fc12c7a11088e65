"""The table of verdicts that changed in rescoring: short, and with what was found this time."""

from assay.records import Block, Outcome, TrialRecord
from assay.report.cells import text_of
from assay.report.changes import changes_table
from assay.rescoring.verdict_diff import why


def judged(
    test, epoch=1, was="✗ output lacks 'The capital is Paris'; it was 'Paris'", after="PASS", model="m"
):
    facts = {"changed": True, "before": "FAIL", "after": after, "why": "the grader changed", "was": was}
    rescored = {**facts, "now": "✓ output contains 'Paris'"}
    return TrialRecord(test, model, epoch, Outcome.PASS, rescored=rescored)


def lines(records, whole=False):
    table = changes_table(records, whole)
    return [[text_of(cell) for cell in row] for row in table.rows], table.note


def test_trials_of_a_test_that_changed_alike_are_one_line():
    records = [judged(test, epoch) for test in ("a.T", "b.T") for epoch in range(1, 21)]
    records += [judged("a.T", 21, after="ERROR"), judged("a.T", model="other")]
    rows, note = lines(records)
    assert [row[:5] for row in rows] == [
        ["a.T", "m", "20", "FAIL", "PASS"], ["a.T", "m", "1", "FAIL", "ERROR"],
        ["a.T", "other", "1", "FAIL", "PASS"], ["b.T", "m", "20", "FAIL", "PASS"],
    ]  # fmt: skip
    assert "42 of the 42 trials" in note and "the first one's" in note


def test_the_new_verdict_is_always_shown():
    (row,), _ = lines([judged("a.T", was="✗ output lacks " + "'a long text' " * 9)])
    assert row[5].startswith("the grader changed: ✗ output lacks 'a")
    assert row[5].endswith(" → ✓ output contains 'Paris'") and len(row[5]) <= 92


def test_a_cut_leaves_what_the_reply_was_and_pages_cut_nothing():
    was, now = "✗ output differs from 'vienna'; it was 'Vienna'", "✓ output matches /^vienna$/i with 'Vienna'"
    record = judged("a.T", was=was)
    record.rescored["now"] = now
    (row,), _ = lines([record])
    assert "✗ output differ…'; it was 'Vienna' → ✓ output matche…a$/i with 'Vienna'" in row[5]
    assert lines([record], whole=True)[0][0][5] == f"the grader changed: {was} → {now}"


def test_many_rows_of_one_test_are_one_line():
    few, _ = lines([judged(f"qa.T[{at}]") for at in range(20)])
    assert [row[0] for row in few][:2] == ["qa.T[0]", "qa.T[1]"] and len(few) == 20
    many, _ = lines([judged(f"qa.T[{at}]") for at in range(21)])
    assert [row[0] for row in many] == ["qa.T[0, 1, 2 and 18 more]"]


def test_scores_that_differ_are_left_to_the_pages():
    (row,), _ = lines([judged("a.T", epoch, after=f"PASS 0.{epoch}") for epoch in (1, 2)])
    assert row[4] == "PASS"
    (row,), _ = lines([judged("a.T", epoch, after="PASS 0.5") for epoch in (1, 2)])
    assert row[4] == "PASS 0.5"


def test_where_texts_are_cut_the_part_that_differs_is_shown():
    begin = "output lacks what was asked for in a very long sentence of the test: "
    end = "; it was 'a very long sentence in which neither the one nor the other colour is named'"
    for was, now, first, second in (
        (f"✗ {begin}'red'", f"✗ {begin}'blue'", "of the test: 'red'", "of the test: 'blue'"),
        (f"✗ {begin}'red'{end}", f"✓ {begin}'blue'{end}", "✗ …f the test: 'red'", "✓ …f the test: 'blue'"),
        (f"✗ lacks 'red'{end}", f"✓ lacks 'blue'{end}", "✗ lacks 'red'; it w", "✓ lacks 'blue'; it w"),
        (begin, f"{begin}red", "of the test: →", "of the test: red"),
    ):
        record = judged("a.T", was=was)
        record.rescored["now"] = now
        (row,), _ = lines([record])
        assert first in row[5] and second in row[5] and len(row[5]) <= 92, row[5]


def test_a_long_reason_is_saved_from_where_it_differs_with_its_mark():
    same = "what was asked for, and " * 20
    told = [Block("verdict", "", f"{same}{it}", passed=it == "blue") for it in ("red", "blue")]
    found = why(*(TrialRecord("a.T", "m", 1, Outcome.FAIL, reason=block) for block in told))
    assert (found["was"], found["now"]) == (f"✗ ... {same[-40:]}red", f"✓ ... {same[-40:]}blue")
