"""The scheduler of operate_schedule does what its manual says."""

from __future__ import annotations

from datetime import date

from tests.hard.operate_schedule import engine

ZONE = {"zones/north.zone": "offset 60\nsummer 60 from last sun 3 02:00 to last sun 10 02:00\n"}


def runs(first, last, /, **jobs):
    files = ZONE | {f"jobs/{name}.job": text for name, text in jobs.items()}
    return [
        line.split()
        for line in engine().simulate(files, date.fromisoformat(first), date.fromisoformat(last), "1")
    ]


def starts(first, last, /, **jobs):
    return [words[3] for words in runs(first, last, **jobs)]


def test_a_time_that_is_skipped_is_dropped_or_shifted():
    job = "when = 30 2 * * *\nzone = north\n"
    assert starts("2025-03-30", "2025-03-30", a=job) == []
    assert starts("2025-03-30", "2025-03-30", a=f"{job}gap = shift\n") == ["2025-03-30T01:00"]


def test_a_time_that_is_there_twice_runs_as_often_as_is_said():
    job = "when = 30 2 * * *\nzone = north\n"
    both = ["2025-10-26T00:30", "2025-10-26T01:30"]
    assert starts("2025-10-26", "2025-10-26", a=job) == both
    assert starts("2025-10-26", "2025-10-26", a=f"{job}fold = first\n") == both[:1]
    assert starts("2025-10-26", "2025-10-26", a=f"{job}fold = second\n") == both[1:]


def test_a_day_of_the_month_or_of_the_week_is_enough():
    assert len(starts("2025-02-01", "2025-02-28", a="when = 0 12 1 * 7\n")) == 5
    assert len(starts("2024-02-01", "2024-02-29", a="when = 0 12 L * 7#1\n")) == 2


def test_a_run_that_follows_a_killed_one_is_left_out():
    job = "when = 0 12 * * *\ntakes = 9-9\n"
    after = "when = 1 12 * * *\nafter = a\n"
    assert [words[0] for words in runs("2025-02-01", "2025-02-01", a=job, b=after)] == ["a", "b"]
    assert [words[0] for words in runs("2025-02-01", "2025-02-01", a=f"{job}limit = 8\n", b=after)] == ["a"]


def test_a_lock_is_held_by_one_job_and_those_that_wait_go_by_their_time():
    its = {
        name: f"when = {at} 12 * * *\ntakes = 30-30\nlock = disk\n"
        for name, at in (("c", 0), ("b", 1), ("a", 2))
    }
    assert [
        words[0] for words in sorted(runs("2025-02-01", "2025-02-01", **its), key=lambda words: words[3])
    ] == ["c", "b", "a"]
