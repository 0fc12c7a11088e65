"""What counts as waiting for a core, and what a program does to itself."""

from __future__ import annotations

import pytest

from assay.sandboxes.agent.waiting import BURST_S, Waiting


def weighed(ran: float, stood: float, *, seconds: float = 1.0, cpus: float = 1.0, used: float = 0.0) -> float:
    """Seconds lost to others in a window in which the threads seen ran and stood in the queue for so long."""
    waiting = Waiting(cpus)
    clock = waiting.start(10.0)
    waiting.known = {}
    waiting.looked_at = waiting.window_began + seconds
    waiting.ran, waiting.stood, waiting.used = ran, stood, used
    waiting.weigh()
    return clock.waited()


@pytest.mark.parametrize(
    ("what", "ran", "stood", "cpus", "lost"),
    [
        ("one thread that runs alone", 1.0, 0.0, 1.0, 0.0),
        ("one thread that gets a quarter of a core", 0.25, 0.75, 1.0, 0.75),
        ("one thread that mostly sleeps", 0.1, 0.1, 1.0, 0.1),
        ("two threads that share the one core they may have", 1.0, 1.0, 1.0, 0.0),
        ("eight of them that get half of it", 0.5, 7.5, 1.0, 0.5),
        ("two threads on two cores that get half of each", 1.0, 1.0, 2.0, 0.5),
        ("nothing but sleep", 0.0, 0.0, 1.0, 0.0),
    ],
)
def test_lost_is_what_an_idle_machine_would_have_given(what, ran, stood, cpus, lost):
    assert weighed(ran, stood, cpus=cpus) == pytest.approx(lost, abs=0.02), what


def test_what_was_not_seen_stood_as_long_as_what_was():
    assert weighed(0.05, 0.15, used=0.25) == pytest.approx(0.75, abs=0.02)


def test_a_pause_after_running_ahead_is_not_lost():
    """A CPU limit lets a program have its share of a period at once; then it has to stand still."""
    waiting = Waiting(1.0)
    clock = waiting.start(10.0)
    waiting.known = {}
    for ran, stood in ((0.1, 0.0), (0.0, 0.1)):  # of two threads, in half a period each
        waiting.looked_at = waiting.window_began + BURST_S / 2
        waiting.ran, waiting.stood, waiting.used = ran, stood, 0.0
        waiting.weigh()
    assert clock.waited() == pytest.approx(0.0, abs=0.005)


def test_a_limit_is_put_off_by_no_more_than_its_factor():
    waiting = Waiting(1.0)
    clock = waiting.start(1.0)
    waiting.total += 100.0
    assert clock.waited() == pytest.approx(1.5)
