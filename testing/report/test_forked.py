"""Long lists done by several processes: nothing is lost, whoever fails."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from assay.report.forked import MANY, in_processes

NAMES = [f"name-{number}" for number in range(600)]


@pytest.fixture(autouse=True)
def children(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Those forked; a test's own process may have threads of pytest's."""
    fork, children = os.fork, []

    def noted() -> int:
        if pid := fork():
            children.append(pid)
        return pid

    monkeypatch.setattr("os.fork", noted)
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {0, 1, 2}, raising=False)
    monkeypatch.setattr("threading.active_count", lambda: 1)
    return children


def check_none_is_left(children: list[int]) -> None:
    assert children
    for pid in children:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def test_everything_is_done_in_order_while_the_caller_does_something_else(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    pids.mkdir()

    def work(name: str) -> tuple[str, int]:
        (tmp_path / name).write_text(name)
        (pids / str(os.getpid())).touch()
        while len(list(pids.iterdir())) < 2:  # none can do all of it before another has begun
            time.sleep(0.001)
        return name.upper(), os.getpid()

    with in_processes(work, NAMES, trials=MANY) as results:
        while not list(tmp_path.glob("name-*")):  # others are at work before anybody asks
            pass
        found = results()
    assert list(found) == NAMES
    assert all(found[name][0] == name.upper() for name in NAMES)
    assert len({pid for _, pid in found.values()}) > 1
    assert len(list(tmp_path.glob("name-*"))) == len(NAMES)


def test_what_a_killed_process_left_is_done_by_this_one() -> None:
    here = os.getpid()

    def work(name: str) -> str:
        if os.getpid() != here:
            os.kill(os.getpid(), 9)
        return name

    with in_processes(work, NAMES, trials=MANY) as results:
        assert list(results()) == NAMES


def test_an_error_is_the_callers_own(children: list[int]) -> None:
    def work(name: str) -> str:
        if name == NAMES[300]:
            raise OSError(28, "No space left on device")
        return name

    with pytest.raises(OSError, match="No space left"), in_processes(work, NAMES, trials=MANY) as results:
        results()
    check_none_is_left(children)


def test_a_caller_that_gives_up_stops_the_others(tmp_path: Path, children: list[int]) -> None:
    def work(name: str) -> None:
        (tmp_path / name).touch()

    with pytest.raises(KeyboardInterrupt), in_processes(work, NAMES, trials=MANY):
        raise KeyboardInterrupt
    check_none_is_left(children)


@pytest.mark.parametrize("reason", ["few", "threads"])
def test_where_a_fork_is_not_worth_it_or_not_safe_one_process_does_all(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason == "threads":
        monkeypatch.setattr("threading.active_count", lambda: 2)
    trials = MANY if reason == "threads" else MANY - 1
    with in_processes(lambda name: os.getpid(), NAMES, trials=trials) as results:
        assert set(results().values()) == {os.getpid()}
