"""Records as a DataFrame."""

import pandas
import pytest

from assay import extras
from assay.errors import ConfigError
from assay.records import Block, Outcome, TrialRecord, Usage
from assay.results.export.frame import frame

STEPS = Block(
    "group",
    children=(
        Block("chat", "asked m", "2+2?", role="user"),
        Block("chat", "m replied", "4", role="assistant"),
    ),
)
RECORDS = [
    TrialRecord(
        "a.T", "m", 1, Outcome.PASS, usage=Usage(3, 2, 0, 2, 1), cost=0.5, score=0.25, reason=STEPS,
        tags=("x",), started_at="2026-01-02T03:04:05+00:00", metrics={"depth": 2.0}, parameters={"seed": 1},
    ),
    TrialRecord("a.T", "m", 2, Outcome.ERROR, error="no key", cause="provider", started_at="yesterday"),
]  # fmt: skip


def test_a_row_a_trial():
    one, two = (row for _, row in frame(RECORDS).iterrows())
    assert (one.test, one.model, one.epoch, one.outcome, one.suite) == ("a.T", "m", 1, "pass", "applied")
    assert (one.prompt, one.reply, one.input_tokens, one.output_tokens) == ("2+2?", "4", 3, 2)
    assert (one.cached_tokens, one.cache_write_tokens, two.cached_tokens) == (2, 1, 0)
    assert (one.cost, one.score, one.metric_depth, one.tags, one.parameters) == (
        0.5,
        0.25,
        2.0,
        ["x"],
        {"seed": 1},
    )
    assert one.started_at == pandas.Timestamp("2026-01-02T03:04:05Z") and one.passed
    assert (two.outcome, two.error, two.cause) == ("error", "no key", "provider")
    assert two.passed is pandas.NA and two.started_at is pandas.NaT and pandas.isna(two.cost)


def test_rows_are_sorted_by_model_test_and_epoch_whichever_trial_ended_first():
    ended = [("n", "b", 1), ("m", "a", 2), ("n", "a", 1), ("m", "b", 1), ("m", "a", 1)]
    orders = {"model": ["n", "m"], "test": ["b", "a"]}
    rows = frame((TrialRecord(test, model, epoch, Outcome.PASS) for model, test, epoch in ended), orders)
    found = list(rows[["model", "test", "epoch"]].itertuples(index=False, name=None))
    assert found == [("n", "b", 1), ("n", "a", 1), ("m", "b", 1), ("m", "a", 1), ("m", "a", 2)]
    assert list(rows.index) == [*range(5)]


def test_no_records_are_an_empty_table_with_the_same_columns():
    empty = frame([])
    assert len(empty) == 0 and set(empty.columns) == set(frame(RECORDS[1:]).columns)


def test_numbers_that_no_column_holds_are_kept():
    (row,) = (row for _, row in frame([TrialRecord("a.T", "m", 10**30, Outcome.PASS)]).iterrows())
    assert row.epoch == 10**30


def test_without_pandas_the_message_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(extras, "_here", lambda module: module == "pip")
    with pytest.raises(ConfigError, match="a DataFrame needs pandas: "):
        frame(RECORDS)
