"""Tests on several processes: as many as there are cores and memory, the longest first.

What must not run beside its like is one unit, which one process runs from start to end: all that uses the
Docker engine or the image's mounts and storage, and whatever has a mark `xdist_group`. A test that is marked
as one of many seconds is a unit of its own; else a file is one, so that what its tests share is made once.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from testing.running.slow import seconds

ALONE = ("testing/sandboxes/", "docker", "test_bench")
BY_ITSELF_S = 5.0  # a test of more seconds may go to another process than the rest of its file
MEMORY = 2 << 30  # bytes for each process, with what it starts
PLAN = pytest.StashKey[dict[str, tuple[str, float]]]()
FOLDER = pytest.StashKey[Path]()


def usable_processes(cores: int, free: int) -> int:
    """How many for so many cores and bytes of free memory."""
    return max(1, min(cores, free // MEMORY))


def _free_memory() -> int:
    lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    (free,) = (int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    return free * 1024


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """For `-n auto`. A file or two are done before a second process has started; only a single process tells
    of a path that is not there."""
    asked = config.args if config.args_source is pytest.Config.ArgsSource.ARGS else []
    paths = [Path(each.split("::")[0]) for each in asked]
    if not all(path.exists() for path in paths) or (0 < len(paths) <= 2 and all(map(Path.is_file, paths))):
        return 0
    return usable_processes(len(os.sched_getaffinity(0)), _free_memory())


def unit_of(item: pytest.Item) -> str:
    """The name of what the test must, or should, run together with."""
    group = item.get_closest_marker("xdist_group")
    if group:
        return str(group.args[0] if group.args else group.kwargs["name"])
    if any(part in item.nodeid for part in ALONE):
        return "engines"
    own = any(mark.name in ("slow", "daily") and mark.args[0] > BY_ITSELF_S for mark in item.own_markers)
    return item.nodeid if own else item.nodeid.split("::")[0]


def longest_first(items: list[pytest.Item]) -> None:
    """Sort by what the unit takes; within a unit the order stays."""
    sums: Counter[str] = Counter()
    for item in items:
        sums[unit_of(item)] += seconds(item)
    items.sort(key=lambda item: -sums[unit_of(item)])


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("tx", None) and not hasattr(config, "workerinput"):
        config.option.loadscopereorder = False  # ours is by seconds, not by the number of tests
        config.stash[FOLDER] = Path(tempfile.mkdtemp(prefix="assay-tests-"))


def pytest_unconfigure(config: pytest.Config) -> None:
    if FOLDER in config.stash:
        shutil.rmtree(config.stash[FOLDER], ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["plan"] = str(node.config.stash[FOLDER] / node.gateway.id)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        longest_first(items)


@pytest.hookimpl(tryfirst=True)  # before xdist says that this process has collected
def pytest_collection_finish(session: pytest.Session) -> None:
    """Each process knows its tests' marks; the one that hands them out knows only names."""
    plan = {item.nodeid: (unit_of(item), seconds(item)) for item in session.items}
    if hasattr(session.config, "workerinput"):
        Path(session.config.workerinput["plan"]).write_text(json.dumps(plan), "utf-8")
    elif session.items:
        session.config.stash[PLAN] = plan


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:
    path = node.config.stash[FOLDER] / node.gateway.id
    node.config.stash[PLAN] = json.loads(path.read_text("utf-8"))


class LongestFirst(LoadScopeScheduling):
    """Hands out units in the order in which they were collected."""

    def _split_scope(self, nodeid: str) -> str:
        return self.config.stash[PLAN][nodeid][0]


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LongestFirst:
    return LongestFirst(config, log)
