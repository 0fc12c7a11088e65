"""Trials by their key, and which lines count, without keeping what is in them."""

import random

import pytest

from assay.records import Outcome, TrialKey, TrialRecord
from assay.results.saved_runs import lines_that_count
from assay.results.schema import LightLine, TableLine
from assay.results.serialize import record_of
from assay.results.store import Store, load_records
from assay.results.trial_index import TrialIndex


def test_an_index_knows_each_trial_once():
    index, one = TrialIndex(), TrialKey("a.T", 1, "s", "a.py")
    assert one not in index and not index and index.get(one) is None
    assert index.add(one, "x") and not index.add(TrialKey("a.T", 1, "s", "b.py"), "y")
    assert index.get(one) == "x"
    index.put(one, "\ud800")
    index.put(TrialKey("a.T", 2, "s"))
    assert index.get(one) == "\ud800" and len(index) == 2
    index.discard(one)
    assert one not in index and TrialKey("a.T", 2, "s") in index and TrialKey("a.T", 2) not in index


@pytest.mark.parametrize("seed", range(30))
def test_the_lines_that_count_are_the_records_that_count(tmp_path, seed):
    some = random.Random(seed)
    files = [tmp_path / f"run-{number}.jsonl" for number in (1, 2)]
    for path in files:
        with Store(path, tmp_path / "images") as store:
            for at in range(some.choice((3, 12))):
                outcome = some.choice(list(Outcome))
                store.append(
                    TrialRecord(
                        f"a.Test{some.randrange(4)}", some.choice("mn"), some.randrange(1, 3), outcome,
                        suite=some.choice("st"), started_at=f"2026-01-{some.randrange(10, 29)}T{at:02}",
                        fingerprint=some.choice(("old", "old", "new", "")), error="no" * (outcome == "error"),
                        conditions=some.choice(({}, {"limit": 1})) if some.random() < 0.2 else {},
                    )
                )  # fmt: skip
    wanted = load_records(files, light=True).records
    found = [record_of(line) for line in lines_that_count(files, [], LightLine)]
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))


def test_what_stands_in_a_file_as_later_is_not_believed(tmp_path):
    (tmp_path / "run-1.jsonl").write_text(
        '{"test": "a", "model": "m", "epoch": 1, "outcome": "fail", "later": "ERROR: made up"}\n'
    )
    (line,) = lines_that_count([tmp_path / "run-1.jsonl"], [], LightLine)
    assert line.later == ""


@pytest.mark.parametrize("kind", [LightLine, TableLine])
def test_a_broken_line_of_a_trial_is_told_and_its_other_try_counts(tmp_path, kind):
    trial = '{"test": "a", "model": "m", "epoch": 1, "outcome": '
    path, problems = tmp_path / "run-1.jsonl", []
    later = '"fail", "started_at": "2026-01-02", "score": NaN}'
    path.write_text(f'{trial}"maybe"}}\n\n{trial}"pass", "started_at": "2026-01-01"}}\n{trial}{later}\n')
    (line,) = lines_that_count([path], problems, kind)
    assert line.outcome == Outcome.FAIL
    (problem,) = problems
    assert f"{path}:1: unreadable" in problem and "maybe" in problem
