"""`make test` leaves out what is marked slow; what takes long and is not marked is named at the end.

    @pytest.mark.slow(20)  # seconds on two idle cores, roughly: they order the run and tell the time left

Slow is what takes more than two seconds or needs a Docker engine. A new test is quick until marked.
"""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Any

import pytest

LIMIT_S = 2.0
BUSY = 2.0  # a machine may be so many times slower before a test is named
USUAL_S = 0.12  # of a test that is not marked
NAMED = 20
DAILY = 60  # days in which `make test` tries all that is proven in parts


def seconds(item: pytest.Item) -> float:
    """What the test is expected to take."""
    mark = item.get_closest_marker("slow") or item.get_closest_marker("daily")
    return float(mark.args[0]) if mark else USUAL_S


def parts(number: int, seconds: float, days: int = 1) -> list[Any]:
    """Parameters of a test that proves a suite in parts of so many seconds: slices of what is to be proven,
    of which each day another `days`-th is tried. `make test` tries a small one of its own, another each day.
    """
    today = datetime.date.today().toordinal()
    marks = pytest.mark.slow(seconds), pytest.mark.timeout(900)
    marked = [
        pytest.param(slice(n, None, number), marks=marks, id=f"part{n}")
        for n in range(today % days, number, days)
    ]
    small = pytest.mark.daily(number * seconds / DAILY)
    return [*marked, pytest.param(slice(today % DAILY, None, DAILY), marks=small, id="today")]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out slow tests, unless some are chosen")


def chosen(config: pytest.Config) -> bool:
    """Whether the command line says which tests: then it means the slow ones among them too."""
    option = config.option
    return bool(
        config.args_source is pytest.Config.ArgsSource.ARGS or option.keyword or option.markexpr or option.lf
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow(seconds): takes some so many seconds; make test leaves it out")
    config.addinivalue_line("markers", "daily(seconds): the part of a slow test that make test runs today")
    if config.option.quick and not chosen(config):
        config.option.markexpr = "not slow"
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Unmarked(), "unmarked-slow-tests")


class Unmarked:
    """Adds up what each test took, with what was made for it and ended after it."""

    def __init__(self) -> None:
        self.took: Counter[str] = Counter()
        self.marked: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took[report.nodeid] += report.duration
        if "slow" in report.keywords or "daily" in report.keywords:
            self.marked.add(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        slow = [
            (took, name)
            for name, took in self.took.most_common()
            if took > LIMIT_S * BUSY and name not in self.marked
        ]
        if slow:
            terminalreporter.section("long, but not marked: @pytest.mark.slow(SECONDS)")
            for took, name in slow[:NAMED]:
                terminalreporter.line(f"{took:6.1f} s  {name}")
            if slow[NAMED:]:
                terminalreporter.line(f"and {len(slow) - NAMED} more")
